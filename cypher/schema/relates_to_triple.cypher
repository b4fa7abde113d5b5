// One RELATES_TO edge a triple, found by the triple's id when the triple goes.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_relates_to_triple IF NOT EXISTS
FOR ()-[r:RELATES_TO]-() REQUIRE r.triple_id IS UNIQUE
