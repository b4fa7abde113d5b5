// Triples by nearness to a vector.
// Parameters: $options (map: indexConfig with dimension, cosine, no quantization: the same vector shall score 1).
// Columns: none.
CREATE VECTOR INDEX triple_embedding IF NOT EXISTS FOR (n:Triple) ON (n.embedding) OPTIONS $options
