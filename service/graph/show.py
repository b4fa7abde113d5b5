"""Surroundings of a name: `hoptrail show` finds evidence from either end."""

from collections.abc import Collection, Iterable
from itertools import islice
from typing import Any

from ...kg.answers import Answer, Citation
from ...kg.errors import NotFound
from ...kg.linked import ItemLink
from ...kg.store import Found, Graph
from ...kg.types import DocumentInfo, Passage
from ...kg.where import Condition, documents
from ...kg.wikidata.relations import Relations
from ...loaders.sources import as_source

MAX_SHOWN = 12  # things of each kind; a well-connected entity has thousands
MAX_FOUND = 100_000  # triples or passages of an entity


def surroundings(store: Graph, name: str) -> list[dict[str, Any]]:
    """Collect everything that a name may mean, each with what hangs on it; entities come first.

    Args:
        store: the graph.
        name: of a thing, its id, or the path or name of a file.

    Raises:
        NotFound: the graph holds nothing of that name.
    """
    found = (store.find(name) or store.find(as_source(name))) if name.strip() else []
    found = found or _files(store, name)
    if not found:
        raise NotFound(
            f"Nothing called {name!r} in {store.where}. Names are entities, document titles, "
            "files, questions that were asked, and ids; hoptrail search finds passages by words."
        )
    return shown(store, found)


def shown(store: Graph, found: Iterable[Found]) -> list[dict[str, Any]]:
    """Show things that were found, each with what hangs on it; entities come first."""
    ordered = sorted(found, key=lambda thing: thing.kind != "entity")
    return [_SHOWN[thing.kind](store, thing) for thing in ordered]


def _files(store: Graph, name: str) -> list[Found]:
    """Documents of a file of this name, wherever it was, or of a folder; the first by id."""
    if not name.strip():
        return []
    meant = Condition("source", "=", name)
    return [
        Found("document", one.id, one.title or one.source)
        for one in islice(filter(meant.holds, documents(store)), MAX_SHOWN)
    ]


def _document(store: Graph, thing: Found) -> dict[str, Any]:
    info = store.documents([thing.id])[thing.id]
    ids = store.passages_of([thing.id])
    return {
        "kind": "document",
        "id": info.id,
        "title": info.title,
        "source": info.source,
        "metadata": dict(info.metadata),
        "ingested_at": info.ingested_at,
        "passages": [
            {
                "id": p.id,
                "position": p.position,
                "page": p.page,
                "heading": p.heading,
                "text": p.text,
            }
            for p in store.passages(ids[:MAX_SHOWN]).values()
        ],
        "passages_in_all": len(ids),
        "triples": _triples(store.triples_of(ids[:MAX_SHOWN])),
    }


def _passage(store: Graph, thing: Found) -> dict[str, Any]:
    passage = store.passages([thing.id])[thing.id]
    links = store.neighbours([thing.id], ["NEXT", "NAMES", "SHARES_KEYWORD"])
    ends = store.passages([x for link in links for x in (link.source, link.target)])
    names = store.entities(store.mentioned([thing.id]).get(thing.id, []))
    return {
        "kind": "passage",
        "id": passage.id,
        "title": passage.title,
        "page": passage.page,
        "heading": passage.heading,
        "text": passage.text,
        "mentions": [entity.name for entity in names.values()],
        "triples": _triples(store.triples_of([thing.id])),
        "links": [
            {
                "kind": link.kind,
                "from": ends[link.source].title,
                "to": ends[link.target].title,
                "keywords": list(link.keywords),
            }
            for link in links[:MAX_SHOWN]
        ],
        "answers": _answers(store, thing.id),
    }


def _entity(store: Graph, thing: Found) -> dict[str, Any]:
    entity = store.entities([thing.id])[thing.id]
    passages = store.passages(store.mentioning([thing.id], MAX_SHOWN))
    about = store.triples_about([thing.id], 4 * MAX_SHOWN)
    return {
        "kind": "entity",
        "id": entity.id,
        "name": entity.name,
        "aliases": list(entity.aliases),
        **_wikidata(store, thing.id),
        "triples": _triples(about),
        "passages_in_all": entity.passages,
        "passages": [_place(p.id, p) for p in passages.values()],
        "answers": _answers(store, *_evidence(store, thing.id)),
    }


def _wikidata(store: Graph, entity_id: str) -> dict[str, Any]:
    """The items that an entity means, with the documents in which it does; and their claims."""
    links = store.wikidata.links([entity_id])
    if not links:
        return {}
    items = store.wikidata.items([link.item_id for link in links])
    titles = {key: d.title or d.source for key, d in _of_links(store, links).items()}
    meant = [
        {
            "item": item.id,
            "label": item.label,
            "description": item.description,
            "documents": [titles[k.document_id] for k in links if k.item_id == item.id][:MAX_SHOWN],
            "score": max(k.score for k in links if k.item_id == item.id),
            "reason": next(k.reason for k in links if k.item_id == item.id),
        }
        for item in items.values()
    ]
    claims = store.wikidata.claims_about([entity_id], MAX_SHOWN)
    relations = {s.triple.relation for s in store.triples_about([entity_id], MAX_SHOWN)}
    stated = [[items[c.item_id].label, c.relation, c.said, c.endpoint] for c in claims]
    shown = {"wikidata": meant, "claims": stated, "properties": _properties(store, relations)}
    return {name: some for name, some in shown.items() if some}


