"""What the papers compare their methods with, one module each."""
