"""Recorded answers in the SQLite graph: the evidence as rows, and back."""

import json
import sqlite3
from collections.abc import Collection, Iterable
from operator import itemgetter
from typing import Any

from ..answers import LAST, Answer, Citation, Recorded, SupportedTriple
from ..graph_info import now
from ..linked import Claim, LinkedItem
from ..question_triples import asked_rows, link_rows, of_rows
from ..text.words import normal_form
from ..tracing import TracedTriple, Tracing
from ..wikidata.evidence import ClaimEvidence, ClaimRows, Step, chains_of
from . import write
from .columns import Made, has_table, made
from .file import put_ids
from .read import passages, triples

Row = tuple[Any, ...]
CLAIMED = {
    "claim_steps": "claim_step",
    "claim_cites": "claim_cites",
    "claim_traced": "claim_traced",
}
"""Tables of what of Wikidata answers rest on, by the names of records."""

_MEANT = """
SELECT answer.id FROM temp.asked CROSS JOIN answer USING (id)
UNION SELECT answer.id FROM temp.asked CROSS JOIN answer ON question_id = asked.id
UNION SELECT answer_id FROM temp.asked CROSS JOIN step ON triple_id = asked.id
UNION SELECT answer_id FROM temp.asked CROSS JOIN step_passage ON passage_id = asked.id
UNION SELECT answer_id FROM temp.asked CROSS JOIN cites ON passage_id = asked.id
"""
_LATER = {"traced": "triple_id", **dict.fromkeys(CLAIMED.values(), "claim_id")}
"""Tables that an older file lacks, with what they hold the id of."""
_ANSWERS = """
SELECT answer.id, question.text, method, answer.text, abstained, confidence, model, usage,
    created_at
FROM answer JOIN question ON question.id = question_id WHERE answer.id IN ({meant})
ORDER BY created_at DESC, answer.id
"""
_RECORDED = """
SELECT answer.id, question_id, question.text, created_at, abstained
FROM answer JOIN question ON question.id = question_id
WHERE answer.id > ? ORDER BY answer.id LIMIT ?
"""
_NEWEST = """
SELECT answer.id, question_id, question.text, created_at, abstained
FROM answer JOIN question ON question.id = question_id
WHERE (created_at, answer.id) < (?, ?) ORDER BY created_at DESC, answer.id DESC LIMIT ?
"""
_SUPPORT = """
SELECT passage_id FROM step_passage WHERE answer_id = ? AND chain = ? AND place = ? ORDER BY rank
"""


def record(db: sqlite3.Connection, answer: Answer, claims: ClaimRows) -> None:
    """See GraphStore.record; evidence that the graph does not hold is passed over.

    Args:
        db: the graph.
        answer: with its evidence.
        claims: that it rests on, see `kg.wikidata.evidence`.
    """
    answer_id, created_at = answer.id, answer.created_at or now()
    write.state(db, answer.stated)
    known = db.execute(
        "UPDATE answer SET created_at = ? WHERE id = ?", (created_at, answer_id)
    ).rowcount
    if known:
        return
    db.execute(
        "INSERT OR IGNORE INTO question VALUES (?, ?)", (answer.question_id, answer.question)
    )
    usage = json.dumps(dict(answer.usage), sort_keys=True)
    db.execute(
        "INSERT INTO answer (id, question_id, method, text, abstained, confidence, model, usage, "
        "created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(answer_id, answer.question_id, answer.method, answer.text, answer.abstained),
            *(answer.confidence, answer.model, usage, created_at),
        ),
    )
    for chain, steps in enumerate(answer.chains):
        for order, step in enumerate(steps.triples):
            _record_step(db, (answer_id, chain, order), steps.score, step)
    db.executemany(
        "INSERT INTO cites SELECT ?, ?, ?, ?, id FROM passage WHERE id = ?",
        (
            (answer_id, rank, p.votes, p.score, p.passage_id)
            for rank, p in enumerate(answer.passages)
        ),
    )
    put_tracing(db, answer_id, answer.tracing.traced, answer.tracing.ends)
    put_asked(db, answer_id, asked_rows(answer.asked), link_rows(answer.asked))
    put_claims(db, answer_id, claims)


