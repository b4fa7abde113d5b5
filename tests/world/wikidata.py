"""The world as Wikidata might hold it: Turtle for a SPARQL server, with gaps and wrong statements.

Items are numbered in the order of the world's names. A person's alias is an item's alias. Nothing
is said of which statements are wrong: an endpoint does not know.
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

from .wording import LABELS
from .world import World, bare

PIDS = {
    "occupation": "P106",
    "birthplace": "P19",
    "birth_year": "P569",
    "teacher": "P1066",
    "spouse": "P26",
    "genre": "P136",
    "author": "P50",
    "year": "P577",
    "setting": "P840",
    "region": "P131",
    "river": "P206",
    "founder": "P112",
    "founded": "P571",
    "source": "P885",
    "mouth": "P403",
    "length": "P2043",
}
YEARS = frozenset({"birth_year", "year", "founded"})
_PREFIXES = """@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


class Held(NamedTuple):
    """What is stated: a fact of the world, or one that is not."""

    head: str
    relation: str
    tail: str


def held(world: World, gaps: float = 0.0, wrong: float = 0.0, seed: int = 0) -> list[Held]:
    """The world's facts without a share of gaps, and with a share that states something else.

    What no document says is not there either, so that what is unanswerable stays so. What is wrong
    has a tail of the same relation.

    Args:
        gaps: share of the facts that are not there, 0 to 1.
        wrong: share of those that are there which are wrong.
    """
    draw = random.Random(f"wikidata {seed}")
    tails = {relation: list[str]() for relation in PIDS}
    for (_, relation), tail in world.facts.items():
        if relation in tails:
            tails[relation].append(world.resolved(tail))
    told = []
    for (head, relation), said in world.facts.items():
        missing, errs = draw.random() < gaps, draw.random() < wrong
        if relation in PIDS and not missing and (head, relation) not in world.unsaid:
            tail = world.resolved(said)
            others = sorted({other for other in tails[relation] if other != tail})
            told.append(Held(head, relation, draw.choice(others) if errs else tail))
    return told


def turtle(world: World, told: list[Held]) -> str:
    """Items with labels, aliases, descriptions and these statements, and the properties."""
    return _PREFIXES + "\n".join([*_properties(), *_items(world, told)]) + "\n"


def _properties() -> Iterator[str]:
    for relation, pid in PIDS.items():
        label, *aliases = LABELS[relation]
        type_ = "Time" if relation in YEARS else "WikibaseItem"
        type_ = "Quantity" if relation == "length" else type_
        named = "".join(f' ; skos:altLabel "{alias}"@en' for alias in aliases)
        yield (
            f"wd:{pid} a wikibase:Property ; wikibase:propertyType wikibase:{type_} ; "
            f'rdfs:label "{label}"@en{named} .'
        )


def _items(world: World, told: list[Held]) -> Iterator[str]:
    names = dict.fromkeys([*world.kinds, *(one.tail for one in told if not one.tail.isdigit())])
    number = {name: f"wd:Q{place}" for place, name in enumerate(names, 1)}
    for name, item in number.items():
        said = _kind(world, name)
        yield f'{item} rdfs:label "{bare(name)}"@en ; schema:description "{said}"@en .'
        if alias := world.alias_of(name):
            yield f'{item} skos:altLabel "{alias}"@en .'
    for head, relation, tail in told:
        value = number.get(tail, f'"{tail}"^^xsd:decimal')
        if relation in YEARS:
            value = f'"{tail}-01-01T00:00:00Z"^^xsd:dateTime'
        yield f"{number[head]} wdt:{PIDS[relation]} {value} ."


def _kind(world: World, name: str) -> str:
    """What an item's description says: also what tells two of one name apart."""
    said = ("occupation", "genre", "region")
    more = [world.facts[name, of] for of in said if (name, of) in world.facts]
    return " ".join([*more, world.kinds.get(name, "place")])
