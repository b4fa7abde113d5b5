"""Every statement on a real server: it compiles, uses its index, explains itself, is used."""

import re
from pathlib import Path

import neo4j
import pytest
from support.fakes import WordEncoder
from support.neo4j_server import versions

from hoptrail import cypher
from hoptrail.cypher import SEARCH_CLAUSE, query
from hoptrail.kg.neo4j.schema import ALL, vector_options
from hoptrail.kg.neo4j.server import checked_version
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.kg.neo4j.traverse import WORDY

ROOT = Path(cypher.__file__).parent
NAMES = sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.rglob("*.cypher"))
NEWER = {name for name in NAMES if f"{name}.v5" in NAMES}  # older servers have their own file

SAMPLES = {
    "after": "",
    "alpha": 0.5,
    "answer": {"id": "a"},
    "beginnings": ["the salt lantern"],
    "claim_names": ["pid"],
    "chains": [
        {
            "vector": WordEncoder().encode_queries(["salt"])[0].tolist(),
            "from": ["a"],
            "said": ["a"],
            "pairs": [["a", "b"]],
        }
    ],
    "bits": 3.0,
    "created_at": "2026-01-01",
    "decimals": 6,
    "distances": {"a": 0.5},
    "entity_id": "salt",
    "every": False,
    "fetch": 100,
    "former": [{"name": "Term", "properties": ["id"], "hashed": False}],
    "held": ["title"],
    "id": "a",
    "ids": ["a", "b"],
    "info": {"schema_version": 1},
    "item_names": ["label"],
    "kind": "noted_parse",
    "kinds": ["NEXT"],
    "known": ["c"],
    "label": "HoptrailGraphInfo",
    "limit": 10,
    "links": 100,
    "maker": "spacy",
    "maker_of": "noted_parse_by",
    "most": 50,
    "near": 101,
    "pool": 100,
    "stems": ["salt"],
    "places": {"salt": 0},
    "lucene": 'words:"salt"',
    "name": "Salt",
    "names": ["title"],
    "options": vector_options(WordEncoder().fingerprint.dimension),
    "prefix": "Hoptrail",
    "phrases": ['"the salt lantern"'],
    "question": {"id": "q", "text": "?"},
    "parsed": ["spacy"],
    "question_id": "q",
    "rows": [
        {"id": "a", "source": "a", "target": "b", "score": 0.5, "keywords": ["salt"], "more": 1}
    ],
    "scores": [1.0, 0.5],
    "seconds": 60,
    "shares": [0.0, 0.0, 0.65],
    "target": None,
    "text": "{}",
    "titled": [0.0, 0.4, 1.0],
    "titles": ["salt"],
    "token": "a",
    "version": 1,
    "vector": WordEncoder().encode_queries(["salt"])[0].tolist(),
    "within": None,
    "words": ["salt"],
    "wordy": WORDY,
}

BY_ID = re.compile(r"UniqueIndexSeek|MergeUniqueNode|NodeUniqueIndexSeekByRange")
COMPARING = {name for name in NAMES if "OPTIONAL MATCH (g:HoptrailGraphInfo" in query(name)}
INDEXED = {
    **dict.fromkeys(NAMES, BY_ID),
    **dict.fromkeys(COMPARING, re.compile("UniqueIndexSeek.*UniqueIndexSeek")),  # GraphInfo's, too
    "answers/newest": re.compile(r"\bLimit.*NodeIndexSeek"),
    "derive/containing": re.compile("ProcedureCall"),
    "derive/titled": re.compile("NodeIndexSeek"),
    "derive/titled_so": re.compile("NodeIndexSeek"),
    "check/drop_relations": re.compile("RelationshipIndexSeek"),
    "forget/passages": re.compile("NodeIndexSeek"),
    "forget/relations": re.compile("RelationshipIndexSeek"),
    "wikidata/links_of": re.compile("RelationshipIndexSeek"),
    "wikidata/unlink": re.compile("RelationshipIndexSeek"),
    "read/find": re.compile("NodeIndexSeek.*NodeIndexSeek"),
    "read/passages_of": re.compile("NodeIndexSeek"),
    "search/candidates": re.compile("VectorIndexSearch.*ProcedureCall.*NodeIndexSeek"),
    "search/candidates.v5": re.compile("ProcedureCall.*ProcedureCall.*NodeIndexSeek"),
    "search/keywords": re.compile("ProcedureCall"),
    "search/nearest_passages": re.compile("VectorIndexSearch"),
    "search/nearest_passages.v5": re.compile("ProcedureCall"),
}
# Few nodes or a count: no index would help.
SCANS = {
    "answers/supported",
    "check/dimensions",
    "check/gone_evidence",
    "check/keywords",
    "check/lone_answers",
    "check/lone_question_triples",
    "check/lone_questions",
    "check/twice",
    "derive/all_titles",
    "derive/count_terms",
    "forget/gone_evidence",
    "info/all_parameters",
    "info/labelled",
    "info/nodes",
    "older/begin",
    "older/finish",
    "older/info",
    "older/left",
    "older/relabel",
    "read/failures",
    "read/statistics",
    "reembed/count_lacking",
    "restore/clear",
    "wikidata/forget_claims",
    "wikidata/forget_items",
    "wikidata/item_ids",
    "wikidata/other_items",
    "wikidata/stated",
}
UNINDEXED = {  # they only create, or are about no data
    *("derive/new_entities", "restore/terms", "write/documents", "write/failures"),
    "check/settings",
    "info/databases",
}
INDEXED = {
    name: operator
    for name, operator in INDEXED.items()
    if name not in SCANS | UNINDEXED and not name.startswith("schema/")
}


