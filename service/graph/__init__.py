"""Work on a whole graph: show, copy, export, move to another encoder."""