def answers(db: sqlite3.Connection, ids: Collection[str]) -> list[Answer]:
    """See Graph.answers."""
    put_ids(db, ids)
    meant = _MEANT + "".join(
        f" UNION SELECT answer_id FROM temp.asked CROSS JOIN {table} ON {key} = asked.id"
        for table, key in _LATER.items()
        if has_table(db, table)
    )
    return [_answer(db, row) for row in db.execute(_ANSWERS.format(meant=meant)).fetchall()]


def recorded(db: sqlite3.Connection, after: str, limit: int) -> list[Recorded]:
    """See Graph.recorded."""
    return _listed(db, _RECORDED, after, limit)


def newest(db: sqlite3.Connection, limit: int, before: tuple[str, str] | None) -> list[Recorded]:
    """See Graph.newest."""
    return _listed(db, _NEWEST, *(before or LAST), limit)


def _listed(db: sqlite3.Connection, query: str, *values: object) -> list[Recorded]:
    return [Recorded(*row[:4], abstained=bool(row[4])) for row in db.execute(query, values)]


def forget(db: sqlite3.Connection, ids: Collection[str]) -> int:
    """See GraphStore.forget_answers; steps and citations go by cascade."""
    put_ids(db, ids)
    asked = db.execute(
        "SELECT DISTINCT question_id FROM temp.asked CROSS JOIN answer USING (id)"
    ).fetchall()
    gone = db.execute("DELETE FROM answer WHERE id IN (SELECT id FROM temp.asked)").rowcount
    db.executemany(
        "DELETE FROM question WHERE id = ?1 "
        "AND NOT EXISTS (SELECT 1 FROM answer WHERE question_id = ?1)",
        asked,
    )
    return gone


def steps_of(db: sqlite3.Connection, answer_id: str) -> list[Row]:
    """Return an answer's steps: (chain, order, chain's score, triple id, passage ids), in order."""
    query = (
        "SELECT chain, place, score, triple_id FROM step WHERE answer_id = ? ORDER BY chain, place"
    )
    return [
        (*row, [found for (found,) in db.execute(_SUPPORT, (answer_id, *row[:2]))])
        for row in db.execute(query, (answer_id,)).fetchall()
    ]


def cites_of(db: sqlite3.Connection, answer_id: str) -> list[Row]:
    """Return what an answer cites: (rank, votes, score, passage id), in order."""
    query = "SELECT rank, votes, score, passage_id FROM cites WHERE answer_id = ? ORDER BY rank"
    return db.execute(query, (answer_id,)).fetchall()


def traced_of(db: sqlite3.Connection, answer_id: str) -> list[Row]:
    """Return an answer's own graph: (order, round, entity, guidance, triple id), in order."""
    query = (
        "SELECT place, round, entity, guidance, triple_id FROM traced WHERE answer_id = ? "
        "ORDER BY place"
    )
    return db.execute(query, (answer_id,)).fetchall() if has_table(db, "traced") else []


def traced_ends_of(db: sqlite3.Connection, answer_id: str) -> list[Row]:
    """Return where that begins, and what the answer names: (order, kind, entity id)."""
    query = "SELECT place, kind, entity_id FROM traced_end WHERE answer_id = ? ORDER BY kind, place"
    return db.execute(query, (answer_id,)).fetchall() if has_table(db, "traced_end") else []


def put_tracing(
    db: sqlite3.Connection, answer_id: str, traced: Iterable[Row], ends: Iterable[Row]
) -> tuple[int, int]:
    """Write rows of `traced_of` and `traced_ends_of`, those that the graph holds; count them."""
    places = [
        (answer_id, place, number, entity, guidance, normal_form(entity), triple_id)
        for place, number, entity, guidance, triple_id in traced
    ]
    triples = db.executemany(
        "INSERT INTO traced SELECT ?, ?, ?, ?, ?, ?, id FROM triple WHERE id = ?", places
    )
    entities = db.executemany(
        "INSERT INTO traced_end SELECT ?, ?, ?, id FROM entity WHERE id = ?",
        ((answer_id, kind, place, entity_id) for place, kind, entity_id in ends),
    )
    return max(triples.rowcount, 0), max(entities.rowcount, 0)


