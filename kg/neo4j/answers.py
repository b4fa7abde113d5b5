"""Answers in the Neo4j graph: the nodes and relationships of their evidence, and back."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from operator import itemgetter
from typing import Any

from ..answers import Answer, Citation, SupportedTriple
from ..graph_info import now
from ..linked import Claim, LinkedItem
from ..question_triples import QuestionTriple, asked_rows, link_rows, of_rows
from ..text.words import normal_form, stable_id
from ..tracing import TracedTriple, Tracing
from ..types import Triple
from ..wikidata.evidence import FIELDS, ClaimEvidence, ClaimRows, chains_of
from . import rows
from .statements import Row, Statements

Read = Callable[[Callable[[Statements], list[Row]]], list[Row]]
TRIPLE, CLAIM, ITEM = (
    rows.names(kind, make)
    for kind, make in (("triple", Triple), ("claim", Claim), ("item", LinkedItem))
)
NAMES = {"names": TRIPLE, "claim_names": CLAIM, "item_names": ITEM}
"""Parameters of `answers/read`: properties of what is evidence."""
ASKED = tuple(QuestionTriple.__dataclass_fields__)[:-2]
"""Properties of a QuestionTriple, in the order in which records have them."""
_STEP = ("chain", "order", "score")
_CITE = ("rank", "votes", "score")
_TRACED = ("order", "round", "entity", "guidance")
_RELATIONSHIPS = {
    "steps": ("answers/steps", (*_STEP, "triple_id", "passage_ids")),
    "cites": ("answers/cites", (*_CITE, "passage_id")),
    "traced": ("answers/traced", (*_TRACED, "triple_id")),
    "traced_ends": ("answers/traced_ends", ("order", "kind", "entity_id")),
    "claim_steps": ("answers/claim_steps", (*_STEP, "claim_id")),
    "claim_cites": ("answers/claim_cites", (*_CITE, "claim_id")),
    "claim_traced": ("answers/claim_traced", (*_TRACED, "claim_id")),
}
"""Statements that tie an answer to its evidence, by the names of records, and what rows hold."""
_AS_RECORDED = (
    "steps", "cites", "traced", "traced_ends", "asked", "asked_links", *FIELDS,
)  # fmt: skip
"""The order in which every graph gives what an answer rests on."""
LINKS = {
    "triple": "answers/asked_triples",
    "passage": "answers/asked_passages",
    "head": "answers/asked_entities",
    "tail": "answers/asked_entities",
}
"""Statements that tie a triple of a question's own graph, by the kind of its link."""


def answer_row(answer: Answer) -> Row:
    """Make the properties of an Answer node; one that is unknown (null) is not set."""
    return {
        "id": answer.id,
        "method": answer.method,
        **rows.called(answer.text),
        "abstained": answer.abstained,
        "confidence": answer.confidence,
        "model": answer.model,
        "usage": json.dumps(dict(answer.usage), sort_keys=True),
        "created_at": rows.as_time(answer.created_at or now()),
    }


def evidence(answer: Answer, claims: ClaimRows) -> dict[str, Iterable[Iterable[Any]]]:
    """Give what an answer rests on as records have it."""
    steps = [
        (number, order, chain.score, step.triple.id, list(step.passage_ids))
        for number, chain in enumerate(answer.chains)
        for order, step in enumerate(chain.triples)
    ]
    cites = [(rank, p.votes, p.score, p.passage_id) for rank, p in enumerate(answer.passages)]
    traced = {"traced": answer.tracing.traced, "traced_ends": answer.tracing.ends}
    asked = {"asked": asked_rows(answer.asked), "asked_links": link_rows(answer.asked)}
    told = dict(zip(FIELDS, claims, strict=True))
    return {"steps": steps, "cites": cites, **traced, **asked, **told}


def write_evidence(
    run: Statements, answer_id: str, held: Mapping[str, Iterable[Iterable[Any]]]
) -> None:
    """Tie an answer to what it rests on, as records have it; what is not there is passed over."""
    for name, (statement, keys) in _RELATIONSHIPS.items():
        listed = [dict(zip(keys, one, strict=True)) for one in held[name]]
        if "entity" in keys:
            listed = [row | {"entity_id": normal_form(row["entity"])} for row in listed]
        run.chunked(statement, listed, id=answer_id)
    _write_asked(run, answer_id, held["asked"], held["asked_links"])


def _write_asked(
    run: Statements, answer_id: str, asked: Iterable[Iterable[Any]], links: Iterable[Iterable[Any]]
) -> None:
    """Write a question's own graph, of what records have of it."""
    run.chunked("answers/asked", _nodes(answer_id, asked), id=answer_id)
    for statement, listed in _links(answer_id, links).items():
        run.chunked(statement, listed)


