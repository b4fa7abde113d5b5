// Passages by phrase, word for word: which older passages may contain a new title.
// Parameters: none.
// Columns: none.
CREATE FULLTEXT INDEX hoptrail_passage_words IF NOT EXISTS FOR (p:HoptrailPassage) ON EACH [p.words]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
