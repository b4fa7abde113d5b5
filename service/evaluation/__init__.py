"""What `hoptrail evaluate` does, and how it shows what came of it."""
