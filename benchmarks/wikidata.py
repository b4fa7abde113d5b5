"""How far Wikidata alone goes, linked by `kg/wikidata`: `python benchmarks/wikidata.py DATA`.

DATA holds 2wiki_dev.jsonl and 2wiki_dev_open.jsonl (or --questions names other files),
wikidata/slice.nt and wikidata/properties.jsonl. Oxigraph serves the slice on this machine.
Questions about what the slice lacks are left out. Without --only all is measured, in some minutes.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.sparql_servers import running
from triples import read_all
from wikidata_homonyms import homonyms
from wikidata_questions import DEV, Gold, Question, compared, phrases, questions, same_value
from wikidata_rdf import rates

from hoptrail.kg.wikidata.endpoint import Endpoint
from hoptrail.kg.wikidata.index import read_names
from hoptrail.kg.wikidata.items import read_items
from hoptrail.kg.wikidata.knowledge import Knowledge, Tail
from hoptrail.kg.wikidata.linking import Linker
from hoptrail.kg.wikidata.names import NameIndex
from hoptrail.kg.wikidata.properties import NEAR, Meant, Properties, Property, Wants
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.reasoning.matching import exact_match

PARTS = ("heads", "relations", "tails", "fills", "chains", "homonyms", "rdf")
Said = list[tuple[Question, Gold, str]]


class Bench:
    """The served slice, and what asks it."""

    def __init__(
        self, url: str, properties: Path, encoder: SentenceEncoder, near: float = NEAR
    ) -> None:
        self.endpoint, index, self.near = Endpoint(url), NameIndex(), near
        read_names(self.endpoint, index)
        records = map(json.loads, properties.read_text("utf-8").splitlines())
        encode = encoder.encode_queries
        self.properties = Properties(map(_property, records), encode)
        self.linker = Linker(self.endpoint, index, encode)
        self.knowledge = Knowledge(self.linker, self.properties)


def _property(record: dict) -> Property:
    aliases, count = tuple(record["aliases"] or ()), record["count"] or 0
    says = record["description"] or "", record["datatype"] or ""
    return Property(record["id"], record["label"], aliases, *says, count)


def share(hits: Iterable[bool]) -> str:
    """Write how many of all are right."""
    counted = list(hits)
    return f"{sum(counted) / max(1, len(counted)):.3f} of {len(counted)}"


def heads(bench: Bench, asked: list[Question]) -> None:
    """First heads as the question words them, right at 1."""
    print("## Heads, as the question words them")
    firsts = {(q.text, g.head): (g, q) for q in asked for g in q.gold if g.first}
    rows = list(firsts.values())
    items = bench.knowledge.items({g.id for g, _ in rows})
    print("string match:", share(_same(g.asked, items[g.id].label) for g, _ in rows))
    for name, context, wanted in (
        ("names alone", False, False),
        ("the question as context", True, False),
        ("... and the property asked for", True, True),
    ):
        hits = []
        for g, q in rows:
            relation = [g.relation] if wanted else []
            [ranked] = bench.knowledge.heads([g.asked], q.text if context else "", relation)
            hits.append(bool(ranked) and ranked[0].item.id == g.id)
        print(f"{name}:", share(hits))


def relations(bench: Bench, asked: list[Question]) -> Said:
    """Which property a phrase means; gives the extractor's phrases."""
    print("## Relations")
    gold = [(q, g) for q in asked for g in q.gold]
    top = [_linked(bench, g.relation)[:1] for _, g in gold]
    print("2Wiki's own:", share(t == [g.pid] for t, (_, g) in zip(top, gold, strict=True)))
    read = read_all(p for q in asked for p in q.passages)
    said: list[tuple[Question, Gold, list[str]]] = []
    for q, g in gold:
        found = list(phrases(g, (t for p in q.passages for t in read[p])))
        said += [(q, g, found)] if found else []
    first = [(q, g, found[0]) for q, g, found in said]
    print("the extractor's, string match:", share(p == g.relation for _, g, p in first))
    alone = [_linked(bench, p) for *_, p in first]
    items = bench.knowledge.items({g.id for _, g, _ in first})
    had = [_linked(bench, p, items[g.id].properties) for _, g, p in first]
    for name, ranked in (("the extractor's", alone), ("... of those that the head has", had)):
        both = list(zip(ranked, first, strict=True))
        one = share(r[:1] == [g.pid] for r, (_, g, _) in both)
        five = share(g.pid in r for r, (_, g, _) in both)
        print(f"{name}: at 1 {one}, at 5 {five}")
    near = ([m.id for m in _meant(bench, p, items[g.id].properties)] for _, g, p in first)
    taken = [(ids[:1], g) for ids, (_, g, _) in zip(near, first, strict=True)]
    print(
        "... and are near enough:",
        share(ids == [g.pid] for ids, g in taken),
        "; another:",
        share(bool(ids) and ids != [g.pid] for ids, g in taken),
    )
    named = [(r, g) for r, (_, g, p) in zip(alone, first, strict=True) if _called(bench, p)]
    print("those that are a property's name:", share(r[:1] == [g.pid] for r, g in named))
    some = ((g, [_linked(bench, p)[:1] for p in found]) for _, g, found in said)
    print("any relation between the two:", share([g.pid] in every for g, every in some))
    return first


