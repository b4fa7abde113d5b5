"""What a question asks for, apart from any page, and how its words and names are compared."""
