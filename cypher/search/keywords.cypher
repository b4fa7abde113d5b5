// Passages by BM25.
// Parameters: $lucene (words only, escaped), $fetch (how many the index looks for), $limit.
// Columns: id, score; best first, ties by id.
CALL db.index.fulltext.queryNodes('hoptrail_passage_text', $lucene, {limit: $fetch}) YIELD node, score
RETURN node.id AS id, score
ORDER BY score DESC, id
LIMIT $limit
