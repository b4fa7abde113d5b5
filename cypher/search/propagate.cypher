// One layer of message passing: what becomes of the distances of the senders' neighbours, but for their copies.
// Parameters: $ids (of the passages that send), $distances (by passage id, 0 to 2; the senders' and
// all that differ from 1 - cosine), $alpha (what a passage keeps of its own), $kinds (relationship
// types), $vector (float[d], unit length), $within (passage ids that may receive, or null for all),
// $decimals (similarities that differ by less are equal).
// Columns: found (list of [id, distance]), info (properties of GraphInfo but its time, read last).
UNWIND $ids AS id
MATCH (a:HoptrailPassage {id: id})-[r:NEXT|SHARES_KEYWORD|NAMES]-(p:HoptrailPassage)
USING INDEX SEEK a:HoptrailPassage(id)
WHERE type(r) IN $kinds AND a <> p AND coalesce(a.text_key <> p.text_key, true)
  AND ($within IS NULL OR p.id IN $within)
WITH p, min($distances[id]) AS message
WITH p.id AS id, message, coalesce($distances[p.id],
  1 - round(2 * vector.similarity.cosine(p.embedding, $vector) - 1, $decimals)) AS own
WITH collect([id, $alpha * own + (1 - $alpha) * message]) AS found
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN found, g {.*, created_at: null} AS info
