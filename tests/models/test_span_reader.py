"""The span reader: which stretch of a text answers a question, and what is none."""

import functools
import math
import os

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from hoptrail.kg.errors import ModelMissing
from hoptrail.models import eight_bits, span_reader, span_weights
from hoptrail.models.span_reader import SENTENCES, TEXTS, SpanReader, WeightsFile
from hoptrail.models.span_weights import layers_of

TEXT = (
    "The Lindqvist Museum stands on the harbour of Umeå, in a customs house of 1887. "
    "It opened its doors on 3 June 1951. Hamid Rezai has run it since 2021."
)
OTHER = "Rivers carry stones from the hills to the sea, and leave them where they slow down. "


@pytest.fixture(scope="module")
def reader():
    return SpanReader()


def best(scores, text):
    [(_, start, end)] = scores.best(1)
    return text[start:end]


def test_a_stretch_is_found_that_answers_in_other_words(reader):
    opened, run = (
        reader.read(question, [("About us", TEXT)])[0]
        for question in ("When was the museum opened to the public?", "Who is its director?")
    )
    assert best(opened, TEXT) == "3 June 1951"
    at = TEXT.index("Hamid Rezai")
    assert run.of(at, at + 11) > run.of(TEXT.index("Umeå"), TEXT.index("Umeå") + 4)


def test_sentences_are_read_by_twice_as_many_layers():
    of_sentences = SpanReader(SENTENCES)
    sentence = "Hamid Rezai has run it since 2021."
    [run] = of_sentences.read("Who is in charge of the museum?", [("Lindqvist Museum", sentence)])
    assert best(run, sentence) == "Hamid Rezai"
    [built] = of_sentences.read("Who built the harbour?", [("Lindqvist Museum", sentence)])
    assert built.best(1)[0][0] < 0 < run.best(1)[0][0]
    texts, sentences = (layers_of(load_file(one.packaged)) for one in (TEXTS, SENTENCES))
    assert sentences == 2 * texts


def test_texts_are_read_together_as_alone(reader):
    question, texts = "When did it open?", [("", TEXT), ("Rivers", OTHER)]
    together = reader.read(question, texts)
    for scores, text in zip(together, texts, strict=True):
        [alone] = reader.read(question, [text])
        assert np.allclose(scores.starts, alone.starts, atol=1e-3)
        assert np.allclose(scores.ends, alone.ends, atol=1e-3)
    assert together[0].best(1)[0][0] > together[1].best(1)[0][0]


def test_numbers_of_16_bits_choose_the_same(monkeypatch):
    """Where the processor has instructions for them; another computes the same more slowly."""
    whole, half = (
        read_in(monkeypatch, eight=False, kind=kind) for kind in (torch.float32, torch.bfloat16)
    )
    assert best(whole, TEXT) == best(half, TEXT) == "3 June 1951"
    assert 0 < np.abs(whole.starts - half.starts).max() < 0.3


@pytest.mark.skipif(not eight_bits.fits(), reason="no arithmetic of eight bits here")
def test_numbers_of_8_bits_choose_the_same(monkeypatch):
    whole = read_in(monkeypatch, eight=False, kind=torch.float32)
    rough = read_in(monkeypatch, eight=True, kind=torch.float32)
    assert best(whole, TEXT) == best(rough, TEXT) == "3 June 1951"
    at = whole.starts.argmax()
    assert 0 < abs(whole.starts[at] - rough.starts[at]) < 0.5


def read_in(monkeypatch, *, eight, kind):
    """Read as on a processor that has these numbers."""
    fresh = functools.lru_cache(span_reader._loaded.__wrapped__)
    with monkeypatch.context() as patched:
        patched.setattr(eight_bits, "fits", lambda: eight)
        patched.setattr(span_reader, "fastest", lambda: kind)
        patched.setattr(span_reader, "_loaded", fresh)
        return SpanReader().read("When did the museum open its doors?", [("", TEXT)])[0]


def test_the_end_of_a_long_text_is_read(reader):
    text = OTHER * 60 + TEXT
    [scores] = reader.read("When did the museum open its doors?", [("", text)])
    assert best(scores, text) == "3 June 1951"


def test_what_has_no_token_has_no_score(reader):
    [nothing] = reader.read("When?", [("Title", "")])
    assert nothing.best(3) == []
    assert nothing.of(0, 4) == -math.inf
    assert reader.read("When?", []) == []


def test_weights_read_as_they_were_written_but_for_rounding(tmp_path):
    matrix = torch.randn(8, 16)
    matrix[3] = 0
    told = {"encoder.a": matrix, "encoder.b": torch.randn(8), "head.weight": torch.randn(2, 16)}
    path = tmp_path / "spans.safetensors"
    span_weights.write_weights(told, path, {"provenance": "none"})
    known = span_weights.read_weights(path)
    step = matrix.abs().amax(1, keepdim=True) / 127
    assert ((known["encoder.a"] - matrix).abs() <= step / 2 + 1e-6).all()
    assert not known["encoder.a"][3].any()
    for name in ("encoder.b", "head.weight"):
        assert torch.allclose(known[name], told[name], rtol=1e-3, atol=1e-3)
    span_weights.write_weights(known, path, {})
    again = span_weights.read_weights(path)
    assert all(torch.allclose(again[name], known[name], atol=1e-6) for name in told)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_file_that_is_no_span_reader_is_named(tmp_path, monkeypatch):
    broken, other = tmp_path / "broken.safetensors", tmp_path / "other.safetensors"
    broken.write_bytes(b"nothing")
    packaged = load_file(TEXTS.packaged)
    save_file({n: t for n, t in packaged.items() if "head" not in n}, other)
    with pytest.raises(ModelMissing, match=r"broken\.safetensors can't be read"):
        SpanReader(WeightsFile(broken, "NONE")).load()
    monkeypatch.setitem(os.environ, "HOPTRAIL_SPANS", str(other))
    with pytest.raises(ModelMissing, match=r"other\.safetensors holds no span reader"):
        SpanReader().load()
    without_a_layer = {n: t for n, t in packaged.items() if ".layer.3." not in n}
    former = packaged | {"encoder.layer.0.output.dense.weight.down": torch.ones(2, 2)}
    for held in (without_a_layer, former):
        save_file(held, other)
        with pytest.raises(ModelMissing, match=r"other\.safetensors holds .* older version"):
            SpanReader(WeightsFile(other, "NONE")).load()
    save_file({"layer.scales": torch.ones(2)}, other)
    with pytest.raises(ModelMissing, match=r"other\.safetensors holds no span reader"):
        SpanReader(WeightsFile(other, "NONE")).load()
