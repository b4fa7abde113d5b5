"""The network: Llama's architecture, in a form that reads a batch's beginning once."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import torch
from rows import Batch
from torch import Tensor, nn
from torch.nn import functional

from hoptrail.models.precision import fastest

BASE = 1e12  # of the rotation of positions: large, so that contents compare at any distance
EPSILON = 1e-5
_HIDDEN = -1e4
_SCORES = 19.2
"""Of the last norm, by width: embeddings that stand out in what layers add score too high."""


@dataclass(frozen=True)
class Shape:
    """How large it is.

    Args:
        size: of a head.
    """

    vocabulary: int = 1536
    width: int = 256
    layers: int = 6
    heads: int = 4
    size: int = 64
    feed_forward: int = 512
    context: int = 4096


SHAPES = {"small": Shape(), "large": Shape(width=512, layers=8, heads=8, feed_forward=1536)}


@dataclass(frozen=True)
class Packed:
    """A batch as tensors.

    Args:
        tokens: (n,), the beginning's, then row by row, without padding.
        positions: (n,).
        start: how many are the beginning's.
        places: (n - start,) where in (rows, longest) each row's token stands.
        hides: (rows, longest, start + longest), 0 for what is seen, else very low.
        source: (m,) tokens whose scores predict `target` (m,), which counts `share` (m,) as a
            reply's token and `read` (m,) as a prompt's.
    """

    tokens: Tensor
    positions: Tensor
    start: int
    places: Tensor
    hides: Tensor
    source: Tensor
    target: Tensor
    share: Tensor
    read: Tensor

    def to(self, device: torch.device) -> "Packed":
        """The same on a device."""
        return replace(
            self,
            **{n: v.to(device) for n, v in vars(self).items() if isinstance(v, Tensor)},
        )


def packed(batch: Batch, kind: torch.dtype, prompts: bool = False) -> Packed:
    """Make tensors of a batch, in a network's kind of numbers.

    Args:
        prompts: whether what follows the beginning is predicted, too, not replies alone.
    """
    start, longest = len(batch.start), max(len(row.tokens) for row in batch.rows)
    sees = np.zeros((len(batch.rows), longest, start + longest), bool)
    sees[:, :, :start] = True
    sees[:, :, start:] |= np.eye(longest, dtype=bool)  # padding sees itself, as something must
    tokens, positions = [batch.start.astype(np.int64)], [np.arange(start)]
    places, source, target, at = [], list[int](), list[int](), start
    share, read = list[float](), list[float]()
    for number, row in enumerate(batch.rows):
        count = len(row.tokens)
        sees[number, :count, start : start + count] = row.sees()
        tokens.append(np.array(row.tokens))
        positions.append(start + row.depths())
        places.append(number * longest + np.arange(count))
        for place in range(count) if prompts else row.learned:
            parent = row.parents[place]
            source.append(at + parent if parent >= 0 else start - 1)
            target.append(row.tokens[place])
            share.append(row.learned.get(place, 0.0))
            read.append(float(place not in row.learned))
        at += count
    return Packed(
        torch.from_numpy(np.concatenate(tokens)),
        torch.from_numpy(np.concatenate(positions)),
        start,
        torch.from_numpy(np.concatenate(places)),
        torch.where(torch.from_numpy(sees), 0.0, _HIDDEN).to(kind),
        torch.tensor(source),
        torch.tensor(target),
        torch.tensor(share),
        torch.tensor(read),
    )


class Layer(nn.Module):
    """Attention, then the feed-forward network."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width, wide, self.heads = shape.width, shape.feed_forward, shape.heads
        every = shape.heads * shape.size
        self.attn_norm = nn.Parameter(torch.ones(width))
        self.ffn_norm = nn.Parameter(torch.ones(width))
        self.attn_q, self.attn_k, self.attn_v = (_matrix(every, width) for _ in range(3))
        self.attn_output = nn.Parameter(torch.zeros(width, every))
        self.ffn_gate, self.ffn_up = _matrix(wide, width), _matrix(wide, width)
        self.ffn_down = nn.Parameter(torch.zeros(width, wide))

    def forward(self, x: Tensor, turned: tuple[Tensor, Tensor], batch: Packed) -> Tensor:
        """Tokens (n, width) to the same."""
        kind, normed = x.dtype, _normed(x, self.attn_norm)
        query, key, value = (
            functional.linear(normed, weight.to(kind)).view(len(x), self.heads, -1)
            for weight in (self.attn_q, self.attn_k, self.attn_v)
        )
        query, key = _rotated(query, turned), _rotated(key, turned)
        seen = _attended(query, key, value, batch).reshape(len(x), -1)
        x = x + functional.linear(seen, self.attn_output.to(kind))
        normed = _normed(x, self.ffn_norm)
        gate = functional.silu(functional.linear(normed, self.ffn_gate.to(kind)))
        up = functional.linear(normed, self.ffn_up.to(kind))
        return x + functional.linear(gate * up, self.ffn_down.to(kind))


