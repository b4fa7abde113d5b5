"""The command line, run in this process."""

import sys

import pytest
from click.testing import CliRunner

from hoptrail.service.cli import main


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
