"""Semi-Structured CoT in the made-up world, whose facts a small Wikidata holds over real SPARQL.

python benchmarks/semi_structured.py [--questions 35] [--noise 0 0.05] [--gaps 0.1] [--wrong 0.05]
    [--tables orders oracle votes errors claims] [--words] [--graph FILE]

Oxigraph serves the world as Wikidata might hold it (tests/world/wikidata.py): a share of the facts
is missing, a share of the others states something else. "oracle" is the same without either. The
language model is the symbolic reader, which errs on the given share of what it looks at. EM is over
the answerable questions, from each question's own passages and from the whole graph; in brackets
how many of the others were given up. Tables: orders, each order of sources over the graph's triples
and over Wikidata (the paper's table 1); oracle (table 7); votes, samples from 1 to 20, without the
vote and without the filter of syntax; errors, the share of sampled chains with each error of
appendix B, with a grammar and without; claims, in place of questions, to be supported or refuted,
of seven one that is neither (as FEVER's of table 10).
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.fakes import WordEncoder
from support.sparql_servers import running
from world import Question, SymbolicReader, World, fill, pages, questions
from world.chaining import chain
from world.questions import CLAIMS
from world.reader import SAYS
from world.wikidata import held, turtle

from hoptrail.kg.answers import Answer
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.wikidata.endpoint import Endpoint
from hoptrail.kg.wikidata.knowledge import Knowledge
from hoptrail.kg.wikidata.linking import Linker
from hoptrail.kg.wikidata.properties import Properties, read_properties
from hoptrail.models.encoder import Encoder, SentenceEncoder
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning import methods
from hoptrail.reasoning.matching import exact_match
from hoptrail.reasoning.retrieval import retriever
from hoptrail.reasoning.session.parts import Parts

ORDERS = ("kg+text+model", "text+kg+model", "kg+model", "text+model", "kg+text", "kg", "model")
TABLES = ("orders", "oracle", "votes", "errors", "claims")
SAMPLES = (1, 2, 3, 5, 10, 20)
WORDINGS: Sequence[Callable[[str], str]] = (
    lambda said: said.replace(" >> #1", "", 1),
    lambda said: said.replace("#1", "#", 1),
    lambda said: said.replace("#2", "#3"),
    lambda said: said.partition("; final")[0],
    lambda said: said.replace(" >> ", " >> has >> ", 1),
)
"""How a model without a grammar puts a chain wrongly, in turn."""


def faulty(share: float) -> Callable[..., str]:
    """A handler that writes a share of the chains with an error of syntax."""
    turns = count()

    def said(prompt, judge) -> str:  # noqa: ANN001
        plain, turn = chain(prompt, judge), next(turns)
        wrong = judge.lot("syntax", turn) < share
        return WORDINGS[turn % len(WORDINGS)](plain) if wrong else plain

    return said


class Bench:
    """The world's graph, its questions, and what is asked."""

    def __init__(self, store: SqliteStore, encoder: Encoder, asked: list[Question]) -> None:
        self.store, self.encoder, self.asked = store, encoder, asked
        self._find = retriever("hop", store, encoder)

    def answers(
        self, spec: str, model: SymbolicReader, url: str | None, closed: bool
    ) -> Iterator[tuple[Question, Answer]]:
        """Ask everything once; over this endpoint, where one is named."""
        parts = Parts(self.store, self.encoder, Pipeline(), self._find, model=model)
        if url is not None:
            knowledge = self._knowledge(url)
            parts = replace(parts, live=lambda: knowledge)
        for q in self.asked:
            own = self.store.passages_of([f"world: {title}" for title in q.paragraphs])
            yield q, methods.answer(spec, parts, q.text, within=own if closed else None)

    def _knowledge(self, url: str) -> Knowledge:
        endpoint, encode = Endpoint(url), self.encoder.encode_queries
        properties = Properties(read_properties(endpoint), encode)
        return Knowledge(Linker(endpoint, encode=encode), properties)

    def line(self, name: str, spec: str, noises: Sequence[float], url: str | None = None) -> str:
        """EM on own passages and on the whole graph for each noise; calls of the last."""
        figures, calls = [], 0.0
        for closed in (True, False):
            for noise in noises:
                told = list(self.answers(spec, SymbolicReader(noise), url, closed))
                hits = [exact_match(a.text, q.golds) for q, a in told if q.answer]
                rest = [a.abstained for q, a in told if not q.answer]
                figures.append(f"{100 * sum(hits) / max(1, len(hits)):6.1f}")
                figures[-1] += f" ({sum(rest)}/{len(rest)})"
                calls = sum(a.usage["calls"] for _, a in told) / max(1, len(told))
        return f"{name:34}" + "".join(f"{figure:>14}" for figure in figures) + f"{calls:7.1f}"


