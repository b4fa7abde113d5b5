"""Which item a mention means: candidates by name, ranked by what is known of them and said here."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..text.words import STOP, words
from ..vectors import dots
from .endpoint import Endpoint
from .items import Item, read_items
from .names import NAMED, NameIndex, fit, forms, name_key
from .properties import Encode
from .values import literals

MOST = 50
"""Candidates of one mention whose statements are asked for, those that fit best."""
_YEAR = re.compile(r"\b[12]\d{3}\b")


@dataclass(frozen=True)
class Weights:
    """What counts when candidates are ranked; a name that fits counts 1.

    Args:
        context: the cosine of "label: description" with the context.
        found: what is stated of it and found in the context, by how rare it is among candidates.
        said: words of its description that the context has, likewise.
        wanted: it has a property that is asked for.
        linked: it states something of what else is linked here, or the other way round.
        known: the logarithm of the number of its statements.
    """

    context: float = 0.8
    found: float = 0.25
    said: float = 0.15
    wanted: float = 0.2
    linked: float = 0.3
    known: float = 0.01


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate.

    Args:
        fit: how well its names fit the mention, 0 to 1.
        score: `fit` and what Weights add.
        reason: what spoke for it, for people.
    """

    item: Item
    fit: float
    score: float
    reason: str


