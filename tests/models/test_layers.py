"""BERT's layers: what their linear layers may be, and states of which tokens are made."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from hoptrail.models import layers, packaged
from hoptrail.models.layers import Layers, Packed

NOT_HERE = "oneDNN takes no weights laid out here"
TOKENS = torch.tensor([[101, 2073, 3544, 9308, 1029, 102, 9308, 3544, 2006, 1996, 102]])


@pytest.fixture(scope="module")
def plain():
    return Layers(packaged.weights(), packaged.HEADS).eval()


def test_states_that_are_wanted_are_those_of_all(plain):
    read = torch.ones(TOKENS.shape, dtype=torch.bool)
    read[:, -1] = False
    with torch.inference_mode():
        for mask in (None, read):
            every = plain(TOKENS, 6, mask)
            for places in ([0, 6, 7, 8, 9], [3]):
                some = plain(TOKENS, 6, mask, torch.tensor(places))
                assert torch.allclose(some, every[:, places], atol=1e-5)


@pytest.mark.parametrize(("kind", "off"), [(torch.float32, 1e-5), (torch.bfloat16, 0.02)])
def test_packed_weights_give_what_a_layer_gives(kind, off):
    if not layers.packs(kind):
        pytest.skip(NOT_HERE)
    torch.manual_seed(0)
    linear = nn.Linear(64, 32)
    for rows in (1, 7, 40):
        x = torch.randn(2, rows, 64)
        with torch.inference_mode():
            for part in ("attends", "attended", "narrows"):
                found = Packed(linear, part, kind)(x)
                assert found.dtype == torch.float32
                assert torch.allclose(found, linear(x), atol=off)
            wide = Packed(linear, "widens", kind)(x).float()
            assert torch.allclose(wide, functional.gelu(linear(x)), atol=off)


@pytest.mark.skipif(not layers.packs(torch.float32), reason=NOT_HERE)
def test_packed_layers_give_the_same_states(plain):
    packed = Layers(packaged.weights(), packaged.HEADS, Packed).eval()
    with torch.inference_mode():
        assert torch.allclose(packed(TOKENS, 6), plain(TOKENS, 6), atol=1e-4)
