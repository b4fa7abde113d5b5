"""What a model says when it judges its knowledge: enough, with an answer, or what to look up."""

import re
from typing import NamedTuple

from ...kg.text.words import normal_form, words
from .answers import LABEL, announced_in, concludes, conclusion
from .plain import NUMBER, Line, as_json, lines, spoken
from .sentences import thoughts
from .unknown import is_unknown

_VERDICT = re.compile(
    r".*\b(?:sufficien\w*|enough|suffices?)\b[^:：]*[:：]\s*(yes|no|true|false|not?\b|sufficient|"
    r"insufficient)\b.*",
    re.IGNORECASE,
)
_IN_PROSE = re.compile(
    r"(?P<not>\b(?:not|n['’]t)\s+(?:yet\s+)?(?:enough|sufficient|suffice)|\binsufficient\b)"
    r"|\b(?:are|is)\s+(?:enough|sufficient)\b|\bsuffices?\b",
    re.IGNORECASE,
)
_GUIDANCE = re.compile(
    r"(?:retrieval |knowledge |next )*(?:guidance|look[- ]?ups?|to look up|pairs?|"
    r"entit(?:y|ies)(?:[–-]relation)?(?: pairs?)?|needed|missing)\b.*",
    re.IGNORECASE,
)
_OF_THOUGHT = re.compile(r"(?:final )?(?:thoughts?|reasoning|explanation|steps?)\b.*", re.I)
_TOLD_APART = re.compile(r"\s*[:：]\s+|\s+[–—-]\s+|：\s*")


class Pair(NamedTuple):
    """An entity and which of its relations is to be looked up."""

    entity: str
    guidance: str


class Plan(NamedTuple):
    """A judgement of what is known.

    Args:
        sufficient: it answers.
        thought: before the answer.
        answer: "" where what is known does not tell.
        pairs: to look up; none where it suffices.
        dropped: lines of guidance that name no entity with a relation.
    """

    sufficient: bool
    thought: str = ""
    answer: str = ""
    pairs: tuple[Pair, ...] = ()
    dropped: int = 0


def plan(reply: str, known: str = "") -> Plan | None:
    """Read such a judgement; None where a reply holds neither an answer nor what to look up.

    Args:
        known: text that spells entities: "2001: A Space Odyssey: its director" is told apart by it.
    """
    if (told := _in_json(spoken(reply))) is not None:
        return told
    said = lines(reply)
    verdict, at = _verdict(said)
    pairs, dropped = _pairs(said[at:], known)
    if verdict is None:
        answers = any(announced_in(line.text, line.heading) is not None for line in said)
        verdict = answers or (concludes(reply) and not pairs)
        if not verdict and not pairs:
            return None
    if not verdict:
        return Plan(False, pairs=pairs, dropped=dropped) if pairs or dropped else None
    after = "\n".join(line.text for line in said[at:])
    return Plan(True, _thought(after), conclusion(reply))


def _verdict(said: list[Line]) -> tuple[bool | None, int]:
    """Whether it suffices, None where nothing says so; and the first line after that."""
    for place, line in enumerate(said):
        if found := _VERDICT.fullmatch(line.text):
            return found[1].casefold() in ("yes", "true", "sufficient"), place + 1
    for place, line in enumerate(said[:2]):
        if found := _IN_PROSE.search(line.text):
            return found["not"] is None, place + 1
    if said and re.fullmatch(r"(?:yes|no)[.!]?", said[0].text, re.IGNORECASE):
        return said[0].text.casefold().startswith("yes"), 1
    return None, 0


def _pairs(said: list[Line], known: str) -> tuple[tuple[Pair, ...], int]:
    found: dict[Pair, None] = {}
    dropped = 0
    texts = [NUMBER.sub("", line.text) for line in said]
    begin = next((n for n, text in enumerate(texts, 1) if _is_heading(text)), 0)
    for text in texts[begin:]:
        if pair := _pair(text, known):
            found.setdefault(pair)
        else:
            dropped += bool(begin)
    return tuple(found), dropped


def _is_heading(text: str) -> bool:
    head = text.rstrip(" :：")
    return head != text and bool(_GUIDANCE.fullmatch(head))


def _pair(text: str, known: str) -> Pair | None:
    """Told apart at the first colon, or where an entity that is known ends."""
    spelt = f" {' '.join(words(known))} "
    best: Pair | None = None
    for sign in _TOLD_APART.finditer(text):
        entity, guidance = text[: sign.start()].strip(" \"“”'*"), text[sign.end() :].strip(' "*')
        if not normal_form(entity) or not words(guidance) or _OF_THOUGHT.fullmatch(entity):
            continue
        if best is None or f" {' '.join(words(entity))} " in spelt:
            best = Pair(entity, guidance)
    if best is None or concludes(text) or is_unknown(best.entity):
        return None
    return best


def _thought(text: str) -> str:
    """The sentences before the answer, without their label."""
    said = [one for line in text.split("\n") if not concludes(line) for one in thoughts(line)]
    return " ".join(_unlabelled(one) for one in said)


def _unlabelled(sentence: str) -> str:
    found = LABEL.match(sentence)
    return found["value"] if found and _OF_THOUGHT.fullmatch(found["label"]) else sentence


def _in_json(text: str) -> Plan | None:
    value = as_json(text)
    if not isinstance(value, dict):
        return None
    by_name = {str(key).casefold(): given for key, given in value.items()}
    verdict = next((v for k, v in by_name.items() if "suffic" in k or "enough" in k), None)
    listed = next((v for k, v in by_name.items() if "guid" in k or "pair" in k or "entit" in k), [])
    if isinstance(listed, dict):
        listed = [[entity, guidance] for entity, guidance in listed.items()]
    pairs, dropped = [], 0
    for one in listed if isinstance(listed, list) else []:
        slots = list(one.values()) if isinstance(one, dict) else one
        if isinstance(slots, list) and len(slots) == 2 and all(map(normal_form, map(str, slots))):
            pairs.append(Pair(*(str(slot).strip() for slot in slots)))
        else:
            dropped += 1
    answer = str(by_name.get("answer") or "")
    yes = str(verdict).casefold() in ("yes", "true") if verdict is not None else not pairs
    if yes and ("answer" in by_name or verdict is not None):
        thought = str(by_name.get("thought") or "")
        return Plan(True, thought, "" if is_unknown(answer) else answer)
    return Plan(False, pairs=tuple(dict.fromkeys(pairs)), dropped=dropped) if pairs else None
