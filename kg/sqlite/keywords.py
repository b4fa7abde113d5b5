"""Keyword search in the SQLite graph: FTS5 scores single words, what it found is kept and added up.

Reads the temporary table that `file.put_ids` filled: `inside`.
"""

import sqlite3
import threading
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from ..text.stemming import asked
from ..text.words import STOP, words
from ..types import Scored
from .file import encodable
from .vectors import INSIDE, in_order

TITLE_WEIGHT = 2.0
QUERY_WORDS = 128  # distinct words of a keyword search; what a longer text adds is not looked at
MAX_SCORES = 12  # of words, kept in memory for each passage, of 12 bytes each

_BM25 = f"-bm25(passage_words, {TITLE_WEIGHT}, 1.0)"
_WORD = f"SELECT rowid, {_BM25} FROM passage_words WHERE passage_words MATCH ?"
_INSIDE = f"""
SELECT passage.id, {_BM25} AS score
FROM passage_words JOIN passage ON number = passage_words.rowid
WHERE passage_words MATCH ? AND passage.id IN {INSIDE} ORDER BY score DESC, passage.id LIMIT ?
"""
_ROW = np.dtype([("number", np.int64), ("score", np.float64)])

Scores = tuple[NDArray[np.int32], NDArray[np.float64]]


class Words:
    """What BM25 gives the passages that hold a word, kept until the graph changes.

    BM25 of several words is the sum of theirs. FTS5 takes a microsecond for each passage that holds
    one of them, which a common word makes a tenth of the graph; most questions share such words.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Scores] = OrderedDict()
        self._size = self._most = 0
        self._seen: tuple[str, int] | None = None

    def search(self, db: sqlite3.Connection, text: str, limit: int, inside: bool) -> list[Scored]:
        """See Graph.keyword_search."""
        telling = [w for w in dict.fromkeys(words(text)) if w not in STOP and encodable(w)]
        telling = [*telling, *asked(text)][:QUERY_WORDS]
        if not telling or limit <= 0:
            return []
        if inside:
            query = " OR ".join(map(_phrase, telling))
            return [Scored(*row) for row in db.execute(_INSIDE, (query, limit))]
        return in_order(db, "passage", _best(self._scores(db, telling), limit))[:limit]

    def _scores(self, db: sqlite3.Connection, telling: list[str]) -> list[Scores]:
        seen = db.execute("SELECT stamp, passage_changes FROM graph_info").fetchone()
        with self._lock:
            if seen != self._seen:
                self._kept.clear()
                self._size, self._seen = 0, seen
                highest = db.execute("SELECT max(number) FROM passage").fetchone()[0] or 0
                self._most = MAX_SCORES * highest
            kept = {word: self._kept[word] for word in telling if word in self._kept}
        read = {word: _read(db, word) for word in telling if word not in kept}
        with self._lock:
            if seen == self._seen:
                self._keep(kept | read)
        return [(kept | read)[word] for word in telling]

    def _keep(self, used: dict[str, Scores]) -> None:
        for word, scores in used.items():
            if word not in self._kept:
                self._kept[word] = scores
                self._size += len(scores[0])
            self._kept.move_to_end(word)
        while self._size > self._most:
            _, (numbers, _) = self._kept.popitem(last=False)
            self._size -= len(numbers)


def _read(db: sqlite3.Connection, word: str) -> Scores:
    rows = np.fromiter(db.execute(_WORD, (_phrase(word),)), _ROW)
    return rows["number"].astype(np.int32), rows["score"].copy()


def _phrase(word: str) -> str:
    return f'"{word}"'


def _best(found: list[Scores], limit: int) -> dict[int, float]:
    """The highest sums by number, with all that tie with the last of them."""
    highest = max((int(numbers.max(initial=-1)) for numbers, _ in found), default=-1)
    sums = np.zeros(highest + 1)
    for numbers, scores in found:
        sums[numbers] += scores
    held = np.flatnonzero(sums)
    if limit < len(held):
        scored = sums[held]
        held = held[scored >= np.partition(scored, -limit)[-limit]]
    return dict(zip(held.tolist(), sums[held].tolist(), strict=True))
