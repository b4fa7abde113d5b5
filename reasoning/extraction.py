"""Triples of passages by a language model, held to their form by a grammar.

Source: TRACE §3.2 (knowledge graph generator): instruction, demonstrations chosen for the passage,
passage; one triple a line.
"""

import functools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..kg.errors import BadRequest
from ..kg.text.words import stable_id
from ..kg.types import Passage, Statement, Triple, Vector
from ..models.language import Completion, Declined, Decoding, LanguageModel, OutputForm, reserved
from .prompts import Template
from .prompts.showing import plain
from .replies.triples import triples

NOTHING = "none"
_SLOT = r"[^;⟨⟩\n\t ][^;⟨⟩\n\t]*"
_TRIPLE = f"⟨{_SLOT}; {_SLOT}; {_SLOT}⟩"
FORM = OutputForm(
    rf"""
root ::= "{NOTHING}" | triple ("\n" triple)*
triple ::= "⟨" slot "; " slot "; " slot "⟩"
slot ::= [^;⟨⟩\n\t ] [^;⟨⟩\n\t]*
""",
    rf"{NOTHING}|{_TRIPLE}(?:\n{_TRIPLE})*",
)


@dataclass(frozen=True)
class ModelTriples:
    """Extracts what passages state, as a language model words it.

    Args:
        encode: texts to float32 (n, d), unit length, as the passages were: for the demonstrations.
        demonstrations: how many a prompt shows, those nearest to the passage; fewer where the
            model's context is short.
        max_tokens: of an answer; what is cut off is dropped back to the last whole triple.
    """

    model: LanguageModel
    encode: Callable[[Sequence[str]], Vector]
    template: Template = field(default_factory=lambda: Template.named("shared/triples"))
    demonstrations: int = 5
    max_tokens: int = 512

    @functools.cached_property
    def extractor(self) -> str:
        """The fingerprint of model, prompt and settings, as `Triple.extractor` holds it."""
        made_by = stable_id(
            self.model.fingerprint,
            self.template.text,
            json.dumps(self.template.demonstrations, sort_keys=True),
            str((self.demonstrations, self.max_tokens)),
        )
        return f"{self.model.name} {made_by[:12]}"

    def __call__(
        self, passages: Sequence[Passage], vectors: Vector
    ) -> list[list[Statement] | None]:
        """Extract the statements of each passage; None where the model said nothing valid.

        Args:
            vectors: float32 (n, d), the passages' own, which choose the demonstrations.

        Raises:
            BadRequest: a passage does not fit into the model's context even without demonstrations.
            Declined: the model refuses a passage; names its document.
            ModelMissing, ModelUnavailable: see LanguageModel.
        """
        prompts = [
            self._prompt(p, near) for p, near in zip(passages, self._near(vectors), strict=True)
        ]
        try:
            said = self.model.generate(prompts, Decoding(form=FORM, max_tokens=self.max_tokens))
        except Declined as error:
            titles = {prompt: p.title for p, prompt in zip(passages, prompts, strict=True)}
            if error.prompt not in titles:
                raise
            raise Declined(
                f"{error} It was asked for the triples of a passage of {titles[error.prompt]!r}. "
                "No document read together with it is written; leave it out, and they are.",
                error.prompt,
            ) from error
        return [_statements(p, s, self.extractor) for p, s in zip(passages, said, strict=True)]

    def _near(self, vectors: Vector) -> list[list[int]]:
        """The demonstrations nearest to each passage, the nearest last: next to what it is for."""
        similarity = vectors @ self._vectors.T
        order = np.argsort(-similarity, axis=1, kind="stable")[:, : self.demonstrations]
        return [row[::-1].tolist() for row in order]

    @functools.cached_property
    def _vectors(self) -> Vector:
        return self.encode([f"{d['title']}\n{d['text']}" for d in self.template.demonstrations])

    def _prompt(self, passage: Passage, near: list[int]) -> str:
        room = self.model.context_length - self.max_tokens - reserved(self.model)
        for dropped in range(len(near) + 1):
            shown = [_demonstration(self.template.demonstrations[i]) for i in near[dropped:]]
            prompt = self.template.render(
                demonstrations="\n\n".join(shown), title=passage.title, text=plain(passage.text)
            )
            if self.model.count_tokens(prompt) <= room:
                return prompt
        raise BadRequest(
            f"A passage of {passage.title!r} with the instruction and {self.max_tokens} tokens of "
            f"answer does not fit into the {self.model.context_length:,} tokens of "
            f"{self.model.name}'s context. Choose a model with a longer one, or ingest with a "
            "smaller --passage-tokens."
        )


def _demonstration(demonstration: Mapping[str, Any]) -> str:
    lines = [f"⟨{'; '.join(triple)}⟩" for triple in demonstration["triples"]] or [NOTHING]
    shown = f"## Passage\n[1] {demonstration['title']}\n{demonstration['text']}"
    return "\n".join([shown, "", "## Triples", *lines])


def _statements(passage: Passage, said: Completion, extractor: str) -> list[Statement] | None:
    """Each triple once, in the order said; a line that was cut off is no triple."""
    stated = triples(said.text, cut_off=said.finish == "length")
    if not stated:
        return None if stated is None else []
    found: dict[str, Statement] = {}
    for slots in stated:
        triple = Triple(*slots, extractor)
        if triple.head_id and triple.tail_id:
            found.setdefault(
                triple.id, Statement(passage.id, triple, *locate(passage.text, triple))
            )
    return list(found.values()) or None


def locate(text: str, triple: Triple) -> tuple[int, int] | tuple[None, None]:
    """Find the shortest stretch [start, end) of a text with head and tail, or with the one it has.

    Neither: (None, None), as when the model put a name for "he" and the other end in its own words.
    """
    heads, tails = _places(text, triple.head), _places(text, triple.tail)
    if heads and tails:
        pairs = ((min(h[0], t[0]), max(h[1], t[1])) for h in heads for t in tails)
        return min(pairs, key=lambda pair: (pair[1] - pair[0], pair))
    return (heads or tails or [(None, None)])[0]


def _places(text: str, name: str) -> list[tuple[int, int]]:
    """Where a name stands as whole words, in any case."""
    pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)][:20]
