"""What a file's first decode does to a child process, on real llama.cpp."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from support.gguf_model import quantised, write_model

from hoptrail.kg.errors import ModelMissing
from hoptrail.models.language import Decoding
from hoptrail.models.llama.model import LlamaCpp

pytestmark = pytest.mark.skipif(os.name != "posix", reason="children end by signals there")
ONE = Decoding(max_tokens=1)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return quantised(write_model(tmp_path_factory.mktemp("m") / "m.gguf", width=256), "Q8_0")


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("HOPTRAIL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def suited(file):
    """Skips where the host denies instructions that llama.cpp was built with, as some do AMX."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOPTRAIL_CACHE", "none")
        if not LlamaCpp(file).repacked:
            pytest.skip("here llama.cpp's build ends the process with repacked weights")


@pytest.fixture
def children(monkeypatch, tmp_path):
    """Says what Python children do first; `wanted` is what they are to load. Gives how many ran."""
    folder = tmp_path / "site"
    folder.mkdir()
    ran = folder / "ran"

    def do(code: str):
        (folder / "sitecustomize.py").write_text(
            "import json, os, signal, sys, time\n"
            "if sys.orig_argv[-1].startswith('{'):\n"
            f"    open({str(ran)!r}, 'a').write('.')\n"
            "    wanted = json.loads(sys.orig_argv[-1])\n" + textwrap.indent(code, "    ")
        )
        monkeypatch.syspath_prepend(str(folder))
        return lambda: len(ran.read_text()) if ran.exists() else 0

    return do


DIES = "if wanted['repack']: os.kill(os.getpid(), signal.SIG{})"


@pytest.mark.usefixtures("suited")
def test_what_runs_is_tried_once(file, children, cache):
    ran = children("")
    for _ in range(2):
        assert LlamaCpp(file).generate(["Bergen"], ONE)
        assert LlamaCpp(file).repacked
    assert ran() == 1
    assert cache.exists()


@pytest.mark.parametrize("name", ["SEGV", "ILL", "ABRT"])
def test_where_repacked_weights_end_the_process_they_are_left_out_and_that_is_said(
    file, children, name
):
    ran = children(DIES.format(name))
    with pytest.warns(UserWarning, match=rf"SIG{name}.*without repacked weights.*GGML_NATIVE=off"):
        first = LlamaCpp(file).generate(["Bergen"], ONE)
    again = LlamaCpp(file)  # remembered, and not said again
    assert again.generate(["Bergen"], ONE) == first
    assert not again.repacked
    assert ran() == 2


def test_where_it_ends_either_way_the_cause_and_the_next_step_are_told(file, children):
    children("os.kill(os.getpid(), signal.SIGILL)")
    with pytest.raises(ModelMissing, match=r"SIGILL.*pip install --force-reinstall"):
        LlamaCpp(file).generate(["Bergen"], ONE)


def test_repack_false_is_not_tried_with_repacked_weights(file, children):
    ran = children(DIES.format("SEGV"))
    model = LlamaCpp(file, repack=False)
    assert model.generate(["Bergen"], ONE)
    assert not model.repacked
    assert ran() == 1


def test_weights_that_nothing_repacks_are_not_tried(gguf_file, children):
    ran = children("os.kill(os.getpid(), signal.SIGSEGV)")
    for path in (gguf_file, quantised(gguf_file, "F16")):
        assert LlamaCpp(path).generate(["Bergen"], ONE)
    assert ran() == 0


def test_want_of_memory_is_not_remembered(file, children):
    ran = children(DIES.format("KILL"))
    for _ in range(2):
        with pytest.warns(UserWarning, match="SIGKILL"):
            assert LlamaCpp(file).generate(["Bergen"], ONE)
    assert ran() == 4


@pytest.mark.usefixtures("suited")
def test_a_trial_that_is_ended_from_outside_tells_nothing_of_the_file(file, children):
    children("os.kill(os.getpid(), signal.SIGTERM)")
    with pytest.raises(ModelMissing, match="ended by SIGTERM"):
        LlamaCpp(file).generate(["Bergen"], ONE)
    children("")
    assert LlamaCpp(file).repacked


@pytest.mark.usefixtures("suited")
def test_where_nothing_is_kept_every_process_tries(file, children, monkeypatch):
    monkeypatch.setenv("HOPTRAIL_CACHE", "none")
    ran = children("")
    for _ in range(2):
        assert LlamaCpp(file).repacked
    assert ran() == 2


@pytest.mark.usefixtures("suited")
def test_ctrl_c_in_a_trial_leaves_nothing_behind(file, children, tmp_path):
    ran = children("time.sleep(60)")
    script = f"""
        import signal
        from hoptrail.models.llama.model import LlamaCpp
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job may ignore it
        LlamaCpp({str(file)!r}).count_tokens("x")
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,  # as in a terminal: all of it is interrupted
        stderr=subprocess.PIPE,
        text=True,
    )
    while not ran():
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT
    assert "KeyboardInterrupt" in said
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)  # no child lives on
    children("")
    assert LlamaCpp(file).repacked
