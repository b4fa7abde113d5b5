"""Thoughts, questions and lists in replies: sentence by sentence, whatever lines they stand in."""

import re
from collections.abc import Collection

from ...kg.text.splitting import sentences
from .answers import LABEL, announced_in, concludes
from .plain import NUMBER, Line, lines
from .unknown import is_unknown

_COURTESY = re.compile(
    r"(?:sure|certainly|of course|ok|okay|alright|all right|absolutely|gladly|understood|got it|"
    r"(?:great|good|interesting) question|happy to help)\b[^\w]*$|"
    r"(?:(?:sure|okay|ok|certainly|alright|great)[,!.]?\s+(?:so\s+)?)?"
    r"(?:(?:let me|let['’]s|let us)\b(?! know)|here(?:['’]s| is| are) (?:the|my|a|an|what|how)\b|"
    r"i(?:['’]ll| will| am going to|['’]m going to) (?:\w+ )?(?:think|go|work|answer|continue|"
    r"follow|help|look|list|analy[sz]e|break|use|start|try|provide|extract)\b|"
    r"(?:thinking|going|working) (?:\w+ )?(?:step by step|through)|"
    r"to (?:answer|solve|find|determine|figure)\b[^,]*,? (?:let me|let['’]s|let us|i['’]ll)\b)",
    re.IGNORECASE,
)
_OF_THOUGHT = re.compile(
    r"(?:next |new |my |first |second |third |final )*(?:thoughts?|sentence|reasoning|line|step|"
    r"fact|evidence(?: (?:still )?needed)?|needed(?: evidence)?|missing(?: evidence)?|statement|"
    r"answer in one sentence|gedanke|pensée|pensamiento|思考|想法)(?: \d+)?",
    re.IGNORECASE,
)
_OF_QUESTION = re.compile(
    r"(?:\w+ )?(?:follow[- ]?ups?(?: questions?)?|sub-?questions?|questions?|next(?: questions?)?|"
    r"query|frage|pregunta|domanda|问题|質問)(?: \d+)?",
    re.IGNORECASE,
)
_FOLLOW_UP = re.compile(r"(?:\w+ )?follow[- ]?ups?(?: questions?)?(?: \d+)?", re.IGNORECASE)
_NOTHING = re.compile(
    r"(?:there (?:is|are) )?(?:nothing|none|no)\b(?:$|[.!,;]|\s+[(–—-]|"
    r"\s+(?:more|else|further|additional|other|new|missing|is|are|needed|required|relations?|"
    r"things?|triples?|evidence|facts?|information|names?|entities|questions?|follow)\b.*)|"
    r"n\s*/\s*a$|(?:nichts|rien|nada|niente|niets|ничего|无|没有|なし|없음)[.!。]?$|"
    r".*\bpassages? (?:already )?(?:tells?|contains?|states?|provides?|gives?) (?:all|everything)|"
    r".*\b(?:no|nothing) (?:\w+ ){0,3}(?:needed|missing|required)\b",
    re.IGNORECASE,
)
QUESTION_MARKS = ("?", "？", "؟")


def says_nothing(text: str) -> bool:
    """Tell whether a reply says "none" or "nothing", in whatever words it says it."""
    said = [line.text for line in lines(text)]
    if not said:
        return True
    last = _without_label(said[-1], _OF_THOUGHT)
    return len(said) <= 2 and bool(_NOTHING.match(last.strip("\"'“”()[]⟨⟩<>"))) and ";" not in last


def thoughts(reply: str) -> list[str]:
    """Give the sentences of a reply that say something, in their order.

    Courtesies, headings, and lines that announce others are left out, numbers of steps as well.
    """
    found: list[str] = []
    said = _joined(lines(reply))
    for line in said:
        if not line.heading:
            found += [s for s in _sentences(line.text) if not _announces(s)]
    return found


