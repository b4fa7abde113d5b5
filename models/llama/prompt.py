"""A plain prompt as a GGUF model wants to read it: in its chat template, as tokens."""

import re

from ...kg.errors import ModelMissing
from .marks import Render, Thinking
from .vocabulary import Vocabulary, library

_TODAY = "01 Jan 2025"  # for templates that ask: an answer must not change overnight


class PromptFormat:
    """Puts prompts into the chat template of the file's metadata, if there is one.

    Args:
        chat: False leaves prompts plain.
        thinks: the model is let to think before it replies.

    Attributes:
        thought: how the thought that prompts end in is spelt; None where they end in none.
        stops: control tokens that end a reply, besides those that end all generation.

    Raises:
        ModelMissing: the template can't be rendered, ends in a thought that can't be closed, or
            there is none to think in.
    """

    def __init__(self, vocabulary: Vocabulary, chat: bool, thinks: bool = False) -> None:
        self._vocabulary = vocabulary
        control = sorted(vocabulary.control_texts(), key=len, reverse=True)
        self._control = re.compile("|".join(map(re.escape, control)) or r"(?!)")
        template = vocabulary.metadata("tokenizer.chat_template") if chat else None
        if thinks and not template:
            raise ModelMissing(
                "The file has no chat template, so there is no thinking: leave :thinking=on out."
            )
        self._chat = (
            Thinking(template, _renderer(template, vocabulary), thinks) if template else None
        )
        self.thought = self._chat.marks if self._chat and thinks else None
        stops = self._chat.marks.stops if self._chat else ()
        spelt = [vocabulary.tokenise(text, bos=False) for text in stops]
        self.stops = frozenset(tokens[0] for tokens in spelt if len(tokens) == 1)

    def apply(self, prompt: str) -> str:
        """Make the whole text that the model reads.

        What spells a control token in the prompt (`<s>` in a web page, say) gets a blank after its
        first character, so that no document can end the user's turn.
        """
        harmless = self.harmless(prompt)
        return self._chat.apply(harmless) if self._chat else harmless

    def harmless(self, text: str) -> str:
        """Part what spells control tokens in a text."""
        return self._control.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)

    def tokenise(self, applied: str) -> list[int]:
        """Tokenise a text of `apply`; one BOS where the model wants it, never two."""
        bos = self._vocabulary.bos
        spelt = bool(bos) and applied.startswith(bos)
        return self._vocabulary.tokenise(applied, bos=self._vocabulary.adds_bos and not spelt)


def _renderer(template: str, vocabulary: Vocabulary) -> Render:
    formatter_class = library().llama_chat_format.Jinja2ChatFormatter
    try:
        formatter = formatter_class(template, eos_token=vocabulary.eos, bos_token=vocabulary.bos)
        formatter.strftime_now = lambda _format: _TODAY

        def render(prompt: str, thinks: bool) -> str:
            messages = [{"role": "user", "content": prompt}]
            # What templates of models that think call it: Qwen and GLM, DeepSeek and Granite.
            return formatter(messages=messages, enable_thinking=thinks, thinking=thinks).prompt

        if "probe" not in render("probe", False):
            raise ValueError("it leaves the message out")
    except Exception as error:  # a template is a program and raises what it likes
        raise ModelMissing(
            f"The model's chat template can't be used ({error}). Set chat=False for plain prompts."
        ) from error
    return render
