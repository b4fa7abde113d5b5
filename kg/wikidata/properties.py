"""Wikidata's properties, and which of them a phrase means."""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..types import Vector
from .endpoint import Endpoint
from .items import best
from .names import name_key
from .values import Value, entity_id, language_list

Encode = Callable[[Sequence[str]], Vector]
"""Texts to unit vectors, float32 (n, d)."""
How = Literal["label", "alias", "form", "near"]
HAS = 0.3
"""Added to the score of a property that the head has."""
NEAR = 0.5
"""The least cosine of a phrase that is no property's name with one that it is taken for."""
Wants = Literal["Time", "WikibaseItem"]
_TOLD = frozenset(
    ["WikibaseItem", "Time", "Quantity", "Monolingualtext", "String", "GlobeCoordinate", ""]
)
"""Types of properties that say something; the others are identifiers, files, URLs."""
QUALIFIERS = frozenset("P518 P580 P582 P585 P642 P1810 P3831".split())
"""Properties that nearly always qualify another statement: "year" is no point in time of a film."""
OWN = {"year": "P577"}
"""Relations that `kg.extraction` has of its own: a "1986 film" is one of that year."""
_IDENTIFIER = re.compile(r"\b(?:IDs?|identifier|code|number|username|URL|slug|handle)\b")
_LEADING = re.compile(
    r"^(?:(?:is|was|are|were|be|been|being|became|has|have|had|does|did|the|an?|s|its|his|her|"
    r"their) )+"
)
_COPULA = re.compile(r"^(?:is|was|are|were|be|been|being|became) ")
_PREPOSITION = re.compile(r" (?:of|on|in|at|from|between|by|to|for|as|with|after|under)$")
_IN = re.compile(r"(?:(?:is|are|was|were) )?in(?: of)?")
_KIND = r"(?:is|are|was|were) (?:\w+ )*"
_DONE = "".join(f"(?<!{end} )" for end in "ed born made set shot sold won written seen".split())
_AREA = (
    "(?:city|town|village|municipality|commune|canton|county|district|department|province|region|"
    "state|part|suburbs|neighbou?rhood|north|south|east|west|cent(?:er|re))"
)
PLACES = ("P17", "P131", "P276", "P706")
"""Properties that say in what a thing is: "is village in" may be any of them."""
_FORMS = [
    (re.compile(form), pids.split())
    for form, pids in (
        (rf"(?:{_KIND})?{_DONE}in(?: {_AREA})?(?: of| in)?", " ".join(PLACES)),
        (r"(?:.+ )?(?:located|situated|lies|lying)(?: .+)?", " ".join(PLACES)),
        (rf"{_KIND}from", "P27 P19 P495"),
        (r"(?:.+ )?(?:song|single|album) by", "P175"),
        (r"(?:.+ )?(?:film|movie) by", "P57"),
        (r"(?:.+ )?(?:novel|book|story|poem|play) by", "P50"),
        (r"(?:is|are|was|were) by", "P57 P175 P50 P170 P86"),
        (r"(?:was |were )?born (?:to|of)", "P22 P25"),
        (r"(?:was |were )?(?:died|killed|assassinated|murdered) (?:in|at|near)", "P20"),
    )
]
"""What phrases say by their form, and of no name: "is song by"."""
LONGEST = 200  # characters of a phrase that has a form; the patterns take the square of them
_EMPTY = frozenset("is was are were be been has have had do does did".split())
INVERSE: dict[str, tuple[str, ...]] = {
    "P22": ("P40",),
    "P25": ("P40",),
    "P40": ("P22", "P25"),
    "P26": ("P26",),
    "P3373": ("P3373",),
    "P155": ("P156",),
    "P156": ("P155",),
    "P361": ("P527",),
    "P527": ("P361",),
    "P36": ("P1376",),
    "P1376": ("P36",),
    "P131": ("P150",),
    "P150": ("P131",),
}
"""Properties that state the same in the other direction."""
SEX, FEMALE, MALE = "P21", "Q6581072", "Q6581097"
PARENTS = {"P22": MALE, "P25": FEMALE}
"""Of which sex a parent is whom a child's P40 leads to."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property.

    Args:
        id: PID.
        type: of its values as Wikibase calls it, "" where that is not known.
        count: of its statements; 0 where that is not known.
    """

    id: str
    label: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    type: str = ""
    count: int = 0

    @property
    def tells(self) -> bool:
        """Say whether its values say something of an item: no identifier, file, qualifier."""
        if self.id in QUALIFIERS:
            return False
        return self.type in _TOLD and not (not self.type and _IDENTIFIER.search(self.label))


@dataclass(frozen=True, slots=True)
class Meant:
    """A property that a phrase may mean.

    Args:
        how: it is its label, an alias, of a form that says it ("is village in"), or merely near to
            a name.
        likeness: cosine of the phrase and the nearest of its names; 0 where that is not asked.
    """

    id: str
    score: float
    how: How
    likeness: float = 0.0

    def sure(self, near: float) -> bool:
        """Say whether the phrase is its name, or near enough to one."""
        return self.how != "near" or self.likeness >= near


