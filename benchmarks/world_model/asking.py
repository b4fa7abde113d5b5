"""Methods in the test world, asked with the trained model: what is asked, and how it went."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.fakes import WordEncoder
from world import Question, SymbolicReader, World, fill, pages, questions

from hoptrail.kg.answers import Answer
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.language import LanguageModel
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning import methods
from hoptrail.reasoning.matching import exact_match
from hoptrail.reasoning.retrieval import retriever
from hoptrail.reasoning.session.parts import Parts

SPECS = (
    "trace:demonstrations=0:candidates=7:beams=2:chains=2:passages=5",
    "knowtrace:passages=3",
    "semi_structured:samples=1:passages=3",
    "ge_reasoning",
    "rgnn_ret:passages=3",
    "direct",
    "rag:passages=3",
    "cot:passages=3",
    "zero_plus_few_shot:passages=3",
    "self_consistency:passages=3:samples=3",
    "self_ask:passages=3",
    "ircot:passages=1",
    "iter_retgen:passages=3",
    "react:passages=3",
    "flare:passages=2",
    "dsp:queries=1:samples=3:passages=2",
    "verify_and_edit:samples=3:passages=3",
    "top_triples:passages=3",
    "era_cot:passages=3",
    "sg_prompt:passages=3",
    "kgp:passages=3",
)
"""All methods, with the few passages that the model was trained on."""
Opened = Callable[[LanguageModel], Parts]


@contextmanager
def ground(folder: Path) -> Iterator[tuple[Opened, list[Question]]]:
    """The test world's graph, its triples the symbolic reader's, and its questions."""
    world, encoder = World.made(), WordEncoder(256)
    path = folder / "test-world.db"
    there, parse = path.exists(), Pipeline()
    with SqliteStore(path) as store:
        if not there:
            fill(store, pages(world), encoder, SymbolicReader())
        found = retriever("hop", store, encoder)
        yield lambda model: Parts(store, encoder, parse, found, model=model), questions(world)


def ask(parts: Parts, spec: str, question: Question, own: bool) -> Answer:
    """Ask, among the question's own passages or in the whole graph."""
    titles = [f"world: {title}" for title in question.paragraphs]
    within = parts.graph.passages_of(titles) if own else None
    return methods.answer(spec, parts, question.text, within=within)


@dataclass(frozen=True)
class Tally:
    """How questions went: each with its answer."""

    asked: Sequence[tuple[Question, Answer]]

    def right(self, hops: int = 0) -> tuple[int, int]:
        """How many of how many answerable ones are exactly right; of so many hops alone."""
        of = [(q, a) for q, a in self.asked if q.answer and hops in (0, q.hops)]
        return sum(bool(exact_match(a.text, q.golds)) for q, a in of), len(of)

    @property
    def given_up(self) -> tuple[int, int]:
        """How many of how many unanswerable ones were given up."""
        of = [a for q, a in self.asked if not q.answer]
        return sum(a.abstained for a in of), len(of)

    def mean(self, name: str) -> float:
        """Of a figure of `usage`."""
        return sum(a.usage[name] for _, a in self.asked) / len(self.asked)


def interval(right: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    if not count:
        return 0.0, 1.0
    z, share = 1.96, right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + (z / count / 2) ** 2)
    return middle - half, middle + half
