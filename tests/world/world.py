"""People, towns, works and rivers, and the facts that hold between them."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .names import NAMES, Names

OCCUPATIONS = "novelist painter composer engineer botanist architect sculptor historian".split()
GENRES = "novel opera film play".split()

SHARED_NAMES = 12  # people who bear another person's name
SHARED_TOWNS = 5
ALIASED = 3  # every third person is known under another name


class Fact(NamedTuple):
    """⟨head; relation; tail⟩; the tail as documents state it, which may be an alias."""

    head: str
    relation: str
    tail: str


@dataclass(frozen=True)
class World:
    """Everything that is the case.

    Names are unique as titles are: "Runa Eide (painter)" where there are two.

    Args:
        kinds: "person", "town", "work" or "river" by name.
        facts: tail by (head, relation); each relation has one tail.
        aliases: name by alias.
        unsaid: (head, relation) that no document states.
    """

    kinds: Mapping[str, str]
    facts: Mapping[tuple[str, str], str]
    aliases: Mapping[str, str]
    unsaid: frozenset[tuple[str, str]]

    @classmethod
    def made(
        cls,
        seed: int = 0,
        people: int = 100,
        towns: int = 60,
        works: int = 90,
        rivers: int = 30,
        names: Names = NAMES,
    ) -> "World":
        """The world of this seed."""
        draw = random.Random(f"world {seed}")
        return _Maker(draw, names).make(people, towns, works, rivers)

    def of_kind(self, kind: str) -> list[str]:
        """Names, in the order they were made."""
        return [name for name, of in self.kinds.items() if of == kind]

    def about(self, name: str) -> Iterator[Fact]:
        """All facts with this head that documents state."""
        for (head, relation), tail in self.facts.items():
            if head == name and (head, relation) not in self.unsaid:
                yield Fact(head, relation, tail)

    def resolved(self, name: str) -> str:
        """Whom an alias means; any other name means itself."""
        return self.aliases.get(name, name)

    def alias_of(self, name: str) -> str:
        """Under which other name somebody is known; "" for none."""
        return self.facts.get((name, "alias"), "")


def bare(name: str) -> str:
    """Without what tells homonyms apart: "Runa Eide (painter)" → "Runa Eide"."""
    return name.partition(" (")[0]


class _Maker:
    """Draws names first, then what holds between them."""

    def __init__(self, draw: random.Random, names: Names) -> None:
        self.draw = draw
        self.names = names
        self.kinds: dict[str, str] = {}
        self.facts: dict[tuple[str, str], str] = {}

    def make(self, people: int, towns: int, works: int, rivers: int) -> World:
        self._name_people(people)
        self._name_towns(towns)
        for name in self._pairs(self.names.adjectives, self.names.nouns, works, "The {} {}"):
            self.kinds[name] = "work"
        for name in self._pairs(self.names.river_starts, self.names.river_ends, rivers, "{}{}"):
            self.kinds[name] = "river"
        by_kind = {kind: self._named(kind) for kind in ("person", "town", "work", "river")}
        for name, kind in self.kinds.items():
            getattr(self, f"_{kind}")(name, by_kind)
        aliases = {alias: name for (name, rel), alias in self.facts.items() if rel == "alias"}
        self._call_by_alias(aliases)
        said = [key for key in self.facts if key[1] in ("birthplace", "river", "teacher")]
        unsaid = frozenset(self.draw.sample(said, len(said) // 12))
        return World(self.kinds, self.facts, aliases, unsaid)

    # -- names
    def _pairs(
        self, starts: Sequence[str], ends: Sequence[str], count: int, form: str
    ) -> list[str]:
        every = [form.format(start, end) for start in starts for end in ends]
        return self.draw.sample(every, count)

    def _name_people(self, count: int) -> None:
        names = self._pairs(self.names.first, self.names.last, count - SHARED_NAMES, "{} {}")
        for number, name in enumerate(names):
            if number < SHARED_NAMES:
                for occupation in self.draw.sample(OCCUPATIONS, 2):
                    self._person_called(f"{name} ({occupation})", occupation)
            else:
                self._person_called(name, self.draw.choice(OCCUPATIONS))

    def _person_called(self, name: str, occupation: str) -> None:
        self.kinds[name] = "person"
        self.facts[name, "occupation"] = occupation

    def _name_towns(self, count: int) -> None:
        names = self._pairs(
            self.names.town_starts, self.names.town_ends, count - SHARED_TOWNS, "{}{}"
        )
        for number, name in enumerate(names):
            if number < SHARED_TOWNS:
                for region in self.draw.sample(self.names.regions, 2):
                    self.kinds[f"{name} ({region})"] = "town"
                    self.facts[f"{name} ({region})", "region"] = region
            else:
                self.kinds[name] = "town"
                self.facts[name, "region"] = self.draw.choice(self.names.regions)

    def _named(self, kind: str) -> list[str]:
        return [name for name, of in self.kinds.items() if of == kind]

    # -- facts
    def _person(self, name: str, of: dict[str, list[str]]) -> None:
        people = [person for person in of["person"] if person != name]
        teacher, spouse = self.draw.sample(people, 2)
        self.facts[name, "birthplace"] = self.draw.choice(of["town"])
        self.facts[name, "birth_year"] = str(self.draw.randint(1780, 1930))
        self.facts[name, "teacher"] = teacher
        self.facts[name, "spouse"] = spouse
        if of["person"].index(name) % ALIASED == 0:
            self.facts[name, "alias"] = f"{self._nickname()} {bare(name).split()[-1]}"

    def _nickname(self) -> str:
        """Old, Young, …: an alias is nobody else's while they last for a family."""
        used = {alias.split()[0] for (_, rel), alias in self.facts.items() if rel == "alias"}
        left = [n for n in "Old Young Blind Tall Merry Quiet Red Stern".split() if n not in used]
        return self.draw.choice(left or [f"Master {self.draw.choice(self.names.first)}"])

    def _town(self, name: str, of: dict[str, list[str]]) -> None:
        self.facts[name, "river"] = self.draw.choice(of["river"])
        self.facts[name, "founder"] = self.draw.choice(of["person"])
        self.facts[name, "founded"] = str(self.draw.randint(1600, 1779))

    def _work(self, name: str, of: dict[str, list[str]]) -> None:
        self.facts[name, "genre"] = self.draw.choice(GENRES)
        self.facts[name, "author"] = self.draw.choice(of["person"])
        self.facts[name, "year"] = str(self.draw.randint(1800, 1960))
        self.facts[name, "setting"] = self.draw.choice(of["town"])

    def _river(self, name: str, of: dict[str, list[str]]) -> None:
        others = [river for river in of["river"] if river != name]
        self.facts[name, "mouth"] = self.draw.choice([*others[:8], *self.names.seas])
        self.facts[name, "source"] = self.draw.choice(self.names.mountains)
        self.facts[name, "length"] = str(self.draw.randint(20, 900))

    def _call_by_alias(self, aliases: dict[str, str]) -> None:
        """Most of those who mention somebody that has one do it by the alias."""
        known = {name: alias for alias, name in aliases.items()}
        for (head, relation), tail in self.facts.items():
            if tail in known and relation != "alias" and self.draw.random() < 0.6:
                self.facts[head, relation] = known[tail]
