"""What a hop over Wikidata's statements brings: `python benchmarks/wikidata_hops.py GRAPH FILE`.

GRAPH holds the paragraphs of FILE (2wiki_dev.jsonl) and is linked (`hoptrail link --statements`).
Nothing is answered. Two figures over the whole graph, five passages a question (`hop`):

- of the gold triples that the graph keeps as claims, how many are among the facts that a retrieval
  adds, with what the best facts lead to (as it is) and without;
- of the supporting paragraphs that were not retrieved, how many stand in documents that are about
  what a statement of an item in the retrieved passages leads to (RELATES_TO among items): the most
  that going along statements could add to a retrieval, and how many other documents that would be.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from wikidata_questions import Question, questions

import hoptrail.reasoning.claims.graph as claimed
from hoptrail.kg.store import Graph
from hoptrail.kg.text.words import normal_form
from hoptrail.kg.types import Passage
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.reasoning.retrieval import retriever
from hoptrail.service.hoptrail import Hoptrail

RETRIEVED, FACTS = 5, (5, 10)
Places = set[tuple[str, int]]
"""QID and number of the property."""


def told(
    graph: Graph, q: Question, passages: Sequence[Passage], encoder: SentenceEncoder
) -> list[Places]:
    """The facts that are added, by how many are taken."""
    facts = claimed.ClaimedGraph(graph, encoder.encode_queries)
    found = facts.near(q.text, passages, max(FACTS))
    places = [(p.document_id.removeprefix("wikidata:"), p.position) for p, _ in found]
    return [set(places[:most]) for most in FACTS]


def led(graph: Graph, passages: Sequence[Passage]) -> set[str]:
    """Documents about what statements of the passages' items lead to, but their own.

    About an item is a document whose title is a name that means it there.
    """
    documents = {one.id: one.document_id for one in passages}
    mentioned = graph.mentioned(list(documents))
    links = graph.wikidata.links({entity for of in mentioned.values() for entity in of})
    items = {one.item_id for one in links if one.document_id in documents.values()}
    ends = {c.value_id for c in graph.wikidata.claims(items) if c.value_id}
    ends |= {c.item_id for c in graph.wikidata.stating(items)}
    means = graph.wikidata.linked(ends - items)
    titles = {i: d.title for i, d in graph.documents({one.document_id for one in means}).items()}
    about = {o.document_id for o in means if normal_form(titles[o.document_id]) == o.entity_id}
    return about - set(documents.values())


def share(count: int, of: int) -> str:
    """Write a share."""
    return f"{count / max(1, of):.3f} of {of}"


def measured(graph: Graph, asked: Sequence[Question], encoder: SentenceEncoder) -> None:
    """Measure and print."""
    find, leading = retriever("hop", graph, encoder), claimed.LEADING
    gold, hits = 0, {hop: [0] * len(FACTS) for hop in (True, False)}
    missed = reached = others = 0
    for q in asked:
        ids = [one.id for one in find.search(q.text, RETRIEVED)]
        passages = list(graph.passages(ids).values())
        kept = {(c.item_id, int(c.pid[1:])) for c in graph.wikidata.claims({g.id for g in q.gold})}
        wanted = {(g.id, int(g.pid[1:])) for g in q.gold} & kept
        gold += len(wanted)
        for hop, counts in hits.items():
            claimed.LEADING = leading if hop else 0
            for place, places in enumerate(told(graph, q, passages, encoder)):
                counts[place] += len(wanted & places)
        left = _titles(q) - {one.title for one in passages}
        along = {one.title for one in graph.documents(led(graph, passages)).values()}
        missed, reached, others = (
            missed + len(left),
            reached + len(left & along),
            others + len(along - left),
        )
    for hop, counts in hits.items():
        shares = ", ".join(
            f"{share(n, gold)} among {most}" for n, most in zip(counts, FACTS, strict=True)
        )
        print(f"facts {'with' if hop else 'without'} what the best lead to: {shares}")
    print(f"supporting paragraphs not retrieved: {missed} of {sum(len(_titles(q)) for q in asked)}")
    print(f"one statement away: {share(reached, missed)}, with {others} other documents")


def _titles(q: Question) -> set[str]:
    return {title for title, _ in q.passages}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("graph", metavar="GRAPH")
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--most", type=int, help="questions")
    given = parser.parse_args()
    encoder = SentenceEncoder()
    with Hoptrail(given.graph, encoder=encoder) as hop:
        measured(hop.store, questions([given.file])[: given.most], encoder)


if __name__ == "__main__":
    main()
