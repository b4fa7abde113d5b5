// The databases that hold data, for a message that another is missing; run in `system`.
// Parameters: none.
// Columns: name.
SHOW DATABASES YIELD name, type
WHERE type <> 'system'
RETURN DISTINCT name
ORDER BY name