def claims_of(db: sqlite3.Connection, answer_id: str) -> ClaimRows:
    """Return what of Wikidata an answer rests on, see `kg.wikidata.evidence`."""
    if not has_table(db, "claim_traced"):
        return ClaimRows()
    steps = "SELECT chain, place, score, claim_id FROM claim_step {} ORDER BY chain, place"
    cites = "SELECT rank, votes, score, claim_id FROM claim_cites {} ORDER BY rank, claim_id"
    traced = "SELECT place, round, entity, guidance, claim_id FROM claim_traced {} ORDER BY place"
    of = "WHERE answer_id = ?"
    queries = (query.format(of) for query in (steps, cites, traced))
    return ClaimRows(*(db.execute(query, (answer_id,)).fetchall() for query in queries))


def put_claims(db: sqlite3.Connection, answer_id: str, claims: ClaimRows) -> int:
    """Write rows of `claims_of`, those whose claims the graph holds; count them."""
    count = 0
    for table, rows in zip(CLAIMED.values(), claims, strict=True):
        for *row, claim_id in rows:
            marks = "?, " * (len(row) + 1)
            statement = f"INSERT INTO {table} SELECT {marks}id FROM claim WHERE id = ?"
            count += db.execute(statement, (answer_id, *row, claim_id)).rowcount
    return count


_LINKS = {"triple": "triple", "passage": "passage", "head": "entity", "tail": "entity"}
_LINKED = " UNION ALL ".join(
    f"SELECT place, kind, rank, {what}_id FROM question_triple_{what} WHERE answer_id = :id"
    for what in sorted(set(_LINKS.values()))
)


def asked_of(db: sqlite3.Connection, answer_id: str) -> list[Row]:
    """Return a question's own graph as it was asked for an answer: see `question_triples`."""
    query = (
        "SELECT place, head, relation, tail, head_value, tail_value, sub_question, sub_answer, "
        "confidence, kept, tries FROM question_triple WHERE answer_id = ? ORDER BY place"
    )
    rows = db.execute(query, (answer_id,)) if has_table(db, "question_triple") else ()
    return [(*row[:-2], bool(row[-2]), row[-1]) for row in rows]


def asked_links_of(db: sqlite3.Connection, answer_id: str) -> list[Row]:
    """Return what that leads to: (order, kind, rank, id), sorted."""
    if not has_table(db, "question_triple_entity"):
        return []
    return db.execute(f"{_LINKED} ORDER BY 1, 2, 3", {"id": answer_id}).fetchall()


def put_asked(
    db: sqlite3.Connection, answer_id: str, asked: Iterable[Row], links: Iterable[Row]
) -> int:
    """Write rows of `asked_of`, and those of `asked_links_of` that the graph holds; count these."""
    marks = ", ".join("?" * 12)
    db.executemany(
        f"INSERT INTO question_triple VALUES ({marks})", ((answer_id, *row) for row in asked)
    )
    count = 0
    for place, kind, rank, key in links:
        what = _LINKS[kind]
        count += db.execute(
            f"INSERT INTO question_triple_{what} SELECT ?, ?, ?, ?, id FROM {what} WHERE id = ?",
            (answer_id, place, kind, rank, key),
        ).rowcount
    return count


