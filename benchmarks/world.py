"""TRACE, its ablations, plain retrieval and gold evidence in the made-up world of tests/world.

python benchmarks/world.py [--questions 140] [--noise 0 0.02 0.05] [--retriever NAME ...] [--words]
    [--graph FILE] [--methods [NAME ...]] [--persona chatty thoughtful] [--kinds KIND ...]

The language model is the symbolic reader, which errs on the given share of the facts it looks at.
Every row reads with it; "read" is how many passages or triples the answer was read from. EM and F1
are over the answerable questions, "unknown" is the share of the others that were given up rightly.
First from each question's own 20 passages, the setting of the papers; then from the whole graph.
Retrieval is by `hop` or a method's own retriever, or by each that --retriever names. With --words
vectors are hashed words instead of the packaged encoder's. With --methods all methods with their
default settings are compared instead, or those named, and EM is also given by hops. With --persona
the reader also puts what it says as chat models do (tests/world/personas.py), held to no form, as
on a server that takes none. --kinds asks questions of these types in turn: chain, comparison,
intersection, unanswerable.
"""

import argparse
import functools
import itertools
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.fakes import WordEncoder
from world import KINDS, Question, SymbolicReader, World, chatty, fill, pages, questions, thoughtful

from hoptrail.kg.answers import Answer
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.encoder import Encoder, SentenceEncoder
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning import methods
from hoptrail.reasoning.matching import exact_match, f1
from hoptrail.reasoning.methods.trace.method import Trace
from hoptrail.reasoning.methods.trace.selectors import BySimilarity
from hoptrail.reasoning.retrieval import retriever
from hoptrail.reasoning.session.parts import Parts, retrieve
from hoptrail.reasoning.session.session import Session

DEFAULT = "hop"
OWN, OPEN = 20, 10
"""Passages a method works with: a question's own ones, or retrieved from the whole graph."""
HEAD = f"{'':25}{'EM':>7}{'F1':>7}{'unknown':>9}{'calls':>7}{'tokens':>8}{'read':>6}"
BY_HOPS = (
    f"{'':18}{'EM':>7}   2 hops  3 hops  4 hops{'unknown':>9}{'calls':>7}{'tokens':>8}{'rounds':>8}"
)
Ask = Callable[[Question], Answer]
PERSONAS = {"plain": str, "chatty": chatty, "thoughtful": thoughtful}

NEAREST = BySimilarity(prior=0.0, link=0.0, tied=0.0, reach=0.0, name="nearest")
SETTINGS: dict[str, dict[str, object]] = {
    "TRACE-Triple": {},
    "TRACE-Doc": {"reads": "passages"},
    "greedy": {"beams": 1, "chains": 1},
    "no adaptive stop": {"adaptive_stop": False},
    "no ranker": {"ranked": False},
    "no selector": {"selector": NEAREST, "adaptive_stop": False},
    "top 20 triples": {"evidence": "top"},
    "random 20 triples": {"evidence": "random"},
    "all triples": {"evidence": "all"},
}
"""TRACE's ablations (Table 2, Figures 9 to 11) as settings of `Trace`."""
EXPANDING: dict[str, dict[str, object]] = {
    "TRACE-Triple": {"expand": False},
    "TRACE-Doc": {"expand": False, "reads": "passages"},
    "TRACE-Triple, expanding": {"expand": True},
    "TRACE-Doc, expanding": {"expand": True, "reads": "passages"},
}


@dataclass(frozen=True)
class Row:
    """One line of the table; shares 0 to 1, the rest a question."""

    name: str
    exact_match: float
    f1: float
    unknown: float
    calls: float
    tokens: float
    read: float


def measured(name: str, asked: Sequence[Question], ask: Ask) -> Row:
    """Ask everything once."""
    answers = [(question, ask(question)) for question in asked]
    told = [(q, a) for q, a in answers if q.answer]
    rest = [a for q, a in answers if not q.answer]
    count = len(answers)
    return Row(
        name,
        sum(exact_match(a.text, q.golds) for q, a in told) / max(1, len(told)),
        sum(f1(a.text, q.golds) for q, a in told) / max(1, len(told)),
        sum(a.abstained for a in rest) / max(1, len(rest)),
        sum(a.usage["calls"] for _, a in answers) / count,
        sum(a.usage["tokens_in"] + a.usage["tokens_out"] for _, a in answers) / count,
        sum(len(a.steps[-1].evidence) for _, a in answers) / count,
    )


def own(parts: Parts, question: Question) -> list[str]:
    """Ids of a question's own passages."""
    return parts.graph.passages_of([f"world: {title}" for title in question.paragraphs])


def plain(parts: Parts, count: int, closed: bool) -> Ask:
    """The same reader over the retrieved passages as they come."""

    def ask(question: Question) -> Answer:
        within = own(parts, question) if closed else None
        found = retrieve(parts.graph, parts.retriever, question.text, count, within)
        return _read(parts, question.text, [passage.id for passage, _ in found])

    return ask


