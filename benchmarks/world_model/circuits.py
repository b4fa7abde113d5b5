"""A beginning that can copy: heads that a network finds late by itself are put in by hand.

Two heads of the first layer look at the token before and note which it is; two of the second find
where the token at hand was noted as the one before, and say what stands there (Olsson et al. 2022,
"In-context learning and induction heads"). Everything else begins at random, and all of it learns.
"""

import torch
from network import BASE, Network
from torch import Tensor

_CONSTANT = 4.0  # of each embedding's first number, in deviations of the others
_SHARP, _CONTENT = 3, 10  # pairs that tell the token before; the first that compares contents
_LOOKS, _MATCHES = 2.05, 2.2
_NOTES, _SAYS = 0.1, 0.6
"""How strong they are: the neighbours' scores stay 6 behind, those of other tokens about 11."""


def put_in(network: Network, heads: int = 2) -> None:
    """Set embeddings and so many heads of the first two layers."""
    shape = network.shape
    size = shape.width // shape.heads
    rates = BASE ** (-torch.arange(0, size, 2) / size)
    first, second = network.layers[0], network.layers[1]
    with torch.no_grad():
        network.token_embd[:, 0] = _CONSTANT * network.token_embd[:, 1:].std()
        notes = _orthogonal(shape.width, heads * size)
        says = _orthogonal(shape.width, heads * size)
        for head in range(heads):
            own = slice(head * size, (head + 1) * size)
            read = _orthogonal(shape.width, size)
            _look_back(first, own, rates)
            first.attn_v[own] = read
            first.attn_output[:, own] = _NOTES * notes[own].T
            same = slice(2 * _CONTENT, size)
            for matrix, wanted in ((second.attn_q, read), (second.attn_k, notes[own])):
                matrix[own] = 0
                matrix[own][same] = _MATCHES * wanted[same]
            second.attn_v[own] = says[own]
            second.attn_output[:, own] = _SAYS * says[own].T


def _look_back(layer: torch.nn.Module, own: slice, rates: Tensor) -> None:
    """The key's angles are a step behind the query's: their product is largest one token back."""
    layer.attn_q[own] = layer.attn_k[own] = 0
    for pair in range(_SHARP):
        at, turned = own.start + 2 * pair, rates[pair]
        layer.attn_q[at, 0] = _LOOKS
        layer.attn_k[at, 0] = _LOOKS * turned.cos()
        layer.attn_k[at + 1, 0] = _LOOKS * turned.sin()


def _orthogonal(width: int, rows: int) -> Tensor:
    """Orthonormal rows that leave the first number out: (rows, width)."""
    made = torch.zeros(rows, width)
    made[:, 1:] = torch.nn.init.orthogonal_(torch.empty(rows, width - 1))
    return made
