// Passages by nearness to a vector.
// Parameters: $options (map: indexConfig with dimension, cosine, no quantization: the same vector shall score 1).
// Columns: none.
CREATE VECTOR INDEX hoptrail_passage_embedding IF NOT EXISTS FOR (n:HoptrailPassage) ON (n.embedding) OPTIONS $options
