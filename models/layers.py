"""BERT's layers (Devlin et al. 2019, section 3.1; Vaswani et al. 2017, section 3.2).

They give what transformers' own give, in 0.83 to 0.92 of the time and without its imports: a
token's query, key and value come from one multiplication, and a text alone is not masked.
"""

import functools
import platform
from collections.abc import Callable, Mapping
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from .span_weights import layers_of

_EPSILON = 1e-12  # of the norms
Weights = Mapping[str, Tensor]
Part = Literal["attends", "attended", "widens", "narrows"]
"""Which of a layer's four linear layers."""
Multiplying = Callable[[nn.Linear, Part], nn.Module]
"""What does the work of a linear layer, with GELU behind the one that widens.

The one that narrows may overwrite what comes in.
"""
_ROWS = 16  # that come in where a question is encoded: any number can


def _itself(linear: nn.Linear, part: Part) -> nn.Module:
    return nn.Sequential(linear, nn.GELU()) if part == "widens" else linear


class Packed(nn.Module):
    """What a linear layer does, its weights laid out as oneDNN multiplies them.

    Else they are laid out anew in each pass, which takes half the time of a short one.

    Args:
        kind: the numbers that are multiplied; float32 is what comes in and goes out, but for what
            only the layer that narrows takes.
    """

    def __init__(self, linear: nn.Linear, part: Part, kind: torch.dtype = torch.float32) -> None:
        super().__init__()
        weight = linear.weight.detach().to(kind)
        self._weight = torch.ops.mkldnn._reorder_linear_weight(weight, _ROWS)
        self._bias = linear.bias.detach().to(kind)
        self._gelu = part == "widens"
        self._behind = ("gelu", [], "none") if self._gelu else ("none", [], "")

    def forward(self, x: Tensor) -> Tensor:
        """Numbers (…, in) to (…, out)."""
        x = x.to(self._bias.dtype)
        found = torch.ops.mkldnn._linear_pointwise(x, self._weight, self._bias, *self._behind)
        return found if self._gelu else found.float()


@functools.cache
def packs(kind: torch.dtype) -> bool:
    """Whether `Packed` takes these numbers: on x86, and as long as torch keeps it."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    try:
        Packed(nn.Linear(1, 1), "widens", kind)(torch.ones(1, 1))
    except (AttributeError, NotImplementedError, RuntimeError):
        return False
    return True


class Layers(nn.Module):
    """All layers, and the vectors of words and places that come into the first.

    Args:
        weights: named as in transformers' BertModel.
        heads: of each layer.
        multiplying: what stands in for each linear layer.

    Raises:
        KeyError: some weights are not there.
    """

    def __init__(self, weights: Weights, heads: int, multiplying: Multiplying = _itself) -> None:
        super().__init__()
        vectors = (
            weights[f"embeddings.{of}_embeddings.weight"]
            for of in ("word", "token_type", "position")
        )
        self.words, self.types, self.places = map(nn.Embedding.from_pretrained, vectors)
        self.norm = _norm(weights, "embeddings.LayerNorm")
        self.layers = nn.ModuleList(
            _Layer(weights, f"encoder.layer.{number}.", heads, multiplying)
            for number in range(layers_of(weights))
        )

    def forward(
        self,
        tokens: Tensor,
        asked: int,
        read: Tensor | None = None,
        wanted: Tensor | None = None,
    ) -> Tensor:
        """States (texts, n, hidden); where only some are wanted, the last layer makes no others.

        Args:
            tokens: (texts, n), the first `asked` of which are a question's.
            read: (texts, n), whether they are more than padding; None where all are.
            wanted: places of tokens whose states are wanted; None: all.
        """
        length = tokens.shape[1]
        counts = torch.tensor([asked, length - asked], device=tokens.device)
        types = self.types.weight.repeat_interleave(counts, 0)
        states = self.norm(self.words(tokens) + types + self.places.weight[:length])
        mask = None if read is None else read[:, None, None]
        *before, last = self.layers
        for layer in before:
            states = layer(states, mask)
        return last(states, mask, wanted)


class _Layer(nn.Module):
    """Attention, and what is made of it, each added to what comes in."""

    def __init__(self, weights: Weights, of: str, heads: int, multiplying: Multiplying) -> None:
        super().__init__()
        own, self.heads = f"{of}attention.self.", heads
        parts = f"{own}query", f"{own}key", f"{own}value"
        self.attends = multiplying(_linear(weights, *parts), "attends")
        attended = _linear(weights, f"{of}attention.output.dense")
        self.attended = multiplying(attended, "attended")
        self.attended_norm = _norm(weights, f"{of}attention.output.LayerNorm")
        self.widens = multiplying(_linear(weights, f"{of}intermediate.dense"), "widens")
        self.narrows = multiplying(_linear(weights, f"{of}output.dense"), "narrows")
        self.norm = _norm(weights, f"{of}output.LayerNorm")

    def forward(self, states: Tensor, mask: Tensor | None, wanted: Tensor | None = None) -> Tensor:
        """(texts, n, hidden) to (texts, n, hidden), or to as many as are wanted."""
        texts, n, hidden = states.shape
        parts = self.attends(states).view(texts, n, 3, self.heads, hidden // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)  # each (texts, heads, n, of a head)
        if wanted is not None:
            states, query = states[:, wanted], query[:, :, wanted]
        found = functional.scaled_dot_product_attention(query, key, value, mask)
        found = found.transpose(1, 2).reshape(states.shape)
        states = self.attended_norm(self.attended(found).add_(states))
        return self.norm(self.narrows(self.widens(states)).add_(states))


def _linear(weights: Weights, *names: str) -> nn.Linear:
    """One linear layer that gives what several give, one behind the other."""
    weight = torch.cat([weights[f"{name}.weight"] for name in names])
    linear = nn.Linear(weight.shape[1], weight.shape[0], device="meta")
    linear.weight = nn.Parameter(weight, requires_grad=False)
    bias = torch.cat([weights[f"{name}.bias"] for name in names])
    linear.bias = nn.Parameter(bias, requires_grad=False)
    return linear


def _norm(weights: Weights, name: str) -> nn.LayerNorm:
    weight = weights[f"{name}.weight"]
    norm = nn.LayerNorm(len(weight), _EPSILON, device="meta")
    norm.weight = nn.Parameter(weight, requires_grad=False)
    norm.bias = nn.Parameter(weights[f"{name}.bias"], requires_grad=False)
    return norm
