// One GraphInfo node a graph: two processes that prepare it at once make one.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_graph_info IF NOT EXISTS FOR (n:HoptrailGraphInfo) REQUIRE n.id IS UNIQUE
