"""Questions of two to four hops, each with the facts and pages that answer it."""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .language import LANGUAGE, Language, one_of
from .phrasing import understood
from .wording import spoken
from .world import Fact, World, bare

PATHS = (
    ("author", "birthplace"),
    ("author", "teacher"),
    ("author", "birth_year"),
    ("setting", "founder"),
    ("setting", "river"),
    ("author", "birthplace", "river"),
    ("author", "teacher", "birthplace"),
    ("author", "birthplace", "founder"),
    ("setting", "river", "mouth"),
    ("setting", "founder", "birth_year"),
    ("author", "teacher", "birthplace", "river"),
    ("author", "birthplace", "river", "mouth"),
    ("setting", "founder", "birthplace", "region"),
    ("author", "birthplace", "founder", "teacher"),
)
"""Relations from a work onwards."""

PARAGRAPHS = 20  # as MuSiQue's questions have
KINDS = ("chain", "chain", "comparison", "chain", "chain", "unanswerable", "chain")
"""Of seven questions, five are chains, one compares, one has no answer."""
CLAIMS = ("claim", "claim", "claim", "claim", "claim", "claim", "unproven")
"""To be verified: of seven claims one that the documents neither support nor refute."""
LONGEST = 4  # triples of a gold chain: L of the papers
MISSES = 20_000  # draws in a row without another question, before there is said to be none


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold evidence.

    Args:
        answer: "" when no document says it.
        aliases: other spellings that count as right.
        hops: facts needed, aliases not counted.
        chain: the facts, in the order in which they lead to the answer.
        titles: of the pages that state them.
        type: "chain", "comparison", "intersection", "unanswerable", "claim" or "unproven".
        paragraphs: titles of the pages that come with it, as in the papers: gold pages and others
            of the same kinds, in no order.
    """

    text: str
    answer: str
    aliases: tuple[str, ...]
    hops: int
    chain: tuple[Fact, ...]
    titles: tuple[str, ...]
    type: str
    paragraphs: tuple[str, ...] = ()

    @property
    def golds(self) -> list[str]:
        """All answers that count as right; none when there is no answer."""
        return [self.answer, *self.aliases] if self.answer else []


def questions(
    world: World,
    count: int = 140,
    seed: int = 0,
    kinds: Sequence[str] = KINDS,
    language: Language = LANGUAGE,
) -> list[Question]:
    """As many questions, whose types take turns; one that has no other question loses its turn."""
    draw = random.Random(f"questions {seed}")
    put = _Putting(world, draw, language)
    sources = {
        "chain": _chains(put, answerable=True),
        "comparison": _comparisons(put),
        "intersection": _intersections(put),
        "unanswerable": _chains(put, answerable=False),
        "claim": _claims(put, answerable=True),
        "unproven": _claims(put, answerable=False),
    }
    made, turns = list[Question](), list(kinds)
    while len(made) < count:
        if not turns:
            raise ValueError(f"The world has no more than {len(made)} such questions.")
        kind = turns.pop(0)
        if (found := next(sources[kind], None)) is not None:
            made.append(found)
            turns.append(kind)
    return [replace(question, paragraphs=_paragraphs(world, question)) for question in made]


def _paragraphs(world: World, question: Question) -> tuple[str, ...]:
    draw = random.Random(f"paragraphs {question.text}")
    kinds = {world.kinds[title] for title in question.titles}
    others = [n for n, kind in world.kinds.items() if kind in kinds and n not in question.titles]
    together = [*question.titles, *draw.sample(others, PARAGRAPHS - len(question.titles))]
    return tuple(draw.sample(together, PARAGRAPHS))


@dataclass(frozen=True)
class _Putting:
    """Puts questions about a world in a language."""

    world: World
    draw: random.Random
    language: Language

    def phrase(self, name: str, path: Sequence[str]) -> str:
        """A noun phrase for where the path leads from a name."""
        phrase = spoken(name)
        for relation in path:
            phrase = self.draw.choice(self.language.noun_phrases[relation]).format(phrase)
        return phrase

    def ask(self, name: str, path: Sequence[str]) -> str:
        """A question for where the path leads."""
        phrase = self.phrase(name, path[:-1])
        return self.draw.choice(self.language.asked[path[-1]]).format(phrase)


def _chains(put: _Putting, *, answerable: bool) -> Iterator[Question]:
    world, draw, seen, missed = put.world, put.draw, set[tuple[str, tuple[str, ...]]](), 0
    by_length = [[path for path in PATHS if len(path) == length] for length in (2, 3, 4)]
    while missed < MISSES:
        path = draw.choice(draw.choice(by_length))
        work = draw.choice(world.of_kind("work"))
        chain = _walk(world, work, path)
        missing = next((f for f in chain if (f.head, f.relation) in world.unsaid), None)
        fits = len(chain) <= LONGEST and (missing is None) == answerable
        missed += 1
        if fits and (work, path) not in seen:
            seen.add((work, path))
            missed = 0
            yield _question(put, work, path, chain, missing)


def _walk(world: World, start: str, path: Sequence[str]) -> tuple[Fact, ...]:
    """The facts along a path, with an alias fact where a page uses an alias."""
    facts, name = [], start
    for hop, relation in enumerate(path, 1):
        tail = world.facts[name, relation]
        facts.append(Fact(name, relation, tail))
        name = world.resolved(tail)
        if name != tail and hop < len(path):
            facts.append(Fact(name, "alias", tail))
    return tuple(facts)


def _question(
    put: _Putting, work: str, path: Sequence[str], chain: tuple[Fact, ...], missing: Fact | None
) -> Question:
    told = chain if missing is None else chain[: chain.index(missing)]
    answer = "" if missing else bare(chain[-1].tail)
    return Question(
        put.ask(work, path),
        answer,
        _spellings(put.world, chain[-1].tail) if answer else (),
        len(path),
        told,
        tuple(dict.fromkeys(fact.head for fact in told)),
        "unanswerable" if missing else "chain",
    )


def _claims(put: _Putting, *, answerable: bool) -> Iterator[Question]:
    """Where a chain leads, or, as often, where it does not: to another end of its last relation."""
    world, draw = put.world, put.draw
    for question in _chains(put, answerable=answerable):
        query = understood(question.text, put.language)
        if query is None or (last := query.branches[0][1][-1]) not in put.language.noun_phrases:
            continue
        ends = sorted(
            {bare(tail) for (_, relation), tail in world.facts.items() if relation == last}
        )
        others = [end for end in ends if end not in question.golds]
        true = draw.random() < 0.5 and question.answer
        told = question.answer if true else draw.choice(others)
        phrase = put.phrase(*query.branches[0])
        answer = ("supported" if true else "refuted") if answerable else ""
        kind = "claim" if answerable else "unproven"
        text = one_of(put.language.claim, draw).format(phrase, told)
        yield replace(question, text=text, answer=answer, aliases=(), type=kind)


def _spellings(world: World, tail: str) -> tuple[str, ...]:
    name = world.resolved(tail)
    every = [bare(name), name, spoken(name), world.alias_of(name)]
    return tuple(s for s in dict.fromkeys(every) if s and s != bare(tail))


def _comparisons(put: _Putting) -> Iterator[Question]:
    """Two branches of two hops: whose author was born earlier, or in the same town?"""
    world, draw, language = put.world, put.draw, put.language
    while True:
        works = draw.sample(world.of_kind("work"), 2)
        relation, equal = draw.choice(
            [("birth_year", False), ("birthplace", False), ("birthplace", True)]
        )
        chains = [_walk(world, work, ("author", relation)) for work in works]
        facts = chains[0] + chains[1]
        if len(facts) > LONGEST or any((f.head, f.relation) in world.unsaid for f in facts):
            continue
        ends = [chain[-1].tail for chain in chains]
        if (ends[0] == ends[1]) != equal:
            continue
        phrases = [put.phrase(work, ["author"]) for work in works]
        earlier = world.resolved(chains[ends[0] > ends[1]][0].tail)
        years = relation == "birth_year"
        verdict = "yes" if equal else "no"
        form = one_of(language.earlier if years else language.same, draw)
        yield Question(
            form.format(*phrases),
            bare(earlier) if years else verdict,
            _spellings(world, earlier) if years else (),
            4,
            facts,
            tuple(dict.fromkeys(fact.head for fact in facts)),
            "comparison",
        )


def _intersections(put: _Putting) -> Iterator[Question]:
    """Two branches of two hops that end in one town: where were both authors born?"""
    world, draw = put.world, put.draw
    walks = {work: _walk(world, work, ("author", "birthplace")) for work in world.of_kind("work")}
    pairs = [
        (one, other)
        for one, other in itertools.permutations(walks, 2)
        if walks[one][-1].tail == walks[other][-1].tail
        and world.resolved(walks[one][0].tail) != world.resolved(walks[other][0].tail)
    ]
    for works in draw.sample(pairs, len(pairs)):
        facts = walks[works[0]] + walks[works[1]]
        if len(facts) > LONGEST or any((f.head, f.relation) in world.unsaid for f in facts):
            continue
        phrases = [put.phrase(work, ["author"]) for work in works]
        yield Question(
            one_of(put.language.shared, draw).format(*phrases),
            bare(facts[-1].tail),
            _spellings(world, facts[-1].tail),
            4,
            facts,
            tuple(dict.fromkeys(fact.head for fact in facts)),
            "intersection",
        )
