// Passages by nearness to a vector.
// Parameters: $options (map: indexConfig with dimension, cosine, no quantization: the same vector shall score 1).
// Columns: none.
CREATE VECTOR INDEX passage_embedding IF NOT EXISTS FOR (n:Passage) ON (n.embedding) OPTIONS $options
