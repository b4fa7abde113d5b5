// Cut passages off from all of the graph but the answers that cite them: a passage that comes back unchanged stays cited.
// Parameters: $ids (passage ids).
// Columns: none.
UNWIND $ids AS id
MATCH (asked:HoptrailPassage {id: id})-[r:HAS_PASSAGE|NEXT|MENTIONS|SHARES_KEYWORD|NAMES|STATES]-(:HoptrailDocument|HoptrailPassage|HoptrailEntity|HoptrailTriple)
USING INDEX SEEK asked:HoptrailPassage(id)
WITH DISTINCT r
DELETE r
