"""`python -m hoptrail`: the same as the command `hoptrail`."""

from .service.cli.program import main

main()
