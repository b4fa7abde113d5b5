"""What questions of yes or no ask, and what the clauses of a sentence say."""
