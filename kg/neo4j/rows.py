"""What the graph's records look like as Neo4j properties, and back."""

import base64
import json
from collections.abc import Collection, Iterable
from itertools import groupby
from typing import Any

import numpy as np

from ..answers import Answer, Chain, Citation, SupportedTriple
from ..graph_info import created_by, now
from ..text.words import words
from ..types import (
    SCHEMA_VERSION,
    Document,
    DocumentInfo,
    Entity,
    Fingerprint,
    GraphInfo,
    Link,
    Passage,
    Scored,
    Statement,
    Triple,
    Vector,
)

Row = dict[str, Any]

_FINGERPRINT = tuple(Fingerprint.__dataclass_fields__)


def new_info(fingerprint: Fingerprint) -> Row:
    """Properties of the GraphInfo node of a new graph."""
    return {
        "schema_version": SCHEMA_VERSION,
        "created_by": created_by(),
        "created_at": now(),
        **encoder_row(fingerprint),
    }


def encoder_row(fingerprint: Fingerprint) -> Row:
    """The properties of GraphInfo that say which encoder."""
    return {f"encoder_{name}": getattr(fingerprint, name) for name in _FINGERPRINT}


def info(row: Row) -> GraphInfo:
    """From the GraphInfo node's properties."""
    slots = {name: row[f"encoder_{name}"] for name in _FINGERPRINT}
    return GraphInfo(row["schema_version"], Fingerprint(**slots), row["created_by"])


def document_row(document: Document) -> Row:
    """Properties of a Document node."""
    return {
        "id": document.id,
        "title": document.title,
        "source": document.source,
        "sha256": document.sha256,
        "metadata": json.dumps(dict(document.metadata), sort_keys=True, ensure_ascii=False),
        "ingested_at": document.ingested_at or now(),
    }


def document(row: Row) -> DocumentInfo:
    """From a Document node's properties."""
    return DocumentInfo(**{**row, "metadata": json.loads(row["metadata"])})


def passage_row(passage: Passage, vector: Vector, extractor: str | None) -> Row:
    """Properties of a Passage node; `words` is what is searched, whatever the case and accents."""
    return {
        "id": passage.id,
        "document_id": passage.document_id,
        "position": passage.position,
        "title": passage.title,
        "normal_title": passage.normal_title,
        "text": passage.text,
        "words": " ".join(words(f"{passage.title} {passage.text}")),
        "terms": passage.terms,
        "embedding": floats(vector),
        "extractor": extractor,
        "heading": passage.heading,
        "page": passage.page,
    }


def passage(row: Row) -> Passage:
    """From a Passage node's properties."""
    place = row["heading"], row["page"]
    return Passage(row["document_id"], row["position"], row["title"], row["text"], *place)


def entity(row: Row) -> Entity:
    """From an Entity node's properties."""
    return Entity(**{**row, "aliases": tuple(row["aliases"]), "terms": tuple(row["terms"])})


def triple(row: Row) -> Triple:
    """From a Triple node's properties."""
    return Triple(row["head"], row["relation"], row["tail"], row["extractor"])


def statement(row: Row) -> Statement:
    """From a Triple node's properties with those of a STATES relationship."""
    return Statement(row["passage_id"], triple(row), row["start"], row["end"])


def statements_of(found: Iterable[Row], passage_ids: Iterable[str]) -> list[Statement]:
    """By (passage as asked, start (unknown last), triple id)."""
    place = {key: number for number, key in enumerate(passage_ids)}

    def order(row: Row) -> tuple[int, float, str]:
        start = float("inf") if row["start"] is None else row["start"]
        return place[row["passage_id"]], start, row["id"]

    return [statement(row) for row in sorted(found, key=order)]


def answer_row(answer: Answer) -> Row:
    """Properties of an Answer node; one that is unknown (null) is not set."""
    return {
        "id": answer.id,
        "method": answer.method,
        "text": answer.text,
        "abstained": answer.abstained,
        "confidence": answer.confidence,
        "model": answer.model,
        "usage": json.dumps(dict(answer.usage), sort_keys=True),
        "created_at": answer.created_at or now(),
    }


def step_rows(answer: Answer) -> list[Row]:
    """Properties of the STEP relationships, with the triple each leads to."""
    return [
        {
            "chain": number,
            "order": order,
            "score": chain.score,
            "triple_id": step.triple.id,
            "passage_ids": list(step.passage_ids),
        }
        for number, chain in enumerate(answer.chains)
        for order, step in enumerate(chain.triples)
    ]


def cite_rows(answer: Answer) -> list[Row]:
    """Properties of the CITES relationships, with the passage each leads to."""
    return [
        {"rank": rank, "votes": cited.votes, "score": cited.score, "passage_id": cited.passage_id}
        for rank, cited in enumerate(answer.passages)
    ]


def sorted_steps(row: Row) -> list[Row]:
    """The steps of a row of `answers/read`, in order."""
    return sorted(row["steps"], key=lambda step: (step["chain"], step["order"]))


def sorted_cites(row: Row) -> list[Row]:
    """The citations of a row of `answers/read`, in order."""
    return sorted(row["cites"], key=lambda cited: cited["rank"])


def answer(row: Row) -> Answer:
    """From a row of `answers/read`."""
    properties = row["answer"]
    return Answer(
        question=row["question"],
        method=properties["method"],
        text=properties["text"],
        abstained=properties["abstained"],
        confidence=properties.get("confidence"),
        chains=tuple(_chains(sorted_steps(row))),
        passages=tuple(
            Citation(
                cited["id"],
                cited["title"],
                cited["text"],
                cited["votes"],
                cited["score"],
                cited["heading"],
                cited["page"],
            )
            for cited in sorted_cites(row)
        ),
        usage=json.loads(properties["usage"]),
        model=properties["model"],
        created_at=properties["created_at"],
        recorded_as=properties["id"],
    )


def floats(vector: Vector) -> list[float]:
    """LIST<FLOAT>, as Community Edition keeps no VECTOR; a float64 holds a float32 exactly."""
    return np.asarray(vector, np.float32).astype(np.float64).tolist()


def vector(values: list[float]) -> Vector:
    """float32 (d,)."""
    return np.array(values, np.float32)


def as_base64(values: list[float] | None) -> str | None:
    """Little-endian float32 in base64."""
    if values is None:
        return None
    return base64.b64encode(np.array(values, "<f4").tobytes()).decode("ascii")


def _chains(steps: list[Row]) -> Iterable[Chain]:
    for (_, score), chain in groupby(steps, key=lambda step: (step["chain"], step["score"])):
        supported = (SupportedTriple(triple(s["triple"]), tuple(s["passage_ids"])) for s in chain)
        yield Chain(tuple(supported), score)


def links(found: Iterable[Row], asked: Collection[str]) -> list[Link]:
    """From rows of `read/neighbours`, each edge once: over several chunks of ids, some come twice.

    By (kind, source, target); a keyword edge begins at the passage asked for.
    """
    distinct = {_link(row, asked) for row in found}
    return sorted(distinct, key=lambda link: (link.kind, link.source, link.target))


def _link(row: Row, asked: Collection[str]) -> Link:
    source, target = row["source"], row["target"]
    if row["kind"] != "SHARES_KEYWORD":
        return Link(row["kind"], source, target)
    if source not in asked:
        source, target = target, source
    return Link(row["kind"], source, target, float(len(row["keywords"])), tuple(row["keywords"]))


def scored(found: Iterable[Row]) -> list[Scored]:
    """From rows of `search/…`."""
    return [Scored(row["id"], row["score"]) for row in found]
