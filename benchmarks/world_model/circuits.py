"""A beginning that can copy: heads that a network finds late by itself are put in by hand.

Heads of the first layer note which tokens stand one, two and three places before. Heads of the
second look for the place where the token at hand and the two before it were noted, and say what
stands there (Olsson et al. 2022, "In-context learning and induction heads"; with one token, as
there, names that share a syllable are mixed up). Everything else begins at random, and all of it
learns.
"""

import math
from dataclasses import dataclass

import torch
from network import BASE, Layer, Network, Shape
from torch import Tensor

BACK = 3  # tokens that are looked at before a place
_SPREAD = 1.0  # of an embedding's numbers
_CONSTANT = 4.0  # of its first number, in deviations of the others
_SHARP = 5  # pairs that tell how far back a token is
_TURNS = 2e-4  # radians a token, at most, of pairs that compare contents
_LOOKS, _NOTES, _MATCHES, _SAYS, _UNSAYS = 1.1, 0.67, 1.2, 1.33, 1.07
"""How strong they are: a neighbour's score stays some 6 behind, a match is worth some 8."""


def put_in(network: Network) -> None:
    """Set embeddings, three heads of the first layer and those that copy, in second and last."""
    plan = _Plan.of(network.shape)
    first, second, last = network.layers[0], network.layers[1], network.layers[-1]
    says = torch.nn.init.orthogonal_(torch.empty(plan.own - 1, plan.own - 1))
    with torch.no_grad():
        network.token_embd.zero_()
        network.token_embd[:, : plan.own].normal_(0, _SPREAD)
        network.token_embd[:, 0] = _CONSTANT * _SPREAD
        for back in range(1, BACK + 1):
            plan.note(first, back)
        copying = math.ceil(len(says) / plan.size)
        for number in range(copying):
            head, part = plan.head(number), says[number::copying]
            plan.match(second, head)
            _pass_on(second, head, part, _SAYS)
            plan.look_back(last, head, 0)
            _pass_on(last, head, part, -_UNSAYS)  # else each token says itself again


@dataclass(frozen=True)
class _Plan:
    """Where a token's numbers hold what.

    Args:
        size: of a head.
        rates: radians a token by which a head's pairs turn: (size / 2,).
        own: numbers of an embedding; behind them are the notes.
        noted: numbers of a note, as many as a head's pairs that hardly turn hold.
        read: what is noted of an embedding: (noted, own).
        turns: by which a query's or key's part for each distance is told from the others:
            (noted, noted) each.
    """

    size: int
    rates: Tensor
    own: int
    noted: int
    read: Tensor
    turns: list[Tensor]

    @classmethod
    def of(cls, shape: Shape) -> "_Plan":
        rates = BASE ** (-torch.arange(0, shape.size, 2) / shape.size)
        noted = 2 * int((rates <= _TURNS).sum())
        own = shape.width - BACK * noted
        read = torch.zeros(noted, own)
        read[:, 1:] = torch.nn.init.orthogonal_(torch.empty(noted, own - 1))
        turns = [torch.nn.init.orthogonal_(torch.empty(noted, noted)) for _ in range(BACK)]
        return cls(shape.size, rates, own, noted, read, turns)

    def head(self, number: int) -> slice:
        """Rows of a head."""
        return slice(number * self.size, (number + 1) * self.size)

    def note_at(self, back: int) -> slice:
        """Numbers that hold which token stands so many places before."""
        return slice(self.own + (back - 1) * self.noted, self.own + back * self.noted)

    def note(self, layer: Layer, back: int) -> None:
        """Let a head note the token so many places before."""
        head = self.head(back - 1)
        self.look_back(layer, head, back)
        layer.attn_v[head] = 0
        layer.attn_v[head][: self.noted, : self.own] = self.read
        noted = slice(head.start, head.start + self.noted)
        layer.attn_output[self.note_at(back), noted] = _NOTES * torch.eye(self.noted)

    def look_back(self, layer: Layer, head: slice, back: int) -> None:
        """Keys' angles are `back` steps behind the queries': their product is largest there."""
        layer.attn_q[head] = layer.attn_k[head] = 0
        for pair in range(_SHARP):
            at, turned = head.start + 2 * pair, self.rates[pair] * back
            layer.attn_q[at, 0] = _LOOKS
            layer.attn_k[at, 0] = _LOOKS * turned.cos()
            layer.attn_k[at + 1, 0] = _LOOKS * turned.sin()

    def match(self, layer: Layer, head: slice) -> None:
        """Compare the token at hand and those before it with what other places have noted."""
        query, key = layer.attn_q[head], layer.attn_k[head]
        query.zero_(), key.zero_()
        still = slice(self.size - self.noted, self.size)
        query[still, : self.own] = _MATCHES * self.turns[0] @ self.read
        for back in range(1, BACK + 1):
            key[still, self.note_at(back)] = _MATCHES * self.turns[back - 1]
            if back < BACK:
                query[still, self.note_at(back)] = _MATCHES * self.turns[back]


def _pass_on(layer: Layer, head: slice, part: Tensor, strength: float) -> None:
    """Let a head add this part of the embedding that it looks at: (at most its size, own - 1)."""
    rows, columns = part.shape
    layer.attn_v[head] = 0
    layer.attn_v[head][:rows, 1 : columns + 1] = part
    layer.attn_output[1 : columns + 1, head.start : head.start + rows] = strength * part.T
