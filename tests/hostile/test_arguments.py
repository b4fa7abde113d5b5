"""Made-up arguments of every command, words of retrievers and methods: a result or a reason, soon.

What fails says why in a line and writes nothing. HOPTRAIL_TEST_EXAMPLES multiplies how many are
tried.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import CliRunner
from hostile.made_up import text
from support.building import WORDS, batch, page
from support.soon import soon
from world import SymbolicReader

from hoptrail.kg.errors import HoptrailError
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.reasoning.methods import check, configured
from hoptrail.reasoning.registry import METHODS, RETRIEVERS, settable
from hoptrail.reasoning.session.budget import Budget
from hoptrail.service import Hoptrail
from hoptrail.service.cli.app import cli, main

TIMES = int(os.environ.get("HOPTRAIL_TEST_EXAMPLES", "1"))
LINES = 100 * TIMES
PAGES = [page("Witness", "Quenby met Zorada.", triples=(("Quenby", "met", "Zorada"),))]
LEFT_OUT = {"serve", "mcp", "demo"}  # they listen, or make a graph of their own
VALUES = [
    *("", " ", "-", "--", "0", "1", "-1", "3", "1000000000", "1e309", "nan", "yes", "x" * 5000),
    *(".", "no/such", "hoptrail.db", "data.jsonl", "a.md", "pipe", "/dev/zero", "/dev/null"),
    *("hop", "hop:shares=0.5", "hop:shares=", "gnn:layers=1000000000", "bm25:x=1", "rerank:of=x"),
    *("ranker:file=/etc/passwd", "ranker:file=.", "ranker:file=pipe", "ranker:file=/dev/zero"),
    *("rag", "rag:max_calls=0", "trace:beams=1000000000", "none", "no.gguf", "openai:x", "openai:"),
    *("trace:chains=1", "trace:x=1", "trace:", "semi_structured:kg=own", "rag:passages=nan"),
    *("title=x", "date>", "[bold]x[/]", "\x1b[31m", "ünï", "a\nb", "bolt://localhost:1", "a=b:c=d"),
    *("http://127.0.0.1:1/", "gnn-ret", "documents+wikidata", "P31", "out.json"),
]
OWN = ("hoptrail.db", "cache")  # a graph may grow, even of an ingestion of which a part fails


# -- every command
def commands(group: click.Group, *names: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in sorted(group.commands.items()):
        if name not in LEFT_OUT:
            if isinstance(command, click.Group):
                yield from commands(command, *names, name)
            else:
                yield (*names, name), command


COMMANDS = list(commands(cli))


def arguments(random: Random, names: tuple[str, ...], command: click.Command) -> list[str]:
    """A line for a command: one time in two, every value is one that its type takes."""
    line, strange = list(names), random.random() < 0.5
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            line += random.choices(VALUES, k=random.choice((0, 1, 1, 1, 2)))
        elif random.random() < 0.25:
            line.append(random.choice([*parameter.opts, *parameter.secondary_opts]))
            if not getattr(parameter, "is_flag", False) and random.random() < 0.95:
                choices = list(getattr(parameter.type, "choices", ()))
                number = isinstance(parameter.type, click.types.IntRange | click.types.FloatRange)
                sound = choices or (["1", "2"] if number else VALUES)
                line.append(random.choice(VALUES if strange else sound))
    return line


class _Program:
    """Lets the runner capture `main`, which handles errors itself."""

    name = "hoptrail"

    def main(self, **_: object) -> None:
        main()


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Iterator[Path]:
    """A folder with a graph, a question file, a document and a pipe, and no settings around it."""
    with pytest.MonkeyPatch.context() as patch:
        place = tmp_path_factory.mktemp("arguments")
        patch.chdir(place)
        for name in [name for name in os.environ if name.startswith("HOPTRAIL_")]:
            patch.delenv(name)
        patch.setenv("HOPTRAIL_CACHE", str(place / "cache"))
        patch.setenv("HOPTRAIL_PATIENCE", "1")
        patch.setenv("HOPTRAIL_OFFLINE", "1")
        os.mkfifo(place / "pipe")
        (place / "a.md").write_text("# Ulm\n\nUlm is a city.\n")
        question = '{"question": "Who met Quenby?", "answer": "Zorada", "paragraphs": []}\n'
        (place / "data.jsonl").write_text(question)
        with Hoptrail("hoptrail.db") as hop:
            hop.ingest("a.md")
        yield place


def test_every_command_ends_with_a_result_or_a_reason(folder, monkeypatch):
    ended = set[int]()
    for number in range(LINES):
        random = Random(number)
        line = arguments(random, *COMMANDS[number % len(COMMANDS)])
        monkeypatch.setattr(sys, "argv", ["hoptrail", *line])
        before = held(folder)
        with soon(line):
            result = CliRunner().invoke(_Program(), [], input=b"")
        ended.add(result.exit_code)
        assert result.exit_code in (0, 1, 2), line
        assert "Traceback" not in result.output, line
        assert "defect in Hoptrail" not in result.output, line
        if result.exit_code:
            assert "Error: " in result.stderr or "error" in result.output, line
            assert held(folder) == before, line
    assert ended == {0, 1, 2}
    with sqlite3.connect(folder / "hoptrail.db") as graph:
        assert graph.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def held(folder: Path) -> dict[str, bytes]:
    """What lies in the folder, but for the graph and what is cached."""
    found = (one for one in folder.rglob("*") if one.is_file() or one.name.endswith(".part"))
    names = {str(one.relative_to(folder)): one for one in found}
    return {name: one.read_bytes() for name, one in names.items() if not name.startswith(OWN)}


# -- words
@pytest.fixture(scope="module")
def hop(tmp_path_factory) -> Iterator[Hoptrail]:
    with SqliteStore(tmp_path_factory.mktemp("words") / "graph.db") as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(*PAGES))
        yield Hoptrail(store, encoder=WORDS)


EXTREME = ("1000000000", "-1000000000", "0", "-1", "1e-300", "nan", "", "/dev/zero", "1+1")
ODD = ("inf", "9" * 5000, "x" * 9999, "١", "\x1b[31m", "a\nb", "\udcff", "\u2028")


def test_retrievers_of_any_settings_search_or_say_what_is_wrong(hop):
    searched = refused = 0
    for name in RETRIEVERS:
        for setting in settable(RETRIEVERS[name]):
            for word in (f"{name}:{setting}={value}" for value in EXTREME):
                try:
                    with soon(word):
                        hop.search("Who met Quenby?", retriever=word, limit=3)
                    searched += 1
                except HoptrailError:
                    refused += 1
    assert min(searched, refused) > 20


def refusal(word: str) -> str:
    """What is wrong with a method's word, in a line; "" for nothing."""
    try:
        check(configured(word)[0], SymbolicReader())
    except HoptrailError as error:
        reason = str(error)
    else:
        return ""
    assert reason.isprintable()
    assert len(reason) < 1000
    return reason


