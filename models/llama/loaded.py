"""A loaded model with its prompts' form: prompts to tokens, thoughts, completions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from ...kg.errors import BadRequest
from ..language import Completion, Decoding
from ..thoughts import split
from ..tokens import as_pieces, spelt
from .context import Context, common
from .options import option_tokens
from .prompt import PromptFormat
from .sampling import Grammar, Sampler, Thought, complete, think

_ENDING = 64  # characters
_SEAM = 2  # tokens: at either end of a prompt, merged with the template otherwise than a probe's
_CLOSING = 32  # tokens: those that close a thought


@dataclass
class Loaded:
    """What a file gives once it is loaded.

    Args:
        thinking_tokens: that a thought may take, 0 where there is none.
        process: that loaded it.
        adapters: files of LoRA adapters, by name.
    """

    context: Context
    format: PromptFormat
    thinking_tokens: int
    process: int
    adapters: Mapping[str, Path]

    @property
    def reserved(self) -> int:
        """Tokens of the context that neither prompt nor completion may have."""
        return self._template + self._thought

    @cached_property
    def _template(self) -> int:
        """Tokens of a prompt that are the template's: what rendering a short one adds."""
        probe = "probe"
        alone = self.context.vocabulary.tokenise(probe, bos=False)
        return max(0, len(self.format.tokenise(self.format.apply(probe))) - len(alone)) + _SEAM

    @property
    def _thought(self) -> int:
        return self.thinking_tokens + _CLOSING if self.format.thought else 0

    def read(self, prompt: str, max_tokens: int = 0) -> tuple[str, list[int]]:
        """Give a prompt as the model's text and tokens.

        Raises:
            BadRequest: it is empty, or too long for what is generated after it.
        """
        if not prompt.strip():
            raise BadRequest("The prompt is empty.")
        text = self.format.apply(prompt)
        tokens = self.format.tokenise(text)
        more = max_tokens + self._thought
        if len(tokens) + more > self.context.length:
            asked = f" and a completion of {max_tokens}" if max_tokens else ""
            asked += f" and a thought of {self._thought}" if self._thought else ""
            exceed = " exceed" if more else " exceeds"
            raise BadRequest(
                f"The prompt of {len(tokens)} tokens{asked}{exceed} the context of "
                f"{self.context.length} tokens. Give fewer or shorter passages, or set a longer "
                "context where the model has one."
            )
        return text, tokens

    def begin(self, tokens: Sequence[int], decoding: Decoding) -> Thought:
        """Read a prompt, and let the model think where the prompt ends in a thought."""
        self.context.adapt(self.adapters.get(decoding.adapter))
        logits, marks = self.context.read(tokens), self.format.thought
        if marks is None:
            return Thought(logits)
        free = Sampler(self.context.vocabulary, None, decoding.temperature, decoding.seed)
        return think(self.context, logits, free, marks, self.thinking_tokens)

    def complete(self, tokens: Sequence[int], decoding: Decoding) -> Completion:
        """Complete a prompt; what is thought in tags is no part of the text."""
        vocabulary, form = self.context.vocabulary, decoding.form
        grammar = Grammar(form.gbnf, vocabulary) if form else None
        thought = self.begin(tokens, decoding)
        sampler = Sampler(vocabulary, grammar, decoding.temperature, decoding.seed)
        stops, thinks = self.format.stops, self.format.thought is not None
        said = complete(self.context, thought.logits, sampler, decoding, stops, thinks and not form)
        text, more = (said.text, "") if form else split(said.text)
        return replace(
            said,
            text=text,
            tokens=said.tokens if text == said.text else spelt(as_pieces(said.tokens), text),
            tokens_in=len(tokens),
            tokens_out=thought.tokens + said.tokens_out,
            thought="\n".join(filter(None, (thought.text, more.strip()))),
        )

    def supervision(self, prompt: str, said: str) -> tuple[list[int], list[int]]:
        """Give the tokens of a prompt, and those of a completion with the token that ends it."""
        text, tokens = self.read(prompt)
        said = self.format.harmless(said)
        whole = self.format.tokenise(text + said)
        if whole[: len(tokens)] == tokens:
            after = whole[len(tokens) :]
        else:  # a token reaches over the seam, which no completion begins with
            after = self.context.vocabulary.tokenise(said, bos=False)
        return tokens, [*after, self.context.vocabulary.end]

    def options(self, text: str, tokens: list[int], options: Sequence[str]) -> list[list[int]]:
        """The tokens of each option after a prompt, from its ending where that decides alone."""
        ending = text[-_ENDING:]
        alone = self.context.vocabulary.tokenise(ending, bos=False)
        half = len(alone) // 2  # a cut through a word changes the tokens at the cut, not the last
        if half and alone[half:] == tokens[half - len(alone) :]:
            return option_tokens(
                partial(self.context.vocabulary.tokenise, bos=False), ending, options
            )
        return option_tokens(self.format.tokenise, text, options)


def shared_once(prompts: Sequence[Sequence[int]]) -> int:
    """Count the tokens of prompts, those that all begin with once."""
    if not prompts:
        return 0
    shared = min(common(prompts[0], other) for other in prompts)
    return shared + sum(len(tokens) - shared for tokens in prompts)
