"""The command line, run in this process; methods measured in the made-up world."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.fakes import WordEncoder
from world import SymbolicReader, World, fill, pages, questions

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.reasoning.evaluation.runs.results import AnswerResult
from hoptrail.service.cli.app import main
from hoptrail.service.evaluation.answers import RunPlan, measure_answers
from hoptrail.service.hoptrail import Hoptrail


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs `hoptrail ARGUMENTS` in an empty folder: (exit status, stdout, stderr).

    `stdin`: bytes on standard input.
    """
    monkeypatch.chdir(tmp_path)
    for name in ("HOPTRAIL_GRAPH", "HOPTRAIL_MODEL", "HOPTRAIL_REPLAY", "HOPTRAIL_PROMPTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOPTRAIL_CACHE", str(tmp_path / "cache"))

    def invoke(*arguments: str, stdin: bytes | None = None):
        monkeypatch.setattr(sys, "argv", ["hoptrail", *arguments])
        result = CliRunner().invoke(_Program(), [], input=stdin)
        assert "Traceback" not in result.output
        return result.exit_code, result.stdout, result.stderr

    return invoke


class _Program:
    """Lets the runner capture `main`, which handles errors itself."""

    name = "hoptrail"

    def main(self, **_: object) -> None:
        main()


@dataclass(frozen=True)
class Bench:
    """The made-up world's graph, and a file "dev.jsonl" of eight of its questions, q0 to q7."""

    graph: Path
    data: Path

    def measured(self, folder, model=None, methods=("rag",), **setting) -> list[AnswerResult]:
        tools = Hoptrail(self.graph, encoder=WordEncoder(256), model=model or SymbolicReader())
        how = RunPlan(**{"retriever": "dense", "own": False, "fixed_graph": True, **setting})
        return measure_answers(tools, [self.data], methods, how, folder)


@pytest.fixture(scope="session")
def bench(tmp_path_factory) -> Bench:
    folder, world = tmp_path_factory.mktemp("bench"), World.made()
    with SqliteStore(folder / "world.db") as store:
        fill(store, pages(world), WordEncoder(256), SymbolicReader())
    asked = [q for q in questions(world) if q.type == "chain" and q.hops == 2][:6]
    asked += [q for q in questions(world) if q.type == "unanswerable"][:2]
    records = [
        {"id": f"q{n}", "question": q.text, "answer": q.answer, "answerable": bool(q.answer)}
        for n, q in enumerate(asked)
    ]
    data = folder / "dev.jsonl"
    data.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return Bench(folder / "world.db", data)
