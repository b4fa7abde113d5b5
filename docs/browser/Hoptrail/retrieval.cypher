// A question's retrieval
// The three passages with most of its words, where one hop leads from each, and which of these its answers cite.
// :param question => 'Where was the author of Peer Gynt born?'
WITH reduce(words = toLower($question), mark IN split('+-&|!(){}[]^"~*?:\\/', '') | replace(words, mark, ' ')) AS words
CALL db.index.fulltext.queryNodes('hoptrail_passage_text', words, {limit: 3}) YIELD node AS found, score
CALL (found) {
  MATCH path = (found)
  RETURN path, found AS p
  UNION
  MATCH path = (found)-[link:NAMES|SHARES_KEYWORD]-(p:HoptrailPassage)
  RETURN path, p ORDER BY type(link), link.weight DESC, p.id LIMIT 6
}
OPTIONAL MATCH cited = (p)<-[:CITES]-(:HoptrailAnswer)<-[:ANSWERED_BY]-(:HoptrailQuestion {text: $question})
RETURN path, cited, score
ORDER BY score DESC, found.id, length(path), p.id
