"""Writing into the SQLite graph: a batch or a removal, with all that is derived from it."""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter

from ..graph_info import now
from ..schema import KINDS, properties
from ..text.stemming import searched
from ..text.titles import MAX_TITLE_WORDS, may_link, may_name, named_titles
from ..text.words import terms, text_key
from ..types import Batch, Entity, Statement, Triple, Vector
from ..vectors import to_bytes
from .columns import Insertion
from .file import put_ids
from .linked import linked_entities, settle

CHUNK = 2_000  # passages whose NAMES are found at once

# What `term` and `spelling` have to hold.
TERMS = "SELECT value, count(*) FROM passage, json_each(passage.terms) GROUP BY value"
SPELLINGS = """
SELECT entity_id, spelling, count(*) FROM (
    SELECT entity_id, surface AS spelling FROM mentions
    UNION ALL SELECT head_id, head FROM states JOIN triple ON triple.id = triple_id
    UNION ALL SELECT tail_id, tail FROM states JOIN triple ON triple.id = triple_id
) GROUP BY entity_id, spelling
"""


@dataclass(slots=True)
class _Change:
    """What a transaction touched, and what has to be settled before it ends.

    Args:
        spellings: (entity id, spelling) → how many mentions and statement ends more, or fewer.
        terms: stem → how many passages more hold it, or fewer.
        passages: ids that went, though the same transaction may have put some back.
        triples: ids that lost a statement.
        renamed: passages whose NAMES have to be found again.
        linked: entities that lost a link to an item.
    """

    spellings: Counter[tuple[str, str]] = field(default_factory=Counter)
    terms: Counter[str] = field(default_factory=Counter)
    passages: set[str] = field(default_factory=set)
    triples: set[str] = field(default_factory=set)
    renamed: set[str] = field(default_factory=set)
    linked: set[str] = field(default_factory=set)


def add(db: sqlite3.Connection, batch: Batch) -> None:
    """See GraphStore.add; the caller has checked the dimensions."""
    change = _Change()
    _forget(db, [document.id for document in batch.documents], change)
    _insert_documents(db, batch)
    _insert_passages(db, batch, change)
    _insert_mentions(db, batch, change)
    _insert_statements(db, batch.statements, change)
    db.executemany(
        "INSERT INTO extracted_by (passage_id, extractor) VALUES (?, ?)",
        sorted(batch.extractors.items()),
    )
    keep_triple_vectors(db, batch.triple_embeddings)
    titles = {passage.normal_title for passage in batch.passages if passage.position == 0}
    change.renamed |= _containing(db, titles)
    change.renamed |= {passage.id for passage in batch.passages}
    _settle(db, change)


def state(db: sqlite3.Connection, statements: Iterable[Statement]) -> None:
    """Write what passages state beside what ingestion found; of passages that are there."""
    statements = list(statements)
    put_ids(db, {statement.passage_id for statement in statements})
    there = {id_ for (id_,) in db.execute("SELECT id FROM passage JOIN temp.asked USING (id)")}
    held = set(
        db.execute(
            "SELECT passage_id, triple_id FROM temp.asked "
            "CROSS JOIN states ON passage_id = asked.id"
        )
    )
    change = _Change()
    new = (s for s in statements if s.passage_id in there)
    new = [s for s in new if (s.passage_id, s.triple.id) not in held]
    _insert_statements(db, new, change)
    _settle_entities(db, change.spellings)


def remove(db: sqlite3.Connection, document_ids: Collection[str]) -> int:
    """See GraphStore.remove."""
    put_ids(db, document_ids)
    there = [row[0] for row in db.execute("SELECT id FROM document JOIN temp.asked USING (id)")]
    if there:
        change = _Change()
        _forget(db, there, change)
        _settle(db, change)
    return len(there)


def keep_triple_vectors(db: sqlite3.Connection, vectors: Mapping[str, Vector]) -> None:
    """Keep vectors of triples that are there and had none."""
    if not vectors:
        return
    db.executemany(
        "INSERT OR IGNORE INTO triple_vector (number, vector) "
        "SELECT number, ? FROM triple WHERE id = ?",
        ((to_bytes(vector), triple_id) for triple_id, vector in vectors.items()),
    )


