// The GraphInfo node of a graph whose labels had no prefix yet.
// Parameters: none.
// Columns: info (map of its properties); no row where there is none.
MATCH (g:GraphInfo {id: 'graph'})
WHERE g.created_by STARTS WITH 'hoptrail' AND g.schema_version IS NOT NULL
RETURN properties(g) AS info
