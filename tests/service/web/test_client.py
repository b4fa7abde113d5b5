"""The client for Python, both kinds, and the command line with a service as its graph."""

import asyncio
import json
import sys

import pytest
from click.testing import CliRunner

from hoptrail.client import AsyncClient, Client
from hoptrail.kg.errors import BadRequest, DeadlinePassed, HoptrailError, NotFound, StoreUnavailable
from hoptrail.service.cli import app

from .conftest import QUESTION


@pytest.fixture
def url(service):
    return str(service.base_url)


@pytest.fixture
def client(url):
    with Client(url) as client:
        yield client


def test_a_service_is_asked_as_a_graph_is(client):
    assert client.ask(QUESTION)["answer"] == "Vaagur"
    names = [name for name, _ in client.steps(QUESTION, settings={"beams": 1})]
    assert names[0] == "started"
    assert names[-1] == "answer"
    assert client.search("theatre", limit=1)["passages"][0]["title"] == "Vaagur"
    assert client.show("Runa Eide")["found"][0]["kind"] == "entity"


def test_documents_are_sent_watched_and_removed(client, tmp_path):
    file = tmp_path / "Mole.txt"
    file.write_text("The mole of Kolka is long.")
    *_, job = client.job(client.send(file)["id"])
    assert job["state"] == "done"
    *_, job = client.job(client.send_text("Quay", "The quay is short.")["id"])
    assert job["state"] == "done"
    there = {one["title"]: one["id"] for one in client.documents()}
    client.remove(there["Mole"])
    client.remove(there["Quay"])
    assert {"Mole", "Quay"}.isdisjoint(one["title"] for one in client.documents())


def test_documents_are_those_that_fulfil_conditions(client):
    assert [one["title"] for one in client.documents("title=Salt")] == ["Salt"]
    both = client.documents(["source=notes", "title!~salt"])
    assert [one["title"] for one in both] == ["Runa Eide", "Vaagur"]
    with pytest.raises(NotFound, match="title=Nobody"):
        list(client.documents("title=Nobody"))


def test_errors_are_those_of_the_graph(client, waiting):
    with pytest.raises(NotFound):
        client.show("nothing of that name")
    with pytest.raises(HoptrailError):
        client.answer("../stats")  # an id, and no way to what is beside the answers
    with pytest.raises(BadRequest, match="beams"):
        client.ask(QUESTION, settings={"beams": 300})
    with pytest.raises(BadRequest, match="language model"):
        list(client.steps(QUESTION, method="rag"))
    with Client(str(waiting.base_url)) as slow, pytest.raises(DeadlinePassed):
        slow.ask(QUESTION, method="rag", timeout=0.2)
    with Client("http://127.0.0.1:9") as nobody, pytest.raises(StoreUnavailable, match="answer"):
        nobody.ask(QUESTION)
    for wrong in ("notes.db", "neo4j://localhost", "http://"):
        with pytest.raises(BadRequest):
            Client(wrong)


def test_the_same_for_asyncio(url, tmp_path):
    async def main():
        async with AsyncClient(url) as client:
            answer, found, shown = await asyncio.gather(
                client.ask(QUESTION), client.search("theatre"), client.show("Runa Eide")
            )
            names = [name async for name, _ in client.steps(QUESTION)]
            states = [
                job["state"]
                async for job in client.job(
                    (await client.send_text("Buoy", "The buoy is red."))["id"]
                )
            ]
            titles = {one["title"]: one["id"] async for one in client.documents()}
            await client.remove(titles["Buoy"])
            with pytest.raises(NotFound):
                await client.remove(titles["Buoy"])
        return (
            answer["answer"],
            found["passages"][0]["title"],
            shown["found"][0]["kind"],
            names[-1],
            states,
        )

    *said, states = asyncio.run(main())
    assert said == ["Vaagur", "Vaagur", "entity", "answer"]
    assert states[-1] == "done"


def run(monkeypatch, *arguments):
    class Program:
        name = "hoptrail"

        def main(self, **_):
            app.main()

    monkeypatch.setattr(sys, "argv", ["hoptrail", *arguments])
    return CliRunner().invoke(Program(), [])


def test_the_command_line_takes_a_service_for_its_graph(url, monkeypatch):
    asked = run(
        monkeypatch, "ask", QUESTION, "--graph", url, "--steps", "--method", "trace:beams=2"
    )
    assert asked.stdout.splitlines()[0].startswith("Step 1: retrieve (hop)")
    assert "Vaagur   (confidence" in asked.stdout
    assert "“**Runa Eide** was born in **Vaagur**.”" in asked.stdout
    said = json.loads(run(monkeypatch, "ask", QUESTION, "--graph", url, "--json").stdout)
    assert said["answer"] == "Vaagur"
    assert "theatre" in run(monkeypatch, "search", "theatre", "--graph", url).stdout
    assert "Vaagur" in run(monkeypatch, "show", "Runa Eide", "--graph", url).stdout
    shown = run(monkeypatch, "show", "Runa Eide.txt", "--graph", url, "--limit", "1").stdout
    assert shown.startswith("document  Runa Eide\n")
    assert "… and" in shown
    refused = run(monkeypatch, "stats", "--graph", url)
    assert refused.exit_code == 2
    assert "ask, search and show" in refused.stderr
