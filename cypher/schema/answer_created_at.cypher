// Recorded answers by their time.
// Parameters: none.
// Columns: none.
CREATE RANGE INDEX hoptrail_answer_created_at IF NOT EXISTS FOR (a:HoptrailAnswer) ON (a.created_at, a.id)