def derive_again(db: sqlite3.Connection) -> None:
    """Derive what an older version may not have: keys of texts, counts of stems, NAMES."""
    db.create_function("text_key", 1, text_key, deterministic=True)
    db.execute("UPDATE passage SET text_key = text_key(text) WHERE text_key = ''")
    db.execute("DELETE FROM term")
    db.execute(f"INSERT INTO term (id, passages) {TERMS}")
    link_all_titles(db)


def link_all_titles(db: sqlite3.Connection) -> None:
    """Find the NAMES of all passages."""
    ids = [row[0] for row in db.execute("SELECT id FROM passage ORDER BY id")]
    for start in range(0, len(ids), CHUNK):
        link_titles(db, ids[start : start + CHUNK])


def _forget(db: sqlite3.Connection, document_ids: Collection[str], change: _Change) -> None:
    put_ids(db, document_ids)
    passages = "FROM temp.asked CROSS JOIN passage ON document_id = asked.id"
    rows = db.execute(
        f"SELECT number, passage.id, title, text, terms, language {passages}"
    ).fetchall()
    if rows:
        change.terms.subtract(term for row in rows for term in json.loads(row[4]))
        change.passages |= {row[1] for row in rows}
        for (source,) in db.execute(
            f"SELECT DISTINCT names.source {passages} JOIN names ON names.target = passage.id"
        ):
            change.renamed.add(source)
        _forget_spellings(db, passages, change)
        db.executemany(
            "INSERT INTO passage_words (passage_words, rowid, title, text) "
            "VALUES ('delete', ?, ?, ?)",
            (
                (number, searched(title, language), searched(text, language))
                for number, _, title, text, _, language in rows
            ),
        )
    change.linked |= linked_entities(db)
    db.execute("DELETE FROM document WHERE id IN (SELECT id FROM temp.asked)")


def _forget_spellings(db: sqlite3.Connection, passages: str, change: _Change) -> None:
    for entity_id, surface in db.execute(
        f"SELECT entity_id, surface {passages} JOIN mentions ON passage_id = passage.id"
    ):
        change.spellings[entity_id, surface] -= 1
    for triple_id, head_id, head, tail_id, tail in db.execute(
        f"SELECT triple.id, head_id, head, tail_id, tail {passages} "
        "JOIN states ON passage_id = passage.id JOIN triple ON triple.id = triple_id"
    ):
        change.triples.add(triple_id)
        change.spellings[head_id, head] -= 1
        change.spellings[tail_id, tail] -= 1


def _insert_documents(db: sqlite3.Connection, batch: Batch) -> None:
    cleared = {document.source for document in batch.documents}.union(batch.cleared)
    db.executemany("DELETE FROM failure WHERE source = ?", ((source,) for source in cleared))
    db.executemany(
        "INSERT OR REPLACE INTO failure (source, reason) VALUES (?, ?)",
        ((failure.source, failure.reason) for failure in batch.failures),
    )
    rows = [properties("document", document) for document in batch.documents]
    stamped = ({**row, "ingested_at": row["ingested_at"] or now()} for row in rows)
    insertion = Insertion("document")
    db.executemany(insertion.statement, map(insertion.row, stamped))


def _insert_passages(db: sqlite3.Connection, batch: Batch, change: _Change) -> None:
    insertion = Insertion("passage")
    for passage, vector in zip(batch.passages, batch.embeddings, strict=True):
        row = properties("passage", passage)
        change.terms.update(row["terms"])
        number = db.execute(insertion.statement, insertion.row(row)).lastrowid
        db.execute("INSERT INTO passage_vector VALUES (?, ?)", (number, to_bytes(vector)))
        db.execute(
            "INSERT INTO passage_words (rowid, title, text) VALUES (?, ?, ?)",
            (
                number,
                searched(passage.title, passage.language),
                searched(passage.text, passage.language),
            ),
        )


