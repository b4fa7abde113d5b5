"""How this world's documents, triples and questions put things: to write them and to read them.

A sentence template has one slot for what it is about and one for each relation it states. The
reader compiles the same templates: knowing them is knowing the language, not the facts.
"""

import functools
import re
from collections.abc import Iterator

from .language import LANGUAGE, Language
from .world import GENRES, OCCUPATIONS, Fact, bare

LABELS = {
    "occupation": ("occupation", "worked as"),
    "birthplace": ("place of birth", "born in"),
    "birth_year": ("year of birth", "born in the year"),
    "teacher": ("teacher", "studied under"),
    "spouse": ("spouse", "married to"),
    "alias": ("also known as", "called"),
    "genre": ("genre", "kind of work"),
    "author": ("author", "written by"),
    "year": ("year of publication", "appeared in"),
    "setting": ("setting", "set in"),
    "region": ("region", "located in the region of"),
    "river": ("river", "lies on the river"),
    "founder": ("founder", "founded by"),
    "founded": ("year of foundation", "founded in the year"),
    "source": ("source", "rises on"),
    "mouth": ("mouth", "flows into"),
    "length": ("length in kilometres", "kilometres long"),
}
"""Relation: how an extractor words it in a triple."""

_OF_LABEL = {label: relation for relation, labels in LABELS.items() for label in labels}
_NAME = r"(?:[Tt]he [a-z]+ )?[A-Z][\w-]*(?: (?:of )?[A-Z][\w-]*)*(?: in [A-Z][a-z]+)?"
_SLOTS = {
    "occupation": "|".join(OCCUPATIONS),
    "genre": "|".join(GENRES),
    "birth_year": r"\d{4}",
    "year": r"\d{4}",
    "founded": r"\d{4}",
    "length": r"\d+",
}
_ROLE = re.compile(rf"[Tt]he ({'|'.join(OCCUPATIONS)}) (.+)")
_PLACE = re.compile(r"(.+) in ([A-Z][a-z]+)")
_ALIAS_THOUGHT = re.compile(r"(.+) is also known as (.+)\.")
_THOUGHT = re.compile(rf"The ({'|'.join(of[0] for of in LABELS.values())}) of (.+) is (.+)\.")
_TRIPLE = re.compile(r"⟨([^;⟩]+); ([^;⟩]+); ([^⟩]+)⟩")


def spoken(name: str) -> str:
    """How a text mentions somebody: "Runa Eide (painter)" → "the painter Runa Eide"."""
    plain, parenthesis, apart = name.partition(" (")
    if not parenthesis:
        return name
    apart = apart.rstrip(")")
    return f"{plain} in {apart}" if apart[:1].isupper() else f"the {apart} {plain}"


def meant(mention: str) -> str:
    """The inverse of `spoken`."""
    if role := _ROLE.fullmatch(mention):
        return f"{role[2]} ({role[1]})"
    if place := _PLACE.fullmatch(mention):
        return f"{place[1]} ({place[2]})"
    return mention


def slots(template: str) -> frozenset[str]:
    """The relations a template states."""
    return frozenset(re.findall(r"\{(\w+)\}", template)) - {"head"}


def stated(title: str, text: str, language: Language = LANGUAGE) -> list[Fact]:
    """What a passage says, in its order, as far as its sentences are of known forms."""
    facts = []
    for sentence in re.findall(r"[^.]+\.", text):
        facts += _facts_of(title, _unopened(sentence.strip(), language), language)
    return list(dict.fromkeys(facts))


def as_triple(fact: Fact) -> str:
    """⟨head; relation; tail⟩ in one of two wordings, always the same for a fact."""
    labels = LABELS[fact.relation]
    return f"⟨{fact.head}; {labels[len(fact.head + fact.tail) % 2]}; {fact.tail}⟩"


def triples(text: str) -> list[Fact]:
    """The triples written in a text, those of known relations."""
    found = (match.groups() for match in _TRIPLE.finditer(text))
    return [Fact(h, _OF_LABEL[r], t) for h, r, t in found if r in _OF_LABEL]


def as_thought(fact: Fact) -> str:
    """One sentence with both names in full."""
    if fact.relation == "alias":
        return f"{fact.head} is also known as {fact.tail}."
    return f"The {LABELS[fact.relation][0]} of {fact.head} is {fact.tail}."


def thought(text: str) -> list[Fact]:
    """The facts in lines of that form; other lines state none."""
    found = []
    for line in text.splitlines():
        if alias := _ALIAS_THOUGHT.fullmatch(line.strip()):
            found.append(Fact(alias[1], "alias", alias[2]))
        elif said := _THOUGHT.fullmatch(line.strip()):
            found.append(Fact(said[2], _OF_LABEL[said[1]], said[3]))
    return found


def _unopened(sentence: str, language: Language) -> str:
    for opening in language.openings:
        if sentence.startswith(opening):
            return capital(sentence.removeprefix(opening).strip())
    return sentence


def capital(sentence: str) -> str:
    """It with a capital letter."""
    return sentence[0].upper() + sentence[1:]


def _facts_of(title: str, sentence: str, language: Language) -> Iterator[Fact]:
    for kind, pattern in _compiled(language):
        match = pattern.fullmatch(sentence)
        said = match.groupdict() if match else {}
        if match and said.get("head") in (None, bare(title), *language.standing_in[kind]):
            for relation, value in said.items():
                if relation != "head":
                    yield Fact(title, relation, meant(value))
            return


@functools.cache
def _compiled(language: Language) -> list[tuple[str, re.Pattern[str]]]:
    stand_ins = sorted({name for names in language.standing_in.values() for name in names})

    def group(slot: re.Match[str]) -> str:
        form = _SLOTS.get(slot[1], _NAME)
        form = "|".join([*stand_ins, form]) if slot[1] == "head" else form
        return f"(?P<{slot[1]}>{form})"

    return [
        (kind, re.compile(re.sub(r"\\\{(\w+)\\\}", group, capital(re.escape(template)))))
        for kind, templates in language.sentences.items()
        for template in templates
    ]