def _meant(bench: Bench, phrase: str, had: Iterable[str]) -> list[Meant]:
    return [one for one in bench.properties.linked(phrase, set(had)) if one.sure(bench.near)]


def _linked(bench: Bench, phrase: str, had: Iterable[str] | None = None) -> list[str]:
    among = None if had is None else set(had)
    return [meant.id for meant in bench.properties.linked(phrase, among)]


def _called(bench: Bench, phrase: str) -> bool:
    return bool(bench.properties.named(phrase))


def tails(bench: Bench, asked: list[Question], said: Said) -> None:
    """What is stated, of a head and a relation in words."""
    print("## Tails")
    gold = [(q, g) for q in asked for g in q.gold]
    for name, rows in (
        ("2Wiki's strings", [(q, g, g.head, g.relation) for q, g in gold]),
        ("the question's heads", [(q, g, g.asked, g.relation) for q, g in gold if g.first]),
        ("an alias as the relation", [(q, g, g.head, alias_of(bench, g)) for q, g in gold]),
        ("the extractor's relation", [(q, g, g.head, phrase) for q, g, phrase in said]),
    ):
        hits, matched = [], []
        for q, g, head, relation in rows:
            told = bench.knowledge.tails(head, relation, q.text, near=bench.near)
            hits.append(bool(told) and any(same_value(g.tail, tail) for tail in told.tails))
            [item] = bench.knowledge.items([g.id]).values()
            one = bench.properties.by_id[g.pid].label
            matched.append(_same(head, item.label) and relation == one)
        print(f"{name}: {share(hits)} (string match {share(matched)})")


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def alias_of(bench: Bench, gold: Gold) -> str:
    """One alias of a property, the same each time."""
    one = bench.properties.by_id[gold.pid]
    return random.Random(gold.head).choice(one.aliases) if one.aliases else one.label


def false_fills(bench: Bench, asked: list[Question], said: Said) -> None:
    """What is filled in where the gold statement is taken away."""
    print("## False fills")
    rows = [(q, g, g.relation) for q in asked for g in q.gold]
    for name, some in (("2Wiki's relation", rows), ("the extractor's relation", said)):
        filled = []
        for q, g, phrase in some:
            with without(bench, g):
                told = bench.knowledge.tails(g.head, phrase, q.text, near=bench.near)
            right = bool(told) and any(same_value(g.tail, tail) for tail in told.tails)
            filled.append(bool(told) and not right)
        print(f"{name}:", share(filled))


@contextmanager
def without(bench: Bench, gold: Gold) -> Iterator[None]:
    """The gold statement is not there."""
    held = bench.knowledge._items
    item = bench.knowledge.items([gold.id]).get(gold.id)
    if item is None:
        yield
        return
    left = tuple(s for s in item.statements if s.pid != gold.pid)
    held[gold.id] = replace(item, statements=left)
    try:
        yield
    finally:
        held[gold.id] = item


