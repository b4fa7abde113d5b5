"""What never occurs in a sound SQLite graph: queries for it, and the statements that mend it.

Base facts are documents, passages, mentions, triples, statements, vectors and answers. All else
follows from them and is derived again. A document whose own facts are damaged is marked: without
its hash the next ingestion takes it for a changed one.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from itertools import groupby
from operator import itemgetter

from ...maintenance import INGEST_AGAIN, MARKED, RESTORE, Problem, problem_of
from ..columns import Insertion, derived_columns
from ..linked import MEANS, ONE
from ..write import (
    CHUNK,
    SPELLINGS,
    TERMS,
    entity_row,
    link_all_titles,
    link_titles,
    names_of,
    put_entities,
)

Names = Callable[[sqlite3.Connection], Iterable[object]]
Mend = Callable[[sqlite3.Connection], None]


@dataclass(frozen=True, slots=True)
class Rule:
    """Something that never occurs in a sound graph.

    Args:
        what: see Problem.
        says: what is found, in the plural.
        wrong: names one of each, a row.
        mend: statements, in order; none where nothing can be done.
        step: the next one, for people.
        quick: a second or so on 10,000 passages.
    """

    what: str
    says: str
    wrong: str | Names
    mend: tuple[str | Mend, ...] = ()
    step: str = ""
    quick: bool = True


def _damaged(says: str, ids: str, *mend: str, quick: bool = True) -> Rule:
    """Of documents whose own facts are not whole."""
    name = "CASE title WHEN '' THEN source ELSE title END"
    wrong = f"SELECT {name} FROM document WHERE sha256 <> '' AND id IN ({ids})"
    mark = f"UPDATE document SET sha256 = '' WHERE id IN ({ids})"
    return Rule("documents", f"documents {says}", wrong, (mark, *mend), MARKED, quick)


def _dangling(table: str, column: str, whole: str, key: str = "id") -> Rule:
    gone = f"FROM {table} WHERE {column} NOT IN (SELECT {key} FROM {whole})"
    name = column if column[0] != "(" else "answer_id"
    says = f"rows of {table} that lead to no {whole}"
    return Rule("dangling edges", says, f"SELECT {name} {gone}", (f"DELETE {gone}",))


def _vectors(table: str, whose: str, dimension: str) -> Rule:
    wrong = f"FROM {table} WHERE NOT fit(vector, {dimension})"
    return Rule(
        "vectors",
        f"vectors of {whose} of another length than the encoder's, or not of finite numbers",
        f"SELECT number {wrong}",
        (f"DELETE {wrong}",),
    )


_DIMENSION = "(SELECT json_extract(fingerprint, '$.dimension') FROM graph_info)"
_NEXT_DIMENSION = "(SELECT json_extract(next_fingerprint, '$.dimension') FROM graph_info)"
_NO_TRIPLE = "triple_id NOT IN (SELECT id FROM triple)"
_STATING = "SELECT document_id FROM states JOIN passage ON passage.id = passage_id"
_OTHER_TRIPLES = "SELECT id FROM triple WHERE id <> triple_id(head, relation, tail, extractor)"
_ALTERED = "id <> passage_id(document_id, position, text)"
_UNSTATED = "FROM triple WHERE id NOT IN (SELECT triple_id FROM states)"
_UNASKED = "FROM question WHERE id NOT IN (SELECT question_id FROM answer)"
_TITLES = "normal_title <> normal_title(title)"
_KEYS = "text_key <> text_key(text)"
_STEMS = "terms <> stems(title, text, language)"
_ENDS = "head_id <> normal_form(head) OR tail_id <> normal_form(tail) OR tied <> tied(extractor)"
_WORDS = (
    "INSERT INTO passage_words (passage_words) VALUES ('delete-all')",
    "INSERT INTO passage_words (rowid, title, text) "
    "SELECT number, searched(title, language), searched(text, language) FROM passage",
)
_SPELLINGS = (
    "DELETE FROM spelling",
    f"INSERT INTO spelling (entity_id, spelling, times) {SPELLINGS}",
)
_OTHER_ITEM = f"id IN (SELECT entity_id FROM link) AND wikidata_id IS NOT ({ONE})"
_TERMS = ("DELETE FROM term", f"INSERT INTO term (id, passages) {TERMS}")


_EMBEDDED = "passage", "triple"
_HOLDING = {  # tables by what they hold the id of
    "passage": "mentions states extracted_by step_passage cites question_triple_passage",
    "triple": "states step traced question_triple_triple",
    "answer": "step cites traced traced_end question_triple claim_step claim_cites claim_traced",
    "claim": "claim_step claim_cites claim_traced",
    "entity": "traced_end question_triple_entity link",
    "document": "link linked_by",
    "item": "link claim",
}


def _differing(due: str, held: str, columns: str) -> str:
    """The last but one column of rows that only one of two queries gives; each gives none twice."""
    *_, name, _ = columns.split(", ")
    return (
        f"WITH due ({columns}) AS ({due}), both AS (SELECT * FROM due UNION ALL {held}) "
        f"SELECT DISTINCT {name} FROM "
        f"(SELECT {columns} FROM both GROUP BY {columns} HAVING count(*) <> 2)"
    )


# -- names of entities, and of documents in texts: what SQL alone does not tell
def _entities(
    db: sqlite3.Connection,
) -> Iterator[tuple[str, Mapping[str, object] | None]]:
    """Id of each entity that is not what it should be, and what it should be; None for nothing."""
    names = ", ".join(f'"{field.name}"' for field in derived_columns("entity"))
    insertion = Insertion("entity", derived=True)
    counted = "(SELECT count(*) FROM mentions m WHERE m.entity_id = spelling.entity_id)"
    spelled = groupby(
        db.execute(f"SELECT entity_id, -times, spelling, {counted} FROM spelling ORDER BY 1"),
        key=itemgetter(0),
    )

    def due() -> Iterator[tuple[str, int, tuple[object, ...], Mapping[str, object]]]:
        for key, rows in spelled:
            every = list(rows)
            entity = entity_row(key, [row[1:3] for row in every], every[0][3])
            yield key, 1, insertion.row(entity), entity

    held = ((row[0], 0, row, None) for row in db.execute(f"SELECT {names} FROM entity ORDER BY id"))
    marked = merge(held, due(), key=itemgetter(0, 1))
    for key, rows in groupby(marked, key=itemgetter(0)):
        sides = {side: (row, entity) for _, side, row, entity in rows}
        if sides.get(0, (None,))[0] != sides.get(1, (None,))[0]:
            yield key, sides.get(1, (None, None))[1]


def _mend_entities(db: sqlite3.Connection) -> None:
    differing = list(_entities(db))
    db.executemany("DELETE FROM entity WHERE id = ?", [(key,) for key, due in differing if not due])
    put_entities(db, [due for _, due in differing if due])


def _misnaming(db: sqlite3.Connection) -> Iterator[str]:
    """Passages whose NAMES are not those of their texts."""
    ids = [row[0] for row in db.execute("SELECT id FROM passage ORDER BY id")]
    for start in range(0, len(ids), CHUNK):
        due = names_of(db, ids[start : start + CHUNK])
        held = db.execute("SELECT source, target FROM names JOIN temp.asked ON id = source")
        yield from sorted({source for source, _ in {*due}.symmetric_difference(held)})


def _mend_names(db: sqlite3.Connection) -> None:
    wrong = list(_misnaming(db))
    for start in range(0, len(wrong), CHUNK):
        link_titles(db, wrong[start : start + CHUNK])


RULES: tuple[Rule, ...] = (
    Rule(
        "documents",
        "documents that are gone, though their passages are there",
        "SELECT DISTINCT document_id FROM passage "
        "WHERE document_id NOT IN (SELECT id FROM document)",
        (
            "INSERT INTO document (id, title, source, sha256, metadata, ingested_at) "
            "SELECT document_id, min(title), '', '', '{}', '' FROM passage "
            "WHERE document_id NOT IN (SELECT id FROM document) GROUP BY document_id",
        ),
        f"doctor --fix makes them again from their passages, then {INGEST_AGAIN}",
    ),
    _damaged(
        "whose metadata can't be read",
        "SELECT id FROM document WHERE NOT json_valid(metadata)",
        "UPDATE document SET metadata = '{}' WHERE NOT json_valid(metadata)",
    ),
    _vectors("passage_vector", "passages", _DIMENSION),
    _vectors("triple_vector", "triples", _DIMENSION),
    _vectors("passage_vector_next", "passages for the next encoder", _NEXT_DIMENSION),
    _vectors("triple_vector_next", "triples for the next encoder", _NEXT_DIMENSION),
    _damaged(
        "with passages that have no vector",
        "SELECT document_id FROM passage WHERE number NOT IN (SELECT number FROM passage_vector)",
    ),
    _damaged(
        "that lack passages",
        "SELECT document_id FROM passage GROUP BY document_id "
        "HAVING min(position) <> 0 OR max(position) <> count(*) - 1",
    ),
    _damaged(
        "with passages whose text is not the one that was ingested",
        f"SELECT document_id FROM passage WHERE {_ALTERED}",
        *_WORDS,
    ),
    _damaged(
        "with triples that are not the ones that were extracted",
        f"{_STATING} WHERE triple_id IN ({_OTHER_TRIPLES})",
        f"DELETE FROM states WHERE triple_id IN ({_OTHER_TRIPLES})",
        quick=False,
    ),
    _damaged("with triples that are gone", f"{_STATING} WHERE {_NO_TRIPLE}"),
    _damaged(
        "with mentions that are not the ones that were found",
        "SELECT document_id FROM passage JOIN mentions ON passage_id = id "
        "WHERE entity_id <> normal_form(surface)",
        quick=False,
    ),
    Rule(
        "orphans",
        "triples that no passage states",
        f"SELECT head || ' ' || relation || ' ' || tail {_UNSTATED}",
        (f"DELETE {_UNSTATED}",),
    ),
    *(_dangling(f"{w}_vector{n}", "number", w, "number") for w in _EMBEDDED for n in ("", "_next")),
    *(_dangling(t, f"{whole}_id", whole) for whole, of in _HOLDING.items() for t in of.split()),
    *(_dangling("names", end, "passage") for end in ("source", "target")),
    _dangling("step_passage", "(answer_id, chain, place)", "step", "answer_id, chain, place"),
    *(
        _dangling(
            f"question_triple_{w}", "(answer_id, place)", "question_triple", "answer_id, place"
        )
        for w in ("triple", "passage", "entity")
    ),
    Rule(
        "orphans", "questions without an answer", f"SELECT text {_UNASKED}", (f"DELETE {_UNASKED}",)
    ),
    Rule(
        "dangling edges",
        "answers whose question is gone",
        "SELECT id FROM answer WHERE question_id NOT IN (SELECT id FROM question)",
        step=RESTORE,
    ),
    Rule(
        "derived",
        "titles that are not folded as they should be",
        f"SELECT title FROM passage WHERE {_TITLES}",
        (f"UPDATE passage SET normal_title = normal_title(title) WHERE {_TITLES}",),
        quick=False,
    ),
    Rule(
        "derived",
        "passages whose key is not that of their text",
        f"SELECT title FROM passage WHERE {_KEYS}",
        (f"UPDATE passage SET text_key = text_key(text) WHERE {_KEYS}",),
        quick=False,
    ),
    Rule(
        "derived",
        "passages whose stems are not those of their text",
        f"SELECT title FROM passage WHERE {_STEMS}",
        (f"UPDATE passage SET terms = stems(title, text, language) WHERE {_STEMS}",),
        quick=False,
    ),
    Rule(
        "derived",
        "triples that lead to other entities than they name",
        f"SELECT id FROM triple WHERE {_ENDS}",
        (
            "UPDATE triple SET head_id = normal_form(head), tail_id = normal_form(tail), "
            f"tied = tied(extractor) WHERE {_ENDS}",
        ),
        quick=False,
    ),
    Rule(
        "derived",
        "entities that are said to be another item than their links lead to",
        f"SELECT id FROM entity WHERE {_OTHER_ITEM}",
        (f"{MEANS} WHERE {_OTHER_ITEM}",),
    ),
    Rule(
        "counts",
        "spellings that are counted wrong",
        _differing(
            SPELLINGS,
            "SELECT entity_id, spelling, times FROM spelling",
            "entity_id, spelling, times",
        ),
        _SPELLINGS,
        quick=False,
    ),
    Rule(
        "counts",
        "stems that are counted wrong",
        _differing(TERMS, "SELECT id, passages FROM term", "id, passages"),
        _TERMS,
        quick=False,
    ),
    Rule(
        "counts",
        "entities that are missing, are nothing's, or have a wrong name or number of passages",
        lambda db: (key for key, _ in _entities(db)),
        (_mend_entities,),
        quick=False,
    ),
    Rule(
        "names",
        "passages whose NAMES are not the titles in their texts",
        _misnaming,
        (_mend_names,),
        quick=False,
    ),
    Rule(
        "words",
        "passages that the full-text index lacks, or holds though they are gone",
        "SELECT * FROM (SELECT number FROM passage EXCEPT SELECT id FROM passage_words_docsize) "
        "UNION ALL "
        "SELECT * FROM (SELECT id FROM passage_words_docsize EXCEPT SELECT number FROM passage)",
        _WORDS,
    ),
    Rule(
        "documents",
        "documents that have to be ingested again",
        "SELECT CASE source WHEN '' THEN title ELSE source END FROM document WHERE sha256 = ''",
        step=INGEST_AGAIN,
    ),
)
"""In order: what one mends the next ones build on."""


_VECTORS = tuple(rule for rule in RULES if rule.what == "vectors")
_DOCUMENTS = tuple(rule for rule in RULES if rule.what == "documents")
_OTHERS = tuple((rule,) for rule in RULES if rule.what not in ("vectors", "documents"))
STEPS = (_VECTORS, _DOCUMENTS, *_OTHERS)
"""Rules as they are to be mended. One mark on a document hides what else is wrong with it, so these
are all looked for before any is mended."""
FACTS = (_DOCUMENTS, *(step for step in _OTHERS if step[0].what == "orphans"))
"""Of them those that documents, passages, mentions, triples and statements alone can break."""


def broken(db: sqlite3.Connection, rule: Rule) -> list[Problem]:
    """List what a rule finds; nothing in a sound graph."""
    wrong = rule.wrong
    names = (row[0] for row in db.execute(wrong)) if isinstance(wrong, str) else wrong(db)
    problem = problem_of(rule.what, rule.says, names, bool(rule.mend), rule.step)
    return [problem] if problem else []


def mend(db: sqlite3.Connection, step: Iterable[Rule]) -> list[Problem]:
    """Do what rules say where they find something; return what was mended."""
    wrong = [(rule, broken(db, rule)) for rule in step if rule.mend]
    for rule, problems in wrong:
        for one in rule.mend if problems else ():
            if isinstance(one, str):
                db.execute(one)
            else:
                one(db)
    return [problem for _, problems in wrong for problem in problems]


def derive(db: sqlite3.Connection) -> None:
    """Count spellings, stems and entities, and find NAMES, in a graph that has none of them."""
    for statement in (*_SPELLINGS, *_TERMS):
        db.execute(statement)
    _mend_entities(db)
    link_all_titles(db)
