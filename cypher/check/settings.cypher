// Where the server keeps its data.
// Parameters: none.
// Columns: folder.
SHOW SETTINGS YIELD name, value
WHERE name = 'server.directories.data'
RETURN value AS folder
