// RELATES_TO edges by relation.
// Parameters: none.
// Columns: none.
CREATE TEXT INDEX hoptrail_relates_to_relation IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.relation)