@pytest.fixture(params=[pytest.param(v, marks=pytest.mark.neo4j) for v in versions()])
def server(request, neo4j_servers):
    """A driver to a server whose schema is made, and the version it says it is."""
    address = neo4j_servers(request.param)
    with Neo4jStore(address.uri, address.user, address.password) as store:
        store.prepare(WordEncoder().fingerprint)
    auth = (address.user, address.password)
    with neo4j.GraphDatabase.driver(
        address.uri, auth=auth, notifications_min_severity="OFF"
    ) as driver:
        yield driver, checked_version(driver.get_server_info().agent)
        driver.execute_query("MATCH (n) DETACH DELETE n")


def explained(driver: neo4j.Driver, name: str) -> list[str]:
    """The operators of the plan, root first."""
    text = query(name)
    explain = text.replace("CYPHER 25", "CYPHER 25 EXPLAIN") if name in NEWER else f"EXPLAIN {text}"
    wanted = set(re.findall(r"\$(\w+)", text))
    _, summary, _ = driver.execute_query(
        explain, {key: SAMPLES[key] for key in wanted}, database_="neo4j"
    )
    return operators(summary.plan)


def operators(plan: dict) -> list[str]:
    return [
        plan["operatorType"],
        *(o for child in plan.get("children", []) for o in operators(child)),
    ]


@pytest.mark.parametrize("passages", [0, 1, 30])
def test_every_statement_compiles_and_goes_through_its_index(server, passages):
    """Also in a graph of a few passages: there a scan is cheapest, and plans are kept long."""
    driver, version = server
    driver.execute_query(
        "UNWIND range(1, $passages) AS n CREATE (p:HoptrailPassage {id: 'p' + n, position: 0}) "
        "CREATE (p)-[:STATES]->(t:HoptrailTriple {id: 't' + n}) "
        "CREATE (p)-[:MENTIONS]->(e:HoptrailEntity {id: 'e' + n}) "
        "CREATE (t)-[:HEAD]->(e) CREATE (p)-[:NAMES]->(p) CREATE (p)-[:SHARES_KEYWORD]->(p)",
        passages=passages,
    )
    driver.execute_query("CALL db.clearQueryCaches()")
    wrong = {}
    for name in NAMES:
        if name in NEWER and version < SEARCH_CLAUSE:
            continue
        plan = " ".join(explained(driver, name))
        scans = "Scan" in plan and name not in SCANS
        if scans or (name in INDEXED and not INDEXED[name].search(plan)):
            wrong[name] = plan
    assert not wrong


def test_whose_vectors_they_are_is_read_after_the_vectors(server):
    # Read before them, it would not tell of a move to another encoder that begins in between.
    driver, version = server
    assert len(COMPARING) == 10
    for name in COMPARING if version >= SEARCH_CLAUSE else COMPARING - NEWER:
        plan = [operator.removesuffix("@neo4j") for operator in explained(driver, name)]
        assert (name, plan[:3]) == (name, ["ProduceResults", "Projection", "Apply"])
        assert (name, plan[-2:]) == (name, ["Optional", "NodeUniqueIndexSeek"])


def test_every_schema_statement_made_what_it_names(server):
    driver, _ = server
    shown = {
        record["name"]
        for what in ("CONSTRAINTS", "INDEXES")
        for record in driver.execute_query(f"SHOW {what} YIELD name").records
    }
    made = {name.replace("schema/", "hoptrail_") for name in NAMES if query_creates(name)}
    assert made == {index.name("Hoptrail") for index in ALL}
    assert made <= shown


def query_creates(name: str) -> bool:
    return "\nCREATE " in query(name) and name.startswith("schema/")


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_explains_itself(name):
    comment = []
    for line in query(name).splitlines():
        if not line.startswith("// "):
            break
        comment.append(line.removeprefix("// "))
    purpose, parameters, columns = split_comment(comment)
    assert purpose.endswith(".")
    used = set(re.findall(r"\$(\w+)", "\n".join(query(name).splitlines()[len(comment) :])))
    assert set(re.findall(r"\$(\w+)", parameters)) == used
    assert columns.endswith(".")


def split_comment(lines: list[str]) -> tuple[str, str, str]:
    text = "\n".join(lines)
    found = re.fullmatch(r"(.+)\nParameters: (.+)\nColumns: (.+)", text, re.DOTALL)
    assert found, f"purpose, parameters, columns expected: {text}"
    return found[1], found[2], found[3]


def test_every_statement_is_used():
    sources = "".join(
        path.read_text("utf-8")
        for folder in ("kg", "reasoning", "service")
        for path in (ROOT.parent / folder).rglob("*.py")
    )
    assert [name for name in NAMES if f'"{name.removesuffix(".v5")}"' not in sources] == []


def test_an_older_server_gets_what_was_written_for_it():
    assert {"search/candidates", "search/nearest_passages"} == NEWER
    for name in NAMES:
        if name.endswith(".v5"):
            assert name.removesuffix(".v5") in NEWER
            continue
        older, newer = query(name, (5, 26)), query(name, (2026, 8))
        assert ("CYPHER 25" in newer, older != newer) == (name in NEWER, name in NEWER)
        assert "CYPHER 25" not in older


def test_no_query_text_in_python():
    keyword = re.compile(r"\b(MATCH \(|MERGE \(|UNWIND \$|DETACH DELETE|CALL db\.)")
    found = [
        path.name
        for folder in ("kg", "reasoning", "service")
        for path in (ROOT.parent / folder).rglob("*.py")
        if keyword.search(path.read_text("utf-8"))
    ]
    assert found == []
