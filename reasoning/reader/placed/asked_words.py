"""The words of a question, as the pages before the reader weigh them."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ....kg.text.words import stems
from ..asked.alike import alike
from ..asked.question import Asked
from ..pages import Evidence

_NAME = 2.0  # how much more a name counts than another word
_WEEKEND, _ITS_DAYS = frozenset(stems("weekend")), frozenset(stems("Saturday Sunday"))


@dataclass(frozen=True)
class AskedWords:
    """The words of a question, as its pages weigh them."""

    evidence: Evidence

    @property
    def asked(self) -> Asked:
        """The question."""
        return self.evidence.asked

    @cached_property
    def weights(self) -> dict[str, float]:
        """What each of the question's words counts; they sum up to 1."""
        said = [sentence for page in self.evidence.pages for sentence in page.said]
        raw = {}
        for stem in self.asked.stems:
            like = alike(stem)
            held = sum(1 for words in said if stem in words or not like.isdisjoint(words))
            raw[stem] = math.log(1 + (len(said) + 0.5) / (held + 0.5))
            raw[stem] *= _NAME if stem in self.asked.named_stems else 1
        total = sum(raw.values()) or 1.0
        return {stem: value / total for stem, value in raw.items()}

    @cached_property
    def shares(self) -> list[tuple[str, frozenset[str], float]]:
        """Each of the question's words with those alike and what it counts."""
        return [(stem, alike(stem), weight) for stem, weight in self.weights.items()]

    @cached_property
    def like(self) -> frozenset[str]:
        """All words alike to one of the question's."""
        return frozenset().union(*(like for _, like, _ in self.shares))

    @cached_property
    def wanted(self) -> list[tuple[str, frozenset[str], float]]:
        """The same of what is asked about the names."""
        asked = self.asked
        wanted = asked.stems - asked.named_stems - asked.typed
        if asked.kind != "person":  # "Who is X's mother?" asks about X for the mother
            wanted -= self.focus
        return [one for one in sorted(self.shares) if one[0] in wanted]

    @cached_property
    def unit(self) -> frozenset[str]:
        """The stems of the noun that is counted."""
        return frozenset(stems(self.asked.unit))

    @cached_property
    def everywhere(self) -> frozenset[str]:
        """Those of the question's words that most pages say."""
        pages = self.evidence.pages
        held = {stem: sum(stem in page.words for page in pages) for stem in self.asked.stems}
        return frozenset(stem for stem, count in held.items() if 2 * count > len(pages))

    @cached_property
    def found(self) -> frozenset[str]:
        """The stems of all that was found."""
        return frozenset().union(*(page.words for page in self.evidence.pages))

    @cached_property
    def focus(self) -> frozenset[str]:
        """The stem of the noun asked for."""
        return frozenset(stems(self.asked.focus))

    @cached_property
    def relation(self) -> frozenset[str]:
        """The stems of what is asked about the names, with those that say the same."""
        own = self.asked.stems - self.asked.named_stems - self.focus
        return own.union(*(alike(stem) for stem in own))


def named(asked: Asked, words: Iterable[str]) -> float:
    """Share of the question's names that are said in full; 1 without any."""
    names = asked.names
    if not names:
        return 1.0
    held = frozenset(words)
    if not held.isdisjoint(_WEEKEND):
        held |= _ITS_DAYS
    return sum(len(name & held) / len(name) for name in names) / len(names)