def orders(bench: Bench, noises: Sequence[float], url: str, oracle: str) -> None:
    """Every order of sources, over the graph's own triples, Wikidata, and both."""
    for kinds in ("own", "sparql", "own+sparql"):
        for sources in ORDERS if kinds == "own" else [o for o in ORDERS if "kg" in o]:
            spec = f"semi_structured:sources={sources}:kg={kinds}"
            print(bench.line(f"{sources}, {kinds}", spec, noises, url), flush=True)


def with_oracle(bench: Bench, noises: Sequence[float], url: str, oracle: str) -> None:
    """The gold triples as the graph, and the same with gaps and errors."""
    for name, at in (("Wikidata", url), ("oracle", oracle)):
        for sources in ("kg+text+model", "kg+model", "kg"):
            spec = f"semi_structured:sources={sources}:kg=sparql"
            print(bench.line(f"{sources}, {name}", spec, noises, at), flush=True)


def votes(bench: Bench, noises: Sequence[float], url: str, oracle: str) -> None:
    """How many chains are put to the vote; without the vote, without the filter."""
    specs = {f"samples={n}": f"samples={n}" for n in SAMPLES}
    specs |= {"without the vote": "vote=false", "without the filter": "filtered=false"}
    specs |= {"greedy, without the filter": "samples=1:filtered=false"}
    for name, spec in specs.items():
        print(bench.line(name, f"semi_structured:{spec}:kg=own", noises), flush=True)


def errors(bench: Bench, noises: Sequence[float], url: str, oracle: str) -> None:
    """The share of sampled chains with each error; the reader puts a tenth of them wrongly."""
    for held_ in (True, False):
        handler = chain if held_ else faulty(0.1)
        says = {**SAYS, "Write a question as a chain": handler}
        spec = f"semi_structured:form={str(held_).lower()}:kg=own"
        for noise in noises:
            model = SymbolicReader(noise, says=says, held=held_)
            told = list(bench.answers(spec, model, None, closed=True))
            chains = 5 * len(told)
            kinds = Counter[str]()
            for _, a in told:
                kinds.update({k: n for k, n in a.usage.items() if k.startswith("chain_")})
            shares = ", ".join(f"{k[6:]} {100 * n / chains:.1f}" for k, n in kinds.most_common())
            hits = [exact_match(a.text, q.golds) for q, a in told if q.answer]
            how = "grammar" if held_ else "free"
            print(f"{how}, {noise}: EM {100 * sum(hits) / len(hits):.1f}; {shares or 'none'}")


def claims(bench: Bench, noises: Sequence[float], url: str, oracle: str) -> None:
    """Claims about the same world: one reading, chain of thought, chains from each graph."""
    asked = questions(World.made(), len(bench.asked), kinds=CLAIMS)
    bench = Bench(bench.store, bench.encoder, asked)
    for spec in ("rag", "cot", "self_ask"):
        print(bench.line(spec, spec, noises), flush=True)
    for kinds in ("own", "sparql", "own+sparql"):
        spec = f"semi_structured:kg={kinds}"
        print(bench.line(f"kg+text+model, {kinds}", spec, noises, url), flush=True)


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--questions", type=int, default=35)
    options.add_argument("--noise", type=float, nargs="*", default=[0.0, 0.05])
    options.add_argument("--gaps", type=float, default=0.1)
    options.add_argument("--wrong", type=float, default=0.05)
    options.add_argument("--tables", nargs="*", choices=TABLES, default=TABLES)
    options.add_argument("--words", action="store_true", help="hashed words as vectors")
    options.add_argument("--graph", type=Path)
    chosen = options.parse_args()
    encoder: Encoder = WordEncoder(256) if chosen.words else SentenceEncoder()
    world = World.made()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        path = chosen.graph or folder / "world.db"
        there = path.exists()
        store = stack.enter_context(SqliteStore(path))
        if not there:
            fill(store, pages(world), encoder, SymbolicReader())
        urls = []
        for name, shares in (("wikidata", (chosen.gaps, chosen.wrong)), ("oracle", (0.0, 0.0))):
            home = folder / name
            home.mkdir()
            (home / "world.ttl").write_text(turtle(world, held(world, *shares)))
            urls.append(stack.enter_context(running("oxigraph", home, [home / "world.ttl"])))
        bench = Bench(store, encoder, questions(world, chosen.questions))
        made = {"orders": orders, "oracle": with_oracle, "votes": votes, "errors": errors}
        made |= {"claims": claims}
        for table in chosen.tables:
            where = "".join(
                f"{f'{at}, {n:.0%}':>14}" for at in ("own", "whole") for n in chosen.noise
            )
            print(f"\n{table}, EM (unanswerable given up)\n{'':34}{where}{'calls':>7}")
            made[table](bench, chosen.noise, *urls)


if __name__ == "__main__":
    main()
