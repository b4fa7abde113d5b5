// How many nodes there are, whoever made them.
// Parameters: none.
// Columns: nodes.
RETURN COUNT { () } AS nodes