def test_methods_of_any_settings_are_made_or_say_which_is_wrong():
    words = made = 0
    with soon("words"):
        for name in METHODS:
            for field in (*settable(METHODS[name]), *settable(Budget)):
                for value in EXTREME + ODD:
                    words += 1
                    if reason := refusal(f"{name}:{field}={value}"):
                        assert field in reason
                        assert name in reason or field.startswith("max_"), reason
                    else:
                        made += 1
    assert 20 < made < words / 4


@pytest.mark.parametrize("name", ["trace", "semi_structured"])
def test_a_method_of_any_settings_answers_soon_without_a_model(hop, name):
    for field in (*settable(METHODS[name]), *settable(Budget)):
        for value in ("1", "1000", "10000"):
            with soon(word := f"{name}:{field}={value}"), suppress(HoptrailError):
                hop.ask("Who met Quenby?", method=word, record=False)


def test_words_of_any_letters_are_methods_or_none():
    names = (*METHODS, "", "hop", "TRACE", "trace ", "trace\u200b", "../trace", "x" * 9999)
    values, made = (*EXTREME, *ODD, "1", "true", "kg", "first"), 0
    for number in range(5 * LINES):
        random = Random(number)
        name = random.choice(names)
        fields = [*settable(METHODS[name if name in METHODS else "trace"]), "", "selector"]
        parts = [name]
        for _ in range(random.choice((0, 1, 1, 2, 50))):
            field, value = random.choice(fields), random.choice(values)
            parts.append(random.choice((f"{field}={value}", field, value, text(random))))
        with soon(word := ":".join(parts)):
            made += not refusal(word)
    assert LINES / 2 < made < 4 * LINES


@pytest.mark.parametrize("place", ["/etc/passwd", ".", "/dev/zero", "pipe"])
def test_a_file_of_parameters_is_a_regular_file_of_parameters(hop, place, tmp_path):
    if place == "pipe":
        os.mkfifo(place := str(tmp_path / "pipe"))
    with soon(place), pytest.raises(HoptrailError, match="train ranker") as said:
        hop.search("Who met Quenby?", retriever=f"ranker:file={place}")
    assert "root:" not in str(said.value)
