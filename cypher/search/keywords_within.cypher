// Some passages by BM25.
// Parameters: $lucene (words only, escaped), $ids (passage ids), $limit.
// Columns: id, score; best first, ties by id.
CALL db.index.fulltext.queryNodes('hoptrail_passage_text', $lucene) YIELD node, score
WHERE node.id IN $ids
RETURN node.id AS id, score
ORDER BY score DESC, id
LIMIT $limit
