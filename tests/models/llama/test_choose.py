"""LlamaCpp.choose on real llama.cpp and a small random model."""

import numpy as np
import pytest
from support.gguf_model import LETTERS, WholePrompts, quantised, write_model

from hoptrail.kg.errors import BadRequest
from hoptrail.models.language import Decoding
from hoptrail.models.llama.context import Context
from hoptrail.models.llama.model import LlamaCpp
from hoptrail.models.llama.options import option_tokens

PREFIX = "Choose the triple that helps to answer. " + "⟨Bergen; lies in; Norway⟩ " * 12
TAILS = [
    f"\nQuestion {n}: where?{' A. ⟨Grieg; born in; Bergen⟩' * n}\nAnswer:" for n in range(1, 6)
]
OPTIONS = list(LETTERS[:8])


@pytest.fixture(scope="module")
def model(gguf_file) -> LlamaCpp:
    return LlamaCpp(gguf_file, exact_memory=True)


@pytest.fixture(scope="module")
def opinion(gguf_file) -> WholePrompts:
    return WholePrompts(gguf_file)


def test_a_kept_prefix_gives_what_whole_prompts_give_and_spellings_are_summed(model, opinion):
    chosen = model.choose(PREFIX, TAILS, OPTIONS).log_probabilities
    for row, tail in zip(chosen, TAILS, strict=True):
        assert row == pytest.approx(opinion.choose(PREFIX + tail, OPTIONS), abs=1e-4)
    assert np.exp(chosen).sum(axis=1) == pytest.approx(1)
    assert np.ptp(chosen, axis=0).max() > 0.01  # the tails matter


@pytest.fixture(scope="module")
def wide_file(tmp_path_factory):
    """Wide enough for every quantisation."""
    path = tmp_path_factory.mktemp("wide") / "wide.gguf"
    return write_model(path, width=256, feed_forward=512, text=PREFIX)


@pytest.mark.parametrize("kind", ["F16", "Q8_0", "Q4_K_M", "Q6_K"])
@pytest.mark.parametrize("repack", [True, False])
def test_quantised_weights_give_what_whole_prompts_give(
    wide_file, kind, repack, monkeypatch, tmp_path
):
    monkeypatch.setenv("HOPTRAIL_CACHE", str(tmp_path))
    path = quantised(wide_file, kind)
    opinion = WholePrompts(path)
    model = LlamaCpp(path, exact_memory=True, repack=repack)
    chosen = model.choose(PREFIX, TAILS, OPTIONS).log_probabilities
    for row, tail in zip(chosen, TAILS, strict=True):
        expected = opinion.choose(PREFIX + tail, OPTIONS)
        assert row == pytest.approx(expected, abs=0.1 if repack else 1e-4)  # repacked rounds more
    said = model.generate([PREFIX], Decoding(max_tokens=8))
    assert said == model.generate([PREFIX], Decoding(max_tokens=8))


@pytest.mark.parametrize("flash", [False, True])
def test_the_same_bits_whatever_was_asked_before(gguf_file, flash):
    def model() -> LlamaCpp:
        return LlamaCpp(gguf_file, flash_attention=flash)

    def chosen(model: LlamaCpp, prefix: str, tails: list[str]) -> list[list[float]]:
        return model.choose(prefix, tails, OPTIONS).log_probabilities.tolist()

    fresh = [chosen(model(), PREFIX, [tail])[0] for tail in TAILS]
    used = model()
    used.generate([PREFIX, "Bergen"], Decoding(max_tokens=7))
    assert chosen(used, PREFIX, TAILS[::-1]) == fresh[::-1]
    assert chosen(used, "", [PREFIX + tail for tail in TAILS]) == fresh


def test_the_prefix_is_decoded_once(gguf_file, monkeypatch):
    decoded = []
    decode = Context._decode
    monkeypatch.setattr(
        Context, "_decode", lambda self, t: decoded.append(len(t)) or decode(self, t)
    )
    model = LlamaCpp(gguf_file, block=16)
    once = sum(model.choose(PREFIX, TAILS[:n], OPTIONS).tokens_in for n in (5, 1, 2))
    assert sum(decoded) <= once + 8 * 16  # a part of a block again for each prompt
    assert sum(decoded) < sum(model.count_tokens(PREFIX + tail) for tail in TAILS)


def test_the_block_size_changes_no_more_than_rounding(gguf_file, model):
    blocks = [LlamaCpp(gguf_file, exact_memory=True, block=n) for n in (1, 300, 2000)]
    expected = model.choose(PREFIX, TAILS, OPTIONS).log_probabilities
    for other in blocks:
        found = other.choose(PREFIX, TAILS, OPTIONS).log_probabilities
        assert found == pytest.approx(expected, abs=1e-4)


def test_the_shared_prefix_is_counted_once(model):
    alone = [model.choose(PREFIX, [tail], OPTIONS).tokens_in for tail in TAILS[:2]]
    shared = model.choose(PREFIX, ["\nQuestion"], OPTIONS).tokens_in
    both = model.choose(PREFIX, TAILS[:2], OPTIONS).tokens_in
    assert both == pytest.approx(sum(alone) - shared, abs=3)  # a token or so beyond the prefix
    nothing = model.choose(PREFIX, [], OPTIONS)
    assert nothing.log_probabilities.shape == (0, len(OPTIONS))
    assert nothing.tokens_in == 0


@pytest.mark.parametrize("option", ["none of them", "é", ""])
def test_an_option_that_is_no_single_token_is_named(model, option):
    with pytest.raises(BadRequest, match=f"{option!r} is no single token"):
        model.choose(PREFIX, TAILS, ["A", option])


def test_options_have_to_differ_and_to_exist(model):
    with pytest.raises(BadRequest, match="same token"):
        model.choose(PREFIX, TAILS, ["A", "B", "A"])
    with pytest.raises(BadRequest, match="no options"):
        model.choose(PREFIX, TAILS, [])


def test_a_spelling_that_changes_the_prompts_own_tokens_does_not_count():
    joined = {"x": [1], "xA": [2], "x A": [1, 7]}  # "xA" is a word of this vocabulary
    assert option_tokens(joined.__getitem__, "x", ["A"]) == [[7]]
    blank = {"x ": [1, 3], "x A": [1, 7], "x  A": [1, 3, 7]}
    assert option_tokens(blank.__getitem__, "x ", ["A"]) == [[7]]
