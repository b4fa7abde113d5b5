"""A plain prompt as a GGUF model wants to read it: in its chat template, as tokens."""

import re
from collections.abc import Callable

from ...kg.errors import ModelMissing
from .vocabulary import Vocabulary, library

_TODAY = "01 Jan 2025"  # for templates that ask: an answer must not change overnight


class PromptFormat:
    """Puts prompts into the chat template of the file's metadata, if there is one.

    Args:
        chat: False leaves prompts plain.

    Raises:
        ModelMissing: the template can't be rendered.
    """

    def __init__(self, vocabulary: Vocabulary, chat: bool) -> None:
        self._vocabulary = vocabulary
        control = sorted(vocabulary.control_texts(), key=len, reverse=True)
        self._control = re.compile("|".join(map(re.escape, control)) or r"(?!)")
        template = vocabulary.metadata("tokenizer.chat_template") if chat else None
        self._render = _renderer(template, vocabulary) if template else None

    def apply(self, prompt: str) -> str:
        """Make the whole text that the model reads.

        What spells a control token in the prompt (`<s>` in a web page, say) gets a blank after its
        first character, so that no document can end the user's turn.
        """
        harmless = self._control.sub(lambda found: f"{found[0][0]} {found[0][1:]}", prompt)
        return self._render(harmless) if self._render else harmless

    def tokenise(self, applied: str) -> list[int]:
        """Tokenise a text of `apply`; one BOS where the model wants it, never two."""
        bos = self._vocabulary.bos
        spelt = bool(bos) and applied.startswith(bos)
        return self._vocabulary.tokenise(applied, bos=self._vocabulary.adds_bos and not spelt)


def _renderer(template: str, vocabulary: Vocabulary) -> Callable[[str], str]:
    formatter_class = library().llama_chat_format.Jinja2ChatFormatter
    try:
        formatter = formatter_class(template, eos_token=vocabulary.eos, bos_token=vocabulary.bos)
        formatter.strftime_now = lambda _format: _TODAY

        def render(prompt: str) -> str:
            messages = [{"role": "user", "content": prompt}]
            # Templates of models that think aloud know this name; what is asked here is short.
            return formatter(messages=messages, enable_thinking=False).prompt

        if "probe" not in render("probe"):
            raise ValueError("it leaves the message out")
    except Exception as error:  # a template is a program and raises what it likes
        raise ModelMissing(
            f"The model's chat template can't be used ({error}). Set chat=False for plain prompts."
        ) from error
    return render
