"""How an answer is shown and told, apart from what it holds."""
