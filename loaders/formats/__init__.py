"""One module a format, with what formats share."""
