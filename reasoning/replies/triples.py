"""Triples and scores in replies, in whatever brackets."""

import re
from typing import NamedTuple

from .plain import NUMBER, as_json, lines, spoken, unmarked
from .sentences import says_nothing

_BRACKETS = (
    "⟨⟩",
    "<>",
    "〈〉",
    "《》",
    "«»",
    "‹›",
    "＜＞",
    "[]",
    "()",
    "{}",
    "（）",
    "【】",
    "「」",
)
_SEPARATORS = (r"\s*[;；]\s*", r"\s*\|\s*", r"\s*(?:→|->|-->|—>|=>)\s*", r"\s*[,，、]\s*")
_IN_BRACKETS = {
    pair: re.compile(rf"{re.escape(pair[0])}([^\n{re.escape(pair)}]*)(?:{re.escape(pair[1])})")
    for pair in _BRACKETS
}
_TABLE_HEAD = re.compile(r"(?:head|subject|entity ?1?|source)", re.IGNORECASE)
_OPENING = re.compile(r"^(?:triples?|relations?|facts?)(?: \d+)?\s*[:：]\s*", re.IGNORECASE)
_TABLE_RULE = re.compile(r"[\s|:+-]+")
_PUT = re.compile(r"[⟨〈《＜].*|^\s*[\[(<{].*[\])>}]\s*[.,]?\s*$|.*;.*;")
_LONGEST = 30  # words of a slot: more are prose
_SCORE = re.compile(
    r"^(?:[^\W\d_]+\s*|#\s?)?[\[(]?(\d{1,3})[\])]?\s*(?:[.:：)|=]|\s[–—-]\s|→|->)\s*"
    r"(?:.*?(?:[:：|=]|\s[–—-]\s|→|->)\s*)?(?:score\s*(?:of|is)?\s*)?(\d{1,2}(?:\.\d+)?)"
    r"(?:\s*(?:/|out of)\s*10)?\s*(?:\||[.;,(\[–—-].*)?$",
    re.IGNORECASE,
)


class Slots(NamedTuple):
    """A triple as words."""

    head: str
    relation: str
    tail: str


def triples(reply: str, cut_off: bool = False) -> list[Slots] | None:
    """Read the triples of a reply, each once, in its order.

    Args:
        cut_off: the reply was; then its last line counts only with its bracket closed.

    Returns:
        [] where the reply says that there are none, None where nothing in it can be read.
    """
    found: dict[Slots, None] = dict.fromkeys(_in_json(spoken(reply)))
    said = spoken(reply).split("\n")
    if not found:
        for number, raw in enumerate(said, 1):
            found |= dict.fromkeys(_of_line(raw, cut_off and number == len(said)))
    if not found:
        return [] if spoken(reply) and says_nothing(reply) else None
    return list(found)


def malformed(reply: str) -> int:
    """Count the lines that are put like triples, in brackets or with semicolons, and are none."""
    said = spoken(reply)
    if _in_json(said) or says_nothing(reply):
        return 0
    return sum(bool(_PUT.search(raw)) and not _of_line(raw, False) for raw in said.split("\n"))


def scores(reply: str) -> dict[int, float]:
    """Read scores by the numbers of what is scored: "1: 7", "**2.** ⟨a; b; c⟩: 7/10"."""
    found: dict[int, float] = {}
    for line in spoken(reply).split("\n"):
        text = unmarked(re.sub(r"^\s*(?:[-*•+>]\s+|\|\s*|#+\s+)", "", line)).strip()
        if score := _SCORE.match(text):
            found.setdefault(int(score[1]), float(score[2]))
    return found


def _of_line(raw: str, cut_off: bool) -> list[Slots]:
    if _TABLE_RULE.fullmatch(raw):
        return []
    if listed := _in_json(raw):
        return listed
    text = next((line.text for line in lines(raw)), "")
    text = _OPENING.sub("", NUMBER.sub("", text)).rstrip(",.")
    for pair, pattern in _IN_BRACKETS.items():
        inner = [_split(part, text.startswith(pair[0])) for part in pattern.findall(raw)]
        if whole := [slots for slots in inner if slots]:
            return whole
    if cut_off:
        return []
    if raw.strip().startswith("|"):
        cells = [unmarked(cell) for cell in raw.strip().strip("|").split("|")]
        cells = cells[1:] if len(cells) == 4 and cells[0].strip().isdigit() else cells
        return [] if len(cells) != 3 or _TABLE_HEAD.fullmatch(cells[0]) else _slots(cells)
    text = text[1:-1] if any(text[:1] + text[-1:] == pair for pair in _BRACKETS) else text
    return [slots for slots in [_split(text)] if slots]


def _split(text: str, commas: bool = False) -> Slots | None:
    """Three slots by the first separator that gives three; commas only where nothing but is."""
    for separator in _SEPARATORS if commas else _SEPARATORS[:-1]:
        parts = re.split(separator, text.strip())
        if len(parts) == 3 and (slots := _slots(parts)):
            return slots[0]
    return None


def _slots(parts: list[str]) -> list[Slots]:
    clean = [unmarked(part).strip(' "“”').strip() for part in parts]
    if not all(re.search(r"\w", part) for part in clean):
        return []
    return [] if max(len(part.split()) for part in clean) > _LONGEST else [Slots(*clean)]


def _in_json(text: str) -> list[Slots]:
    value = as_json(text) if text.find("{") < text.find("[") else None
    value = value or as_json(text, "[", "]")
    if isinstance(value, dict):
        value = next((v for v in value.values() if isinstance(v, list)), [value])
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        value = [value]
    found = []
    for one in value if isinstance(value, list) else []:
        parts = list(one.values()) if isinstance(one, dict) else one
        if isinstance(parts, list) and len(parts) == 3:
            found += _slots([str(part) for part in parts])
    return found
