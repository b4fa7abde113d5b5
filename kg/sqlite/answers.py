"""Recorded answers in the SQLite graph: the evidence as rows, and back."""

import json
import sqlite3
from collections.abc import Collection, Iterable
from itertools import groupby
from typing import Any

from ..answers import Answer, Chain, Citation, SupportedTriple
from ..graph_info import now
from ..store import Recorded
from .file import put_ids
from .read import passages, triples

Row = tuple[Any, ...]

_MEANT = """
SELECT answer.id FROM temp.asked CROSS JOIN answer USING (id)
UNION SELECT answer.id FROM temp.asked CROSS JOIN answer ON question_id = asked.id
UNION SELECT answer_id FROM temp.asked CROSS JOIN step ON triple_id = asked.id
UNION SELECT answer_id FROM temp.asked CROSS JOIN step_passage ON passage_id = asked.id
UNION SELECT answer_id FROM temp.asked CROSS JOIN cites ON passage_id = asked.id
"""
_ANSWERS = f"""
SELECT answer.id, question.text, method, answer.text, abstained, confidence, model, usage,
    created_at
FROM answer JOIN question ON question.id = question_id WHERE answer.id IN ({_MEANT})
ORDER BY created_at DESC, answer.id
"""
_RECORDED = """
SELECT answer.id, question_id, question.text, created_at, abstained
FROM answer JOIN question ON question.id = question_id
WHERE answer.id > ? ORDER BY answer.id LIMIT ?
"""
_SUPPORT = """
SELECT passage_id FROM step_passage WHERE answer_id = ? AND chain = ? AND place = ? ORDER BY rank
"""


def record(db: sqlite3.Connection, answer: Answer) -> None:
    """See GraphStore.record; evidence that the graph does not hold is passed over."""
    answer_id, created_at = answer.id, answer.created_at or now()
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


def answers(db: sqlite3.Connection, ids: Collection[str]) -> list[Answer]:
    """See Graph.answers."""
    put_ids(db, ids)
    return [_answer(db, row) for row in db.execute(_ANSWERS).fetchall()]


def recorded(db: sqlite3.Connection, after: str, limit: int) -> list[Recorded]:
    """See Graph.recorded."""
    rows = db.execute(_RECORDED, (after, limit))
    return [Recorded(*row[:4], abstained=bool(row[4])) for row in rows]


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
    return Answer(
        question=question,
        method=method,
        text=text,
        abstained=bool(abstained),
        confidence=confidence,
        chains=tuple(_chains(db, steps_of(db, answer_id))),
        passages=tuple(_citation(db, *cited) for cited in cites_of(db, answer_id)),
        usage=json.loads(usage),
        model=model,
        created_at=created_at,
        recorded_as=answer_id,
    )


def _chains(db: sqlite3.Connection, steps: Iterable[Row]) -> Iterable[Chain]:
    steps = list(steps)
    held = triples(db, [step[3] for step in steps])
    for (_, score), chain in groupby(steps, key=lambda step: (step[0], step[2])):
        yield Chain(tuple(SupportedTriple(held[s[3]], tuple(s[4])) for s in chain), score)


def _citation(
    db: sqlite3.Connection, _: int, votes: int, score: float, passage_id: str
) -> Citation:
    cited = passages(db, [passage_id])[passage_id]
    place = cited.heading, cited.page
    return Citation(passage_id, cited.title, cited.text, votes, score, *place)
