"""Graphs of made-up passages, as large as wanted: random words and vectors, a real schema.

Words are drawn by Zipf's law from 200,000, the commonest being the stop words, so that a question's
words are as common among the passages as those of real questions are. What the measured searches do
not read (triples, spellings) is left out. Rows go straight into the tables, in the order in which
GraphStore.add writes them: at this size the ordinary path would take hours.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.text.words import STOP, fold, stable_id, terms
from hoptrail.kg.types import Fingerprint, Vector

DIMENSION = 384
WORDS = 30, 110  # of a passage: 430 characters on average, as in the real corpus of growth.py
VOCABULARY = 200_000
BLOCK = 20_000  # passages written at once
MENTIONS, NAMES = 4, 1  # a passage
FINGERPRINT = Fingerprint("made-up", DIMENSION, "none", True, "", "", "")
SYLLABLES = [a + b for a in "bdfgklmnprtvz" for b in "aiou"]


class Made:
    """Passages by number, the same for the same seed."""

    def __init__(self, seed: int = 1) -> None:
        self._random = np.random.default_rng(seed)
        self.vocabulary = [*sorted(STOP), *map(_word, range(VOCABULARY - len(STOP)))]
        self._stems = [next(iter(terms(word)), "") for word in self.vocabulary]
        shares = 1 / (np.arange(VOCABULARY) + 2.7)
        self._shares = np.cumsum(shares / shares.sum())

    def words(self, passages: int) -> list[list[int]]:
        """Places in the vocabulary for each passage."""
        drawn = np.searchsorted(self._shares, self._random.random((passages, WORDS[1])))
        lengths = self._random.integers(WORDS[0], WORDS[1] + 1, passages).tolist()
        rows = np.minimum(drawn, VOCABULARY - 1).tolist()
        return [row[:length] for row, length in zip(rows, lengths, strict=True)]

    def vectors(self, passages: int) -> Vector:
        """Random unit vectors (passages, DIMENSION)."""
        drawn = self._random.standard_normal((passages, DIMENSION), np.float32)
        return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)

    def text(self, words: list[int]) -> str:
        """The words as a text."""
        return " ".join(map(self.vocabulary.__getitem__, words))

    def stems(self, words: list[int]) -> list[str]:
        """As Passage.terms."""
        return [stem for stem in dict.fromkeys(map(self._stems.__getitem__, words)) if stem]

    def entities(self, passages: int, most: int) -> Iterator[list[int]]:
        """MENTIONS different numbers below `most` for each passage, small ones more often."""
        drawn = self._random.random((passages, MENTIONS * 2)) ** 1.5 * most
        for row in drawn.astype(int).tolist():
            yield list(dict.fromkeys(row))[:MENTIONS]


def write(path: Path, passages: int, seed: int = 1) -> None:
    """A new graph of so many passages, each a document of its own."""
    made = Made(seed)
    with SqliteStore(path) as store:
        store.prepare(FINGERPRINT)
    db = sqlite3.connect(path, isolation_level=None)
    for pragma in ("synchronous = OFF", "cache_size = -1000000", "foreign_keys = OFF"):
        db.execute(f"PRAGMA {pragma}")
    held, stems = Counter[int](), Counter[str]()
    for start in range(0, passages, BLOCK):
        db.execute("BEGIN")
        _write_block(db, made, range(start, min(start + BLOCK, passages)), passages, held, stems)
        db.execute("COMMIT")
    db.execute("BEGIN")
    db.executemany("INSERT INTO term VALUES (?, ?)", sorted(stems.items()))
    db.executemany(
        "INSERT INTO entity (id, name, aliases, terms, passages) VALUES (?1, ?1, '[]', ?2, ?3)",
        sorted((_name(n), json.dumps(terms(_name(n))), times) for n, times in held.items()),
    )
    db.execute("UPDATE graph_info SET passage_changes = 1")
    db.execute("COMMIT")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def _write_block(
    db: sqlite3.Connection,
    made: Made,
    block: range,
    passages: int,
    held: Counter[int],
    stems: Counter[str],
) -> None:
    ids = [_id(number) for number in block]
    drawn = made.words(len(block))
    titles = [made.text(words[:2]).title() for words in made.words(len(block))]
    found = [made.stems(words) for words in drawn]
    stems.update(stem for each in found for stem in each)
    documents = [_document(number) for number in block]
    texts = [made.text(words) for words in drawn]
    db.executemany(
        "INSERT INTO document VALUES (?, ?, ?, '', '{}', '')",
        zip(documents, titles, documents, strict=True),
    )
    db.executemany(
        "INSERT INTO passage "
        "(number, id, document_id, position, title, normal_title, text, terms) "
        "VALUES (?, ?, ?, 0, ?, ?, ?, ?)",
        zip(
            (number + 1 for number in block),
            ids,
            documents,
            titles,
            map(fold, titles),
            texts,
            map(json.dumps, found),
            strict=True,
        ),
    )
    vectors = made.vectors(len(block))
    db.executemany(
        "INSERT INTO passage_vector VALUES (?, ?)",
        ((number + 1, vector.tobytes()) for number, vector in zip(block, vectors, strict=True)),
    )
    db.executemany(
        "INSERT INTO passage_words (rowid, title, text) VALUES (?, ?, ?)",
        ((n + 1, fold(title), text) for n, title, text in zip(block, titles, texts, strict=True)),
    )
    mentions = []
    for id_, numbers in zip(ids, made.entities(len(block), passages), strict=True):
        held.update(numbers)
        mentions += [(id_, _name(number), "") for number in numbers]
    db.executemany("INSERT INTO mentions VALUES (?, ?, ?)", sorted(mentions))
    others = np.random.default_rng(block.start).integers(0, passages, len(block)).tolist()
    db.executemany(
        "INSERT OR IGNORE INTO names VALUES (?, ?)",
        sorted((id_, _id(other)) for id_, other in zip(ids, others, strict=True)),
    )


def questions(path: Path, number: int, seed: int = 7) -> list[str]:
    """Each of 2 to 8 telling words of one passage, and as many stop words.

    A telling word is the commonest of three drawn: so one passage in nine holds a question's word,
    where among MuSiQue's paragraphs it is one in six.
    """
    random = np.random.default_rng(seed)
    places = {word: place for place, word in enumerate(Made().vocabulary)}
    asked = []
    with sqlite3.connect(path) as db:
        last = db.execute("SELECT max(number) FROM passage").fetchone()[0]
        while len(asked) < number:
            at = int(random.integers(1, last + 1))
            row = db.execute("SELECT text FROM passage WHERE number = ?", (at,)).fetchone()
            words = row[0].split() if row else []
            telling = [word for word in dict.fromkeys(words) if word not in STOP]
            telling = telling[: len(telling) // 3 * 3]
            stop = [word for word in words if word in STOP]
            wanted = int(random.integers(2, 9))
            threes = random.permutation(telling)[: 3 * wanted].reshape(-1, 3)
            commonest = [min(drawn, key=places.__getitem__) for drawn in threes.tolist()]
            chosen = [*commonest, *stop[:wanted]]
            asked.append(" ".join(random.permutation(chosen).tolist()))
    return asked


def query_vectors(number: int, seed: int = 8) -> Vector:
    """Random unit vectors (number, DIMENSION)."""
    return Made(seed).vectors(number)


def _word(number: int) -> str:
    """A made-up word of three or more syllables, another for each number."""
    spelled = ""
    number += len(SYLLABLES) ** 2
    while number:
        number, place = divmod(number, len(SYLLABLES))
        spelled += SYLLABLES[place]
    return spelled


def _name(number: int) -> str:
    return f"{_word(number % 50_021)} {_word(number)}"


def _document(number: int) -> str:
    return stable_id("made-up", number)


def _id(number: int) -> str:
    return stable_id(_document(number), 0)
