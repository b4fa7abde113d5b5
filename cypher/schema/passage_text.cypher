// Passages by words, stemmed: text and title as people type them, and the folded words that keyword search asks for.
// The text is the first property, as programs that return the first one expect.
// Parameters: none.
// Columns: none.
CREATE FULLTEXT INDEX hoptrail_passage_text IF NOT EXISTS FOR (p:HoptrailPassage) ON EACH [p.text, p.title, p.words]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
