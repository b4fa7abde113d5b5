// First passages by title: what NAMES looks for.
// Parameters: none.
// Columns: none.
CREATE RANGE INDEX passage_title IF NOT EXISTS FOR (p:Passage) ON (p.normal_title, p.position)
