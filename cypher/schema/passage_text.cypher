// Passages by words, stemmed: title and text as people type them, and the folded words that keyword search asks for.
// Parameters: none.
// Columns: none.
CREATE FULLTEXT INDEX hoptrail_passage_text IF NOT EXISTS FOR (p:HoptrailPassage) ON EACH [p.title, p.text, p.words]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
