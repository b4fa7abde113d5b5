"""What was found and is not asserted, in words."""

from collections.abc import Iterable


def with_chance(text: str, chance: float, *, withheld: bool = False) -> str:
    """Name a candidate with how likely it is; what is kept back alone, which nothing measures."""
    return text if withheld else f"{text} ({chance:.2f})"


def in_words(candidates: Iterable[tuple[str, float]], *, withheld: bool) -> str:
    """List candidates, best first, with how likely each is; "" for none.

    Args:
        withheld: whether the first is kept back, though it is likely.
    """
    told = [
        with_chance(text, chance, withheld=withheld and not rank)
        for rank, (text, chance) in enumerate(candidates)
    ]
    head = "Candidate" if len(told) == 1 else "Candidates"
    return f"{head}, not asserted: {', '.join(told)}" if told else ""
