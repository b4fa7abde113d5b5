// Questions by text; a text index takes longer ones than a range index.
// Parameters: none.
// Columns: none.
CREATE TEXT INDEX hoptrail_question_text IF NOT EXISTS FOR (q:HoptrailQuestion) ON (q.text)