class Linker:
    """Finds the item that a mention means.

    Args:
        endpoint: asked for items that have a name, and for what is stated of them.
        index: of its names; None asks the endpoint for exact names, and its API.
        encode: for the context; None goes without.
        weights: see there.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        index: NameIndex | None = None,
        encode: Encode | None = None,
        weights: Weights | None = None,
    ) -> None:
        self.endpoint, self.index, self.encode = endpoint, index, encode
        self.weights = weights or Weights()

    def candidates(
        self, mentions: Collection[str], similar: bool = False
    ) -> dict[str, dict[str, float]]:
        """Find the items that each mention may name, with how well their names fit.

        Args:
            mentions: as they are written.
            similar: also names that are merely alike, where none is equal: for a mention that
                ought to be known. Of those whose item is not there, some are linked all the same.

        Raises:
            EndpointUnavailable: as `Endpoint.ask_each`.
        """
        if self.index is not None:
            found = {mention: self.index.candidates(mention, similar) for mention in mentions}
        else:
            found = self._asked(mentions, similar)
        return {mention: _best(fits) for mention, fits in found.items()}

    def _asked(self, mentions: Collection[str], similar: bool) -> dict[str, dict[str, float]]:
        """By the endpoint: names as they are written, then its search by how a name begins."""
        written = {mention: _written(mention) for mention in mentions}
        every = {form for named in written.values() for form in named}
        rows = self.endpoint.ask_each("named", "names", every, literals).rows
        items: dict[str, set[str]] = {}
        for row in rows:
            if item := row["item"].item:
                items.setdefault(row["name"].text, set()).add(item)
        found: dict[str, dict[str, float]] = {}
        for mention, named in written.items():
            fits = found[mention] = {}
            for form, most in named.items():
                for item in items.get(form, ()):
                    fits[item] = max(fits.get(item, 0.0), most)
            if not fits and self.endpoint.api:
                for item in self.endpoint.search(mention):
                    fits[item] = 0.0  # its names tell, see `fit`
        return found

    def items(self, qids: Collection[str]) -> dict[str, Item]:
        """Ask what items are, see `read_items`."""
        return read_items(self.endpoint, qids)

    def rank(
        self,
        mention: str,
        fits: Mapping[str, float],
        items: Mapping[str, Item],
        context: str = "",
        wanted: Collection[str] = (),
        linked: Collection[str] = (),
    ) -> list[Ranked]:
        """Rank candidates of one mention, best first, ties by QID.

        What is merely similar comes after what is called so, whatever else speaks for it.

        Args:
            mention: as it is written; a bracket at its end is context, too.
            fits: from `candidates`.
            items: from `items`.
            context: the passages that mention it, or the question.
            wanted: PIDs that the item has to have.
            linked: QIDs that the rest of the passage links to.
        """
        known = [items[qid] for qid in sorted(fits, key=_number) if qid in items]
        likes = self._likes(known, f"{mention}. {context}" if context else mention)
        signs = _Signs(known, mention, context)
        ranked = []
        for item, like in zip(known, likes, strict=True):
            named = max(fits[item.id], fit(mention, item.label, item.aliases))
            ranked.append(self._ranked(item, named, like, signs, wanted, linked))
        return sorted(ranked, key=lambda one: (one.fit < NAMED, -one.score, _number(one.item.id)))

    def _ranked(
        self,
        item: Item,
        named: float,
        like: float,
        signs: "_Signs",
        wanted: Collection[str],
        linked: Collection[str],
    ) -> Ranked:
        weights, found, said = self.weights, signs.found(item), signs.said(item)
        near = {s.value.item for s in item.statements} & set(linked)
        parts = {
            f"name {named:.2f}": named,
            f"like its description {like:.2f}": weights.context * like,
            f"found here: {', '.join(found)}": weights.found * _bounded(found.values()),
            f"described so: {', '.join(said)}": weights.said * _bounded(said.values()),
            "has what is asked for": weights.wanted * bool(item.properties & set(wanted)),
            f"linked with {', '.join(sorted(filter(None, near)))}": weights.linked * bool(near),
            "": weights.known * math.log1p(len(item.statements)),
        }
        reason = "; ".join(text for text, part in parts.items() if part and text)
        return Ranked(item, named, sum(parts.values()), reason)

    def _likes(self, items: Sequence[Item], context: str) -> list[float]:
        if self.encode is None or not items:
            return [0.0] * len(items)
        texts = [f"{item.label}: {item.description}".removesuffix(": ") for item in items]
        own, theirs = self.encode([context])[0], self.encode(texts)
        return [float(one) for one in dots(np.asarray(theirs), own)]


class _Signs:
    """What is stated of candidates and stands in the context: names, years, words.

    What many of them share counts little: it does not tell them apart.
    """

    def __init__(self, items: Sequence[Item], mention: str, context: str) -> None:
        here = words(f"{mention} {context}")
        self._here = f" {' '.join(here)} "
        self._words = set(here) - STOP - set(words(mention.partition("(")[0]))
        self._years = set(_YEAR.findall(f"{mention} {context}"))
        self._of = {item.id: _texts(item) for item in items}
        self._shared = Counter(text for texts in self._of.values() for text in texts)
        described = {item.id: set(words(item.description)) & self._words for item in items}
        self._described = described
        self._described_by = Counter(word for some in described.values() for word in some)

    def found(self, item: Item) -> dict[str, float]:
        """Texts that are stated of it and found here, with what each counts."""
        own = set(map(name_key, item.names))
        return {
            text: 1 / self._shared[text]
            for text in sorted(self._of[item.id] - own)
            if text in self._years or f" {text} " in self._here
        }

    def said(self, item: Item) -> dict[str, float]:
        """Words of its description found here, with what each counts."""
        return {word: 1 / self._described_by[word] for word in sorted(self._described[item.id])}


def _texts(item: Item) -> set[str]:
    """Keys of what is stated, and the years of times."""
    texts = set[str]()
    for one in item.statements:
        if one.value.item:
            texts |= {name_key(one.label)} if one.label else set()
        else:
            texts |= set(_YEAR.findall(one.value.text[:12])) or {name_key(one.value.text)}
    return {text for text in texts if len(text) > 2}


def _bounded(parts: Iterable[float]) -> float:
    """The sum, with ever less for more: 0 to 1."""
    return 1 - math.exp(-sum(parts))


def _written(mention: str) -> dict[str, float]:
    """How the names of a mention's item may be written, with what each counts."""
    keys = dict(forms(mention))
    bare = re.sub(r"\([^()]*\)\s*$", "", mention.rstrip()).strip()
    some = {mention, bare, bare.partition(",")[0].strip()}
    some |= {one[:1].upper() + one[1:] for one in some}
    return {one: keys.get(name_key(one), 0.0) for one in sorted(some) if one}


def _best(fits: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(fits.items(), key=lambda one: (-one[1], _number(one[0])))[:MOST])


def _number(qid: str) -> int:
    return int(qid[1:])
