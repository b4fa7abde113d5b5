"""A graph's names linked to a made-up Wikidata, and its statements brought into the graph."""

import json
import socket

import pytest
from support.building import batch, page

from hoptrail.kg.errors import EndpointUnavailable
from hoptrail.kg.wikidata.endpoint import Endpoint
from hoptrail.kg.wikidata.kept import KeptKnowledge
from hoptrail.kg.wikidata.linking import Linker
from hoptrail.kg.wikidata.properties import Properties, read_properties
from hoptrail.service.graph import link as linking
from hoptrail.service.graph.link import link, state

pytestmark = pytest.mark.one_release

EARLY = page(
    "Old Films",
    "The Salt Lantern of 1931 is a film by Ilse Marn, who was born in Vaagur on the coast.",
    mentions=("The Salt Lantern", "Ilse Marn", "Vaagur", "film"),
    triples=(("Ilse Marn", "was born in", "Vaagur"),),
)
LATE = page(
    "New Films",
    "The Salt Lantern with Anke Sol, directed by Odo Brandt, won a prize.",
    mentions=("The Salt Lantern", "Anke Sol", "Odo Brandt"),
)
PLAIN = page("A Walk", "We passed The Salt Lantern.", mentions=("The Salt Lantern",))
FULL = page("More", "Ilse Maria Marn had an inn in Vaagur.", mentions=("Ilse Maria Marn",))


def means(store):
    names = ["salt lantern", "ilse marn", "vaagur", "anke sol", "odo brandt", "film"]
    return {
        (one.document_id.removeprefix("id of "), one.entity_id): one.item_id
        for one in store.wikidata.links([*names, "ilse maria marn"])
    }


@pytest.fixture
def tools(oxigraph, encoder):
    endpoint = Endpoint(oxigraph)
    return Linker(endpoint, encode=encoder.encode_queries), Properties(read_properties(endpoint))


@pytest.fixture
def linked(store, tools):
    store.add(batch(EARLY, LATE, PLAIN, FULL))
    link(store, *tools)
    return store


def test_each_document_s_names_lead_to_what_they_mean_there(linked):
    found = means(linked)
    assert found["Old Films", "salt lantern"] == "Q9000001"
    assert found["New Films", "salt lantern"] == "Q9000002"
    assert ("A Walk", "salt lantern") not in found  # nothing says which
    assert found["Old Films", "vaagur"] == "Q9000010"
    assert ("Old Films", "film") not in found
    [entity] = linked.entities(["salt lantern"]).values()
    assert entity.wikidata_id is None


def test_aliases_of_one_item_meet(linked):
    ends = {one.entity_id for one in linked.wikidata.linked(["Q9000003"])}
    assert ends == {"ilse marn", "ilse maria marn"}


def test_linking_again_asks_nothing_and_new_documents_are_linked(linked, tools):
    again = link(linked, *tools)
    assert (again.unchanged, again.links, again.queries) == (4, 0, 0)
    more = page("Later", "Anke Sol is an actress.", mentions=("Anke Sol",))
    linked.add(batch(more))
    later = link(linked, *tools)
    assert (later.unchanged, later.links) == (4, 1)
    assert means(linked)["Later", "anke sol"] == "Q9000007"


def test_an_endpoint_that_fails_leaves_what_was_linked(linked, tools):
    before, more = means(linked), page("Later", "Anke Sol sings.", mentions=("Anke Sol",))
    linked.add(batch(more))
    tools[0].endpoint.offline = True
    with pytest.raises(EndpointUnavailable):
        link(linked, *tools)
    assert means(linked) == before


@pytest.mark.parametrize("at", [3, 4])
def test_an_interrupted_run_leaves_whole_documents_and_goes_on(
    store, tools, encoder, monkeypatch, at
):
    monkeypatch.setattr(linking, "CHUNK", 1)
    store.add(batch(EARLY, LATE, PLAIN, FULL))
    asked, ask = [0], Endpoint.ask

    def interrupted(self, name, **values):
        asked[0] += 1
        if asked[0] == at:
            raise KeyboardInterrupt
        return ask(self, name, **values)

    with monkeypatch.context() as patched:
        patched.setattr(Endpoint, "ask", interrupted)
        with pytest.raises(KeyboardInterrupt):
            link(store, *tools)
    assert store.maintenance.problems() == []
    assert link(store, *tools).unchanged == 1  # each takes two queries
    whole = store.wikidata.item_ids(), means(store)
    assert link(store, *tools, again=True).links == len(means(store))
    assert (store.wikidata.item_ids(), means(store)) == whole


