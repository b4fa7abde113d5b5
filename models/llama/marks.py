"""How models spell their thoughts, and where a rendered prompt leaves one open."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from ...kg.errors import ModelMissing

Render = Callable[[str, bool], str]
"""Puts a prompt into a chat template, asked to let the model think or not."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The spelling of a thought and of the reply after it.

    Args:
        opens: begins a thought.
        ends: what follows it is the reply.
        closes: put after an open thought, begins the reply.
        silent: put where neither has begun, begins the reply.
        stops: control tokens that end a reply, besides those that end all generation.
    """

    opens: str
    ends: str
    closes: str
    silent: str
    stops: tuple[str, ...] = ()


def _tags(opens: str, ends: str) -> Marks:
    return Marks(f"{opens}\n", ends, f"\n{ends}\n\n", f"{opens}\n\n{ends}\n\n")


def _cohere(reply: str) -> Marks:
    opens, ends = "<|START_THINKING|>", "<|END_THINKING|>"
    return Marks(opens, ends, ends + reply, opens + ends + reply)


_THINK = _tags("<think>", "</think>")
_KNOWN = {  # by what tells of them in a template
    "<|channel|>analysis<|message|>": Marks(  # gpt-oss
        "<|channel|>analysis<|message|>",
        "<|channel|>final<|message|>",
        "<|end|><|start|>assistant<|channel|>final<|message|>",
        "<|channel|>final<|message|>",
        ("<|end|>", "<|start|>"),
    ),
    "assistant<|think|>": Marks(  # Solar Open
        "<|think|>",
        "<|content|>",
        "<|end|><|begin|>assistant<|content|>",
        "<|think|><|end|><|begin|>assistant<|content|>",
        ("<|end|>", "<|begin|>"),
    ),
    "assistant to=self<|message|>": Marks(  # ATEM
        " to=self<|message|>",
        "<|start|>assistant<|message|>",
        "<|eom|><|start|>assistant<|message|>",
        "<|message|>",
        ("<|eom|>", "<|start|>"),
    ),
    "<|channel>thought": Marks(  # Gemma 4
        "<|channel>thought\n", "<channel|>", "<channel|>", "<|channel>thought\n<channel|>"
    ),
    "<|START_RESPONSE|>": _cohere("<|START_RESPONSE|>"),
    "<|START_TEXT|>": _cohere("<|START_TEXT|>"),
    "<|START_THINKING|>": _cohere(""),
    "<|inner_prefix|>": Marks(  # Apertus
        "<|inner_prefix|>", "<|inner_suffix|>", "<|inner_suffix|>", ""
    ),
    "<|open|>": Marks(  # Kimi K3
        "<|open|>think<|sep|>",
        "<|open|>response<|sep|>",
        "<|close|>think<|sep|><|open|>response<|sep|>",
        "<|open|>response<|sep|>",
        ("<|close|>",),
    ),
    "[BEGIN FINAL RESPONSE]": Marks(  # Apriel
        "Here are my reasoning steps:\n",
        "[BEGIN FINAL RESPONSE]",
        "\n[BEGIN FINAL RESPONSE]\n",
        "[BEGIN FINAL RESPONSE]\n",
    ),
    "THINK]": Marks("[THINK]", "[/THINK]", "[/THINK]", "[THINK][/THINK]"),
}
_TAGGED = re.compile(r"</((?:\w+:)?think(?::\w+)?)>")
_LAST = re.compile(r"(?:<\|?|\[|◁)([^<>\[\]◁▷]*)(?:>|\]|▷)\s*$")
_THINKS = re.compile(r"think|thought|reason|analy[sz]", re.IGNORECASE)
_ENDS = re.compile(r"^/|(?:^|_)(?:end|close|stop)(?:_|$)", re.IGNORECASE)
_PAIRED = {"<": ("</", ">"), "[": ("[/", "]"), "◁": ("◁/", "▷")}


class Thinking:
    """Lets a model think first, or has it reply at once, by how its rendered prompts end.

    Args:
        template: of the chat.
        render: renders it.
        on: let the model think.

    Raises:
        ModelMissing: prompts end in an open thought of a spelling that can't be closed.
    """

    def __init__(self, template: str, render: Render, on: bool) -> None:
        self._render = render
        self.on = on
        silent, thinking = render("probe", False), render("probe", True)
        told = _marks(template, thinking, silent)
        self.marks = told or _THINK
        # A template without a switch leaves it to the model, which thinks.
        self._unasked = told is not None and silent == thinking

    def apply(self, prompt: str) -> str:
        """Render a prompt that ends in an open thought, or so that the reply begins."""
        text = self._render(prompt, self.on)
        end, marks = text.rstrip(), self.marks
        is_open = end.endswith(marks.opens.rstrip())
        if self.on:
            empty = re.escape(marks.opens.strip()) + r"\s*" + re.escape(marks.ends) + r"\s*$"
            return text if is_open else re.sub(empty, "", text) + marks.opens
        if is_open:
            return text + marks.closes
        if end.endswith(marks.ends):
            return text + marks.closes.partition(marks.ends)[2].strip()
        return text + marks.silent if self._unasked else text


def _marks(template: str, *rendered: str) -> Marks | None:
    """The spelling of thoughts in a template; None where it has none.

    Raises:
        ModelMissing: it opens one of an unknown spelling that has no evident end.
    """
    for text in rendered:
        last = _LAST.search(text)
        if last and _THINKS.search(last[1]) and not _ENDS.search(last[1].strip("|")):
            if any(text.rstrip().endswith(known.opens.rstrip()) for known in _KNOWN.values()):
                break
            shown = last[0].strip()
            if not re.fullmatch(r"\W[\w:]+\W", shown):
                raise ModelMissing(
                    f"The model's chat template opens a thought with {shown!r}, and how that ends "
                    "is not known here. Run the model on llama-server (docs/models.md), or set "
                    "chat=false for plain prompts."
                )
            before, after = _PAIRED[shown[0]]
            return _tags(shown, f"{before}{last[1]}{after}")
    for tells, marks in _KNOWN.items():
        if tells in template:
            return marks
    tagged = _TAGGED.search("".join((template, *rendered)))
    return _tags(f"<{tagged[1]}>", tagged[0]) if tagged else None
