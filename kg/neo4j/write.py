"""Writing into the Neo4j graph: a batch, a removal or an answer, each with what it changes."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from itertools import pairwise
from operator import itemgetter

from ..answers import Answer
from ..errors import BadRequest
from ..graph_info import now
from ..notes import NoteKind
from ..schema import properties
from ..text.titles import MAX_TITLE_WORDS, may_link, may_name
from ..text.words import normal_form, stable_id
from ..types import Batch, Mention, Passage, Statement, Triple, Vector
from ..wikidata.evidence import ClaimRows
from . import rows
from .answers import answer_row, evidence, write_evidence
from .derive import (
    Change,
    Titles,
    count_entities,
    settle_entities,
    settle_keywords,
    settle_names,
    settle_terms,
    texts_of,
    tie,
)
from .restore import check_whole
from .statements import ROWS_AT_ONCE, ROWS_WITH_VECTORS, Row, Statements, whole

Key = tuple[str, str]

PASSAGES = 64  # at once: the server writes some while others are stemmed


def lock(run: Statements, where: str) -> Row:
    """Wait until no other transaction writes into the graph; return GraphInfo's properties then.

    Raises:
        BadRequest: nobody prepared the graph.
    """
    found = run("info/lock")
    if not found:
        raise BadRequest(f"{where} holds no graph yet; prepare it first")
    check_whole(where, found[0]["info"])
    return found[0]["info"]


def add(
    run: Statements,
    batch: Batch,
    titles: Titles,
    changes: int,
    beside: Callable[[Callable[[Statements], None]], None],
) -> bool:
    """See GraphStore.add; the caller holds the lock and has checked the dimensions.

    What is read waits until all that was sent before is written. So it is read in another
    transaction, and rows are made, while the server writes.

    Args:
        run: statements in the transaction that writes.
        batch: to be written.
        titles: kept between batches.
        changes: how many had been made to the graph before.
        beside: does what it is given with a transaction that sees the graph as it was.

    Returns:
        Whether it only added documents.
    """
    run("info/changed")
    change, new = Change(), {passage.id for passage in batch.passages}
    held = _forget(run, [document.id for document in batch.documents], change)
    _drop_passages(run, held - new, change)
    titled = None if held else titles.look(run, changes)
    with run.ahead():
        _write_documents(run, batch)
        written = _write_passages(run, batch)
        change.terms.update(term for row in written for term in row["terms"])

        def derive(aside: Statements) -> None:
            seen = run if held else aside  # beside it nobody sees what was forgotten
            _write_names_and_facts(run, seen, batch, change, new)
            renamed = change.renamed | _containing(aside, batch.passages)
            texts = texts_of(seen, renamed - new - held)
            settle_names(run, seen, batch.passages, texts, titled)

        beside(derive)
        settle_terms(run, change)
        _drop_triples(run, change.triples)
        run.for_ids("wikidata/means", sorted(change.linked))
    return not held


def _write_names_and_facts(
    run: Statements, aside: Statements, batch: Batch, change: Change, new: Set[str]
) -> None:
    """Write entities, triples, what passages say of both, and the passages tied by that.

    What the longest statement, that of the triples, needs is read first, all else meanwhile.
    """
    mentions, statements = _distinct(batch)
    triples = _triples_of(statements)
    change.count_mentions(mentions, 1)
    change.count_ends(((s.triple.head, s.triple.tail) for s in statements.values()), 1)
    counted = count_entities(aside, change)
    settle_entities(run, counted)
    new_triples = _triple_rows(triples, _known(aside, triples))
    run.chunked("write/triples", new_triples, ROWS_AT_ONCE)
    keep_triple_vectors(run, batch.triple_embeddings)
    _write_mentions(run, mentions)
    _write_states(run, statements)
    settle_keywords(run, tie(aside, counted.frequencies, new, mentions))


def remove(run: Statements, document_ids: Collection[str]) -> int:
    """See GraphStore.remove; the caller holds the lock."""
    run("info/changed")
    change = Change()
    held = _forget(run, document_ids, change)
    _drop_passages(run, held, change)
    counted = count_entities(run, change)
    settle_entities(run, counted)
    settle_keywords(run, tie(run, counted.frequencies, set()))
    settle_terms(run, change)
    _drop_triples(run, change.triples)
    settle_names(run, run, (), texts_of(run, change.renamed))
    run.for_ids("wikidata/means", sorted(change.linked))
    return change.documents


def keep_triple_vectors(run: Statements, vectors: Mapping[str, Vector]) -> None:
    """Keep vectors of triples that are there and had none."""
    listed = [{"id": key, "embedding": rows.floats(vectors[key])} for key in sorted(vectors)]
    run.chunked("write/triple_embeddings", listed, ROWS_WITH_VECTORS)


def noted(kind: NoteKind) -> str:
    """Name the property of a passage that holds what was computed of it."""
    return f"noted_{kind}"


def maker_of(kind: NoteKind) -> str:
    """Name the property that says what computed it."""
    return f"noted_{kind}_by"


def note(run: Statements, kind: NoteKind, maker: str, values: Mapping[str, bytes]) -> None:
    """See GraphStore.note."""
    listed = [
        {"id": id_, "values": {noted(kind): values[id_], maker_of(kind): maker}}
        for id_ in sorted(values)
    ]
    run.chunked("notes/write", listed, ROWS_WITH_VECTORS)


def record(run: Statements, answer: Answer, claims: ClaimRows) -> None:
    """See GraphStore.record; evidence that the graph does not hold is passed over.

    Args:
        run: runs statements.
        answer: with its evidence.
        claims: that it rests on, see `kg.wikidata.evidence`.
    """
    written = answer_row(answer)
    for text in (answer.question, answer.method, answer.text, answer.model):
        whole(text)
    _state(run, answer.stated)
    if run("answers/renew", id=answer.id, created_at=written["created_at"]):
        return
    asked = rows.indexable("question", answer.question)
    question = {"id": answer.question_id, **rows.called(asked)}
    run("answers/write", question=question, answer=written)
    write_evidence(run, answer.id, evidence(answer, claims))


def _state(run: Statements, given: Iterable[Statement]) -> None:
    """Write what passages state beside what ingestion found; of passages that are there."""
    statements = _first_of(given)
    ids = sorted({passage_id for passage_id, _ in statements})
    there = {row["id"] for row in run.for_ids("read/passages", ids, names=[])}
    held = run.for_ids("read/statements_of", ids, names=[])
    known = {(row["passage_id"], row["id"]) for row in held}
    new = {k: s for k, s in statements.items() if k[0] in there and k not in known}
    if not new:
        return
    run("info/changed")
    change = Change()
    change.count_ends(((s.triple.head, s.triple.tail) for s in new.values()), 1)
    settle_entities(run, count_entities(run, change))
    triples = _triples_of(new)
    run.chunked("write/triples", _triple_rows(triples, _known(run, triples)))
    _write_states(run, new)


def forget_answers(run: Statements, ids: Collection[str]) -> int:
    """See GraphStore.forget_answers; the caller holds the lock."""
    gone = run.for_ids("forget/answers", sorted(set(ids)))
    run.for_ids("forget/questions", sorted({row["id"] for row in gone}))
    return sum(row["answers"] for row in gone)


def _containing(run: Statements, passages: Iterable[Passage]) -> set[str]:
    """Passages that hold a new title with a capital: the only older ones that may name it.

    Args:
        run: statements in a transaction that changes nothing: in one that has deleted edges of a
            passage, the server's full-text search does not find it.
        passages: that have such titles.
    """
    titles = {passage.normal_title for passage in passages if passage.position == 0}
    phrases = sorted(
        f'"{title}"'
        for title in titles
        # A title that was cut ends in "…" and a hash, which no text contains.
        if may_link(title) and title.count(" ") < MAX_TITLE_WORDS and "…" not in title
    )
    found = run.chunked("derive/containing", phrases, 500, "phrases")
    return {row["id"] for row in found if may_name(row["text"], row["phrase"].strip('"'))}


def _forget(run: Statements, document_ids: Iterable[str], change: Change) -> set[str]:
    """Take documents out, all but the nodes of their passages, which may come back: their ids."""
    document_ids = sorted(set(document_ids))
    gone = run.for_ids("forget/documents", document_ids)
    change.documents = len(gone)
    if not change.documents:
        return set()
    passages = run.for_ids("forget/passages", document_ids)
    change.terms.subtract(term for row in passages for term in row["terms"])
    held = [row["id"] for row in passages]
    change.renamed |= {row["id"] for row in run.for_ids("forget/naming", held)}
    for row in run.for_ids("forget/mentions", held):
        change.count_mention(row["entity_id"], row["surface"], -1)
    stated = run.for_ids("forget/statements", held)
    change.count_ends(((row["head"], row["tail"]) for row in stated), -1)
    change.triples |= {row["id"] for row in stated}
    run.for_ids("forget/links", held)
    linked = [row["id"] for row in gone if row["linked"]]
    change.linked |= {row["entity_id"] for row in run.for_ids("wikidata/unlink", linked)}
    return set(held)


def _drop_passages(run: Statements, gone: Collection[str], change: Change) -> None:
    run.for_ids("forget/gone_passages", sorted(gone))
    run.for_ids("forget/gone_evidence", sorted(gone))
    change.renamed -= set(gone)


def _drop_triples(run: Statements, triple_ids: Collection[str]) -> None:
    gone = sorted(row["id"] for row in run.for_ids("forget/unstated", sorted(triple_ids)))
    run.for_ids("forget/relations", gone)
    run.for_ids("forget/triples", gone)


def _write_documents(run: Statements, batch: Batch) -> None:
    failed = {failure.source: failure.reason for failure in batch.failures}
    over = {document.source for document in batch.documents}.union(failed, batch.cleared)
    run.for_ids("write/clear_failures", sorted(map(_failure_id, over)))
    at = rows.as_time(now())
    listed = [
        {"id": _failure_id(source), "source": source, "reason": failed[source], "failed_at": at}
        for source in sorted(failed)
    ]
    run.chunked("write/failures", listed)
    documents = sorted(batch.documents, key=lambda document: document.id)
    run.chunked("write/documents", [rows.document_row(document) for document in documents])


def _write_passages(run: Statements, batch: Batch) -> list[Row]:
    """Write passages and their places; return their properties."""
    written: list[Row] = []

    def made() -> Iterator[Row]:
        pairs = zip(batch.passages, batch.embeddings, strict=True)
        for passage, vector in sorted(pairs, key=lambda pair: pair[0].id):
            held = properties("passage", passage)
            row = rows.passage_row(held, rows.floats(vector), batch.extractors.get(passage.id))
            written.append(row["properties"])
            yield row

    run.chunked("write/passages", made(), PASSAGES)
    placed = sorted((row["document_id"], row["position"], row["id"]) for row in written)
    run.chunked("write/has_passage", [{"document_id": d, "id": id_} for d, _, id_ in placed])
    following = [
        {"source": a, "target": b}
        for (d, position, a), (e, after, b) in pairwise(placed)
        if d == e and after == position + 1
    ]
    run.chunked("write/next", following)
    return written


def _distinct(batch: Batch) -> tuple[dict[Key, Mention], dict[Key, Statement]]:
    """The first mention of each passage and entity, the first statement of each and triple."""
    mentions: dict[Key, Mention] = {}
    for mention in batch.mentions:
        mentions.setdefault((mention.passage_id, normal_form(mention.surface)), mention)
    return mentions, _first_of(batch.statements)


def _first_of(given: Iterable[Statement]) -> dict[Key, Statement]:
    statements: dict[Key, Statement] = {}
    for statement in given:
        statements.setdefault((statement.passage_id, statement.triple.id), statement)
    return statements


def _write_mentions(run: Statements, mentions: Mapping[Key, Mention]) -> None:
    run.chunked(
        "write/mentions",
        [
            {"passage_id": pair[0], "entity_id": pair[1], "surface": mentions[pair].surface}
            for pair in sorted(mentions)
        ],
    )


def _triples_of(statements: Mapping[Key, Statement]) -> dict[str, Triple]:
    return {triple_id: stated.triple for (_, triple_id), stated in statements.items()}


def _known(run: Statements, triple_ids: Iterable[str]) -> set[str]:
    return {row["id"] for row in run.for_ids("write/known_triples", sorted(triple_ids))}


def _triple_rows(triples: Mapping[str, Triple], known: Collection[str]) -> Iterator[Row]:
    """Rows of the triples that are not there yet."""
    for id_ in sorted(triples.keys() - known):
        yield rows.triple_row(triples[id_], properties("triple", triples[id_]))


def _write_states(run: Statements, statements: Mapping[Key, Statement]) -> None:
    states = [
        {"passage_id": passage_id, "triple_id": triple_id, "start": stated.start, "end": stated.end}
        for (passage_id, triple_id), stated in sorted(statements.items(), key=itemgetter(0))
    ]
    run.chunked("write/states", states)


def _failure_id(source: str) -> str:
    return stable_id("failure", source)
