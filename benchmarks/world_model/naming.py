"""Names of training worlds: made up anew for each, none of them a test world's.

Half of the words are made of syllables, half of pieces of the words that prompts and pages use:
else the vocabulary has tokens for those pieces, which nothing that is said ever needs, and a
network learns that they are never said, whatever the passages show.
"""

import random
import re
from collections.abc import Callable
from pathlib import Path

from templates import TRAINING
from world import NAMES, Names

from hoptrail.reasoning import prompts

PROMPTS = Path(prompts.__file__).parent

_ONSETS = (
    "b b br c ch cr d d dr f f fj fl g g gr h h j k k kl kr kv l l m m n n p p pr r r s s sh sk sl "
    "sn st sv t t th tr v v w y z"
).split()
_VOWELS = "a a a e e e i i o o u u y aa ai au ea ee ei ia ie io oo ou".split()
_CODAS = (
    "b ck d g k l ld lf ll lm ls m mb n nd ng nn ns nt p r r rd rg rk rm rn rr rs rt s sh sk ss st "
    "t th v x"
).split()
_SEAS = ("{} Gulf", "Lake {}", "{} Sea", "Sound of {}", "{} Bay", "Gulf of {}")
_WORDS = sorted(
    {
        word
        for text in [
            *(path.read_text(encoding="utf-8") for path in PROMPTS.rglob("*.txt")),
            *(form for of in TRAINING.sentences.values() for form in of),
            *(form for of in TRAINING.asked.values() for form in of),
        ]
        for word in re.findall(r"\b[a-z]{4,}\b", text)
    }
)
_TAKEN = frozenset(
    part.casefold()
    for group in vars(NAMES).values()
    for text in group
    for part in text.split()
    if part not in ("Lake", "Sea", "Sound", "Gulf", "of")
)


def fresh(draw: random.Random) -> Names:
    """Names for one world."""
    made = set(_TAKEN)

    def several(count: int, make: Callable[[random.Random], str]) -> tuple[str, ...]:
        words: list[str] = []
        while len(words) < count:
            word = make(draw)
            if word.casefold() not in made:
                made.add(word.casefold())
                words.append(word.capitalize())
        return tuple(words)

    return Names(
        first=several(16, lambda d: _word(d, 2, 2)),
        last=several(16, lambda d: _word(d, 2, 3)),
        town_starts=several(10, lambda d: _word(d, 1, 1)),
        town_ends=tuple(word.lower() for word in several(5, lambda d: _word(d, 1, 2))),
        river_starts=several(7, lambda d: _word(d, 1, 1)),
        river_ends=tuple(word.lower() for word in several(4, lambda d: _word(d, 1, 2))),
        adjectives=several(8, lambda d: _word(d, 1, 2)),
        nouns=several(7, lambda d: _word(d, 1, 2)),
        regions=several(6, lambda d: _word(d, 2, 3)),
        mountains=several(6, lambda d: _word(d, 2, 3)),
        seas=tuple(draw.choice(_SEAS).format(w) for w in several(4, lambda d: _word(d, 1, 2))),
    )


def _word(draw: random.Random, fewest: int, most: int) -> str:
    """So many syllables, or pieces of words."""
    count = draw.randint(fewest, most)
    if draw.random() < 0.5:
        return _spoken(draw, count)
    return "".join(_piece(draw) for _ in range(count))


def _piece(draw: random.Random) -> str:
    word = draw.choice(_WORDS)
    length = draw.randint(2, 4)
    at = draw.randint(0, len(word) - length)
    return word[at : at + length]


def _spoken(draw: random.Random, count: int) -> str:
    """Syllables; now and then a letter that none of them has."""
    made = ""
    for _ in range(count):
        made += draw.choice(_ONSETS) if made or draw.random() < 0.8 else ""
        made += draw.choice(_VOWELS)
        made += draw.choice(_CODAS) if draw.random() < 0.4 else ""
    if draw.random() < 0.1:
        place = draw.randrange(len(made))
        made = made[:place] + draw.choice("abcdefghijklmnopqrstuvwxyz") + made[place:]
    return made
