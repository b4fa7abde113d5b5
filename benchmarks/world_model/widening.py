"""More questions about the passages and triples that a prompt shows: they share its reading."""

import random
import re
from collections.abc import Iterator, Sequence

from recording import BOTH, CLEAN, Record, settled, task_of
from world import Language
from world.joining import same
from world.prompted import Prompt
from world.wording import LABELS, spoken
from world.world import Fact, bare

_SHOWS = re.compile(
    r"(?P<shown>.*\n## (?:Passages|Triples)\n.*\n\n)## (?P<asked>Question|Sub-question|"
    r"Verifying question|Entity)\n[^\n]+\n(?P<rest>.*)",
    re.DOTALL,
)
_ONE_FACT = ("Sub-question", "Verifying question")
_KINDS = {
    "author": "person",
    "teacher": "person",
    "spouse": "person",
    "founder": "person",
    "birthplace": "town",
    "setting": "town",
    "river": "river",
}
"""What a relation leads to that can be asked about further."""
TOLD = 0.7
"""Share of questions for what is shown, where something is; others may ask for what is not."""
_TOLD = {
    "person": ("birthplace", "birth_year", "teacher", "spouse", "occupation"),
    "town": ("river", "founder", "founded", "region"),
    "work": ("author", "setting"),
    "river": ("mouth",),
}
_KIND_OF = {relation: kind for kind, relations in _TOLD.items() for relation in relations}


def shown(record: Record) -> str:
    """What the prompt shows before a question that can be another; "" where there is none."""
    found = _SHOWS.fullmatch(record.prompt)
    return found["shown"] if found else ""


def widened(
    record: Record, draw: random.Random, count: int, language: Language
) -> Iterator[Record]:
    """The record's prompt with other questions, where what it shows comes before the question."""
    found = _SHOWS.fullmatch(record.prompt)
    facts = Prompt(record.prompt, BOTH).facts
    if found is None or not facts or "\n## Things\n" in found["shown"]:
        return
    rest = re.sub(
        r"(## (?:Thoughts|Turns so far)\n).*", r"\1none\n", found["rest"], flags=re.DOTALL
    )
    rest = rest if "none\n" not in rest or "Turns" in rest else rest.replace("none\n", "")
    for _ in range(count):
        if found["asked"] == "Entity":
            fact = draw.choice(facts)
            asked = f"{_called(fact.head, facts, draw)}: {LABELS[fact.relation][0]}"
        else:
            asked = _question(facts, draw, language, found["asked"] in _ONE_FACT)
        prompt = f"{found['shown']}## {found['asked']}\n{asked}\n{rest}"
        [right] = CLEAN.generate([prompt])
        yield Record(task_of(prompt), prompt, ((settled(right.text, prompt), 1.0),))


def _question(facts: Sequence[Fact], draw: random.Random, language: Language, single: bool) -> str:
    hops = 1 if single else draw.choice([1, 1, 1, 2, 2, 3, 4])
    works = [fact.head for fact in facts if fact.relation == "author"]
    if not single and len(works) > 1 and draw.random() < 0.15:
        phrases = [
            draw.choice(language.noun_phrases["author"]).format(w) for w in draw.sample(works, 2)
        ]
        return draw.choice([*language.earlier, *language.same]).format(*phrases)
    begun = draw.choice(facts)
    kind = _KIND_OF.get(begun.relation) or draw.choice(list(_TOLD))
    phrase, name = spoken(_called(begun.head, facts, draw)), begun.head
    for _ in range(hops - 1):
        on = [f for f in facts if f.relation in _KINDS and same(f.head, name, facts)]
        if not on:
            break
        taken = draw.choice(on)
        phrase = draw.choice(language.noun_phrases[taken.relation]).format(phrase)
        kind, name = _KINDS[taken.relation], taken.tail
    told = [f.relation for f in facts if f.relation in _TOLD[kind] and same(f.head, name, facts)]
    last = draw.choice(told if told and draw.random() < TOLD else _TOLD[kind])
    return draw.choice(language.asked[last]).format(phrase)


def _called(name: str, facts: Sequence[Fact], draw: random.Random) -> str:
    """The name, or another one it is known under."""
    others = [f.tail for f in facts if f.relation == "alias" and bare(f.head) == bare(name)]
    return draw.choice([name, *others])
