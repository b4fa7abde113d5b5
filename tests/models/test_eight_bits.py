"""Numbers of eight bits: near what float32 gives, on every processor that has them."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from hoptrail.models import eight_bits
from hoptrail.models.eight_bits import BehindGelu, EightBits, OneScale, ThenGelu

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


def test_one_scale_a_call_gives_nearly_what_a_layer_gave():
    torch.manual_seed(0)
    linear, x = nn.Linear(64, 32), torch.randn(3, 7, 64)
    assert (OneScale(linear)(x) - linear(x)).abs().max() < 0.06
    assert (OneScale(linear)(x * 0) - linear.bias).abs().max() < 1e-6


def test_what_widens_and_what_narrows_give_nearly_what_they_gave_around_gelu():
    torch.manual_seed(0)
    widens, narrows = nn.Linear(64, 256), nn.Linear(256, 64)
    x = torch.randn(3, 7, 64)
    x[0, 0] *= 100
    x[0, 1] = 0
    wide = functional.gelu(widens(x)).detach()
    off = (ThenGelu(widens)(x) - wide).abs()
    assert off[0, 0].max() < 5
    assert off[1:].max() < 0.06
    off = (BehindGelu(narrows)(wide.clone()) - narrows(wide)).abs()
    assert off[0, 0].max() < 0.5
    assert off[0, 1:].max() < 0.02
    assert off[1:].max() < 0.02


@pytest.mark.parametrize("steps", [127, 63])
def test_nothing_that_gelu_gives_is_cut_off(monkeypatch, steps):
    """Neither the least that it gives nor a token whose numbers are all small."""
    monkeypatch.setattr(eight_bits, "_steps", lambda: steps)
    linear = nn.Linear(64, 8, bias=False)
    nn.init.ones_(linear.weight)
    for most in (0.05, 0.5, 0.7, 3, 30):
        x = functional.gelu(torch.linspace(-8, most, 64))[None]
        x[0, :8] = functional.gelu(torch.tensor(-0.75179))  # the least
        off = BehindGelu(linear)(x.clone()) - linear(x)
        assert off.abs().max() < 64 * max(most, 0.7) * 1.25 / (2 * steps) / 2


@pytest.mark.parametrize("kind", [EightBits, OneScale, BehindGelu])
@pytest.mark.parametrize("bias", [True, False])
def test_the_largest_numbers_do_not_overflow(bias, kind):
    linear = nn.Linear(1024, 8, bias=bias)
    nn.init.ones_(linear.weight)
    x = torch.ones(2, 1024)
    assert torch.allclose(kind(linear)(x.clone()), linear(x), rtol=0.01)
