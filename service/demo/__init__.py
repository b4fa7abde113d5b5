"""The packaged demo: a small corpus and questions that need several of its documents."""