def _insert_mentions(db: sqlite3.Connection, batch: Batch, change: _Change) -> None:
    first: dict[tuple[str, str], str] = {}
    for mention in batch.mentions:
        first.setdefault((mention.passage_id, mention.entity_id), mention.surface)
    for (_, entity_id), surface in first.items():
        change.spellings[entity_id, surface] += 1
    rows = sorted((*key, surface) for key, surface in first.items())
    db.executemany("INSERT INTO mentions (passage_id, entity_id, surface) VALUES (?, ?, ?)", rows)


def _insert_statements(
    db: sqlite3.Connection, statements: Iterable[Statement], change: _Change
) -> None:
    triples: dict[str, tuple[Triple, str, str]] = {}
    states: dict[tuple[str, str], tuple[object, ...]] = {}
    for statement in statements:
        triple = statement.triple
        triple_id = triple.id
        if triple_id not in triples:
            triples[triple_id] = triple, triple.head_id, triple.tail_id
        key = (statement.passage_id, triple_id)
        if key not in states:
            states[key] = (*key, statement.start, statement.end)
            first, head_id, tail_id = triples[triple_id]
            change.spellings[head_id, first.head] += 1
            change.spellings[tail_id, first.tail] += 1
    insertion = Insertion("triple", "head_id", "tail_id", "tied")
    db.executemany(
        f"{insertion.statement} ON CONFLICT DO NOTHING",
        (
            insertion.row(properties("triple", triple), *ends, triple.tied)
            for _, (triple, *ends) in sorted(triples.items(), key=itemgetter(0))
        ),
    )
    db.executemany(
        'INSERT INTO states (passage_id, triple_id, "start", "end") VALUES (?, ?, ?, ?)',
        (states[key] for key in sorted(states)),
    )


def _settle(db: sqlite3.Connection, change: _Change) -> None:
    _settle_entities(db, change.spellings)
    _settle_terms(db, change.terms)
    if change.triples:
        put_ids(db, change.triples)
        db.execute(
            "DELETE FROM triple WHERE id IN (SELECT id FROM temp.asked) "
            "AND NOT EXISTS (SELECT 1 FROM states WHERE triple_id = triple.id)"
        )
        _drop_evidence(db, "step", "triple")
        _drop_evidence(db, "traced", "triple")
        _drop_evidence(db, "question_triple_triple", "triple")
    if change.passages:
        put_ids(db, change.passages)
        _drop_evidence(db, "cites", "passage")
        _drop_evidence(db, "question_triple_passage", "passage")
        _drop_evidence(db, "step_passage", "passage")
    link_titles(db, change.renamed)
    settle(db, change.linked)
    db.execute("UPDATE graph_info SET passage_changes = passage_changes + 1")


def _settle_terms(db: sqlite3.Connection, changed: Counter[str]) -> None:
    db.executemany(
        "INSERT INTO term (id, passages) VALUES (?, ?) "
        "ON CONFLICT DO UPDATE SET passages = passages + excluded.passages",
        sorted((term, count) for term, count in changed.items() if count),
    )
    db.executemany(
        "DELETE FROM term WHERE id = ? AND passages = 0",
        sorted((term,) for term, count in changed.items() if count < 0),
    )


def _drop_evidence(db: sqlite3.Connection, table: str, what: str) -> None:
    db.execute(
        f"DELETE FROM {table} WHERE {what}_id IN (SELECT id FROM temp.asked) "
        f"AND NOT EXISTS (SELECT 1 FROM {what} WHERE {what}.id = {table}.{what}_id)"
    )


def _settle_entities(db: sqlite3.Connection, changed: Counter[tuple[str, str]]) -> None:
    db.executemany(
        "INSERT INTO spelling (entity_id, spelling, times) VALUES (?, ?, ?) "
        "ON CONFLICT DO UPDATE SET times = times + excluded.times",
        sorted((*key, times) for key, times in changed.items() if times),
    )
    put_ids(db, {entity_id for entity_id, _ in changed})
    db.execute("DELETE FROM spelling WHERE times = 0 AND entity_id IN (SELECT id FROM temp.asked)")
    db.execute(
        "DELETE FROM entity WHERE id IN (SELECT id FROM temp.asked) "
        "AND NOT EXISTS (SELECT 1 FROM spelling WHERE entity_id = entity.id)"
    )
    _drop_evidence(db, "traced_end", "entity")
    _drop_evidence(db, "question_triple_entity", "entity")
    spellings: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for entity_id, spelling, times in db.execute(
        "SELECT entity_id, spelling, times FROM temp.asked "
        "CROSS JOIN spelling ON entity_id = asked.id"
    ):
        spellings[entity_id].append((-times, spelling))
    frequencies: dict[str, int] = dict(
        db.execute(
            "SELECT id, (SELECT count(*) FROM mentions WHERE entity_id = asked.id) FROM temp.asked"
        )
    )
    put_entities(
        db, (entity_row(key, spellings[key], frequencies[key]) for key in sorted(spellings))
    )


