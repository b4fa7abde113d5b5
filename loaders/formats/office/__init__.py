"""Parts of the files of office programs, from Microsoft or of OpenDocument."""