class Properties:
    """Which property a phrase means: one that is called so, else the nearest name.

    Args:
        properties: all that there are; those that tell nothing are left out.
        encode: for phrases that are no property's name; None leaves those unlinked.
        prior: of the logarithm (10) of a property's uses.
        has: for a property that the head has.
        label: for one that is called so; half of it for an alias.
    """

    def __init__(
        self,
        properties: Iterable[Property],
        encode: Encode | None = None,
        prior: float = 0.02,
        has: float = HAS,
        label: float = 0.3,
    ) -> None:
        kept = sorted((p for p in properties if p.tells), key=lambda p: int(p.id[1:]))
        self.by_id = {one.id: one for one in kept}
        self._encode = encode
        self._prior, self._has, self._label = prior, has, label
        self._called: defaultdict[str, dict[str, How]] = defaultdict(dict)
        for one in kept:
            for name in one.aliases:
                self._called[name_key(name)][one.id] = "alias"
            self._called[name_key(one.label)][one.id] = "label"
        for name, pid in OWN.items():
            if pid in self.by_id:
                self._called[name][pid] = "alias"
        self._vectors: dict[str, Vector] = {}

    def named(self, phrase: str) -> dict[str, How]:
        """Find the properties that are called so.

        As it is and once "is", "was", "the" … are gone ("the mother of" is mother); else by its
        last words, two or more ("is film directed by"). What something is ("is composer", "is
        professor of", "was mother of") is no relation of that name: after "is" only what leads on
        to the tail counts, as it is, and of what has another direction that one ("was mother of"
        is child, "was wife of" spouse). "is a village in" has the form of what says where it is.
        """
        key = name_key(phrase)
        so, short = self._so(key), len(key) <= LONGEST
        forms = (pids for form, pids in _FORMS if short and form.fullmatch(key))
        formed: dict[str, How] = {p: "form" for p in next(forms, ()) if p in self.by_id}
        if so and not so.keys() & formed.keys():
            return so
        return formed if short and _IN.fullmatch(key) else formed | so

    def _so(self, key: str) -> dict[str, How]:
        """The properties that are called so, without a verb before or by the last words."""
        if key in self._called:
            return dict(self._called[key])
        plain = _LEADING.sub("", key)
        if not _COPULA.match(key):
            plain = plain if plain in self._called else plain.removesuffix(" of")
        elif not _PREPOSITION.search(plain):
            return {}
        tails = plain.split()
        for at in range(max(1, len(tails) - 1)):
            if (form := " ".join(tails[at:])) in self._called:
                return dict(self._called[form])
        what = plain.removesuffix(" of")
        others = {} if what == plain or what in ("in", "of") else self._called.get(what, {})
        return {pid: "alias" for one in others for pid in INVERSE.get(one, ()) if pid in self.by_id}

    def linked(
        self,
        phrase: str,
        had: Collection[str] | None = None,
        wants: Wants | None = None,
        limit: int = 5,
    ) -> list[Meant]:
        """Rank the properties that a phrase may mean, best first.

        Args:
            phrase: of words.
            had: the PIDs that state something of the head, where it is known; others are left out
                unless the phrase is their name.
            wants: the type that the tail has to have, where it is known.
            limit: properties.

        Returns:
            Where some are called so, these alone, as a property's own name excludes all others.
            None for a phrase that says nothing, as "is" and "has".
        """
        if set(name_key(phrase).split()) <= _EMPTY:
            return []
        named = self.named(phrase)
        among = named or dict.fromkeys(self._near(had))
        if not among:
            return []
        compared = [pid for pid, how in among.items() if how != "form"]
        near = self._nearness(phrase, compared if len(compared) > 1 or not named else ())
        meant = []
        for pid, how in among.items():
            one = self.by_id[pid]
            likeness = near.get(pid, 0.0)
            score = likeness + self._prior * math.log10(1 + one.count)
            score += self._label * {"label": 1.0, "alias": 0.5}.get(how or "near", 0.0)
            score += self._has * (had is not None and pid in had)
            score -= 0.3 * bool(wants and one.type not in (wants, ""))
            meant.append(Meant(pid, score, how or "near", likeness))
        return sorted(meant, key=lambda one: (-one.score, int(one.id[1:])))[:limit]

    def _near(self, had: Collection[str] | None) -> list[str]:
        if self._encode is None:
            return []
        return [pid for pid in self.by_id if had is None or pid in had]

    def _nearness(self, phrase: str, pids: Collection[str]) -> dict[str, float]:
        """The cosine of the phrase with the nearest name of each property."""
        if self._encode is None or not pids:
            return {}
        missing = {name for pid in pids for name in self._names(pid)} - self._vectors.keys()
        if missing:
            names = sorted(missing)
            self._vectors |= dict(zip(names, self._encode(names), strict=True))
        own = self._encode([phrase])[0]
        rows = {pid: np.stack([self._vectors[name] for name in self._names(pid)]) for pid in pids}
        return {pid: float((vectors @ own).max()) for pid, vectors in rows.items()}

    def _names(self, pid: str) -> tuple[str, ...]:
        return (self.by_id[pid].label, *self.by_id[pid].aliases)


def read_properties(endpoint: Endpoint) -> list[Property]:
    """Ask an endpoint for its properties; none where it holds no ontology.

    Raises:
        EndpointUnavailable: as `Endpoint.ask`.
    """
    rows = endpoint.ask("properties", languages=language_list()).rows
    labels = defaultdict[str, list[Value]](list)
    names, kinds, descriptions = (defaultdict[str, list[Value]](list) for _ in range(3))
    for row in rows:
        if pid := entity_id(row["property"].text):
            for into, column in ((labels, "label"), (names, "alias"), (kinds, "type")):
                into[pid] += [row[column]] if column in row else []
            descriptions[pid] += [row["description"]] if "description" in row else []
    return [
        Property(
            pid,
            best(labels[pid]),
            tuple(sorted({one.text for one in names[pid]} - {best(labels[pid])})),
            best(descriptions[pid]),
            best(kinds[pid]).rpartition("#")[2],
        )
        for pid in sorted(labels, key=lambda pid: int(pid[1:]))
        if labels[pid]
    ]
