"""A reply without what stands around its words: thoughts in tags, Markdown, marks of lists."""

import json
import re
from typing import NamedTuple

_THOUGHT = re.compile(
    r"[<◁](/?)(?:think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad)[>▷]",
    re.IGNORECASE,
)
_CHANNEL, _SPEAKS = "<|channel|>", "<|channel|>final"
_TOKEN = re.compile(r"<\|[^|>\n]*\|>|</?s>|<eos>|<end_of_turn>|[\u200b-\u200d\u2060\ufeff]")
_ROLE = re.compile(r"\A(?:assistant|Assistant:)\s*\n")
_SINGLE = re.compile(r"([{\[,:]\s*)'((?:[^'\n]|'(?!\s*[,:}\]]))*)'(?=\s*[,:}\]])")
_NONE = re.compile(r"(:\s*)None(?=\s*[,}])")
_FENCE = re.compile(r"^\s*(?:```|~~~).*$", re.MULTILINE)

_RULE = re.compile(r"\s*(?:[-=_*]\s*){3,}")
_QUOTE = re.compile(r"^(?:>\s*)+(?=\S)(?!.*>$)")
_HEADING = re.compile(r"^(?:#{2,}\s*|#\s+)")
_BULLET = re.compile(r"^(?:[-*+•‣◦·–—→⇒]|[=-]>)\s+(?=\S)")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\((?:https?:|/|#)[^)\s]*\)")
_HTML = re.compile(r"</?(?:b|strong|i|em|u|p|br|code|mark|span|div|h[1-6])\s*/?>", re.IGNORECASE)
_EMPHASIS = (
    re.compile(r"\*\*+|(?<!\w)__+|__+(?!\w)"),
    re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])"),
    re.compile(r"(?<!\w)_(?=\S)([^_\n]+)(?<=\S)_(?!\w)"),
    re.compile(r"`([^`\n]+)`"),
)
_BOLD = re.compile(r"\*\*(?=\S)([^*\n]+?)\*\*|__(?=\S)([^_\n]+?)__|<(?:b|strong)>([^<\n]+)</")
_BOLD_LABEL = re.compile(
    r"^(?:\*\*+|__)[^*_:：]{1,40}(?:[:：]\s*(?:\*\*+|__)|(?:\*\*+|__)\s*[:：])"
)
_WHOLLY_BOLD = re.compile(r"(?:\*\*|__)[^*_]+(?:\*\*|__):?")
_NUMBER = r"(?:[^\W\d_]{2,}\s*|#\s?)?\d{1,2}"
_BOLD_NUMBER = re.compile(rf"^(?:\*\*|__)\s*{_NUMBER}\s*[.:：)]?\s*(?:\*\*|__)\s*[.:：)–—-]?\s+")
NUMBER = re.compile(rf"^{_NUMBER}\s*(?:[.):](?=\s)|：|\s[–—-]\s)\s*(?=\S)")
"""The number of a line in a list, of a step or a thought: "1. ", "Step 1: "."""


class Line(NamedTuple):
    """One line's words.

    Args:
        heading: marked as one, or a step's title in bold.
        labelled: begins with a label in bold.
    """

    text: str
    heading: bool = False
    labelled: bool = False


def spoken(reply: str) -> str:
    """Leave out thoughts in tags and the model's own tokens; "" while it is still thinking.

    A reply may begin within its thought, where the model's template opened it.
    """
    text = reply.replace("\r\n", "\n").replace("\xa0", " ").replace("\u202f", " ")
    _, speaks, said = text.rpartition(_SPEAKS)
    text = _without_thoughts(said if speaks else text.partition(_CHANNEL)[0])
    said = _FENCE.sub("", _TOKEN.sub("", text)).strip()
    return _ROLE.sub("", said).strip()


def _without_thoughts(text: str) -> str:
    said, since, thinks = list[str](), 0, False
    for tag in _THOUGHT.finditer(text):
        if tag[1]:
            said = said if thinks else []  # it was opened before the reply
            since, thinks = tag.end(), False
        elif not thinks:
            said.append(text[since : tag.start()])
            thinks = True
    return "".join(said if thinks else [*said, text[since:]])


def lines(reply: str) -> list[Line]:
    """Give the lines that have words, without markup; numbers in front of them stay."""
    return [line for raw in spoken(reply).split("\n") if (line := _line(raw)).text]


def emphasised(reply: str) -> list[str]:
    """Give what stands in bold, each once; no labels."""
    found = ("".join(parts).strip() for parts in _BOLD.findall(spoken(reply)))
    return list(dict.fromkeys(text for text in found if text and text[-1] not in ":："))


def as_json(text: str, opening: str = "{", closing: str = "}") -> object:
    """Give the value of the JSON that stands in a text, from bracket to bracket; None for none.

    Names and texts may stand in single quotation marks, as Python writes them.
    """
    start, end = text.find(opening), text.rfind(closing)
    if not 0 <= start < end:
        return None
    inside = text[start : end + 1]
    in_double = _SINGLE.sub(lambda found: found[1] + json.dumps(found[2]), inside)
    for spelt in (inside, _NONE.sub(r"\1null", in_double)):
        try:
            return json.loads(spelt)
        except (ValueError, RecursionError):
            continue
    return None


def unmarked(text: str) -> str:
    """Take emphasis, links and code marks off."""
    text = _HTML.sub("", _LINK.sub(r"\1", text))
    for pattern in _EMPHASIS:
        text = pattern.sub(r"\1" if pattern.groups else "", text)
    return text.strip()


def _line(raw: str) -> Line:
    raw = raw.strip()
    if _RULE.fullmatch(raw):
        return Line("")
    text = _QUOTE.sub("", raw)
    heading = bool(_HEADING.match(text))
    text = _BULLET.sub("", _HEADING.sub("", text))
    labelled = bool(_BOLD_LABEL.match(text))
    bold = bool(_WHOLLY_BOLD.fullmatch(text))
    text = unmarked(_BOLD_NUMBER.sub("", text))
    titled = bold and (text.endswith((":", "：")) or bool(re.match(rf"{_NUMBER}\b", text)))
    heading = heading or (titled and not text.endswith((".", "。")))
    return Line(text, heading, labelled)