def _nodes(answer_id: str, asked: Iterable[Iterable[Any]]) -> list[Row]:
    """Make the properties of the nodes of a question's own graph, of what records have."""
    found = []
    for order, *slots in asked:
        held: Row = dict(zip(ASKED, slots, strict=True))
        one = QuestionTriple(**held)
        properties = {"id": _id(answer_id, order), **rows.called(one.text), **held}
        found.append({"order": order, "properties": properties})
    return found


def _id(answer_id: str, order: int) -> str:
    """Make the id of a triple of the question's own graph, by its place."""
    return stable_id("question triple", answer_id, str(order))


def _links(answer_id: str, links: Iterable[Iterable[Any]]) -> dict[str, list[Row]]:
    """Make the rows of the statements that tie these nodes, by statement, of what records have."""
    found: dict[str, list[Row]] = {name: [] for name in LINKS.values()}
    for order, kind, rank, id_ in links:
        row = {"kind": kind, "rank": rank, "id": id_}
        own = {"question_triple_id": _id(answer_id, order)}
        found[LINKS[kind]].append(row | own)
    return found


def read(reading: Read, ids: Collection[str]) -> list[Answer]:
    """See Graph.answers."""
    asked = sorted(set(ids))

    def work(run: Statements) -> list[Row]:
        meant = run.for_ids("answers/about", asked) + run.for_ids("answers/supported", asked)
        return run.for_ids("answers/read", sorted({row["id"] for row in meant}), **NAMES)

    found = sorted(reading(work), key=lambda row: row["answer"]["id"])
    return sorted(map(_answer, found), key=lambda one: one.created_at, reverse=True)


def recorded(row: Row) -> dict[str, list[list[Any]]]:
    """Give what an answer rests on, of a row of `answers/read`, as records have it."""
    steps = [[*(s[name] for name in _STEP), s["id"], list(s["passage_ids"])] for s in row["steps"]]
    held = {
        "steps": steps,
        "cites": [[*(c[name] for name in _CITE), c["id"]] for c in row["cites"]],
    }
    held["traced"] = [[*(t[name] for name in _TRACED), t["id"]] for t in row["traced"]]
    held |= {name: [list(one["row"]) for one in row[name]] for name in FIELDS}
    held["asked"] = [
        [one["order"], *(one["held"].get(name) for name in ASKED)] for one in row["asked"]
    ]
    held["asked_links"] = [
        [one["order"], link["kind"], link["rank"], link["id"]]
        for one in row["asked"]
        for link in one["links"]
    ]
    ends = ([one["order"], one["kind"], one["id"]] for one in row["ends"])
    by_kind = sorted(ends, key=itemgetter(1, 0))
    whole = {name: sorted(some) for name, some in held.items()} | {"traced_ends": by_kind}
    return {name: whole[name] for name in _AS_RECORDED}


def _answer(row: Row) -> Answer:
    properties, held, claimed = row["answer"], recorded(row), _claimed(row)
    steps = [(*(s[name] for name in _STEP), _supported(s)) for s in row["steps"]]
    cites = [(cited["rank"], _citation(cited)) for cited in row["cites"]] + claimed.cites()
    traced = [(one["order"], _traced(one)) for one in row["traced"]] + claimed.traced()
    return Answer(
        question=row["question"],
        method=properties["method"],
        text=properties["text"],
        abstained=properties["abstained"],
        confidence=properties.get("confidence"),
        chains=chains_of([*steps, *claimed.steps()]),
        passages=tuple(cited for _, cited in sorted(cites, key=itemgetter(0))),
        usage=json.loads(properties["usage"]),
        model=properties["model"],
        created_at=rows.as_text(properties["created_at"]),
        recorded_as=properties["id"],
        tracing=Tracing.of(
            (one for _, one in sorted(traced, key=itemgetter(0))),
            [(order, kind, id_) for order, kind, id_ in held["traced_ends"]],
        ),
        asked=of_rows(held["asked"], held["asked_links"]),
    )


def _supported(step: Row) -> SupportedTriple:
    return SupportedTriple(rows.made("triple", Triple, step["held"]), tuple(step["passage_ids"]))


def _citation(cited: Row) -> Citation:
    names = ("id", "title", "text", "votes", "score", "heading", "page")
    return Citation(*(cited[name] for name in names))


def _traced(one: Row) -> TracedTriple:
    triple = rows.made("triple", Triple, one["held"])
    return TracedTriple(triple, one["round"], one["entity"], one["guidance"])


def _claimed(row: Row) -> ClaimEvidence:
    every = [one for name in FIELDS for one in row[name]]
    claims = (rows.made("claim", Claim, one["claim"]) for one in every)
    items = (rows.made("item", LinkedItem, one["item"]) for one in every)
    told = ClaimRows(*(sorted(list(one["row"]) for one in row[name]) for name in FIELDS))
    return ClaimEvidence(told, {one.id: one for one in claims}, {one.id: one for one in items})