def test_statements_come_with_ranks_qualifiers_precision_and_units(linked, tools):
    assert state(linked, *tools) == len(linked.wikidata.claims(linked.wikidata.item_ids()))
    claims = linked.wikidata.claims_about(["vaagur"])
    mayors = {(c.value, c.rank, c.start, c.end) for c in claims if c.pid == "P6"}
    assert mayors == {
        ("Ada Thorkil", "preferred", "2019", ""),
        ("Jens Thorkil", "normal", "2007-03", "2018-12-31"),
    }
    [people] = [c for c in claims if c.pid == "P1082"]
    assert (people.value, people.point_in_time) == ("4200", "2021")
    born = [c.value for c in linked.wikidata.claims(["Q9000003"]) if c.pid == "P569"]
    assert born == ["1899-05-02"]
    died = [c.value for c in linked.wikidata.claims(["Q9000004"]) if c.pid == "P570"]
    assert died == ["1980"]
    # Somebody unknown, and identifiers, are no claims.
    assert [c.value for c in linked.wikidata.claims(["Q9000003"]) if c.pid == "P26"] == [
        "Odo Brandt"
    ]
    assert [c.pid for c in linked.wikidata.claims(["Q9000001"])] == ["P57"]


def test_statements_of_some_properties_alone(linked, tools):
    assert state(linked, *tools, pids=["P569"]) == 1


# -- the command line


@pytest.fixture
def files(run, tmp_path, oxigraph, monkeypatch):
    monkeypatch.setenv("HOPTRAIL_SPARQL", oxigraph)
    (tmp_path / "docs").mkdir()
    for one in (EARLY, LATE):
        (tmp_path / "docs" / f"{one.title}.txt").write_text(f"{one.title}\n\n{one.texts[0]}\n")
    assert run("ingest", "docs")[0] == 0
    return run


def test_link_show_and_undo(files):
    status, _, said = files("link", "--statements")
    assert status == 0
    assert "names linked" in said
    _, shown, _ = files("show", "Vaagur", "--json")
    [entity, *_] = json.loads(shown)["found"] if "found" in json.loads(shown) else json.loads(shown)
    assert entity["wikidata"][0]["description"] == "town on the northern coast"
    assert any("Ada Thorkil" in part for claim in entity["claims"] for part in claim)
    assert ["was born in", "place of birth (P19)", "its name"] in entity["properties"]
    status, out, _ = files("link", "--json")
    assert (status, json.loads(out)["unchanged"], json.loads(out)["queries"]) == (0, 2, 0)
    for sources, pids in (((), ["P6"]), (("--sources", "documents"), [])):
        _, out, _ = files("search", "Who is mayor of Vaagur?", *sources, "--json")
        told = [one["wikidata"] for one in json.loads(out)["passages"]]
        assert [one["pid"] for one in told if one][:1] == pids
    assert files("doctor")[0] == 0
    for name in ("graph.jsonl", "graph.ttl"):
        assert files("export", name)[0] == 0
        assert files("--graph", f"{name}.db", "import", name)[0] == 0
        assert files("--graph", f"{name}.db", "show", "Vaagur", "--json")[1] == shown
    assert files("link", "--undo")[0] == 0
    assert not {"Q9000010", "(P19)"} & set(files("show", "Vaagur")[1].split())


def test_offline_without_answers_is_an_error(files, monkeypatch):
    status, _, said = files("link", "--offline")
    assert status == 1
    assert "HOPTRAIL_OFFLINE" in said


def test_what_is_no_property_is_refused(files):
    assert files("link", "--statements", "Q42")[0] == 2


def test_the_graph_tells_what_it_keeps_without_an_endpoint(linked, tools, encoder):
    state(linked, *tools)
    kept = KeptKnowledge(linked.wikidata, encoder.encode_queries)
    mayor = kept.tails("Vaagur", "head of government")
    # The preferred statement alone: the others were true once.
    assert [tail.text for tail in mayor.tails] == ["Ada Thorkil"]
    assert mayor.endpoint == tools[0].endpoint.url
    [born] = kept.tails(["Q9000003"], "place of birth").tails
    assert (born.text, born.id) == ("Vaagur", "Q9000010")
    # What the other one states: Q9000003 is the spouse of him.
    of_him = kept.tails(["Q9000004"], "spouse")
    assert ([tail.id for tail in of_him.tails], of_him.inverse) == (["Q9000003"], True)
    assert kept.tails("Vaagur", "is") is None
    assert kept.tails("Nobody", "father") is None


def test_ask_takes_from_the_endpoint_itself_what_no_document_says(files, monkeypatch):
    question = ("ask", "Where did the father of Ilse Marn die?", "--json", "--method")
    spec = "semi_structured:kg=own+sparql:sources=kg"
    status, out, _ = files(*question, spec)
    told = json.loads(out)
    steps = [step for chain in told["chains"] for step in chain["triples"]]
    assert (status, told["answer"]) == (0, "Vaagur")
    assert [step["tail"] for step in steps] == ["Karl Marn", "Vaagur"]
    assert [step["wikidata"]["pid"] for step in steps] == ["P22", "P20"]
    assert files("show", told["id"], "--json")[0] == 0  # recorded, without what no graph keeps
    assert json.loads(files(*question, spec, "--sources", "documents")[1])["abstained"]
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}/query"
    monkeypatch.setenv("HOPTRAIL_SPARQL", url)
    status, _, said = files(*question, spec)
    assert status != 0
    assert url in said  # which is not "nothing is stated"
