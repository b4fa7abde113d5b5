"""What docs/browser/ ships for Neo4j Browser, on the demonstration's graph; what `ask` offers."""

import json
import os
import re
import zipfile
from pathlib import Path

import neo4j
import pytest
from conftest import STORES, emptied
from support.chromium import Neo4jBrowser, executable

from hoptrail.cypher import query
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.service import Hoptrail
from hoptrail.service.demo import corpus_folder

FOLDER = Path(__file__).parents[2] / "docs" / "browser"
QUERIES = {path.stem: path.read_text("utf-8") for path in (FOLDER / "Hoptrail").glob("*.cypher")}
STYLE = (FOLDER / "hoptrail.grass").read_text("utf-8")
RULES = {
    selector: dict(re.findall(r"([\w-]+): '?(.*?)'?;", body))
    for selector, body in re.findall(r"(\S+) \{(.*?)\n\}", STYLE, re.DOTALL)
}
QUESTION = "Where was the father of the composer of The Magic Flute born?"
CHAIN = [
    "The Magic Flute was composed by Wolfgang Amadeus Mozart",
    "Wolfgang Amadeus Mozart father Leopold Mozart",
    "Leopold Mozart was born in Augsburg",
]
UNANSWERED = "Where was the composer of Carmen born?"


@pytest.fixture(scope="module", params=STORES[1:])
def server(request, neo4j_servers):
    """A server with the demonstration, two of whose questions were asked."""
    address = neo4j_servers(request.param.removeprefix("neo4j-"))
    with emptied(address) as store, Hoptrail(store) as hop, corpus_folder() as folder:
        hop.ingest(folder)
        hop.ask(QUESTION)
        hop.ask(UNANSWERED, record=True)
        yield address
    with emptied(address):
        pass


@pytest.fixture
def driver(server):
    auth = (server.user, server.password)
    with neo4j.GraphDatabase.driver(server.uri, auth=auth) as opened:
        yield opened


@pytest.fixture
def paths(driver):
    """Runs a query and gives its paths, each as texts of nodes with the types between them."""

    def run(text, **parameters):
        found = driver.execute_query(text, parameters, routing_=neo4j.RoutingControl.READ)
        return [shown(record["path"]) for record in found.records]

    return run


def shown(path):
    texts = [node.get("text") or node.get("name") or node.get("title") for node in path.nodes]
    types = [edge.get("relation") or edge.type for edge in path.relationships]
    return [texts[0], *(part for pair in zip(types, texts[1:], strict=True) for part in pair)]


@pytest.fixture
def served(server, run, monkeypatch):
    """Runs `hoptrail ARGUMENTS` on the server's graph: standard output."""
    monkeypatch.setenv("HOPTRAIL_NEO4J_PASSWORD", server.password)

    def on_server(*arguments):
        status, out, err = run("--graph", server.uri, *arguments)
        assert status == 0, err
        return out

    return on_server


def offered(out):
    """The queries that the output offers."""
    return re.findall(r"^In Neo4j Browser: (.*)$", out, re.MULTILINE)


def test_ask_offers_the_query_that_shows_its_evidence_in_order(served, paths):
    out = served("ask", QUESTION)
    (offer,) = offered(out)
    assert out.endswith(f"{offer}\n")
    found = paths(offer)
    assert {tuple(path[:3]) for path in found} == {(QUESTION, "ANSWERED_BY", "Augsburg")}
    steps = [path[4:] for path in found if path[3] == "STEP"]
    assert [step[0] for step in steps if len(step) == 1] == CHAIN
    assert steps[:4] == [
        [CHAIN[0]],
        [CHAIN[0], "HEAD", "The Magic Flute"],
        [CHAIN[0], "STATES", steps[2][2]],
        [CHAIN[0], "TAIL", "Wolfgang Amadeus Mozart"],
    ]
    assert CHAIN[0] in steps[2][2]  # the passage
    assert len(steps) == 12
    cited = [path[4].partition(" is ")[0].partition(" was ")[0] for path in found[12:]]
    assert cited == [
        *(
            "Leopold Mozart",
            "Wolfgang Amadeus Mozart",
            "The Magic Flute",
        ),  # read first
        "Salzburg",  # the rival's: "Or else"
    ]


def test_ask_offers_nothing_where_nothing_is_to_see(served, run, tmp_path):
    assert offered(served("ask", QUESTION, "--no-record")) == []
    (tmp_path / "ulm.md").write_text("# Ulm\n\nUlm lies on the Danube.")
    run("ingest", "ulm.md")
    _, out, _ = run("ask", "Where does Ulm lie?")
    assert "Danube" in out
    assert offered(out) == []


