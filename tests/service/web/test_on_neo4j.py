"""The service over a graph on a Neo4j server, which goes away and comes back."""

import time
from contextlib import closing
from urllib.parse import parse_qs, urlsplit

import neo4j
import pytest
from conftest import STORES, emptied
from support.chromium import executable
from support.way import Way

from hoptrail.service.web.settings import Bounds

from .conftest import QUESTION, events, served
from .test_mcp import talk, url
from .test_page import Visit
from .test_uploads import titles, upload

pytestmark = pytest.mark.one_release

BROWSER = "http://localhost:7474/browser/"


@pytest.fixture(scope="module", params=STORES[1:])
def server(request, neo4j_servers):
    address = neo4j_servers(request.param.removeprefix("neo4j-"))
    with emptied(address):
        pass
    yield address
    with emptied(address):
        pass


@pytest.fixture(scope="module")
def way(server):
    """To the server; for the service it is away while this is shut."""
    with closing(Way(server.uri)) as opened:
        yield opened


@pytest.fixture(scope="module")
def service(server, way, tmp_path_factory):
    folder = tmp_path_factory.mktemp("service")
    bounds = Bounds(threads=2, patience=0.2, niceness=0)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HOPTRAIL_NEO4J_USER", server.user)
        patched.setenv("HOPTRAIL_NEO4J_PASSWORD", server.password)
        with served(folder, graph=way.uri, browser=BROWSER, bounds=bounds) as client:
            yield client


@pytest.fixture(scope="module")
def recorded(service):
    """An answer that the graph holds."""
    with service.stream("POST", "/v1/ask/stream", json={"question": QUESTION}) as response:
        *steps, (_, said) = events(response)
    assert said["answer"] == "Vaagur"
    assert {"retrieve", "choose"} <= {step["kind"] for _, step in steps[1:]}
    end = time.monotonic() + 20
    while (shown := service.get(f"/v1/answers/{said['id']}")).status_code == 404:
        assert time.monotonic() < end
        time.sleep(0.05)
    return shown.json()


def reads(service, recorded):
    """What every route says that reads the graph."""
    passage = recorded["passages"][0]["id"]
    routes = ["search?q=theatre", "documents", "documents/id%20Vaagur", f"passages/{passage}"]
    routes += ["entities/runa%20eide", "questions", f"answers/{recorded['id']}"]
    return {r: service.get(f"/v1/{r}") for r in [*routes, "things?name=Runa%20Eide", "stats"]}


def test_every_route_reads_and_writes_there(service, recorded):
    found = reads(service, recorded)
    assert {route: one.status_code for route, one in found.items()} == dict.fromkeys(found, 200)
    assert found["search?q=theatre"].json()["passages"][0]["title"] == "Vaagur"
    assert found["questions"].json()["questions"][0]["id"] == recorded["id"]
    assert found["stats"].json()["documents"] == 4
    sent = upload(service, "Lighthouse.txt", b"Marit Lund keeps the lighthouse of Kolka.")
    assert service.done(sent.headers["location"])["state"] == "done"
    asked = {"question": "Who keeps the lighthouse of Kolka?", "record": False}
    assert service.post("/v1/ask", json=asked).json()["answer"] == "Marit Lund"
    document = titles(service)["Lighthouse"]["id"]
    assert service.delete(f"/v1/documents/{document}").status_code == 204
    assert "Lighthouse" not in titles(service)


def test_the_page_links_to_browser_with_the_query_that_shows_an_answer(
    server, service, recorded, tmp_path
):
    auth = (server.user, server.password)
    with neo4j.GraphDatabase.driver(server.uri, auth=auth) as driver:
        found = driver.execute_query(recorded["query"], result_transformer_=neo4j.Result.graph)
    labels = {label for node in found.nodes for label in node.labels}
    assert {"HoptrailAnswer", "HoptrailPassage"} <= labels
    if not executable():
        pytest.skip("there is no Chromium")
    link = 'document.querySelector("a[href*=cmd]")'
    with Visit(tmp_path) as page:
        page.visit(service, f"/#/answers/{recorded['id']}")
        page.until(f"!!{link}")
        href = page.run(f"{link}.href")
    assert href.startswith(BROWSER)
    assert parse_qs(urlsplit(href).query) == {"cmd": ["edit"], "arg": [recorded["query"]]}


@pytest.mark.filterwarnings("ignore:.*does not answer")
def test_an_outage_is_said_and_loses_nothing_that_was_accepted(way, service, recorded):
    way.close()
    for route, found in reads(service, recorded).items():
        said = (found.status_code, found.json()["type"])
        assert said == (503, "/problems/store-unavailable"), route
        assert found.headers["retry-after"]
        assert way.uri not in found.text
    assert service.post("/v1/ask", json={"question": QUESTION}).status_code == 503
    with service.stream("POST", "/v1/ask/stream", json={"question": QUESTION}) as response:
        assert list(events(response))[-1][1]["type"] == "/problems/store-unavailable"

    async def count(client):
        return await client.call_tool("stats", {})

    assert talk(url(service), count).is_error
    assert service.delete("/v1/documents/id%20Vaagur").status_code == 503
    assert service.get("/health").status_code == 200
    assert service.get("/ready").status_code == 503
    location = upload(service, "Buoy.txt", b"The buoy of Kolka is red.").headers["location"]
    while (job := service.get(location).json())["state"] == "queued" and not job["problem"]:
        time.sleep(0.05)  # until it was tried, or is being tried
    way.open()
    end = time.monotonic() + 60
    while service.get("/ready").status_code != 200:
        assert time.monotonic() < end
        time.sleep(0.2)
    assert service.post("/v1/ask", json={"question": QUESTION}).json()["answer"] == "Vaagur"
    assert service.done(location)["state"] == "done"
    assert {"Buoy", "Vaagur"} <= set(titles(service))
