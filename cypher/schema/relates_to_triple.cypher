// RELATES_TO edges by the triple that each stands for. Not a constraint: others' edges may be called so, too.
// Parameters: none.
// Columns: none.
CREATE RANGE INDEX hoptrail_relates_to_triple IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.triple_id)
