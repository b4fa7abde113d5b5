"""Numbers of eight bits: near what float32 gives, on every processor that has them."""

import pytest
import torch
from torch import nn

from hoptrail.models import eight_bits
from hoptrail.models.eight_bits import EightBits

pytestmark = pytest.mark.skipif(not eight_bits.fits(), reason="no arithmetic of eight bits here")


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
