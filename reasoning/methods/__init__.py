"""Methods of answering, one module each."""