_WAYS = """
WITH RECURSIVE way (triple_id, "from", "to") AS (
    SELECT triple_id, head_id, tail_id FROM traced JOIN triple ON triple.id = triple_id
    WHERE answer_id = :id AND (entity_id = head_id OR entity_id <> tail_id)
    UNION SELECT triple_id, tail_id, head_id FROM traced JOIN triple ON triple.id = triple_id
    WHERE answer_id = :id AND entity_id <> head_id
),
reached (id) AS (
    SELECT entity_id FROM traced_end WHERE answer_id = :id AND kind = 'initial'
    UNION SELECT "to" FROM reached JOIN way ON "from" = reached.id
),
leading (id) AS (
    SELECT entity_id FROM traced_end WHERE answer_id = :id AND kind = 'target'
    UNION SELECT "from" FROM leading JOIN way ON "to" = leading.id
)
SELECT triple_id FROM traced WHERE answer_id = :id AND EXISTS (
    SELECT 1 FROM way WHERE way.triple_id = traced.triple_id
    AND "from" IN (SELECT id FROM reached) AND "to" IN (SELECT id FROM leading)
) ORDER BY place
"""


def backtrace(db: sqlite3.Connection, answer_id: str) -> list[str]:
    """See Graph.backtrace."""
    if not has_table(db, "traced_end"):
        return []
    return [triple_id for (triple_id,) in db.execute(_WAYS, {"id": answer_id})]


def _record_step(
    db: sqlite3.Connection, at: tuple[str, int, int], score: float, step: SupportedTriple
) -> None:
    query = "INSERT INTO step SELECT ?, ?, ?, ?, id FROM triple WHERE id = ?"
    if db.execute(query, (*at, score, step.triple.id)).rowcount:
        db.executemany(
            "INSERT INTO step_passage SELECT ?, ?, ?, ?, id FROM passage WHERE id = ?",
            ((*at, rank, passage_id) for rank, passage_id in enumerate(step.passage_ids)),
        )


def _answer(db: sqlite3.Connection, row: Row) -> Answer:
    answer_id, question, method, text, abstained, confidence, model, usage, created_at = row
    claimed = _claimed(db, answer_id)
    cites = [_citation(db, *cited) for cited in cites_of(db, answer_id)] + claimed.cites()
    return Answer(
        question=question,
        method=method,
        text=text,
        abstained=bool(abstained),
        confidence=confidence,
        chains=chains_of(_steps(db, steps_of(db, answer_id)) + claimed.steps()),
        passages=tuple(cited for _, cited in sorted(cites, key=itemgetter(0))),
        usage=json.loads(usage),
        model=model,
        created_at=created_at,
        recorded_as=answer_id,
        tracing=_tracing(db, answer_id, claimed),
        asked=of_rows(asked_of(db, answer_id), asked_links_of(db, answer_id)),
    )


def _claimed(db: sqlite3.Connection, answer_id: str) -> ClaimEvidence:
    rows = claims_of(db, answer_id)
    if not any(rows):
        return ClaimEvidence(rows, {}, {})
    claims = _held(db, "claim", Claim, {row[-1] for some in rows for row in some})
    items = _held(db, "item", LinkedItem, {claim.item_id for claim in claims.values()})
    return ClaimEvidence(rows, claims, items)


def _held(
    db: sqlite3.Connection, kind: str, make: type[Made], ids: Collection[str]
) -> dict[str, Made]:
    put_ids(db, ids)
    return made(db, kind, make, f"temp.asked CROSS JOIN {kind} USING (id)", "id")


def _tracing(db: sqlite3.Connection, answer_id: str, claimed: ClaimEvidence) -> Tracing:
    rows = traced_of(db, answer_id)
    held = triples(db, [row[-1] for row in rows])
    traced = [(row[0], TracedTriple(held[row[-1]], *row[1:-1])) for row in rows]
    traced = sorted([*traced, *claimed.traced()], key=itemgetter(0))
    return Tracing.of((one for _, one in traced), traced_ends_of(db, answer_id))


def _steps(db: sqlite3.Connection, steps: Iterable[Row]) -> list[Step]:
    steps = list(steps)
    held = triples(db, [step[3] for step in steps])
    return [(*s[:3], SupportedTriple(held[s[3]], tuple(s[4]))) for s in steps]


def _citation(
    db: sqlite3.Connection, rank: int, votes: int, score: float, passage_id: str
) -> tuple[int, Citation]:
    cited = passages(db, [passage_id])[passage_id]
    place = cited.heading, cited.page
    return rank, Citation(passage_id, cited.title, cited.text, votes, score, *place)
