import pytest

from hoptrail.kg.errors import BadRequest
from hoptrail.models.cache import Cached
from hoptrail.models.openai_server import OpenAIServer
from hoptrail.models.opening import open_model


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
