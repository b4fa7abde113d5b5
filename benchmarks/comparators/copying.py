"""A graph from one store into another, vectors and all: nothing is parsed or encoded again."""

import base64
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

import numpy as np

from hoptrail.kg.errors import EmptyGraph
from hoptrail.kg.store import GraphStore
from hoptrail.kg.types import Batch, Document, Mention, Passage, Statement, Triple

PASSAGES = 256  # a transaction


def copy(source: GraphStore, target: GraphStore) -> None:
    """Documents with all that hangs on them, into a graph that holds none yet.

    A document's text is made of its passages, so its hash is another than in the source.

    Raises:
        EmptyGraph: the source is.
    """
    info = source.info()
    if info is None:
        raise EmptyGraph(f"{source.where} holds no graph to copy.")
    target.prepare(info.fingerprint)
    for batch in _batches(source):
        target.add(batch)


def _batches(source: GraphStore) -> Iterator[Batch]:
    passages, mentions = defaultdict(list), defaultdict(list)
    vectors, statements = {}, defaultdict(list)
    triples = {}
    for record in source.maintenance.records():
        match record["kind"]:
            case "passage":
                passage = Passage(
                    *(record[k] for k in ("document_id", "position", "title", "text"))
                )
                passages[passage.document_id].append(passage)
                vectors[passage.id] = np.frombuffer(base64.b64decode(record["embedding"]), "<f4")
            case "mentions":
                mention = Mention(record["passage_id"], record["surface"])
                mentions[mention.passage_id].append(mention)
            case "triple":
                fields = ("head", "relation", "tail", "extractor")
                triples[record["id"]] = Triple(*(record[k] for k in fields))
            case "states":
                place, triple = record["passage_id"], triples[record["triple_id"]]
                stated = Statement(place, triple, record["start"], record["end"])
                statements[place].append(stated)
    for documents in _groups(source, passages):
        written = list(chain.from_iterable(passages[document.id] for document in documents))
        yield Batch(
            documents,
            written,
            np.array([vectors[passage.id] for passage in written]),
            list(chain.from_iterable(mentions[passage.id] for passage in written)),
            list(chain.from_iterable(statements[passage.id] for passage in written)),
        )


def _groups(source: GraphStore, passages: dict[str, list[Passage]]) -> Iterator[list[Document]]:
    """Whole documents, about as many as make a transaction."""
    group, size = [], 0
    for info in source.documents().values():
        own = passages[info.id] = sorted(passages[info.id], key=lambda passage: passage.position)
        text = "\n".join(passage.text for passage in own)
        group.append(
            Document(info.id, info.title, text, info.source, info.metadata, info.ingested_at)
        )
        size += len(own)
        if size >= PASSAGES:
            yield group
            group, size = [], 0
    if group:
        yield group
