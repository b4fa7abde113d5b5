"""OpenAIServer against a real one: llama-cpp-python's, on a small random model."""

import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import numpy as np
import pytest
from support.gguf_model import CHAT_TEMPLATE, write_model

from hoptrail.kg.errors import BadRequest, ModelUnavailable
from hoptrail.models.language import Decoding, OutputForm
from hoptrail.models.server.model import OpenAIServer

WORD = OutputForm('root ::= "<" [a-z] [a-z]? ">"', "<[a-z][a-z]?>")


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    file = write_model(folder / "random.gguf", layers=1, width=32, heads=2, template=CHAT_TEMPLATE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(file), "--model_alias"]
    command += ["random", "--port", str(port), "--n_ctx", "1024", "--logits_all", "true"]
    command += ["--api_key", "secret", "--n_threads", "1"]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}/v1"
        _await(address, process, folder / "log")
        yield address
    finally:
        process.terminate()
        process.wait(20)


def _await(url: str, process: subprocess.Popen, log: Path) -> None:
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            if httpx.get(f"{url}/models").status_code in (200, 401):
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    pytest.fail(f"The server did not start: {log.read_text()[-2000:]}")


@pytest.fixture
def model(url):
    model = OpenAIServer(url, "random", "secret", in_flight=2)
    yield model
    model.close()


def test_it_completes_and_counts(model):
    said = model.generate(["Say something.", "Say more."], Decoding(max_tokens=5, seed=1))
    assert all(completion.finish == "length" for completion in said)
    assert all(0 < completion.tokens_out < 30 for completion in said)  # it counts bytes anew
    assert all(completion.tokens_in > 10 for completion in said)


def test_the_same_seed_says_the_same(model):
    first, again = (
        model.generate(["Say something."], Decoding(max_tokens=8, temperature=0.8, seed=7))
        for _ in range(2)
    )
    assert first[0].text == again[0].text


def test_it_keeps_to_a_grammar(model):
    said = model.generate(
        ["Say a word."] * 8, Decoding(form=WORD, max_tokens=8, temperature=1.0, seed=3)
    )
    assert all(re.fullmatch(WORD.pattern, completion.text) for completion in said)


def test_it_chooses(model):
    chosen = model.choose("Which? ", ["A. yes B. no", "A. no B. yes"], ["A", "B"])
    assert chosen.log_probabilities.shape == (2, 2)
    np.testing.assert_allclose(np.exp(chosen.log_probabilities).sum(axis=1), 1)


def test_tokens_are_counted_by_the_server(model):
    one, two = model.count_tokens("Bergen"), model.count_tokens("Bergen Bergen")
    assert one < two < 20


def test_a_wrong_key_is_refused_and_not_shown(url):
    model = OpenAIServer(url, "random", "wrong-key")
    with pytest.raises(ModelUnavailable, match="HOPTRAIL_API_KEY was refused") as caught:
        model.generate(["Say something."])
    assert "wrong-key" not in str(caught.value)
    model.close()


def test_a_prompt_beyond_the_context_is_refused_with_the_lengths(url):
    model = OpenAIServer(url, "random", "secret", context=1024)
    with pytest.raises(BadRequest, match=r"The prompt has [\d,]+ tokens .* is 1,024 tokens"):
        model.generate(["word " * 2000], Decoding(max_tokens=8))
    model.close()
