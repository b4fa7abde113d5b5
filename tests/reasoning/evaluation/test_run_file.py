"""Run files: what damages one is told, and one process at a time writes it."""

import json
import random
import subprocess
import sys
from dataclasses import replace

import pytest

from hoptrail.kg.errors import BadRequest
from hoptrail.reasoning.evaluation.runs.outcome import Outcome
from hoptrail.reasoning.evaluation.runs.run_file import RunFile, read_lines

MANIFEST = {"method": "rag", "at_once": 1}
FIRST = Outcome("q0", "Where is Ulm?", ("Danube",), True, "Danube", exact_match=1.0, f1=1.0)
EACH = [
    FIRST,
    replace(FIRST, id="q1", answer="Ürdingen\u2028\ud800", f1=0.25),
    Outcome("q2", "?", (), False),
]
HOLDS = """
import sys
from pathlib import Path
from hoptrail.reasoning.evaluation.runs.run_file import RunFile
with RunFile(Path(sys.argv[1]), {"method": "rag", "at_once": 1}):
    print("ready", flush=True)
    sys.stdin.read()
"""


def written(folder):
    file = folder / "dev-rag.jsonl"
    with RunFile(file, MANIFEST) as run:
        for one in reversed(EACH):
            run.keep(one)
        run.finish(EACH)
    return file


def test_what_was_kept_is_read_back(tmp_path):
    assert read_lines(written(tmp_path)) == EACH


def test_no_damaged_byte_passes_for_another_figure(tmp_path):
    rolled, file = random.Random(7), written(tmp_path)
    whole = file.read_bytes()
    refusals = []
    for _ in range(300):
        damaged, at = bytearray(whole), rolled.randrange(len(whole))
        damaged[at] ^= 1 << rolled.randrange(8)
        file.write_bytes(damaged)
        try:
            assert read_lines(file) in (EACH, EACH[:2])  # the last line's end is its newline
        except BadRequest as error:
            refusals.append(str(error))
    assert len(refusals) > 280
    assert all(f"{file}, line " in refusal for refusal in refusals)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("[]", "no JSON object"),
        ('{"id": "q0"}', "fields"),
        (json.dumps(FIRST.as_json()), "crc32"),
        (json.dumps({**FIRST.as_json(), "calls": 10**400}), "too large"),
        (json.dumps({**FIRST.as_json(), "f1": float("nan")}), "f1 is nan"),
    ],
)
def test_what_no_version_wrote_is_refused_with_file_and_line(tmp_path, line, says):
    file = tmp_path / "dev-rag.jsonl"
    file.write_text(f"{line}\n")
    with pytest.raises(BadRequest, match=rf"dev-rag\.jsonl, line 1 is no outcome.*{says}"):
        read_lines(file)


def test_a_second_process_is_refused_until_the_first_is_gone(tmp_path):
    file = written(tmp_path)
    before = file.read_bytes()
    first = subprocess.Popen(
        [sys.executable, "-c", HOLDS, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with first:
        assert first.stdout
        assert first.stdout.readline() == b"ready\n"
        with pytest.raises(BadRequest, match="written by another process"), RunFile(file, MANIFEST):
            pass
        first.kill()
    with RunFile(file, MANIFEST) as run:
        assert list(run.done) == ["q0", "q1", "q2"]
    assert file.read_bytes() == before


def test_a_run_of_this_process_is_let_go_also_after_an_error(tmp_path):
    file = written(tmp_path)
    good = file.read_bytes()
    file.write_bytes(b"damaged\n")
    with pytest.raises(BadRequest, match="line 1"), RunFile(file, MANIFEST):
        pass
    file.write_bytes(good)
    with RunFile(file, MANIFEST), pytest.raises(BadRequest), RunFile(file, MANIFEST):
        pass
