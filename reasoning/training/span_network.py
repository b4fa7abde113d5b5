"""Networks that learn which stretch of a text answers: the span reader's own, and larger ones."""

import re
from collections.abc import Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...kg.errors import BadRequest, ModelMissing
from ...models.encoder_files import packaged_network, quiet
from ...models.precision import fastest
from ...models.span_weights import layers_of
from .span_rows import Row

if TYPE_CHECKING:
    from torch import Tensor

_LEARNED = re.compile(r"^encoder\.(?!relative_)|token_type|^embeddings\.LayerNorm")
"""What learns: all but the vectors of words, positions and distances, and the pooler."""
_NOTHING = -1e4  # the score of a token that can be no answer's


class SpanNetwork:
    """Layers that learn, and a head: on the GPU where there is one.

    Args:
        model: of transformers.
        own: the model's token for each of the packaged encoder's (n,); None where they are its.
    """

    def __init__(self, model: Any, own: "Tensor | None" = None) -> None:  # noqa: ANN401
        import torch

        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.head = torch.nn.Linear(model.config.hidden_size, 2).to(self.device)
        self._own = None if own is None else own.to(self.device)
        self._typed = "token_type_ids" in signature(model.forward).parameters
        for name, parameter in model.named_parameters():
            parameter.requires_grad_(bool(_LEARNED.search(name)))
        self.learned = {n: p for n, p in model.named_parameters() if p.requires_grad}
        self.learned |= {f"head.{name}": p for name, p in self.head.named_parameters()}

    @classmethod
    def packaged(cls, begin: "Mapping[str, Tensor] | None" = None) -> Self:
        """The packaged encoder; with weights to go on from, which say how many layers there are.

        Raises:
            BadRequest: `begin` has other tensors than those that learn.
        """
        network = cls(packaged_network(None if begin is None else layers_of(begin))[1])
        if begin is not None:
            network._go_on(begin)
        return network

    @classmethod
    def larger(cls, folder: Path) -> Self:
        """A network that transformers loads, of the words of the packaged encoder, BERT's.

        Raises:
            ModelMissing: it can't be loaded.
            BadRequest: it lacks words.
        """
        import torch

        with quiet():
            from transformers import AutoModel, AutoTokenizer

            try:
                model = AutoModel.from_pretrained(folder, local_files_only=True)
                tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            except (OSError, ValueError) as error:
                raise ModelMissing(f"{folder} can't be loaded ({str(error)[:200]}).") from error
        theirs, ours = tokenizer.get_vocab(), packaged_network()[0]
        marks = ("cls_token", "sep_token", "pad_token", "unk_token")
        marked = {getattr(ours, mark): getattr(tokenizer, mark) for mark in marks}
        words = sorted(ours.get_vocab().items(), key=lambda word: word[1])
        known = [theirs.get(marked.get(word, word)) for word, _ in words]
        lacking = [word for (word, _), number in zip(words, known, strict=True) if number is None]
        if lacking:
            raise BadRequest(
                f"{folder} has other words than the packaged encoder: it lacks {len(lacking)}, "
                f"{lacking[0]!r} among them. Take a network with the uncased ones of BERT."
            )
        return cls(model, torch.tensor(known))

    def scores(self, rows: Sequence[Row]) -> "Tensor":
        """Score tokens for beginning and ending the answer: (rows, n, 2)."""
        import torch

        longest = max(len(row.tokens) for row in rows)
        made = np.zeros((3, len(rows), longest), np.int64)
        seen = np.zeros((len(rows), longest), bool)
        for number, row in enumerate(rows):
            size = len(row.tokens)
            made[0, number, :size], made[2, number, :size] = row.tokens, 1
            made[1, number, row.asked : size] = 1
            seen[number, row.asked : size - 1] = seen[number, 0] = True
        ids, types, mask = torch.from_numpy(made).to(self.device)
        ids = ids if self._own is None else self._own[ids]
        more = {"token_type_ids": types} if self._typed else {}
        kind = self.device.type
        with torch.autocast(kind, torch.bfloat16, kind == "cuda" or fastest() == torch.bfloat16):
            states = self.model(input_ids=ids, attention_mask=mask, **more)
        scores = self.head(states.last_hidden_state.float())
        return scores.masked_fill(~torch.from_numpy(seen).to(self.device)[:, :, None], _NOTHING)

    def _go_on(self, weights: "Mapping[str, Tensor]") -> None:
        import torch

        if {n: t.shape for n, t in weights.items()} != {
            n: t.shape for n, t in self.learned.items()
        }:
            raise BadRequest(
                "What to go on from is no span reader of this encoder, or one of an older version."
            )
        with torch.no_grad():
            for name, parameter in self.learned.items():
                parameter.copy_(weights[name])