def next_thought(reply: str, before: Collection[str] = ()) -> str:
    """Give the first sentence that was not thought yet; "" when there is none.

    Models that are asked for the next thought may begin with those there are.
    """
    known = {_key(thought) for thought in before}
    return next((one for one in thoughts(reply) if _key(one) not in known), "")


def question(reply: str) -> str:
    """Give the question that a reply asks: the first one; "" for none."""
    return next((one for one in map(_asked, _units(reply)) if one), "")


def follow_up(reply: str) -> str:
    """Give the follow-up question of a reply; "" where it asks none before it concludes."""
    unmarked = ""
    for unit in _units(reply):
        label = LABEL.match(unit)
        if label and _FOLLOW_UP.fullmatch(label["label"].strip()) and label["value"]:
            return label["value"].strip('"“” ')
        if announced_in(unit) is not None:
            break
        unmarked = unmarked or _asked(unit)
    return unmarked


def statement(reply: str) -> str:
    """Give the sentence that answers a sub-question; "" where it says that nothing is known."""
    said = [_without_label(one, _OF_THOUGHT) for one in thoughts(reply)]
    first = said[0] if said else ""
    first = announced_in(first) or first
    return "" if is_unknown(first) else first


def needed(reply: str) -> str:
    """Give the sentence that says what is missing; "" where it says that nothing is."""
    if says_nothing(reply):
        return ""
    said = thoughts(reply)
    return "" if not said or _NOTHING.match(said[0]) else said[0]


def names(reply: str) -> list[str]:
    """Give the names that a reply lists, one a line, each once; none for "none"."""
    if says_nothing(reply):
        return []
    found = [NUMBER.sub("", line.text) for line in lines(reply) if not line.heading]
    return list(dict.fromkeys(name for name in found if name and not _announces(name)))


def begins(reply: str) -> bool:
    """Tell whether a reply says anything yet beyond courtesies and headings."""
    return bool(thoughts(reply)) or concludes(reply)


def _units(reply: str) -> list[str]:
    """Sentences with the labels that they have."""
    return [s for line in _joined(lines(reply)) for s in _split(NUMBER.sub("", line.text))]


def _joined(said: list[Line]) -> list[Line]:
    """Lines, a label that stands alone together with what follows it."""
    found: list[Line] = []
    for line in said:
        if found and not line.heading and _is_label(found[-1]):
            found[-1] = Line(f"{found[-1].text.rstrip(' :：')}: {line.text}")
        else:
            found.append(line)
    return found


def _is_label(line: Line) -> bool:
    """Whether a line is but the label of the one below."""
    text = line.text.rstrip(" :：")
    if not (line.heading or text != line.text):
        return False
    return bool(
        announced_in(f"{text}: x") is not None
        or _FOLLOW_UP.fullmatch(text)
        or (line.heading and _OF_THOUGHT.fullmatch(text))
    )


def _sentences(line: str) -> list[str]:
    text = NUMBER.sub("", line)
    text = _without_label(text, _OF_THOUGHT)
    return _split(text)


def _split(line: str) -> list[str]:
    return [one for one in sentences(line) if re.search(r"\w", one)]


def _announces(sentence: str) -> bool:
    """Whether a sentence but leads to what follows."""
    few = len(sentence.split()) <= 3
    return bool(
        sentence.endswith((":", "："))
        or (few and sentence.endswith(("!", "！")))
        or _COURTESY.match(sentence)
    )


def _asked(unit: str) -> str:
    if not unit.rstrip("\"'”’»)").endswith(QUESTION_MARKS):
        return ""
    return _without_label(_without_label(unit, _OF_THOUGHT), _OF_QUESTION).strip('"“”')


def _without_label(text: str, label: re.Pattern[str]) -> str:
    found = LABEL.match(text)
    return found["value"] if found and label.fullmatch(found["label"].strip()) else text


def _key(sentence: str) -> str:
    return re.sub(r"\W+", " ", sentence.casefold()).strip()
