"""TRACE without a language model beside plain retrieval: `python benchmarks/trace.py FILE…`.

For every question, within its own paragraphs as in the papers: which supporting passages the chains
hold, against as many passages from the top of the retrieval; and EM and F1 of the answers. Without
a language model the reader finds the answer in the five retrieved passages and the chains explain
it: what they add is evidence, and the figures show how much of it is right.
"""

import argparse
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hoptrail.kg.answers import Answer
from hoptrail.loaders.questions.files import Question, read_questions
from hoptrail.reasoning.evaluation.runs.results import RIGHT_F1
from hoptrail.reasoning.matching import exact_match, f1
from hoptrail.service import Hoptrail
from hoptrail.service.console.progress import progress_bar
from hoptrail.service.evaluation.graphs import temporary_graph


@dataclass(frozen=True, slots=True)
class Row:
    """One question; recalls are shares of its supporting documents."""

    chains: float
    same: float
    top: float
    best_chain: float
    passages: int
    match: float
    overlap: float
    answered: bool


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="question files")
    parser.add_argument("--graph", type=Path, help="a graph that holds their paragraphs already")
    parser.add_argument("--limit", type=int, help="only the first questions of each file")
    options = parser.parse_args()
    print(
        f"{'':26}{'questions':>10}{'chains':>8}{'as many':>9}{'top 5':>7}{'1st chain':>10}"
        f"{'passages':>9}{'EM':>7}{'F1':>7}{'answered':>9}{'right':>7}"
    )
    for file in options.files:
        print(line(file.stem, measured(file, options.graph, options.limit)), flush=True)


def measured(file: Path, graph: Path | None, limit: int | None) -> list[Row]:
    """A row for every question with supporting paragraphs."""
    questions = [q for q in read_questions(file) if any(p.is_supporting for p in q.paragraphs)]
    questions = questions[:limit]
    if graph:
        with Hoptrail(graph) as hop:
            return rows(hop, questions)
    with temporary_graph(Hoptrail(), [file]) as hop:
        return rows(hop, questions)


def rows(hop: Hoptrail, questions: Iterable[Question]) -> list[Row]:
    """Asks each of them."""
    questions = list(questions)
    with progress_bar() as progress:
        return [row(hop, q) for q in progress.track(questions, description="Asking")]


def row(hop: Hoptrail, question: Question) -> Row:
    """What chains and retrieval find of what supports the answer."""
    within = hop.store.passages_of([p.document_id for p in question.paragraphs])
    answer = hop.ask(question.question, within=within, record=False)
    hits = hop.search(question.question, limit=5, within=within)
    ranked = list(dict.fromkeys(hit.passage.document_id for hit in hits))
    gold = {p.document_id for p in question.paragraphs if p.is_supporting}
    held = documents(hop, answer)
    every = {document for chain in held for document in chain}
    guess = answer.text or (answer.candidates[0][0] if answer.candidates else "")
    golds = [question.answer, *question.aliases] if question.answerable else []
    return Row(
        len(gold & every) / len(gold),
        len(gold & set(ranked[: len(every)])) / len(gold),
        len(gold & set(ranked)) / len(gold),
        len(gold & held[0]) / len(gold) if held else 0.0,
        len(every),
        exact_match(guess, golds),
        f1(guess, golds),
        not answer.abstained,
    )


def documents(hop: Hoptrail, answer: Answer) -> list[set[str]]:
    """Of each chain, the documents that state its triples."""
    chains = [{p for step in chain.triples for p in step.passage_ids} for chain in answer.chains]
    passages = hop.store.passages(list(set().union(*chains)))
    return [{passages[p].document_id for p in chain} for chain in chains]


def line(name: str, found: list[Row]) -> str:
    """A file's figures, in %."""
    figures = [
        100 * statistics.mean(getattr(row, field) for row in found)
        for field in ("chains", "same", "top", "best_chain", "match", "overlap")
    ]
    chains, same, top, best, match, overlap = figures
    passages = statistics.mean(row.passages for row in found)
    given = [row for row in found if row.answered]
    answered = 100 * len(given) / len(found)
    rightly = [row.match > 0 or row.overlap >= RIGHT_F1 for row in given]
    right = 100 * statistics.mean(rightly) if rightly else float("nan")
    return (
        f"{name[:25]:26}{len(found):>10}{chains:>8.1f}{same:>9.1f}{top:>7.1f}{best:>10.1f}"
        f"{passages:>9.1f}{match:>7.1f}{overlap:>7.1f}{answered:>9.1f}{right:>7.1f}"
    )


if __name__ == "__main__":
    main()
