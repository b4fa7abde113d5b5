"""One answer, or what was retrieved, against what is right."""
