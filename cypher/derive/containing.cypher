// Passages whose words contain one of these phrases: the only older ones that may name a new title.
// Parameters: $phrases (each folded words in quotes).
// Columns: id.
UNWIND $phrases AS phrase
CALL db.index.fulltext.queryNodes('passage_words', phrase) YIELD node
RETURN DISTINCT node.id AS id
