"""What HTML and XHTML are read by, whichever file they come in."""
