"""Hoptrail's retrievers beside others', over the same passages with the same encoder in one run.

python benchmarks/retrieval.py DATA… [--corpus FILE…] [--graph FILE] [--server URI] [--out FILE]

DATA are question files (see loaders/questions/). Each file's paragraphs become a graph of their
own; with --corpus all files are measured in one graph of these files instead, and with --graph in
a graph that is there. Then only questions count whose supporting paragraphs the graph holds.

On SQLite: dense, BM25, hybrid, GNN-Ret, hop, and personalised PageRank in the manner of HippoRAG 2.
With --server the same graph goes to a Neo4j server (user and password as for hoptrail), and dense,
BM25, hybrid, GNN-Ret and hop run there beside the retrievers of neo4j-graphrag:
pip install "neo4j-graphrag==1.22.0", or the extra `bench`. The database must be empty, or hold this
very graph already; --empty deletes what it holds. Graphs and vectors stay in --work. Questions are
encoded beforehand: the milliseconds (median) are retrieval alone.
"""

import argparse
import itertools
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from comparators.asked import Asked
from comparators.pagerank import PageRank
from comparators.server import Server

from hoptrail.kg.errors import HoptrailError
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.store import GraphStore
from hoptrail.loaders.questions.files import Paragraph, Question, read_questions
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.reasoning.evaluation.retrieval import RetrievalResult, evaluate_retrieval
from hoptrail.reasoning.retrieval import Retriever, retriever
from hoptrail.service import Hoptrail

OURS = ("dense", "bm25", "hybrid", "gnn", "hop")
FIGURES = ("recall@2", "recall@5", "recall@10", "all_supporting@5")


@dataclass(frozen=True)
class Trial:
    """Questions and the graph they are asked of."""

    name: str
    questions: list[Question]
    graph: Path


def trials(given: argparse.Namespace) -> Iterator[Trial]:
    """What to measure, every graph built."""
    shared = given.graph or (given.corpus and built(given.work, given.corpus))
    for files in [given.data] if given.together else [[file] for file in given.data]:
        graph = shared or built(given.work, files)
        questions = itertools.chain.from_iterable(map(read_questions, files))
        with SqliteStore(graph) as store:
            yield Trial(named(files), asked_of(store, list(questions)), graph)


def named(files: Sequence[Path]) -> str:
    """What tables and graphs of these files are called."""
    return "+".join(file.stem for file in files)


def built(work: Path, files: Sequence[Path]) -> Path:
    """A graph of these files in the working folder; what is there already is not done again."""
    name = named(files)
    graph = work / f"{name}.db"
    with Hoptrail(graph) as hop:
        hop.ingest(*files, progress=lambda so_far: note(f"{name}: {so_far.seen} documents"))
    return graph


def asked_of(graph: GraphStore, questions: Sequence[Question]) -> list[Question]:
    """Questions with their supporting paragraphs alone, where the graph holds them all."""
    held = graph.documents().keys()
    kept = []
    for question in questions:
        gold = tuple(p for p in question.paragraphs if p.is_supporting)
        if gold and ids(gold) <= held:
            kept.append(replace(question, paragraphs=gold))
    note(f"{len(kept)} of {len(questions)} questions have their paragraphs in {graph.where}")
    return kept


def ids(paragraphs: Sequence[Paragraph]) -> set[str]:
    """Of the documents they are."""
    return {paragraph.document_id for paragraph in paragraphs}


def on_sqlite(trial: Trial, encoder: Asked, work: Path) -> Iterator[RetrievalResult]:
    """Every retriever on the file."""
    with SqliteStore(trial.graph) as graph:
        chosen = [retriever(name, graph, encoder) for name in OURS]
        chosen.insert(-1, PageRank.over(graph, encoder, work))
        yield from measured(f"{trial.name}, SQLite", trial.questions, graph, chosen)


