"""How many of something there are, in the right number."""


def counted(count: int, one: str, several: str = "") -> str:
    """Count things: "1 document", "2,000 documents"; `several` where that takes more than an s."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"
