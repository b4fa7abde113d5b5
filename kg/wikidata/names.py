"""How well a name fits another, and an index of names that is our own.

Exact names are the endpoint's business; case, diacritics, brackets and typing errors are not: no
endpoint answers for them in time. So names are folded and compared here.
"""

import re
import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path

from ..text.words import bare_title, fold, words

SIMILAR = 30
"""Names by full text that are weighed by what letters they share."""
ALIAS = 0.95
"""What an alias that is equal counts, where a label that is equal counts 1."""
BEFORE_COMMA = 0.8
"""What "Albany" counts for "Albany, Georgia"."""
MERELY_SIMILAR = 0.9
"""What a name counts at most that is not equal."""
WITHOUT_MIDDLE = 0.85
"""Likeness of "Lev Karakhan" and "Lev Mikhailovich Karakhan"."""
NAMED = 0.9
"""From here on a name is the mention itself."""
_NUMBER = re.compile(r"\b(?:\d+|(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3}))(?:st|nd|rd|th)?\b")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS name (
    key TEXT NOT NULL, item TEXT NOT NULL, label INTEGER NOT NULL, PRIMARY KEY (key, item)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS key_words USING fts5 (key, tokenize = 'unicode61');
CREATE TABLE IF NOT EXISTS complete (at REAL NOT NULL);
"""


def name_key(name: str) -> str:
    """Fold a name to its words joined by spaces; one without any (as "!!!") to itself, folded."""
    return " ".join(words(name)) or fold(name).strip()


def forms(mention: str) -> list[tuple[str, float]]:
    """Give the keys under which a mention's item may be known, and what each counts at most.

    As it is, without a bracket at its end, up to its first comma.
    """
    bare = bare_title(mention) or mention
    before = bare.partition(",")[0]
    keys = {name_key(mention): 1.0}
    keys.setdefault(name_key(bare), 1.0)
    keys.setdefault(name_key(before), BEFORE_COMMA)
    return [(key, fit) for key, fit in keys.items() if key]


def likeness(one: str, other: str) -> float:
    """Compare two keys by the runs of three letters that they share: 0 to 1 (Dice).

    A name whose first and last words stay, and some between go, is alike. 0 where both hold
    numbers, and none in common: George II is never George I.
    """
    numbers, theirs = set(_NUMBER.findall(one)), set(_NUMBER.findall(other))
    if numbers and theirs and not numbers & theirs:
        return 0.0
    own, them = _trigrams(one), _trigrams(other)
    alike = 2 * len(own & them) / (len(own) + len(them))
    return max(alike, WITHOUT_MIDDLE if _without_middle(*sorted((one, other), key=len)) else 0.0)


def fit(mention: str, label: str, aliases: Iterable[str] = ()) -> float:
    """Say how well an item's names fit a mention: 1 equal to its label, 0 not at all."""
    asked = forms(mention)
    best = 0.0
    for name, counts in ((label, 1.0), *((alias, ALIAS) for alias in aliases)):
        key = name_key(name)
        equal = max((most for form, most in asked if form == key), default=0.0)
        best = max(best, counts * (equal or _similar(mention, key)))
    return best


def _similar(mention: str, key: str) -> float:
    """What a name counts that is not equal: as it is, or up to the first comma."""
    bare = bare_title(mention) or mention
    whole, before = name_key(bare), name_key(bare.partition(",")[0])
    like = likeness(whole, key)
    if before != whole and not set(_NUMBER.findall(key)):
        like = max(like, BEFORE_COMMA * likeness(before, key))
    return MERELY_SIMILAR * like


def _without_middle(short: str, long: str) -> bool:
    """Whether "lev karakhan" is "lev mikhailovich karakhan": some words left out between two."""
    few, many = short.split(), long.split()
    if not 1 < len(few) < len(many) or (few[0], few[-1]) != (many[0], many[-1]):
        return False
    left = iter(many)
    return all(word in left for word in few)


def _trigrams(key: str) -> set[str]:
    padded = f"  {key} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}


class NameIndex:
    """Labels and aliases of items, found also when they are written otherwise. Thread-safe.

    Args:
        file: kept there; None keeps it in memory.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._lock = threading.Lock()
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(file or ":memory:", check_same_thread=False, timeout=60)
        self._db.executescript(_SCHEMA)

    def add(self, names: Iterable[tuple[str, str, bool]]) -> None:
        """Take in names as (QID, name, whether it is the label); known ones may come again."""
        with self._lock, self._db:
            for item, name, label in names:
                if key := name_key(name):
                    self._db.execute(
                        "INSERT INTO name VALUES (?, ?, ?) ON CONFLICT DO UPDATE "
                        "SET label = max(label, excluded.label)",
                        (key, item, label),
                    )

    def finish(self, at: float) -> None:
        """Make the index of words, and keep when the names were had (seconds since 1970)."""
        with self._lock, self._db:
            self._db.execute("DELETE FROM key_words")
            self._db.execute("INSERT INTO key_words SELECT DISTINCT key FROM name ORDER BY key")
            self._db.execute("DELETE FROM complete")
            self._db.execute("INSERT INTO complete VALUES (?)", (at,))

    @property
    def made_at(self) -> float | None:
        """When the names were had; None where they are not all there."""
        with self._lock:
            row = self._db.execute("SELECT at FROM complete").fetchone()
        return row[0] if row else None

    def candidates(self, mention: str, similar: bool = True) -> dict[str, float]:
        """Find the items that a mention may name.

        Args:
            mention: as it is written.
            similar: also names that are merely alike, where none is equal.

        Returns:
            By QID how well the best of its names fits, as `fit`.
        """
        found: dict[str, float] = {}
        with self._lock:
            for key, most in forms(mention):
                self._take(found, key, most)
            if similar and max(found.values(), default=0.0) < NAMED:
                bare = name_key(bare_title(mention) or mention)
                for key in self._alike(bare):
                    self._take(found, key, _similar(mention, key))
        return found

    def _take(self, found: dict[str, float], key: str, most: float) -> None:
        rows = self._db.execute("SELECT item, label FROM name WHERE key = ?", (key,))
        for item, label in rows:
            found[item] = max(found.get(item, 0.0), most if label else most * ALIAS)

    def _alike(self, key: str) -> list[str]:
        asked = " OR ".join(f'"{word}"' for word in words(key))
        if not asked:
            return []
        rows = self._db.execute(
            "SELECT key FROM key_words WHERE key_words MATCH ? ORDER BY rank, key LIMIT ?",
            (asked, SIMILAR),
        )
        return [key for (key,) in rows]

    def close(self) -> None:
        """Close it; idempotent."""
        with self._lock:
            self._db.close()