def on_neo4j(trial: Trial, encoder: Asked, server: Server) -> Iterator[RetrievalResult]:
    """Every retriever on the server, which holds the same graph."""
    from comparators.graphrag import GraphragHybrid, GraphragHybridCypher

    with ExitStack() as stack:
        source = stack.enter_context(SqliteStore(trial.graph))
        graph = stack.enter_context(server.holding(source))
        driver = stack.enter_context(server.driver())
        chosen = [retriever(name, graph, encoder) for name in OURS]
        chosen[-1:-1] = [
            stack.enter_context(GraphragHybrid.on(driver, server.database, encoder)),
            stack.enter_context(GraphragHybridCypher.on(driver, server.database, encoder)),
        ]
        yield from measured(f"{trial.name}, Neo4j", trial.questions, graph, chosen)


def measured(
    name: str, questions: Sequence[Question], graph: GraphStore, chosen: Sequence[Retriever]
) -> Iterator[RetrievalResult]:
    """One result a retriever."""
    for one in chosen:
        result = evaluate_retrieval(name, questions, graph, one)
        note(f"{name}, {one.name}: recall@5 {100 * result.figures['recall@5'].value:.1f}")
        yield result


def markdown(results: Sequence[RetrievalResult]) -> Iterator[str]:
    """Lines of one table a set and store, figures in %, 95 % bootstrap intervals of recall@5."""
    for name in dict.fromkeys(result.dataset for result in results):
        rows = [result for result in results if result.dataset == name]
        yield f"{name}: {rows[0].questions} questions, {rows[0].passages:,} passages\n"
        yield "| | recall@2 | recall@5 | 95 % | recall@10 | all in 5 | ms a question |"
        yield "|---|--:|--:|---|--:|--:|--:|"
        for row in rows:
            two, five, ten, whole = (row.figures[figure] for figure in FIGURES)
            yield (
                f"| {row.retriever} | {100 * two.value:.1f} | {100 * five.value:.1f} | "
                f"{100 * five.low:.1f} to {100 * five.high:.1f} | {100 * ten.value:.1f} | "
                f"{100 * whole.value:.1f} | {1000 * row.latency['median']:.0f} |"
            )
        yield ""


def note(text: str) -> None:
    """To the terminal, not into the table."""
    print(text, file=sys.stderr, flush=True)


def arguments() -> argparse.Namespace:
    """As the head of this file says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, nargs="+", help="question files")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--corpus", type=Path, nargs="+", help="files that make up one graph")
    where.add_argument("--graph", type=Path, help="a graph that is there (an SQLite file)")
    parser.add_argument("--together", action="store_true", help="all questions as one set")
    graph = os.environ.get("HOPTRAIL_GRAPH", "")
    parser.add_argument(
        "--server",
        default=graph if "://" in graph else None,
        help="URI of a Neo4j server [HOPTRAIL_GRAPH where that is one]",
    )
    parser.add_argument("--empty", action="store_true", help="delete what the database holds")
    parser.add_argument(
        "--work",
        type=Path,
        default=Path(tempfile.gettempdir()) / "hoptrail-retrieval",
        help="folder for graphs and vectors, used again by the next run [%(default)s]",
    )
    parser.add_argument("--out", type=Path, help="file for the tables, as Markdown")
    return parser.parse_args()


def main() -> None:
    """Measure, print, write."""
    given = arguments()
    given.work.mkdir(parents=True, exist_ok=True)
    encoder, tables = SentenceEncoder(), ""
    server = Server(given.server, given.empty) if given.server else None
    try:
        for trial in trials(given):
            asking = Asked(encoder, trial.questions)
            results = list(on_sqlite(trial, asking, given.work))
            if server:
                results += on_neo4j(trial, asking, server)
            table = "".join(f"{line}\n" for line in markdown(results))
            tables += table
            print(table, flush=True)
            if given.out:
                given.out.write_text(tables, encoding="utf-8")
    except HoptrailError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
