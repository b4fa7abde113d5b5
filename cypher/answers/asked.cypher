// Give an answer the question's own graph, triple by triple as they were asked.
// Parameters: $id, $rows (maps: order, properties of the node).
// Columns: none.
MATCH (a:HoptrailAnswer {id: $id})
USING INDEX SEEK a:HoptrailAnswer(id)
UNWIND $rows AS row
CREATE (a)-[:ASKED {order: row.order}]->(q:HoptrailQuestionTriple)
SET q = row.properties
