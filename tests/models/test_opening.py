import pytest

from hoptrail.kg.errors import BadRequest, ModelUnavailable
from hoptrail.models.cache import Cached
from hoptrail.models.opening import open_model
from hoptrail.models.server.model import OpenAIServer


@pytest.fixture(autouse=True)
def no_settings(monkeypatch, tmp_path):
    for name in ("HOPTRAIL_REPLAY", "HOPTRAIL_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOPTRAIL_CACHE", str(tmp_path))


@pytest.mark.parametrize("spec", [None, "", "none", " None "])
def test_no_model(spec):
    assert open_model(spec) is None


def test_a_server_with_its_key_and_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("HOPTRAIL_API_KEY", "sk-1")
    model = open_model("openai:http://localhost:8080/v1#qwen")
    assert isinstance(model, Cached)
    assert isinstance(model.model, OpenAIServer)
    assert (model.model.url, model.name, model.model.key) == (
        "http://localhost:8080/v1",
        "qwen",
        "sk-1",
    )
    assert model.responses.file.parent == tmp_path
    assert not model.replay
    assert not list(tmp_path.iterdir())  # opening touches nothing


def test_without_a_cache_there_is_nothing_to_replay_from(monkeypatch):
    monkeypatch.setenv("HOPTRAIL_CACHE", "none")
    assert isinstance(open_model("openai:http://localhost:8080/v1#qwen"), OpenAIServer)
    monkeypatch.setenv("HOPTRAIL_REPLAY", "1")
    with pytest.raises(BadRequest, match="HOPTRAIL_CACHE=none"):
        open_model("openai:http://localhost:8080/v1#qwen")


def test_replay_is_a_variable(monkeypatch):
    monkeypatch.setenv("HOPTRAIL_REPLAY", "1")
    model = open_model("openai:http://localhost:8080/v1#qwen")
    assert isinstance(model, Cached)
    assert model.replay


@pytest.mark.parametrize(
    "spec", ["openai:localhost:8080", "openai:", "openai:ftp://x/v1", "openai:http://x:port", "gpt"]
)
def test_what_is_neither_file_nor_server_is_an_error_that_shows_the_forms(spec):
    with pytest.raises(BadRequest, match=r"file\.gguf, openai:http"):
        open_model(spec)


def test_a_key_in_the_url_is_refused_and_not_repeated():
    with pytest.raises(BadRequest, match="HOPTRAIL_API_KEY") as caught:
        open_model("openai:http://me:secret@host/v1#m")
    assert "secret" not in str(caught.value)


def test_a_key_in_what_is_no_url_is_not_repeated_either():
    with pytest.raises(BadRequest, match="HOPTRAIL_API_KEY") as caught:
        open_model("openai:me:secret@host/v1#m")
    assert "secret" not in str(caught.value)


def test_the_line_end_of_a_key_from_a_file_is_no_part_of_it(monkeypatch):
    monkeypatch.setenv("HOPTRAIL_API_KEY", "sk-1\r\n")
    model = open_model("openai:http://localhost:8080/v1#qwen")
    assert isinstance(model, Cached)
    assert isinstance(model.model, OpenAIServer)
    assert model.model.key == "sk-1"


def test_a_server_that_named_no_model_can_be_replayed_without_it(monkeypatch):
    spec = "openai:http://127.0.0.1:9/v1"
    recorded = open_model(spec)
    assert isinstance(recorded, Cached)
    recorded.responses.keep_model(recorded.spec, "the first", "print-1", 4096)
    monkeypatch.setenv("HOPTRAIL_REPLAY", "1")
    model = open_model(spec)
    assert model is not None
    assert (model.name, model.fingerprint, model.context_length) == ("the first", "print-1", 4096)
    with pytest.raises(ModelUnavailable, match=r"lacks the answer to this prompt of the first"):
        model.generate(["say"])


def test_an_unknown_user_or_no_home_is_a_clear_error(monkeypatch):
    model = open_model("~nobody-at-all/x.gguf")
    assert model is not None
    assert model.name == "x.gguf"

    def homeless():
        raise RuntimeError("Could not determine home directory.")

    for name in ("HOPTRAIL_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pathlib.Path.home", homeless)
    with pytest.raises(BadRequest, match="HOPTRAIL_CACHE"):
        open_model("x.gguf")
