"""Numbers of eight bits: near what float32 gives, on every processor that has them."""

import numpy as np
import pytest
import torch
from torch import nn

from hoptrail.models import eight_bits
from hoptrail.models.eight_bits import EightBits
from hoptrail.models.encoder import SentenceEncoder, roughly

pytestmark = pytest.mark.skipif(not eight_bits.fits(), reason="no arithmetic of eight bits here")
TEXTS = ["Edvard Grieg was born in Bergen.", "The fjord", "Rain in November. " * 60]


def test_a_layer_gives_nearly_what_it_gave():
    torch.manual_seed(0)
    linear, x = nn.Linear(64, 32), torch.randn(3, 7, 64)
    x[0, 0] *= 100  # one token of large numbers leaves the others as they are
    x[0, 1] = 0
    off = (EightBits(linear)(x) - linear(x)).abs()
    assert off[0, 0].max() < 5
    assert off[1:].max() < 0.06
    assert off[0, 1].max() < 1e-6
    assert (EightBits(linear)(x[1:2]) == EightBits(linear)(x)[1]).all()


@pytest.mark.parametrize("bias", [True, False])
def test_the_largest_numbers_do_not_overflow(bias):
    linear = nn.Linear(1024, 8, bias=bias)
    nn.init.ones_(linear.weight)
    x = torch.ones(2, 1024)
    assert torch.allclose(EightBits(linear)(x), linear(x), rtol=0.01)


def test_a_rough_encoder_finds_nearly_the_same_vectors():
    encoder = SentenceEncoder()
    exact, rough = (one.encode_passages(TEXTS) for one in (encoder, roughly(encoder)))
    assert (exact != rough).any()
    assert np.allclose(np.linalg.norm(rough, axis=1), 1, atol=1e-5)
    assert (exact * rough).sum(1).min() > 0.99
    alone = np.stack([roughly(encoder).encode_passages([text])[0] for text in TEXTS])
    assert np.allclose(alone, rough, atol=1e-5)  # whatever they are encoded beside


def test_a_rough_encoder_leaves_the_exact_one_as_it_was_and_is_told_from_it():
    encoder = SentenceEncoder()
    before = encoder.encode_queries(["Who composed it?"])
    roughly(encoder).encode_queries(["Where was he born?"])
    assert (SentenceEncoder().encode_queries(["Who composed it?"]) == before).all()
    assert roughly(encoder).fingerprint != encoder.fingerprint
