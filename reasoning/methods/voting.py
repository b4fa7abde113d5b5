"""The answer that most of several attempts came to."""

from collections.abc import Sequence

from ..evaluation.answers import normalise_answer


def vote(answers: Sequence[str]) -> list[tuple[str, float]]:
    """Answers with their share of the votes, most first, ties by who was first.

    Spellings with one normal form (lower case, no articles, no punctuation) are one answer, as the
    first attempt spelled it. "" votes like any other: most attempts may find that nothing tells.
    """
    cast: dict[str, list[str]] = {}
    for answer in answers:
        cast.setdefault(normalise_answer(answer), []).append(answer)
    ranked = sorted(cast.values(), key=len, reverse=True)  # stable: the first stays first
    return [(votes[0], len(votes) / len(answers)) for votes in ranked]