class Network(nn.Module):
    """A decoder whose output matrix is its embeddings."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Parameter(torch.randn(shape.vocabulary, shape.width) * 0.05)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.output_norm = nn.Parameter(torch.ones(shape.width))
        self.scores = _SCORES / shape.width

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return self.token_embd.device

    @property
    def kind(self) -> torch.dtype:
        """The numbers that it computes with; its weights are float32."""
        return fastest(self.device)

    def forward(self, batch: Packed) -> Tensor:
        """The scores of the tokens at `source`: (m, vocabulary)."""
        kind = self.kind
        turned = _angles(batch.positions, self.shape.size, kind)
        x = functional.embedding(batch.tokens, self.token_embd).to(kind)
        for layer in self.layers:
            x = layer(x, turned, batch)
        x = _normed(x[batch.source], self.output_norm * self.scores)
        return functional.linear(x, self.token_embd.to(kind)).float()

    def take(self, weights: Mapping[str, np.ndarray]) -> None:
        """Set what `weights` gave."""
        for name, parameter in self.named_parameters():
            given = weights[f"{name.replace('layers.', 'blk.')}.weight"]
            parameter.data.copy_(torch.from_numpy(given.astype(np.float32)))
        self.output_norm.data /= self.scores

    def weights(self) -> Mapping[str, np.ndarray]:
        """Tensors by their names in a GGUF file."""
        named = {
            name.replace("layers.", "blk."): tensor.detach().float().cpu().numpy()
            for name, tensor in self.named_parameters()
        }
        named["output_norm"] = named["output_norm"] * self.scores  # a copy: it is the network's
        return {f"{name}.weight": tensor for name, tensor in named.items()}


def _matrix(rows: int, columns: int) -> nn.Parameter:
    return nn.Parameter(torch.randn(rows, columns) / math.sqrt(columns))


def _normed(x: Tensor, weight: Tensor) -> Tensor:
    return functional.rms_norm(x, (x.shape[-1],), weight.to(x.dtype), EPSILON)


def _angles(positions: Tensor, size: int, kind: torch.dtype) -> tuple[Tensor, Tensor]:
    rates = BASE ** (-torch.arange(0, size, 2, device=positions.device) / size)
    angles = positions[:, None, None].float() * rates
    return angles.cos().to(kind), angles.sin().to(kind)


def _rotated(x: Tensor, turned: tuple[Tensor, Tensor]) -> Tensor:
    """Numbers that turn together stand side by side, as in a GGUF file: (n, heads, size)."""
    cos, sin = turned
    one, other = x[..., 0::2], x[..., 1::2]
    return torch.stack((one * cos - other * sin, one * sin + other * cos), -1).flatten(-2)


def _attended(query: Tensor, key: Tensor, value: Tensor, batch: Packed) -> Tensor:
    """The beginning sees what is before it, a row's tokens the beginning and their ancestors."""
    start, (rows, longest, _) = batch.start, batch.hides.shape
    later = query.new_full((start, start), _HIDDEN).triu(1)
    first = _weighed(*(x[:start].transpose(0, 1) for x in (query, key, value)), later)

    def apart(x: Tensor) -> Tensor:
        wide = x.new_zeros(rows * longest, *x.shape[1:])
        wide = wide.index_copy(0, batch.places, x[start:])
        return wide.view(rows, longest, *x.shape[1:]).transpose(1, 2)

    def after_start(x: Tensor) -> Tensor:
        shared = x[:start].transpose(0, 1)[None].expand(rows, -1, -1, -1)
        return torch.cat((shared, apart(x)), 2).flatten(0, 1)

    hides = batch.hides[:, None].expand(-1, query.shape[1], -1, -1).flatten(0, 1)
    rest = _weighed(apart(query).flatten(0, 1), after_start(key), after_start(value), hides)
    flat = rest.view(rows, -1, *rest.shape[1:]).transpose(1, 2).flatten(0, 1)
    return torch.cat((first.transpose(0, 1), flat[batch.places]))


def _weighed(query: Tensor, key: Tensor, value: Tensor, hides: Tensor) -> Tensor:
    """Attention of (batch, n, size); its own products are faster here than the library's kernel."""
    scale = query.shape[-1] ** -0.5
    scores = torch.baddbmm(hides, query, key.transpose(1, 2), alpha=scale)
    return torch.bmm(scores.softmax(-1), value)
