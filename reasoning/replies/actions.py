"""Turns of a thought and an action (ReAct), as models write them."""

import re
from typing import NamedTuple

from .answers import concludes, conclusion
from .plain import NUMBER, as_json, lines, spoken

_BRACKETS = {"[": "]", "(": ")", "{": "}", "<": ">", "「": "」", "（": "）", "【": "】", "⟨": "⟩"}
_CALL = re.compile(r"\b(search|finish)\s*([\[({<「（【⟨])", re.IGNORECASE)
_LABELLED = re.compile(
    r"(?:next )?action(?: \d+)?\s*[:：]\s*(search|finish)(?:\s+for)?\b\s*[:：=-]?\s*(.*)$",
    re.IGNORECASE,
)
_LEADS = re.compile(r"(search|finish)\s*[:：]\s*(.+)$", re.IGNORECASE)
_INPUT = re.compile(r"action[ _]input(?: \d+)?\s*[:：]\s*(.+)$", re.IGNORECASE)
_NAMED_ARGUMENT = re.compile(r"^\w+\s*=\s*(?=[\"'])")
_OBSERVED = re.compile(r"observation(?: \d+)?\s*[:：]?", re.IGNORECASE)
_THOUGHT = re.compile(r"thoughts?(?: \d+)?\s*[:：]\s*", re.IGNORECASE)


class Action(NamedTuple):
    """What a turn does.

    Args:
        kind: "search", "finish" or "" for none.
        argument: the words to look for, or the answer.
        thought: what the turn says before it, on one line.
    """

    kind: str = ""
    argument: str = ""
    thought: str = ""


def action(reply: str) -> Action:
    """Read the first action of a reply; an answer announced without one finishes."""
    in_json = _in_json(spoken(reply))
    if in_json:
        return in_json
    thought: list[str] = []
    said = [line.text for line in lines(reply) if not line.heading]
    for place, text in enumerate(said):
        if _OBSERVED.match(text):
            break
        text = NUMBER.sub("", text)
        if found := _acts(text, said[place + 1 : place + 2]):
            kind, argument, at = found
            return Action(kind, argument, " ".join([*thought, _thought(text[:at])]).strip())
        thought.append(_thought(text))
    if concludes(reply):
        return Action("finish", conclusion(reply) or "unknown")
    return Action(thought=" ".join(thought).strip())


def _acts(text: str, after: list[str]) -> tuple[str, str, int] | None:
    """(kind, argument, where the action begins) of a line; the argument may be the next line's."""
    if call := _CALL.search(text):
        return call[1].casefold(), _argument(text[call.end() :], call[2]), call.start()
    labelled = _LABELLED.match(text) or _LEADS.match(text)
    if not labelled:
        return None
    given = _INPUT.match(after[0]) if after else None
    argument = labelled[2].strip() or (given[1] if given else "")
    return (labelled[1].casefold(), _cleaned(argument), 0) if argument else None


def _argument(rest: str, opening: str) -> str:
    """What stands up to the bracket that closes; all of it where none does."""
    closing, depth = _BRACKETS[opening], 1
    for at, character in enumerate(rest):
        depth += (character == opening) - (character == closing)
        if not depth:
            return _cleaned(rest[:at])
    return _cleaned(rest)


def _cleaned(argument: str) -> str:
    text = _NAMED_ARGUMENT.sub("", argument.strip())
    for quotes in ('""', "''", "“”", "‘’"):
        if len(text) > 1 and (text[0], text[-1]) == tuple(quotes):
            text = text[1:-1]
    return text.strip()


def _thought(text: str) -> str:
    """The words of a thought; labels of thoughts and actions are none."""
    text = re.sub(r"(?:next )?actions?(?: \d+)?\s*[:：]?\s*$", "", text, flags=re.IGNORECASE)
    return _THOUGHT.sub("", text).strip()


def _in_json(text: str) -> Action | None:
    value = as_json(text)
    if not isinstance(value, dict):
        return None
    kind = str(value.get("action", value.get("name", ""))).casefold()
    given = next(
        (
            v
            for k, v in value.items()
            if "input" in k or k in ("query", "argument", "arguments", "answer")
        ),
        "",
    )
    if isinstance(given, dict):
        given = next(iter(given.values()), "")
    if kind not in ("search", "finish") or not given:
        return None
    return Action(kind, str(given).strip(), str(value.get("thought", "")).strip())
