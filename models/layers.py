"""BERT's layers over one text (Devlin et al. 2019, section 3.1; Vaswani et al. 2017, section 3.2).

They give what transformers' own give, in three quarters of the time: texts are read one by one, so
nothing is padded or masked, and a token's query, key and value come from one multiplication.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional

if TYPE_CHECKING:
    from transformers import BertModel
    from transformers.models.bert.modeling_bert import BertLayer

Multiplying = Callable[[nn.Linear], nn.Module]
"""What does the work of a linear layer."""


def _itself(linear: nn.Linear) -> nn.Module:
    return linear


class Layers(nn.Module):
    """All layers of a network, and the vectors of words and places that come into the first.

    Args:
        bert: whose weights they take.
        multiplying: what stands in for each linear layer.
    """

    def __init__(self, bert: "BertModel", multiplying: Multiplying = _itself) -> None:
        super().__init__()
        vectors = bert.embeddings
        self.words, self.types = vectors.word_embeddings, vectors.token_type_embeddings
        self.places, self.norm = vectors.position_embeddings, vectors.LayerNorm
        heads = bert.config.num_attention_heads
        self.layers = nn.ModuleList(
            _Layer(layer, heads, multiplying) for layer in bert.encoder.layer
        )

    def forward(self, tokens: Tensor, asked: int) -> Tensor:
        """States (n, hidden) of tokens (n,), the first `asked` of which are the question's."""
        types = self.types.weight.repeat_interleave(
            torch.tensor([asked, len(tokens) - asked], device=tokens.device), 0
        )
        states = self.norm(self.words(tokens) + types + self.places.weight[: len(tokens)])
        for layer in self.layers:
            states = layer(states)
        return states


class _Layer(nn.Module):
    """Attention, and what is made of it, each added to what comes in."""

    def __init__(self, layer: "BertLayer", heads: int, multiplying: Multiplying) -> None:
        super().__init__()
        own, self.heads = layer.attention.self, heads
        self.attends = multiplying(_side_by_side([own.query, own.key, own.value]))
        self.attended = multiplying(layer.attention.output.dense)
        self.attended_norm = layer.attention.output.LayerNorm
        self.widens = multiplying(layer.intermediate.dense)
        self.narrows = multiplying(layer.output.dense)
        self.norm = layer.output.LayerNorm

    def forward(self, states: Tensor) -> Tensor:
        """(n, hidden) to (n, hidden)."""
        n, hidden = states.shape
        parts = self.attends(states).view(n, 3, self.heads, hidden // self.heads)
        query, key, value = parts.permute(1, 2, 0, 3)[:, None]  # each (1, heads, n, of a head)
        found = functional.scaled_dot_product_attention(query, key, value)
        found = found[0].transpose(0, 1).reshape(n, hidden)
        states = self.attended_norm(self.attended(found) + states)
        return self.norm(self.narrows(functional.gelu(self.widens(states))) + states)


def _side_by_side(parts: list[nn.Linear]) -> nn.Linear:
    """One linear layer that gives what several give, one behind the other."""
    weight = torch.cat([part.weight for part in parts]).detach()
    whole = nn.Linear(weight.shape[1], weight.shape[0])
    whole.weight = nn.Parameter(weight)
    whole.bias = nn.Parameter(torch.cat([part.bias for part in parts]).detach())
    return whole
