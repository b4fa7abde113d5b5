"""Copies of documents under names of their own: what makes a graph of real text as large as wanted.

In a copy every name gets a prefix, the same in titles, texts, mentions and questions, so that a
copy names itself. Ordinary words stay, and so do names in more than 1 of 100 passages (American,
John) and in titles that more than 1 of 1,000 passages name (Paris): all copies share them, and the
documents with such titles are written once and named from everywhere. A copy's vectors, and its
questions', are the originals moved some way in one direction, a passage's also a little in its own.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from hoptrail.kg.text.titles import may_link, named_titles
from hoptrail.kg.text.words import STOP, WORD, fold
from hoptrail.kg.types import Batch, Mention, Passage, Statement, Triple, Vector

COMMON, HUB = 0.01, 0.001  # shares of the passages, see above
FAR, NEAR = 0.5, 0.3  # how far a copy's vectors move, together and each on its own
SYLLABLES = [a + b for a in "zvkxjqw" for b in "aeiou"]


class Names:
    """Which words of these passages are names, and what they are in a copy."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        capital, small, held = Counter[str](), Counter[str](), Counter[str]()
        for passage in passages:
            spelled = WORD.findall(passage.text)
            capital.update(fold(word) for word in spelled if word[0].isupper())
            small.update(fold(word) for word in spelled if not word[0].isupper())
            held.update(set(map(fold, spelled)))
        self._ordinary = {word for word, times in capital.items() if times <= 9 * small[word]}
        self._kept = {
            word
            for word, times in held.items()
            if times > COMMON * len(passages) and word not in self._ordinary
        }
        self._kept.update(STOP, *(title.split() for title in hubs(passages)))
        telling = (word for word in self._ordinary - STOP if may_link(word))
        self.commonest = max(telling, key=lambda word: (held[word], word)).capitalize()

    def name(self, name: str, copy: int) -> str:
        """A title's or entity's name in a copy."""
        return self._renamed(name, copy, lambda _: False)

    def text(self, text: str, copy: int) -> str:
        """A text in a copy; an ordinary word that only begins a sentence is no name."""

        def ordinary(word: re.Match[str]) -> bool:
            before = text[max(0, word.start() - 4) : word.start()].rstrip(" \"'(")
            return before[-1:] in ("", ".", "!", "?", "\n") and fold(word[0]) in self._ordinary

        return self._renamed(text, copy, ordinary)

    def _renamed(self, text: str, copy: int, spared: Callable[[re.Match[str]], bool]) -> str:
        if not copy:
            return text
        first, second = divmod(copy, len(SYLLABLES))
        prefix = (SYLLABLES[first] + SYLLABLES[second]).capitalize()

        def other(word: re.Match[str]) -> str:
            kept = not word[0][0].isupper() or fold(word[0]) in self._kept or spared(word)
            return word[0] if kept else prefix + word[0].lower()

        return WORD.sub(other, text)


def hubs(passages: Sequence[Passage]) -> list[str]:
    """Normal titles that many passages name."""
    titles = {passage.normal_title for passage in passages if may_link(passage.normal_title)}
    found = named_titles([passage.text for passage in passages], titles.intersection)
    named = Counter(title for of_text in found for title in of_text)
    return [title for title, times in named.items() if times > HUB * len(passages)]


def moved(vectors: Vector, copy: int, number: int) -> Vector:
    """Vectors (n, d) in a copy; `number` is the batch's, 0 for questions, which move together."""
    if not copy:
        return vectors
    together = np.random.default_rng(copy).normal(size=vectors.shape[1])
    found = vectors + FAR * together / np.linalg.norm(together)
    if number:
        own = np.random.default_rng((copy, number)).normal(size=vectors.shape)
        found += NEAR * own / np.linalg.norm(own, axis=1, keepdims=True)
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def copied(batch: Batch, names: Names, copy: int, number: int) -> Batch:
    """The batch in a copy, without documents whose title is the same in all."""
    titles = {document.id: names.name(document.title, copy) for document in batch.documents}
    kept = {d.id for d in batch.documents if not copy or titles[d.id] != d.title}
    rows = [row for row, passage in enumerate(batch.passages) if passage.document_id in kept]
    new = {
        batch.passages[row].id: Passage(
            f"{copy}-{batch.passages[row].document_id}",
            batch.passages[row].position,
            titles[batch.passages[row].document_id],
            names.text(batch.passages[row].text, copy),
        )
        for row in rows
    }
    return Batch(
        [
            replace(d, id=f"{copy}-{d.id}", title=titles[d.id], text=names.text(d.text, copy))
            for d in batch.documents
            if d.id in kept
        ],
        list(new.values()),
        moved(batch.embeddings[rows], copy, number),
        [
            Mention(new[mention.passage_id].id, names.name(mention.surface, copy))
            for mention in batch.mentions
            if mention.passage_id in new
        ],
        [
            Statement(new[stated.passage_id].id, _triple(stated.triple, names, copy))
            for stated in batch.statements
            if stated.passage_id in new
        ],
    )


def _triple(triple: Triple, names: Names, copy: int) -> Triple:
    return replace(triple, head=names.name(triple.head, copy), tail=names.name(triple.tail, copy))


def copies(batches: Sequence[Batch], names: Names) -> Iterator[tuple[int, Batch]]:
    """Without end: (number of the copy, what to write)."""
    for copy in count():
        for number, batch in enumerate(batches, start=1):
            yield copy, copied(batch, names, copy, number)
