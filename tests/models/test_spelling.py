"""A model and its settings in one word: `file.gguf:context=16384`, `openai:URL#name:top=42`."""

import re
import shutil
from pathlib import Path

import pytest
from support.gguf_model import CHAT_TEMPLATE, write_model

from hoptrail.kg.errors import BadRequest
from hoptrail.models.cache import Cached
from hoptrail.models.language import Decoding, reserved
from hoptrail.models.llama.model import LlamaCpp
from hoptrail.models.opening import open_model
from hoptrail.models.server.model import OpenAIServer
from hoptrail.models.spelling import KINDS, defaults, kind_of

DOCS = Path(__file__).parents[2] / "docs" / "models.md"


@pytest.fixture(autouse=True)
def no_settings(monkeypatch, tmp_path):
    for name in ("HOPTRAIL_REPLAY", "HOPTRAIL_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOPTRAIL_CACHE", str(tmp_path / "cache"))


def opened(spec):
    model = open_model(spec)
    assert isinstance(model, Cached)
    return model.model


def test_the_settings_of_a_file():
    spec = "m.gguf:context=16384:gpu_layers=20:threads=8:chat=false:flash_attention=true"
    made = opened(spec)
    assert isinstance(made, LlamaCpp)
    assert (made.path, made.context, made.gpu_layers) == (Path("m.gguf"), 16384, 20)
    assert (made.threads, made.chat, made.flash_attention) == (8, False, True)
    assert made.name == "m.gguf"


def test_the_settings_of_a_server():
    spec = "openai:http://localhost:8000/v1#qwen2.5:7b:top=42:in_flight=3:timeout=600:thinking=on"
    made = opened(f"{spec}:leave_out=temperature+seed")
    assert isinstance(made, OpenAIServer)
    assert (made.url, made.model) == ("http://localhost:8000/v1", "qwen2.5:7b")
    assert (made.top, made.in_flight, made.timeout, made.thinking) == (42, 3, 600.0, "on")
    assert made.leave_out == ("temperature", "seed")
    assert made._requests.timeout == 600.0
    assert open_model(spec).in_flight == 3  # the cache asks side by side as well


@pytest.mark.parametrize(
    ("spec", "url", "name"),
    [
        ("openai:http://localhost:8000/v1", "http://localhost:8000/v1", ""),
        ("openai:http://localhost:8000/v1:top=5", "http://localhost:8000/v1", ""),
        ("openai:https://h/v1?api-version=3#m:latest", "https://h/v1?api-version=3", "m:latest"),
    ],
)
def test_other_colons_stay_where_they_are(spec, url, name):
    made = opened(spec)
    assert isinstance(made, OpenAIServer)
    assert (made.url, made.model) == (url, name)


@pytest.mark.parametrize("path", ["C:\\models\\m.gguf", "a=b:c.gguf", "./at:noon.gguf"])
def test_colons_of_a_path_are_no_settings(path):
    made = opened(f"{path}:threads=2")
    assert isinstance(made, LlamaCpp)
    assert (str(made.path), made.threads) == (str(Path(path)), 2)


def test_a_file_that_is_called_like_a_setting_still_opens(gguf_file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(gguf_file, "odd:context=5")
    made, set_ = opened("odd:context=5"), opened("odd:context=5:context=64")
    assert (made.name, made.context_length, set_.context_length) == ("odd:context=5", 2048, 64)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("m.gguf:contxt=5", "no setting 'contxt'; there are: context, gpu_layers, threads"),
        ("m.gguf:context=long", "context of file.gguf takes a whole number, not 'long'"),
        ("m.gguf:context=5:context=6", "sets context twice"),
        ("m.gguf:context=0", "context of a GGUF file is at least 1, not 0"),
        ("m.gguf:path=x", "no setting 'path'"),
        ("openai:http://h/v1#m:key=x", "no setting 'key'; there are: in_flight, context, top"),
        ("openai:http://h/v1#m:thinking=a_little", "takes one of off, on, not 'a_little'"),
        ("openai:http://h/v1#m:leave_out=messages", "temperature, stop, seed, logprobs"),
        ("openai:http://h/v1#m:in_flight=0", "At least one request"),
    ],
)
def test_what_can_not_be_set_is_named_with_what_can(spec, says):
    with pytest.raises(BadRequest) as error:
        open_model(spec)
    assert says in str(error.value)


def test_settings_reach_llama_cpp(tmp_path):
    file = write_model(tmp_path / "m.gguf", layers=1, width=32, heads=2, template=CHAT_TEMPLATE)
    chat, plain = opened(f"{file}:context=256:threads=1"), opened(f"{file}:chat=false")
    assert (chat.context_length, plain.context_length) == (256, 2048)
    greedy = Decoding(max_tokens=8)
    assert chat.generate(["Where?"], greedy) != plain.generate(["Where?"], greedy)


def test_the_tokens_of_a_template_are_measured(tmp_path):
    """As of Mistral-Small, whose template has a long system prompt."""
    system = "You are a model of somebody. " * 40
    long = write_model(
        tmp_path / "long.gguf", layers=1, width=32, heads=2, template=system + CHAT_TEMPLATE
    )
    model = opened(str(long))
    for prompt in ("Where?", "Who was born in Ulm, and when?"):
        [said] = model.generate([prompt], Decoding(max_tokens=1))
        taken = said.tokens_in - model.count_tokens(prompt)
        assert taken <= reserved(model) <= taken + 4
    assert reserved(model) > 500
    assert reserved(opened(f"{long}:chat=false")) < 10


def test_the_page_lists_every_setting_with_its_default():
    page = DOCS.read_text(encoding="utf-8")
    for form in KINDS:
        rows = page.partition(f"`{form}` takes")[2].partition("\n\n|")[2].partition("\n\n")[0]
        listed = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", rows, re.MULTILINE))
        told = {name: f"`{value}`" if value else "" for name, value in defaults(form).items()}
        assert {name: text.strip() for name, text in listed.items()} == told
        assert kind_of(form).__doc__


def test_another_setting_is_another_run_to_replay(monkeypatch, gguf_file):
    model = open_model(f"{gguf_file}:context=256")
    assert model is not None
    assert model.context_length == 256
    monkeypatch.setenv("HOPTRAIL_REPLAY", "1")
    again = open_model(f"elsewhere/{gguf_file.name}:context=256")
    assert again is not None
    assert again.context_length == 256