def _properties(store: Graph, relations: Collection[str]) -> list[list[str]]:
    """Which of Wikidata's properties relations are, the likeliest, and why."""
    kept = Relations.kept(store)
    likeliest = ((one, means[0]) for one in sorted(relations) if (means := kept.of(one)))
    return [
        [
            relation,
            f"{one.label} ({one.pid})" + (", from tail to head" if one.inverse else ""),
            "its name" if one.how == "name" else f"{one.stated} of {one.of} triples are stated so",
        ]
        for relation, one in likeliest
    ]


def _of_links(store: Graph, links: list[ItemLink]) -> dict[str, DocumentInfo]:
    return store.documents({link.document_id for link in links})


def _place(passage_id: str, passage: Passage | Citation) -> dict[str, Any]:
    place = {"page": passage.page, "heading": passage.heading}
    return {"id": passage_id, "title": passage.title, **place}


def _evidence(store: Graph, entity_id: str) -> list[str]:
    """Triples and claims about an entity, passages that mention it: what answers may rest on."""
    triples = [s.triple.id for s in store.triples_about([entity_id], limit=MAX_FOUND)]
    claims = [claim.id for claim in store.wikidata.claims_about([entity_id], limit=MAX_FOUND)]
    mentioning = store.mentioning([entity_id], limit=MAX_FOUND)
    return list(dict.fromkeys([*triples, *claims, *mentioning]))


def _triple(store: Graph, thing: Found) -> dict[str, Any]:
    triple = store.triples([thing.id])[thing.id]
    return {
        "kind": "triple",
        "id": triple.id,
        "triple": [triple.head, triple.relation, triple.tail],
        "extractor": triple.extractor,
        **({"properties": told} if (told := _properties(store, [triple.relation])) else {}),
        "answers": _answers(store, thing.id),
    }


def _answered(store: Graph, thing: Found) -> dict[str, Any]:
    shown = {"kind": thing.kind, "id": thing.id, "answers": _answers(store, thing.id)}
    answers = store.answers([thing.id])
    traced = next((answer for answer in answers if answer.tracing), None)
    asked = next((answer for answer in answers if answer.asked), None)
    shown |= _traced(store, traced) if traced else {}
    return shown | ({"asked": _asked(asked)} if asked else {})


def _asked(answer: Answer) -> list[dict[str, Any]]:
    """The question's own graph: what was asked for each triple, and what variables stand for."""
    return [
        {
            "triple": [one.head, one.relation, one.tail],
            "bound": [one.head_value or one.head, one.relation, one.tail_value or one.tail],
            "asked": f"{one.sub_question} {one.sub_answer or 'unknown'}" if one.tries else "",
            "as": "kept" if one.kept else "dropped" if one.tries else "not asked",
            "confidence": "" if one.confidence is None else f"confidence {one.confidence:.2f}",
            "tries": f"{one.tries} tries" if one.tries > 1 else "",
        }
        for one in answer.asked
    ]


def _traced(store: Graph, answer: Answer) -> dict[str, Any]:
    """The graph that was traced for an answer: what brought each triple, and what is evidence."""
    evidence = set(store.backtrace(answer.id))
    ends = answer.tracing.initial, answer.tracing.targets
    began, led = ([e.name for e in store.entities(ids).values()] for ids in ends)
    traced = [
        {
            "in": f"round {one.round}",
            "for": f"{one.entity}: {one.guidance}",
            "triple": [one.triple.head, one.triple.relation, one.triple.tail],
            "as": "evidence" if one.triple.id in evidence else "filtered out",
        }
        for one in answer.tracing.triples
    ]
    return {"traced": traced, "began_at": began, "led_to": led}


def _triples(statements: list) -> list[list[str]]:
    distinct = dict.fromkeys(s.triple for s in statements if not s.triple.tied)
    return [[t.head, t.relation, t.tail] for t in distinct][:MAX_SHOWN]


def _answers(store: Graph, *ids: str) -> list[dict[str, Any]]:
    return [
        {
            "id": answer.id,
            "question": answer.question,
            "answer": answer.text or "insufficient evidence",
            "method": answer.method,
            "created_at": answer.created_at,
            "chains": [
                [[s.triple.head, s.triple.relation, s.triple.tail] for s in chain.triples]
                for chain in answer.chains
            ],
            "passages": [{**_place(p.passage_id, p), "votes": p.votes} for p in answer.passages],
        }
        for answer in store.answers(ids)[:MAX_SHOWN]
    ]


_SHOWN = {
    "document": _document,
    "passage": _passage,
    "entity": _entity,
    "triple": _triple,
    "question": _answered,
    "answer": _answered,
}
