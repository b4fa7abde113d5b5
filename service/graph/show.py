"""Surroundings of a name: `hoptrail show` finds evidence from either end."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ...kg.answers import Answer, Citation
from ...kg.errors import EmptyGraph, NotFound
from ...kg.linked import ItemLink
from ...kg.store import Graph
from ...kg.text.words import words
from ...kg.types import DocumentInfo, Found, Passage, Statement
from ...kg.wikidata.relations import Relations
from ..settings import SHOWN
from .names import called

NEAR = 20  # passages whose names are looked through
SUGGESTED = 3
MAX_FOUND = 100_000  # triples, claims or passages of an entity
_CUT = ("triples", "passages", "mentions", "links", "answers", "claims", "properties")


def surroundings(store: Graph, name: str, limit: int = SHOWN) -> list[dict[str, Any]]:
    """Collect what a name may mean as `show_json` does, without how many more things it means."""
    return show_json(store, name, limit)["found"]


def show_json(store: Graph, name: str, limit: int = SHOWN) -> dict[str, Any]:
    """Return the object that `show --json` prints: what a name may mean, and what hangs on it.

    Args:
        store: the graph.
        name: see `names.called`, which says the order, too.
        limit: how many things at most, and how many entries of each of their lists. `left_out` is
            how many more there are: of things, and in each thing of its lists.

    Raises:
        EmptyGraph: there is no graph.
        NotFound: the graph holds nothing of that name.
    """
    found = called(store, name)
    if not found and store.info() is None:
        raise EmptyGraph(
            f"There is no graph in {store.where} yet.", "Fill it: hoptrail ingest PATH"
        )
    if not found:
        raise NotFound(
            f"Nothing called {name!r} in {store.where}. Names are entities, document titles, "
            f"files, questions that were asked, and ids; a search finds passages by words."
            f"{_near(store, name)}"
        )
    return {
        "name": name,
        "found": shown(store, found[:limit], limit),
        "left_out": max(len(found) - limit, 0),
    }


def _near(store: Graph, name: str) -> str:
    """Names that have half the words of this one at least, the likest first, as a question."""
    wanted = set(words(name))
    ids = [scored.id for scored in store.keyword_search(name, NEAR)] if wanted else []
    mentioned = {one for some in store.mentioned(ids).values() for one in some}
    said = {entity.name: set(words(entity.name)) for entity in store.entities(mentioned).values()}
    near = [one for one, own in said.items() if 2 * len(own & wanted) >= len(wanted)]
    near.sort(key=lambda one: (-len(said[one] & wanted), len(one), one))
    return f" Did you mean {' or '.join(map(repr, near[:SUGGESTED]))}?" if near else ""


def shown(store: Graph, found: Iterable[Found], limit: int = SHOWN) -> list[dict[str, Any]]:
    """Show things that were found, each with what hangs on it."""
    return [_cut(_SHOWN[thing.kind](store, thing, limit), limit) for thing in found]


def _cut(thing: dict[str, Any], limit: int) -> dict[str, Any]:
    """Cut the lists of a thing, and say how much of each is left out."""
    long = {name: thing[name] for name in _CUT if name in thing}
    there = {name: len(some) for name, some in long.items()}
    if "passages_in_all" in thing:  # of which no more are read than are shown
        there["passages"] = thing["passages_in_all"]
    short = {name: some[:limit] for name, some in long.items()}
    left = {name: count - limit for name, count in there.items() if count > limit}
    return {**thing, **short, "left_out": left}


def _document(store: Graph, thing: Found, limit: int) -> dict[str, Any]:
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
            for p in store.passages(ids[:limit]).values()
        ],
        "passages_in_all": len(ids),
        "triples": _triples(store.triples_of(ids)),
    }


def _passage(store: Graph, thing: Found, limit: int) -> dict[str, Any]:
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
            for link in links
        ],
        "answers": _answers(store, thing.id),
    }


def _entity(store: Graph, thing: Found, limit: int) -> dict[str, Any]:
    entity = store.entities([thing.id])[thing.id]
    passages = store.passages(store.mentioning([thing.id], limit))
    about = store.triples_about([thing.id], MAX_FOUND)
    return {
        "kind": "entity",
        "id": entity.id,
        "name": entity.name,
        "aliases": list(entity.aliases),
        **_wikidata(store, thing.id, about, limit),
        "triples": _triples(about),
        "passages_in_all": entity.passages,
        "passages": [_place(p.id, p) for p in passages.values()],
        "answers": _answers(store, *_evidence(store, thing.id, about)),
    }


def _wikidata(
    store: Graph, entity_id: str, about: Sequence[Statement], limit: int
) -> dict[str, Any]:
    """The items that an entity means, with the documents in which it does; and their claims."""
    links = store.wikidata.links([entity_id])
    if not links:
        return {}
    items = store.wikidata.items([link.item_id for link in links])
    titles = {key: d.title or d.source for key, d in _of_links(store, links).items()}
    meant = []
    for item in items.values():
        of = [link for link in links if link.item_id == item.id]
        meant.append(
            {
                "item": item.id,
                "label": item.label,
                "description": item.description,
                "documents": [titles[link.document_id] for link in of[:limit]],
                "documents_in_all": len(of),
                "score": max(link.score for link in of),
                "reason": of[0].reason,
            }
        )
    claims = store.wikidata.claims_about([entity_id], MAX_FOUND)
    relations = {s.triple.relation for s in about[:limit]}
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


def _evidence(store: Graph, entity_id: str, about: Sequence[Statement]) -> list[str]:
    """Triples and claims about an entity, passages that mention it: what answers may rest on."""
    triples = [statement.triple.id for statement in about]
    claims = [claim.id for claim in store.wikidata.claims_about([entity_id], limit=MAX_FOUND)]
    mentioning = store.mentioning([entity_id], limit=MAX_FOUND)
    return list(dict.fromkeys([*triples, *claims, *mentioning]))


def _triple(store: Graph, thing: Found, limit: int) -> dict[str, Any]:
    triple = store.triples([thing.id])[thing.id]
    return {
        "kind": "triple",
        "id": triple.id,
        "triple": [triple.head, triple.relation, triple.tail],
        "extractor": triple.extractor,
        **({"properties": told} if (told := _properties(store, [triple.relation])) else {}),
        "answers": _answers(store, thing.id),
    }


def _answered(store: Graph, thing: Found, limit: int) -> dict[str, Any]:
    heading = {"kind": thing.kind, "id": thing.id, "name": thing.name}
    shown = {**heading, "answers": _answers(store, thing.id)}
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
    return [[t.head, t.relation, t.tail] for t in distinct]


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
        for answer in store.answers(ids)
    ]


_SHOWN = {
    "document": _document,
    "passage": _passage,
    "entity": _entity,
    "triple": _triple,
    "question": _answered,
    "answer": _answered,
}
