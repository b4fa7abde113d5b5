// Passages by phrase, word for word: which older passages may contain a new title.
// Parameters: none.
// Columns: none.
CREATE FULLTEXT INDEX passage_words IF NOT EXISTS FOR (p:Passage) ON EACH [p.words]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
