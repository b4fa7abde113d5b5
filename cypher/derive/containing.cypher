// Passages whose words contain one of these phrases: the only older ones that may name a new title.
// Parameters: $phrases (each folded words in quotes).
// Columns: phrase, id, text.
UNWIND $phrases AS phrase
CALL db.index.fulltext.queryNodes('hoptrail_passage_words', phrase) YIELD node
RETURN phrase, node.id AS id, node.text AS text
