"""Facts that a document brings along, those of its tables, as statements of its passages."""

import re
from collections.abc import Iterable, Mapping, Sequence

from ..text.words import normal_form
from ..types import TABULAR, Fact, Mention, Statement, Triple

MAX_NAME_WORDS = 6
_NAME = re.compile(
    r"(?:[^\W\d_]*[^\W\d_a-zß-ÿ][^\W_]*|of|the|and|de|del|di|du|la|le|van|von|der)(?:\W+|\Z)"
)


def stated_by(facts: Iterable[Fact], passage_id: str, start: int, end: int) -> list[Statement]:
    """State facts by the passage that is text[start:end], as far as their row lies in it."""
    return [
        Statement(
            passage_id,
            Triple(fact.head, fact.relation, fact.tail, TABULAR),
            fact.start - start,
            min(fact.end, end) - start,
        )
        for fact in facts
        if normal_form(fact.head) and normal_form(fact.tail)
    ]


def named_in(facts: Sequence[Fact], passage_id: str) -> list[Mention]:
    """Mention what rows are about, and the values that are names."""
    heads = (fact.head for fact in facts)
    tails = (fact.tail for fact in facts if _is_name(fact.tail))
    found = dict.fromkeys([*heads, *tails])
    return [Mention(passage_id, name) for name in found if normal_form(name)]


def besides(
    stated: Iterable[Statement], told: Mapping[str, Sequence[Statement]]
) -> list[Statement]:
    """Keep what was found outside of rows that state facts themselves; then what these state.

    Args:
        stated: by a parse or a model.
        told: by rows, by passage id.
    """
    spans = {id_: {(s.start, s.end) for s in rows} for id_, rows in told.items()}
    kept = [s for s in stated if not _inside(s, spans.get(s.passage_id, ()))]
    return kept + [statement for rows in told.values() for statement in rows]


def _inside(stated: Statement, spans: Iterable[tuple[int | None, int | None]]) -> bool:
    if stated.start is None or stated.end is None:
        return False
    return any(
        start is not None and end is not None and stated.start < end and start < stated.end
        for start, end in spans
    )


def _is_name(value: str) -> bool:
    """Whether every word of a value is capitalised, as far as it is one."""
    words = value.split()
    if not words or len(words) > MAX_NAME_WORDS or value[:1].islower():
        return False
    return all(_NAME.match(word.strip(",.()")) for word in words)