def test_the_json_of_an_answer_has_its_id(served, driver):
    answer = json.loads(served("ask", QUESTION, "--json"))
    recorded = driver.execute_query("MATCH (a:HoptrailAnswer {text: 'Augsburg'}) RETURN a.id AS id")
    assert [record["id"] for record in recorded.records] == [answer["id"]]
    assert list(answer) == [
        *("id", "question", "method", "model", "answer", "abstained", "confidence", "candidates"),
        *("chains", "passages", "quote", "missing", "withheld", "subanswers", "steps", "usage"),
        *("created_at", "advice"),
    ]


def test_only_an_id_gets_into_a_query():
    store = Neo4jStore("bolt://localhost", prefix="Notes")
    text = store.evidence_query("0123456789abcdef01234567")
    assert "(:NotesAnswer {id: '0123456789abcdef01234567'})" in text
    assert "Hoptrail" not in text
    assert "\n" not in text
    for hostile in ("", "a'}) DETACH DELETE", "0123456789abcdef0123456'", f"{24 * 'a'}\n"):
        assert store.evidence_query(hostile) == ""


def test_what_is_saved_is_what_ask_offers():
    saved, offer = (
        [line for line in text.splitlines() if not line.startswith("//")]
        for text in (QUERIES["evidence"], query("browser/evidence"))
    )
    assert saved == offer


def test_the_latest_answers(paths):
    found = paths(QUERIES["answers"])
    assert [QUESTION, "ANSWERED_BY", "Augsburg"] in found
    assert [UNANSWERED, "ANSWERED_BY", "no answer"] in found


def test_a_chain_with_what_filled_its_masks(served, paths):
    question = "Who is the father of the composer of The Magic Flute?"
    answer = json.loads(served("ask", question, "--method", "semi_structured", "--json"))
    assert answer["answer"] == "Leopold Mozart"
    found = paths(QUERIES["chain"], id=answer["id"])
    assert {tuple(path[:3]) for path in found} == {(question, "ANSWERED_BY", "Leopold Mozart")}
    triples = [path[4] for path in found if len(path) == 5]
    assert set(CHAIN[:2]) <= set(triples)
    assert triples[-1] == CHAIN[1]  # its mask is the last
    assert {path[5] for path in found if len(path) > 5} == {"HEAD", "TAIL", "STATES"}
    served("forget", answer["id"])


@pytest.mark.parametrize("name", ["Leopold Mozart", "leopold mozart"])
def test_the_surroundings_of_an_entity(paths, name):
    found = paths(QUERIES["surroundings"], name=name)
    assert ["Leopold Mozart", "was born in", "Augsburg"] in found
    assert ["Leopold Mozart", "father", "Wolfgang Amadeus Mozart"] in found
    assert {path[0] for path in found} == {"Leopold Mozart"}
    documents = {path[4] for path in found if path[1] == "MENTIONS"}
    assert documents == {"Leopold Mozart", "Wolfgang Amadeus Mozart"}


def test_how_two_names_connect(paths):
    ends = {"from": "The Magic Flute", "to": "Augsburg"}
    found = paths(QUERIES["connection"], **ends)
    assert [path[0::2] for path in found] == [
        ["The Magic Flute", "Wolfgang Amadeus Mozart", "Leopold Mozart", "Augsburg"]
    ] * len(found)
    assert {path[-2] for path in found} == {"was born in"}
    assert len({tuple(path) for path in found}) == len(found) == 4  # two relations, both ways
    assert paths(QUERIES["connection"], **ends | {"to": "the magic flute"}) == []


def test_the_retrieval_of_a_question(driver, paths):
    asked = {"question": QUESTION}
    found = paths(QUERIES["retrieval"], **asked)
    assert found[0][0].startswith("The Magic Flute is an opera")
    assert {len(path) for path in found} == {1, 3}
    ends = [path[-1].partition(" was ")[0] for path in found if len(path) == 3]
    assert {"Wolfgang Amadeus Mozart", "Leopold Mozart"} <= set(ends)
    rows = driver.execute_query(QUERIES["retrieval"], asked).records
    assert {shown(row["cited"])[-1] for row in rows if row["cited"]} == {QUESTION}
    assert not all(row["cited"] for row in rows)
    hostile = paths(QUERIES["retrieval"], question='AND (who composed "Finlandia"? OR: *~ \\ /')
    assert hostile[0][0].startswith("Finlandia is")


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_no_saved_query_scans_the_nodes(driver, name):
    parameters = dict.fromkeys(re.findall(r"\$(\w+)", QUERIES[name]), "a")
    _, summary, _ = driver.execute_query(f"EXPLAIN {QUERIES[name]}", parameters)
    plan = json.dumps(summary.plan)
    scans = set(re.findall(r'"operatorType": "(\w*Scan)', plan))
    assert scans == ({"DirectedRelationshipTypeScan"} if name == "answers" else set())


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_saved_query_has_a_title_and_names_its_parameters(name):
    title, *_ = QUERIES[name].splitlines()
    assert re.fullmatch(r"// [A-Z][^.]+", title)  # what the list of favourites shows
    named = re.findall(r"^// :param (\w+) => '.+'$", QUERIES[name], re.MULTILINE)
    assert set(named) == set(re.findall(r"\$(\w+)", QUERIES[name]))


