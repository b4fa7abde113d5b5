"""The tools of assistants, asked by the official client over HTTP and stdio."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest
from llama_cpp.llama_grammar import json_schema_to_gbnf
from mcp import Client, StdioServerParameters
from support.processes import python_path

from hoptrail.models.language import Decoding, OutputForm
from hoptrail.models.llama.model import LlamaCpp

from .conftest import QUESTION

SMALL = Path(__file__).parents[3] / "benchmarks" / "world_model" / "world-model-q8_0.gguf"


def url(service):
    return str(service.base_url).rstrip("/") + "/mcp"


def talk(where, conversation, **how):
    async def main():
        async with Client(where, **how) as client:
            return await conversation(client)

    return asyncio.run(main())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_tools_return_evidence(service, mode):
    told = []

    async def ask(client):
        tools = (await client.list_tools()).tools

        async def progress(done, total, message):
            told.append(message)

        said = await client.call_tool("ask", {"question": QUESTION}, progress_callback=progress)
        return tools, said.structured_content

    tools, said = talk(url(service), ask, mode=mode)
    assert {tool.name for tool in tools} == {"ask", "search", "show", "stats"}
    assert all(tool.annotations.read_only_hint and tool.output_schema for tool in tools)
    assert said["answer"] == "Vaagur"
    assert [hop["tail"] for hop in said["chain"]] == ["Runa Eide", "Vaagur"]
    first = said["chain"][0]["stated"][0]
    assert first["sentence"] == "The Salt Lantern was directed by Runa Eide."
    assert first["source"] == "The Salt Lantern.txt"
    assert "Vaagur" in said["read_in"]["sentence"]
    assert said["read_in"]["source"] == "Runa Eide.txt"
    assert told
    assert told[0].startswith("retrieve")


def test_an_abstention_asserts_nothing(service):
    async def ask(client):
        asked = {"question": "Where was the composer of Carmen born?"}
        return (await client.call_tool("ask", asked)).structured_content

    said = talk(url(service), ask)
    assert said["abstained"]
    assert said["answer"] is None
    assert said["missing"]


def test_search_and_show_find_what_there_is_and_say_what_there_is_not(service):
    async def look(client):
        found = await client.call_tool("search", {"query": "theatre", "limit": 1})
        shown = await client.call_tool("show", {"name": "Runa Eide"})
        missing = await client.call_tool("show", {"name": "/etc/passwd"})
        wrong = await client.call_tool("search", {"query": "", "limit": 1000})
        long = await client.call_tool("ask", {"question": "x" * 4001})
        [hit] = found.structured_content["passages"]
        passage = await client.read_resource(f"hoptrail://passage/{hit['id']}")
        return hit, shown.structured_content, missing, wrong, long, passage

    hit, shown, missing, wrong, long, passage = talk(url(service), look)
    assert hit["title"] == "Vaagur"
    assert shown["found"][0]["kind"] == "entity"
    assert missing.is_error
    assert "Nothing called '/etc/passwd' in the graph." in missing.content[0].text
    assert wrong.is_error
    assert long.is_error
    assert "at most 4,000" in long.content[0].text
    assert json.loads(passage.contents[0].text)["title"] == "Vaagur"


def test_a_model_of_llama_cpp_can_be_held_to_what_the_tools_take(service):
    """As its servers do that call tools: an argument's schema becomes a grammar."""

    async def listed(client):
        return (await client.list_tools()).tools

    model = LlamaCpp(SMALL)
    try:
        for tool in talk(url(service), listed):
            form = OutputForm(json_schema_to_gbnf(json.dumps(tool.input_schema)), r"(?s).*")
            [said] = model.generate([tool.name], Decoding(form=form, max_tokens=3))
            assert said.text.startswith("{"), tool.name
    finally:
        model.close()


def test_no_more_is_shown_than_an_assistant_takes(service, monkeypatch):
    def shown(most):
        async def look(client):
            return (await client.call_tool("show", {"name": "Runa Eide"})).structured_content

        monkeypatch.setattr("hoptrail.service.web.mcp.MAX_SHOWN", most)
        found = talk(url(service), look)
        return [one["kind"] for one in found["found"]], found["cut"], found["found"]

    kinds, cut, every = shown(40_000)
    assert (kinds, cut) == (["entity", "document"], False)
    kinds, cut, some = shown(len(json.dumps(every[0], ensure_ascii=False)))
    assert (kinds, cut, some) == (["entity"], True, every[:1])
    assert shown(10)[2] == [{"kind": "entity", "id": "runa eide"}]  # at least its name


def test_the_same_tools_over_standard_input(service):
    """With the graph of the service: its encoder is another, which the tool says."""
    graph = str(service.hop.store.where)
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "hoptrail", "--graph", graph, "mcp"],
        env={**os.environ, "PYTHONPATH": python_path(), "OMP_NUM_THREADS": "1"},
    )

    async def look(client):
        counts = await client.call_tool("stats", {})
        refused = await client.call_tool("ask", {"question": QUESTION})
        return counts.structured_content, refused

    counts, refused = talk(command, look)
    assert counts["documents"] >= 4
    assert refused.is_error
    assert "encoder" in refused.content[0].text