def gold(parts: Parts) -> Ask:
    """The same reader over the gold passages: the ceiling."""

    def ask(question: Question) -> Answer:
        ids = parts.graph.passages_of([f"world: {title}" for title in question.titles])
        return _read(parts, question.text, ids)

    return ask


def trace(parts: Parts, closed: bool, settings: dict[str, object]) -> Ask:
    """TRACE with these settings."""
    method = Trace(passages=OWN if closed else OPEN, **settings)  # pyright: ignore[reportArgumentType]
    return lambda q: _asked(method, parts, closed, q)


def _read(parts: Parts, question: str, ids: Sequence[str]) -> Answer:
    session = Session(parts, question, "plain")
    text = session.read(list(parts.graph.passages(ids).values()))
    return session.answered(text)


def table(parts: Parts, asked: Sequence[Question], closed: bool) -> Iterator[Row]:
    """Gold, plain retrieval, then TRACE and its ablations."""
    yield measured("gold passages", asked, gold(parts))
    for count in (OWN if closed else OPEN, 5):
        yield measured(f"plain, {count} passages", asked, plain(parts, count, closed))
    for name, settings in (SETTINGS if closed else EXPANDING).items():
        yield measured(name, asked, trace(parts, closed, settings))


def compared(
    parts: Parts, asked: Sequence[Question], closed: bool, names: Sequence[str], by: str | None
) -> Iterator[str]:
    """A line for each method, with its default settings; `by`: the retriever, None for its own."""
    for name in names or methods.METHODS:
        wanted = methods.retriever_of(methods.configured(name)[0], by, DEFAULT)
        parts = replace(parts, retriever=retriever(wanted, parts.graph, parts.encoder))
        answers = {q.text: _asked(name, parts, closed, q) for q in asked}
        row = measured(name, asked, functools.partial(_given, answers))
        hops = [
            [exact_match(answers[q.text].text, q.golds) for q in asked if q.answer and q.hops == n]
            for n in (2, 3, 4)
        ]
        figures = "".join(f"{sum(of) / max(1, len(of)):8.3f}" for of in hops)
        yield (
            f"{name:18}{row.exact_match:7.3f}{figures}{row.unknown:9.2f}{row.calls:7.1f}"
            f"{row.tokens:8.0f}{_rounds(answers.values()):>8}"
        )


def _rounds(answers: Iterable[Answer]) -> str:
    """The mean of explorations, of a method that counts them."""
    counts = [a.usage["rounds"] for a in answers if "rounds" in a.usage]
    return f"{sum(counts) / len(counts):.1f}" if counts else ""


def _given(answers: Mapping[str, Answer], question: Question) -> Answer:
    return answers[question.text]


def _asked(method: str | Trace, parts: Parts, closed: bool, question: Question) -> Answer:
    within = own(parts, question) if closed else None
    return methods.answer(method, parts, question.text, within=within)


def lines(
    parts: Parts,
    asked: Sequence[Question],
    closed: bool,
    compare: Sequence[str] | None,
    by: str | None,
) -> Iterator[str]:
    """The table, as it comes; `compare`: of these methods, all where there are none."""
    if compare is not None:
        yield BY_HOPS
        yield from compared(parts, asked, closed, compare, by)
        return
    yield HEAD
    for row in table(parts, asked, closed):
        yield (
            f"{row.name:25}{row.exact_match:7.3f}{row.f1:7.3f}{row.unknown:9.2f}"
            f"{row.calls:7.1f}{row.tokens:8.0f}{row.read:6.1f}"
        )


def main() -> None:
    """Print a table for each noise."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--questions", type=int, default=140)
    options.add_argument("--noise", type=float, nargs="*", default=[0.0, 0.02, 0.05])
    options.add_argument("--retriever", nargs="*", default=[None])
    options.add_argument("--words", action="store_true")
    options.add_argument("--graph", type=Path)
    options.add_argument("--methods", nargs="*")
    options.add_argument("--persona", nargs="*", default=["plain"], choices=PERSONAS)
    options.add_argument("--kinds", nargs="*", default=KINDS)
    chosen = options.parse_args()
    encoder: Encoder = WordEncoder(256) if chosen.words else SentenceEncoder()
    world = World.made()
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.graph or Path(folder) / "world.db"
        there = path.exists()
        with SqliteStore(path) as store:
            if not there:
                fill(store, pages(world), encoder, SymbolicReader())
            settings = itertools.product(chosen.noise, chosen.persona, chosen.retriever)
            for noise, persona, by in settings:
                model = SymbolicReader(noise, persona=PERSONAS[persona], held=persona == "plain")
                find = retriever(by or DEFAULT, store, encoder)
                parts = Parts(store, encoder, Pipeline(), find, model=model)
                asked = questions(world, chosen.questions, kinds=chosen.kinds)
                for closed in (True, False):
                    where = "own passages" if closed else "whole graph"
                    on = f", {by}" if by else ""
                    print(f"\nnoise {noise}, {persona}, {len(asked)} questions, {where}{on}\n")
                    for line in lines(parts, asked, closed, chosen.methods, by):
                        print(line, flush=True)


if __name__ == "__main__":
    main()
