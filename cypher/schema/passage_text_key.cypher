// Passages by what their texts share with copies.
// Parameters: none.
// Columns: none.
CREATE RANGE INDEX hoptrail_passage_text_key IF NOT EXISTS FOR (p:HoptrailPassage) ON (p.text_key, p.id)
