"""2WikiMultihopQA's gold chains, filled without a model: `python benchmarks/gold_chains.py DATA`.

The chain of a question is given, its names as the question words them; what is measured is filling:
by Wikidata (the slice, served by Oxigraph), by the graph's own triples, by the reader from the
question's own paragraphs, and by several in turn. DATA as for `wikidata.py`. --graph names graphs
that hold the paragraphs (`hoptrail --graph G ingest 2wiki_dev.jsonl`), one for each file of
--questions; a question takes some seconds where its paragraphs were never read.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.sparql_servers import running
from wikidata import Bench, alias_of, share
from wikidata_questions import DEV, Question, questions, same_value

from hoptrail.kg.text.words import normal_form
from hoptrail.kg.wikidata.knowledge import Knowledge, Tail
from hoptrail.loaders.questions.files import read_questions
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.reasoning.evaluation.metrics.gold import Holdings
from hoptrail.reasoning.matching import exact_match
from hoptrail.reasoning.methods.semi_structured.filling import Filled, Source
from hoptrail.reasoning.methods.semi_structured.grammar import Question as Asked
from hoptrail.reasoning.methods.semi_structured.plain import Plain
from hoptrail.reasoning.methods.semi_structured.relations import called, question_of
from hoptrail.reasoning.methods.semi_structured.sources import Kind, knowledge
from hoptrail.reasoning.replies.chains import Link, MaskedChain
from hoptrail.reasoning.session.session import Session
from hoptrail.service.hoptrail import Hoptrail

ROWS: dict[str, tuple[tuple[Source, ...], tuple[Kind, ...]]] = {
    "Wikidata": (("kg",), ("sparql",)),
    "own graph": (("kg",), ("own",)),
    "text": (("text",), ("own",)),
    "Wikidata + text": (("kg", "text"), ("sparql",)),
    "text + Wikidata": (("text", "kg"), ("sparql",)),
    "own graph + text": (("kg", "text"), ("own",)),
    "own graph + Wikidata + text": (("kg", "text"), ("own", "sparql")),
}


def chain(q: Question, bench: Bench, aliases: bool) -> Asked:
    """The gold chain with masks; for a comparison the answer is to be worked out.

    Gold triples of one head and relation are one with a set of tails, as a chain asks for them.
    """
    links, asks, masks = [], {}, list[int]()
    placed: dict[tuple[str, str], int] = {}
    for g in q.gold:
        head = g.asked if g.after is None else f"#{masks[g.after]}"
        number = placed.setdefault((head, g.relation), len(placed) + 1)
        masks.append(number)
        if number in asks:
            continue
        relation = alias_of(bench, g) if aliases else g.relation
        links.append(Link(head, relation, f"#{number}"))
        asks[number] = question_of(" ".join(called(g.relation)) or g.relation)
    final = 0 if "comparison" in q.type else len(links)
    return Asked(MaskedChain(tuple(links), final), asks)


def right(q: Question, state: Filled, known: Knowledge) -> bool:
    """Whether a value of the answer is the gold one, by any name of it."""
    golds = [q.answer, *q.aliases]
    for value in state.concluded(q.text):
        if exact_match(value, golds) or same_value(q.answer, Tail(value)):
            return True
        ids = [i.id for i in known.items(known_as(known, value)).values()]
        for item in known.items(ids).values():
            if any(exact_match(name, golds) for name in item.names):
                return True
    return False


def known_as(known: Knowledge, value: str) -> list[str]:
    """Items that were met in the question and have this label."""
    met = (item for item in known._items.values() if item is not None)
    tails = (s for item in met for s in item.statements if s.value.item)
    return [
        s.value.item for s in tails if s.value.item and normal_form(s.text) == normal_form(value)
    ]


def sessions(
    graphs: Sequence[Path], files: Sequence[Path], encoder: SentenceEncoder
) -> Iterator[tuple[str, Session]]:
    """A session for each question whose paragraphs a graph holds."""
    from hoptrail.reasoning.retrieval import retriever
    from hoptrail.reasoning.session.parts import Parts

    for graph, file in zip(graphs, files, strict=True):
        hop = Hoptrail(graph, encoder=encoder)
        held = Holdings(hop.store)
        find = retriever("hop", hop.store, encoder)
        parts = Parts(hop.store, encoder, hop.pipeline, find, hop._reading.reader)
        for q in read_questions(file):
            own = hop.store.passages_of(held.own(q))
            yield q.question, Session(parts, q.question, "semi_structured", own)


def measured(
    rows: Iterable[str],
    asked: Sequence[Question],
    within: dict[str, Session],
    bench: Bench,
    aliases: bool,
) -> None:
    """Fill every chain by each row's sources, and print how many are right."""
    for name in rows:
        sources, kinds = ROWS[name]
        hits, wrong = [], []
        for q in asked:
            fresh = Knowledge(bench.linker, bench.properties)
            given = within[q.text]
            session = replace(given, parts=replace(given.parts, live=lambda one=fresh: one))
            state = Plain(session, sources, knowledge(kinds, 0.5)).filled(chain(q, bench, aliases))
            hits.append(right(q, state, fresh))
            wrong.append(bool(state.concluded(q.text)) and not hits[-1])
        print(f"{name}: {share(hits)}; wrong {share(wrong)}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("--graph", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", help="instead of 2Wiki's dev files")
    parser.add_argument("--most", type=int, help="questions")
    parser.add_argument("--rows", nargs="+", choices=list(ROWS), default=list(ROWS))
    parser.add_argument("--aliases", action="store_true", help="properties' aliases as relations")
    given = parser.parse_args()
    files = given.questions or [given.data / name for name in DEV]
    encoder = SentenceEncoder()
    slice_ = given.data / "wikidata" / "slice.nt"
    with (
        tempfile.TemporaryDirectory() as folder,
        running("oxigraph", Path(folder), [slice_]) as url,
    ):
        bench = Bench(url, given.data / "wikidata" / "properties.jsonl", encoder)
        asked = questions(files)
        known = bench.knowledge.items({g.id for q in asked for g in q.gold})
        asked = [q for q in asked if all(g.id in known for g in q.gold)][: given.most]
        within = dict(sessions(given.graph, files, encoder))
        print(f"{len(asked)} questions")
        measured(given.rows, asked, within, bench, given.aliases)


if __name__ == "__main__":
    main()
