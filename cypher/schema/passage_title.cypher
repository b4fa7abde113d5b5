// First passages by title: what NAMES looks for.
// Parameters: none.
// Columns: none.
CREATE RANGE INDEX hoptrail_passage_title IF NOT EXISTS FOR (p:HoptrailPassage) ON (p.normal_title, p.position)