def put_entities(db: sqlite3.Connection, rows: Iterable[Mapping[str, object]]) -> None:
    """Write what is derived of entities, new ones among them; see `entity_row`."""
    names = KINDS["entity"].names(derived=True)
    change = ", ".join(f'"{name}" = excluded."{name}"' for name in names)
    insertion = Insertion("entity", derived=True)
    db.executemany(
        f"{insertion.statement} ON CONFLICT DO UPDATE SET {change}", map(insertion.row, rows)
    )


def entity_row(
    entity_id: str, spellings: Iterable[tuple[int, str]], passages: int
) -> dict[str, object]:
    """Derive an entity from its (−times, spelling) and its document frequency."""
    times = {spelling: -negative for negative, spelling in spellings}
    return {
        "id": entity_id,
        **Entity.called(times),
        "terms": terms(entity_id),
        "passages": passages,
    }


def _containing(db: sqlite3.Connection, titles: Iterable[str]) -> set[str]:
    """Passages whose text holds one of these titles with a capital: no others can name it."""
    found: set[str] = set()
    for title in titles:
        if may_link(title) and title.count(" ") < MAX_TITLE_WORDS:
            rows = db.execute(
                "SELECT passage.id, passage.text FROM passage_words "
                "JOIN passage ON number = passage_words.rowid WHERE passage_words MATCH ?",
                (f'text : "{title}"',),
            )
            found |= {id_ for id_, text in rows if may_name(text, title)}
    return found


def link_titles(db: sqlite3.Connection, passage_ids: Collection[str]) -> None:
    """Find the NAMES of these passages again."""
    pairs = names_of(db, passage_ids)
    db.execute("DELETE FROM names WHERE source IN (SELECT id FROM temp.asked)")
    db.executemany("INSERT INTO names (source, target) VALUES (?, ?)", pairs)


def names_of(db: sqlite3.Connection, passage_ids: Collection[str]) -> list[tuple[str, str]]:
    """Find what these passages name, sorted pairs of ids; `temp.asked` holds the passages' then."""
    put_ids(db, passage_ids)
    rows = db.execute(
        "SELECT id, normal_title, text FROM passage JOIN temp.asked USING (id) ORDER BY id"
    ).fetchall()
    titled: dict[str, list[str]] = {}

    def known(titles: Collection[str]) -> Collection[str]:
        titled.update(_titled(db, titles))
        return titled

    named = named_titles([text for _, _, text in rows], known)
    return sorted(
        (passage_id, target)
        for (passage_id, own, _), titles in zip(rows, named, strict=True)
        for title in titles
        if title != own
        for target in titled[title]
    )


def _titled(db: sqlite3.Connection, titles: Collection[str]) -> dict[str, list[str]]:
    """Which of these normal titles documents have: ids of their first passages."""
    query = "SELECT normal_title, passage.id FROM passage"
    # Looking up each takes about as long as reading one; the highest number is found at once.
    if len(titles) < (db.execute("SELECT max(number) FROM passage").fetchone()[0] or 0):
        put_ids(db, titles, "inside")
        query = (
            "SELECT normal_title, passage.id FROM temp.inside "
            "CROSS JOIN passage ON normal_title = inside.id"
        )
    titled: dict[str, list[str]] = defaultdict(list)
    for title, passage_id in db.execute(f"{query} WHERE position = 0"):
        if title in titles:
            titled[title].append(passage_id)
    return titled
