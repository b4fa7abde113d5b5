"""One page about each thing in the world, and pages that only look as if they helped."""

import random
from dataclasses import dataclass

from .wording import SENTENCES, STANDING_IN, slots, spoken
from .world import World, bare

ASIDES = {
    "person": (
        "Letters to {person} survive in a private collection.",
        "Critics liked to compare {head} with {person}.",
        "A street in {town} bears the name of {head}.",
        "Little is known of the last years of {head}.",
        "{head} often travelled to {town}.",
    ),
    "work": (
        "Reviewers in {town} were divided.",
        "It is often shown together with {work}.",
        "{person} owned the first copy.",
        "A second edition followed.",
    ),
    "town": (
        "{person} spent a summer here.",
        "A road leads from here to {town}.",
        "The market square was paved twice.",
        "{work} was once performed in the town hall.",
    ),
    "river": (
        "Anglers from {town} value its trout.",
        "{person} painted its banks.",
        "In dry summers it can be waded.",
    ),
}
LOOKALIKES = (
    ("{work} (ferry)", "{work} is a ferry. It sails from {town} to {other} every morning."),
    ("{person} Prize", "The {person} Prize is awarded in {town} every year. {someone} won it."),
    ("{town} Festival", "The {town} Festival shows films. {work} opened it one year."),
    ("{river} Museum", "The {river} Museum stands in {town}. It explains how rivers are born."),
    ("{person} Society", "The {person} Society meets in {town}. It was founded by admirers."),
)


@dataclass(frozen=True, slots=True)
class Page:
    """A document: one passage."""

    title: str
    text: str


def pages(world: World, seed: int = 0, lookalikes: int = 20) -> list[Page]:
    """A page for each name of the world, then the look-alikes; the same for the same seed."""
    draw = random.Random(f"pages {seed}")
    told = [Page(name, _told(world, name, draw)) for name in world.kinds]
    apart = {page.title: page for page in told}
    while len(apart) < len(told) + lookalikes:
        page = _lookalike(world, draw, *LOOKALIKES[len(apart) % len(LOOKALIKES)])
        apart.setdefault(page.title, page)
    return list(apart.values())


def _told(world: World, name: str, draw: random.Random) -> str:
    """Every fact in one sentence or another, with asides between them."""
    kind = world.kinds[name]
    facts = {fact.relation: fact.tail for fact in world.about(name)}
    left, sentences = set(facts), []
    for template in draw.sample(SENTENCES[kind], len(SENTENCES[kind])):
        if slots(template) <= left:
            values = {relation: spoken(facts[relation]) for relation in slots(template)}
            sentences.append(_sentence(template, kind, name, values, not sentences))
            left -= slots(template)
    if left:
        raise ValueError(f"No template tells {sorted(left)} of {name}.")
    for aside in draw.sample(ASIDES[kind], 2):
        place = draw.randint(1, len(sentences))
        sentences.insert(place, _capital(aside.format(**_others(world, draw, name))))
    return " ".join(sentences)


def _sentence(template: str, kind: str, name: str, values: dict[str, str], first: bool) -> str:
    begins = template.startswith("{head}")
    head = bare(name) if first or not begins else STANDING_IN[kind]
    return _capital(template.format(head=head, **values))


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _others(world: World, draw: random.Random, name: str) -> dict[str, str]:
    others = {
        kind: spoken(draw.choice([other for other in world.of_kind(kind) if other != name]))
        for kind in ("person", "town", "work")
    }
    return others | {"head": bare(name)}


def _lookalike(world: World, draw: random.Random, title: str, text: str) -> Page:
    kinds = dict.fromkeys(world.kinds.values())  # a set's order changes from process to process
    words = {kind: bare(draw.choice(world.of_kind(kind))) for kind in kinds}
    words["other"] = bare(draw.choice(world.of_kind("town")))
    words["someone"] = bare(draw.choice(world.of_kind("person")))
    return Page(title.format(**words), text.format(**words))
