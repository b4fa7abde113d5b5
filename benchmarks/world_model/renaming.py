"""Records told again of other names: a network that meets a world's few often knows them by heart.

Before, what it had to copy in held-out worlds it got wrong three times as often as in those it had
learned from: a question about a triple, nothing but copying, came out in 54 and 100 of a hundred.
"""

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product

from naming import PROMPTS, fresh
from recording import Record
from templates import TRAINING
from world import Names

TOGETHER = 60  # records, one after the other, with the same names: many show the same passages
_CAPITALISED = re.compile(r"\b[A-Z]\w*")
_SEAS = frozenset("Lake Sea Sound Gulf Bay of".split())
_KEPT = _SEAS | frozenset(
    word
    for text in [
        *(path.read_text(encoding="utf-8") for path in PROMPTS.rglob("*.txt")),
        *(path.read_text(encoding="utf-8") for path in PROMPTS.rglob("*.jsonl")),
        *(str(of) for of in vars(TRAINING).values()),
    ]
    for word in _CAPITALISED.findall(text)
)
"""Words that are no names, whatever a world calls its things."""


def renamed(records: Iterable[Record], names: Names, draw: random.Random) -> Iterator[Record]:
    """Put new names in the place of a world's."""
    left = iter(records)
    while some := list(islice(left, TOGETHER)):
        other = _others(names, fresh(draw))

        def put(text: str, other: Mapping[str, str] = other) -> str:
            return _CAPITALISED.sub(lambda found: other.get(found[0], found[0]), text)

        for record in some:
            said = tuple((put(text), share) for text, share in record.said)
            yield Record(record.task, put(record.prompt), said)


def _others(names: Names, new: Names) -> Mapping[str, str]:
    """The new word for each word of the names."""
    words = dict(zip(_words(names), _words(new), strict=True))
    return {word: other for word, other in words.items() if word not in _KEPT}


def _words(names: Names) -> list[str]:
    joined = (
        "".join(both)
        for starts, ends in (
            (names.town_starts, names.town_ends),
            (names.river_starts, names.river_ends),
        )
        for both in product(starts, ends)
    )
    alone = (names.first, names.last, names.adjectives, names.nouns, names.regions, names.mountains)
    seas = (next((w for w in sea.split() if w not in _SEAS), sea) for sea in names.seas)
    return [*joined, *(word for group in alone for word in group), *seas]