def chains(bench: Bench, asked: list[Question]) -> None:
    """Gold chains, each filled from the graph alone."""
    print("## Gold chains, exact match")
    for name in ("2Wiki's relations", "aliases as relations"):
        hits, matched, queries = [], [], []
        for q in asked:
            fresh, before = Knowledge(bench.linker, bench.properties), bench.endpoint.asked
            said = {g: alias_of(bench, g) if "alias" in name else g.relation for g in q.gold}
            answers = filled(fresh, q, said)
            queries.append(bench.endpoint.asked - before)
            right = any(exact_match(answer, [q.answer, *q.aliases]) for answer in answers)
            hits.append(right or any(same_value(q.answer, Tail(answer)) for answer in answers))
            items = bench.knowledge.items([g.id for g in q.gold])
            strings = all(_same(g.asked, items[g.id].label) for g in q.gold if g.first)
            matched.append(hits[-1] and strings and "alias" not in name)
        most = f"{statistics.mean(queries):.2f} queries a question, at most {max(queries)}"
        print(f"{name}: {share(hits)} (string match {share(matched)}); {most}")


def filled(knowledge: Knowledge, q: Question, said: dict[Gold, str]) -> list[str]:
    """Fill a question's chain; all values of its last mask."""
    masks: list[tuple[Tail, ...]] = []
    firsts = [g for g in q.gold if g.first]
    knowledge.heads([g.asked for g in firsts], q.text, [said[g] for g in firsts])  # all in one go
    for g in q.gold:
        qids = [] if g.after is None else [t.id for t in masks[g.after] if t.id]
        head = g.asked if g.after is None else qids
        told = knowledge.tails(head, said[g], q.text, _wants(q, g)) if head else None
        masks.append(told.tails if told else ())
    if "comparison" not in q.type:
        return [name for tail in masks[-1] for name in tail.names]
    ends: dict[str, list[Tail]] = {}  # of each thing compared, what its way ends in
    for place in range(len(q.gold)):
        start = place
        while (before := q.gold[start].after) is not None:
            start = before
        if not any(other.after == place for other in q.gold):
            ends.setdefault(q.gold[start].asked, []).extend(masks[place])
    if len(ends) != 2:
        return []
    options = tuple(ends)
    found = compared(q.text, options, *map(tuple, ends.values()))
    return [found] if found else []


def _wants(q: Question, g: Gold) -> Wants | None:
    return q.wants if g is q.gold[-1] and "comparison" not in q.type else None


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("--questions", type=Path, nargs="+", help="instead of 2Wiki's dev files")
    parser.add_argument("--most", type=int, help="questions")
    parser.add_argument("--near", type=float, default=NEAR, help="as methods' setting of the name")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    given = parser.parse_args()
    slice_, files = given.data / "wikidata" / "slice.nt", given.questions
    if "rdf" in given.only:
        rates(slice_)
    if set(given.only) == {"rdf"}:
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        running("oxigraph", Path(folder), [slice_]) as url,
    ):
        bench = Bench(
            url, given.data / "wikidata" / "properties.jsonl", SentenceEncoder(), given.near
        )
        asked = questions(files or [given.data / name for name in DEV])[: given.most]
        known = bench.knowledge.items({g.id for q in asked for g in q.gold})
        asked = [q for q in asked if all(g.id in known for g in q.gold)]
        print(f"{len(asked)} questions, {sum(len(q.gold) for q in asked)} gold triples")
        said = relations(bench, asked) if "relations" in given.only else []
        for name, measure in (("heads", heads), ("chains", chains)):
            if name in given.only:
                measure(bench, asked)
        for name, measured in (("tails", tails), ("fills", false_fills)):
            if name in given.only:
                measured(bench, asked, said)
        if "homonyms" in given.only:
            texts = files or sorted(given.data.glob("*_dev*.jsonl"))
            lines = slice_.read_text("utf-8").splitlines()
            every = {line[32:].partition(">")[0] for line in lines if "/entity/Q" in line[:34]}
            homonyms(bench.linker, texts, read_items(bench.endpoint, every))


if __name__ == "__main__":
    main()