def test_the_style_is_of_what_the_graph_has(driver):
    held = {}
    for pattern in ("(x)", "()-[x]->()"):
        kinds = "labels(x)" if pattern == "(x)" else "[type(x)]"
        rows = driver.execute_query(
            f"MATCH {pattern} UNWIND {kinds} AS kind UNWIND keys(x) + [''] AS key "
            "RETURN kind, collect(DISTINCT key) AS keys"
        )
        held |= {record["kind"]: set(record["keys"]) for record in rows.records}
    labels = {kind for kind in held if kind.startswith("Hoptrail")}
    styled = {selector.partition(".")[2] for selector in RULES}
    assert labels <= styled
    elsewhere = {"", "HoptrailFailure", "HoptrailParameters", "NEXT"}
    of_methods = {"TRACED", "BEGAN_AT", "LED_TO"}  # KnowTrace's, then GE-Reasoning's
    of_methods |= {"HoptrailQuestionTriple", "ASKED", "SUPPORTED_BY", "READ_IN", "BOUND_TO"}
    assert styled - set(held) <= elsewhere | of_methods
    for selector, rule in RULES.items():
        named = set(re.findall(r"\{(\w+)\}", rule.get("caption", "")))
        kind = selector.partition(".")[2]
        assert named <= held.get(kind, named), selector


def test_captions_are_what_people_read():
    captions = {selector: rule.get("caption") for selector, rule in RULES.items()}
    assert captions["node.HoptrailTriple"] == captions["node.HoptrailQuestion"] == "{text}"
    assert captions["node.HoptrailAnswer"].startswith("{name}")
    assert captions["relationship.RELATES_TO"] == "{relation}"
    assert not any("embedding" in (caption or "") for caption in captions.values())


@pytest.fixture
def browser(server, tmp_path):
    if not executable():
        pytest.skip("no Chromium: install the package chromium")
    if not server.http:
        pytest.skip("a given server does not say where its Neo4j Browser is")
    (tmp_path / "profile").mkdir()
    with Neo4jBrowser(tmp_path / "profile", server.http, server.password) as opened:
        yield opened


@pytest.mark.one_release
def test_a_real_browser_takes_style_and_queries_and_draws(browser, served, tmp_path):
    """HOPTRAIL_TEST_SCREENSHOTS names a folder that gets the pictures of docs/browser/README.md."""
    pictures = Path(os.environ.get("HOPTRAIL_TEST_SCREENSHOTS", tmp_path))
    browser.ask(QUERIES["answers"])
    browser.drawn("Augsburg")  # as its name: without a style, too
    browser.picture(pictures / "plain.png")
    browser.drop(FOLDER / "hoptrail.grass")
    browser.until("/node.HoptrailAnswer/.test(document.body.innerText)")
    with zipfile.ZipFile(tmp_path / "hoptrail.zip", "w") as archive:
        for name in sorted(QUERIES):
            archive.writestr(f"Hoptrail/{name}.cypher", QUERIES[name])
    browser.drop(tmp_path / "hoptrail.zip")
    browser.click("[data-testid=navigationFavorites]")
    browser.click("[data-testid=expandFolder-Hoptrail]")
    for text in QUERIES.values():
        title = text.partition("\n")[0].removeprefix("// ")
        browser.until(f"document.body.innerText.includes({json.dumps(title)})")
    browser.screenshot(pictures / "favorites.png", (0, 0, 1280, 500))
    browser.click("[data-testid=navigationFavorites]")

    (offer,) = offered(served("ask", QUESTION))
    browser.ask(offer)
    browser.drawn(QUESTION, "Augsburg (trace)", CHAIN[2], "Leopold Mozart", "Augsburg")
    browser.drawn("step 0.0", "cites 0")
    browser.picture(pictures / "evidence.png")
    for name, value in (("from", "The Magic Flute"), ("to", "Augsburg")):
        browser.ask(f":param {name} => '{value}'")
    browser.ask(QUERIES["connection"])
    browser.drawn("The Magic Flute", "was composed by", "Leopold Mozart", "was born in", "Augsburg")
    browser.picture(pictures / "connection.png")
    for name, parameter, value in (
        ("surroundings", "name", "Leopold Mozart"),
        ("retrieval", "question", QUESTION),
    ):
        browser.ask(f":param {parameter} => '{value}'")
        browser.ask(QUERIES[name])
        browser.drawn("Leopold Mozart", "Wolfgang Amadeus Mozart")
        browser.picture(pictures / f"{name}.png")

    both = tmp_path / "both.grass"
    both.write_text(f"node.Movie {{\n  caption: '{{title}}';\n}}\n{STYLE}")
    browser.drop(both)
    browser.until("/node.Movie[^]+node.HoptrailAnswer/.test(document.body.innerText)")
    browser.ask(offer)
    browser.drawn("Augsburg (trace)")
