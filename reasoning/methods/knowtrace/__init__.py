"""KnowTrace: a question traces its own graph (KnowTrace, Algorithm 1), and walks it back (§3.3)."""
