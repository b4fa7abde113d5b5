"""BERT's layers: what their linear layers may be, and states of which tokens are made."""

import pytest
import torch

from hoptrail.models import packaged
from hoptrail.models.layers import Layers

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
