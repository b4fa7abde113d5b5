"""One page about each thing in the world, and pages that only look as if they helped."""

import random
from dataclasses import dataclass

from .language import LANGUAGE, Language, one_of
from .wording import capital, slots, spoken
from .world import World, bare

OPENED = 0.2
"""Share of sentences after an opening, in a language that has any."""


@dataclass(frozen=True, slots=True)
class Page:
    """A document: one passage."""

    title: str
    text: str


def pages(
    world: World, seed: int = 0, lookalikes: int = 20, language: Language = LANGUAGE
) -> list[Page]:
    """A page for each name of the world, then the look-alikes; the same for the same seed."""
    draw = random.Random(f"pages {seed}")
    told = [Page(name, _told(world, name, draw, language)) for name in world.kinds]
    apart = {page.title: page for page in told}
    while len(apart) < len(told) + lookalikes:
        form = language.lookalikes[len(apart) % len(language.lookalikes)]
        page = _lookalike(world, draw, *form)
        apart.setdefault(page.title, page)
    return list(apart.values())


def _told(world: World, name: str, draw: random.Random, language: Language) -> str:
    """Every fact in one sentence or another, with asides between them."""
    kind = world.kinds[name]
    facts = {fact.relation: fact.tail for fact in world.about(name)}
    left, sentences = set(facts), list[str]()
    for template in draw.sample(language.sentences[kind], len(language.sentences[kind])):
        if slots(template) <= left:
            values = {relation: spoken(facts[relation]) for relation in slots(template)}
            stands = bool(sentences) and template.startswith("{head}")
            head = one_of(language.standing_in[kind], draw) if stands else bare(name)
            sentence = template.format(head=head, **values)
            named = template.startswith("{") and not stands
            sentences.append(_opened(sentence, named, language, draw))
            left -= slots(template)
    if left:
        raise ValueError(f"No template tells {sorted(left)} of {name}.")
    for aside in draw.sample(language.asides[kind], 2):
        place = draw.randint(1, len(sentences))
        sentences.insert(place, capital(aside.format(**_others(world, draw, name))))
    return " ".join(sentences)


def _opened(sentence: str, named: bool, language: Language, draw: random.Random) -> str:
    """The sentence, now and then after an opening; a name that it begins with stays as it is."""
    if not language.openings or draw.random() > OPENED:
        return capital(sentence)
    sentence = sentence if named else sentence[0].lower() + sentence[1:]
    return f"{draw.choice(language.openings)} {sentence}"


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
