"""The answer that a reply gives: after a label, in a box, as its last words, or alone."""

import re

from ...kg.text.splitting import sentences
from .plain import NUMBER, Line, as_json, emphasised, lines, spoken, unmarked
from .unknown import is_unknown, says_not

LABEL = re.compile(r"(?P<label>[^\W\d][^:：?!\n]{0,40}?)\s*(?:[:：]\s*)(?P<value>.*)$")
"""A label and its value; French puts a blank before the colon, Chinese writes a wide one."""
_ANSWER = (
    r"(?:\banswers?\b|\bantwort\b|\bréponse\b|\brespuesta\b|\brisposta\b|\bresposta\b|\bantwoord\b|"
    r"\bsvar(?:et)?\b|\bvastaus\b|\bodpowied[źz]\b|\bodpověď\b|\bválasz\b|\brăspuns(?:ul)?\b|"
    r"\bответ\b|\bвідповідь\b|\bαπάντηση\b|\bcevap\b|\byanıt\b|\bđáp án\b|\btrả lời\b|\bjawaban\b|"
    r"\b(?:correct|right|best|chosen|selected) (?:option|choice)\b|"
    r"答案|回答|答え|^答$|정답|답변|^답$|الإجابة|الجواب|إجابة|תשובה|उत्तर|คำตอบ|پاسخ)"
)
"""The word for an answer, as models label what they say in the question's language."""
_ANSWER_LABEL = re.compile(_ANSWER, re.IGNORECASE)
_COPULA = (
    r"(?:is|was|would be|must be|should be|has to be|comes out as|ist|lautet|est|es|è|é|är|er|jest)"
)
_AFTER_ANSWER = re.compile(
    r"(?:\s+(?:to|for) (?:the|this|your) (?:\w+ )?question|\s*\([^)]*\))?"
    rf"(?:\s+{_COPULA}|就?是|为|は)?(?:\s+(?:therefore|thus|then|as follows|that))?\s*$",
    re.IGNORECASE,
)
_NO_ANSWER_LABEL = re.compile(
    r"\b(?:intermediate|previous|earlier|partial|possible|wrong|to|if|when|whether|who|which|what)\b",
    re.IGNORECASE,
)
_DASHED = re.compile(
    rf"(?:the |final |short )*{_ANSWER}\s*(?:=|[–—-]|→|->|=>)\s*(.+)$", re.IGNORECASE
)
_ANNOUNCED = re.compile(
    r"(?:^|[.!?;,:–—(]\s*|\b(?:so|thus|therefore|hence|that|then|and|but|means?|meaning|believe|think|"
    r"say|conclude)\s+)(?:so\s+|thus,?\s+|therefore,?\s+)?"
    r"(?:(?:the|my|our|your|an?|die|la|el|il|a|o|het|de)\s+)?"
    r"(?:(?:final|correct|short|right|best|exact|direct|most likely|likely|complete)\s+){0,2}"
    rf"{_ANSWER}(?:\s+(?:to|for|of) [^.:?!\n]{{1,80}}?)?\s+"
    rf"{_COPULA}\b(?:\s+(?:therefore|thus|hence|simply|likely|probably|then|that)\b)?"
    r"\s*[:：]?\s*",
    re.IGNORECASE,
)
_IN_CHINESE = re.compile(
    r"(?:最终|正确)?(?:答案|回答|答え)(?:就?是|为|為|は)[:：]?\s*(?P<value>.+)$"
)
_THE_ANSWER = re.compile(
    r"(?:^|[.,;:]\s+)(?:(?:so|thus|therefore|hence|in conclusion|finally),?\s+)?"
    r"(?P<value>[^,;:]{1,80}?) (?:is|was|must be) (?:therefore |thus )?"
    r"(?:the|our|my) (?:final |correct )?answer[.!]?$",
    re.IGNORECASE,
)
_NOT_A_VALUE = re.compile(
    r"(?:in|found|stated|given|mentioned|supported|based|known|clear|correct|right|wrong|"
    r"as follows|therefore|that the|"
    r"not (?!known|clear|sure|stated|given|in |found|mention|provid|specif|avail|determin|told|"
    r"possible|explicit|contain))\b(?=.)",
)
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*\{")
_TAGGED = re.compile(r"<(?:final_?)?answer>\s*(.*?)\s*(?:</(?:final_?)?answer>|$)", re.I | re.S)
_COMMAND = re.compile(r"\\(?:text\w*|mathrm|mathbf|rm|bf)\s*\{([^{}]*)\}")
_RESTATED = re.compile(r"(?:question|passages|example \d+)\b\s*[:：]?", re.IGNORECASE)
_OTHER_LABEL = re.compile(
    r"(?:thoughts?|steps?|notes?|facts?|reason(?:ing|s)?|explanation|sources?|question|"
    r"follow[- ]?up|"
    r"actions?|observations?|search|evidence|passages?|references?|citations?|confidence|"
    r"justification|support|context|p\.?s\.?|https?|triples?|chain)\b",
    re.IGNORECASE,
)
_INTERJECTION = re.compile(
    r"(?:sure|certainly|of course|ok|okay|alright|absolutely)(?: thing)?(?:[!.,]|\s[–—-])\s+", re.I
)
_REASON = re.compile(
    r"(?:,\s++(?:because|since|as|according to|based on|which|who|where|given that)\b"
    r"|(?<!\s)\s++(?:because|according to the|based on the"
    r"|as (?:stated|mentioned|per|given|indicated) |[–—]\s++(?=[a-z]))).*$"
)
_SOURCE = re.compile(
    r"(?:(?<!\s)\s++)?(?:[\[【]\s*+\^?(?:passages?\s*+|doc[^\W\d]*+\s*+|source\s*+)?"
    r"\d++(?:\s*+[,;–-]\s*+\d++)*+\s*+[†\w]*+[\]】]"
    r"|\(\s*+(?:see |from |source:? |according to |as per |per )*[\[]?(?:the )?"
    r"(?:passages?|sources?|documents?|triples?|contexts?|evidence)\b[^()]*+\))++(?=[.\s]*+$)",
    re.IGNORECASE,
)
_VERDICT = re.compile(r"((?i:yes|no))(?:[.!;:]\s|\s+[–—-]+\s|,\s+(?=[a-z]|(?:\S+\s+){3,}))")
_PAIRS = {'"': '"', "“": "”", "„": "“", "'": "'", "‘": "’", "«": "»", "「": "」", "『": "』",
          "[": "]", "{": "}", "<": ">", "⟨": "⟩", "(": ")", "$": "$"}  # fmt: skip
_BLANKS = re.compile(r"\s{3,}")
_BRIEF = 8  # words of an answer that is no sentence
_FEW = 4  # words that no sentence has
_LABEL_WORDS = 9


def told(reply: str) -> str:
    """Give the answer of a reply that was to be the answer alone; "" where it names none."""
    reply = _settled(reply)
    announced = _announced(reply)
    value = _alone(reply) if announced is None else announced
    return _meant(value, reply)


def concludes(thoughts: str) -> bool:
    """Tell whether thoughts announce an answer, known or not."""
    return _announced(_settled(thoughts)) is not None


def conclusion(thoughts: str) -> str:
    """Give the answer that thoughts announce; "" where they announce none, or it is unknown."""
    thoughts = _settled(thoughts)
    return _meant(_announced(thoughts) or "", thoughts)


def _settled(reply: str) -> str:
    """A reply without long runs of blanks: some patterns here take the square of their length."""
    return _BLANKS.sub(lambda run: "\n\n" if "\n" in run[0] else " ", reply)


# -- where it stands
def _announced(reply: str) -> str | None:
    """What is announced as the answer, the last that is; None for nothing."""
    text = spoken(reply)
    for marked in (_boxed(text), [m for m in _TAGGED.findall(text) if m], _in_json(text)):
        if marked:
            return unmarked(marked[-1])
    said, found, open_label, told_at = lines(reply), None, False, -1
    for number, line in enumerate(said):
        if found and _RESTATED.match(line.text):
            break  # the model goes on with a question of its own
        value = announced_in(line.text, line.heading)
        if open_label and value is None and not _OTHER_LABEL.match(line.text):
            found, open_label = line.text, False
        elif value is not None:
            if found and told_at == number - 1 and is_unknown(value):
                continue  # small models echo how prompts end, below the answer that they gave
            open_label, told_at = not value, number
            found = value or found
    if open_label and not found:
        return ""
    return found if found is not None else _labelled_last(said)


def announced_in(line: str, heading: bool = False) -> str | None:
    """Give what a line without markup announces as the answer; None where it announces nothing.

    "" where it is to follow in the next line.
    """
    text = NUMBER.sub("", line).strip()
    text = text if text == line or _ANSWER_LABEL.search(text) else line
    if heading and _ANSWER_LABEL.search(text) and len(text.split()) <= 3 and ":" not in text:
        return ""
    label = LABEL.match(text)
    if label and _is_answer_label(label["label"]):
        return label["value"].strip()
    for pattern in (_DASHED, _IN_CHINESE):
        if found := pattern.match(text):
            return found[found.lastindex or 0].strip()
    return _in_sentences(text)


def _in_sentences(text: str) -> str | None:
    """What "the answer is" or "is the answer" tell; the last that does, no negation."""
    found = [text[match.end() :].strip() for match in _ANNOUNCED.finditer(text)]
    found += [match["value"].strip() for match in _THE_ANSWER.finditer(text)]
    return next((value for value in reversed(found) if not _NOT_A_VALUE.match(value)), None)


def _is_answer_label(label: str) -> bool:
    words = label.strip()
    found = _ANSWER_LABEL.search(words)
    if (
        not found
        or len(words.split()) > _LABEL_WORDS
        or _NO_ANSWER_LABEL.search(words[: found.end()])
    ):
        return False
    return bool(_AFTER_ANSWER.match(words[found.end() :]))


def _labelled_last(said: list[Line]) -> str | None:
    """The value of a short last line "label: value" after prose, in whatever language."""
    *before, last = [line.text for line in said if not line.heading] or [""]
    label = LABEL.match(last)
    if not label or _OTHER_LABEL.match(last) or re.search(r"\d|://", label["label"]):
        return None
    value = label["value"]
    if len(label["label"].split()) > _FEW - 1 or not value or not _is_brief(value):
        return None
    if said[-1].labelled:
        return value
    introduced = not before or before[-1].endswith((":", "：")) or _length(before[0]) <= _FEW
    return None if introduced or any(last.rstrip(".") in text for text in before) else value


def _alone(reply: str) -> str:
    """The answer of a reply that announces none: its brief line, else its last."""
    said = [line.text for line in lines(reply)]
    said = [_INTERJECTION.sub("", text) for text in said if not text.endswith((":", "："))]
    said = [text for text in said if not _INTERJECTION.fullmatch(f"{text} ")]
    if not said:
        return ""
    if len(said) == 1:
        return said[0]
    if is_unknown(said[0]):
        return ""
    said = [text for text in said if not re.fullmatch(r"[^\s]+(?: [^\s]+){0,2}[!！]", text)] or said
    return next((text for text in said if _is_brief(text)), said[-1])


def _is_brief(text: str) -> bool:
    count = _length(text)
    return count <= _FEW or (count <= _BRIEF and not text.endswith((".", "。")))


def _length(text: str) -> int:
    """Its words; two signs of a script without blanks are one."""
    return max(len(text.split()), len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff]", text)) // 2)


# -- what stands there
def _meant(value: str, reply: str) -> str:
    """The answer in a stretch of words; "" where they say that there is none."""
    value = _unwrapped(_SOURCE.sub("", value.strip()))
    if verdict := _VERDICT.match(value):
        return verdict[1]
    if is_unknown(_first(value)) or (says_not(value) and len(value.split()) > _FEW):
        return ""
    value = _SOURCE.sub("", _first(value))
    value = _stressed(value, reply)
    value = _unwrapped(_without_stop(_SOURCE.sub("", _REASON.sub("", value) or value)))
    return "" if is_unknown(value) else value


def _first(value: str) -> str:
    """The first sentence, where what follows explains it; a title may have stops in it."""
    said = sentences(value)
    if len(said) < 2 or not said[0].endswith((".", "。")):
        return value
    rest = value[len(said[0]) :].strip()
    explains = rest.endswith((".", "!", "?", "。", ")")) or len(rest.split()) > _FEW
    if not explains:
        return value
    # After a whole sentence the answer comes after what it rests on.
    return said[0] if _is_brief(said[0]) or len(said[0].split()) <= _BRIEF else said[-1]


def _stressed(value: str, reply: str) -> str:
    """The one name in bold of a sentence."""
    bold = emphasised(reply)
    if len(value.split()) > _FEW and len(bold) == 1 and bold[0] in value and bold[0] != value:
        return bold[0]
    return value


def _unwrapped(text: str) -> str:
    """Without quotation marks, brackets and signs around it."""
    text = re.sub(
        r"^[^\w\"'“„‘«「『(\[{<⟨$¡¿.#@&+-]+|\s*[\U0001f300-\U0001faff✅✔️☑✓🎉]+$", "", text.strip()
    )
    text = _COMMAND.sub(r"\1", text).strip()
    while len(text) > 2 and _PAIRS.get(text[0]) == text[-1]:
        inner = text[1:-1]
        if text[0] in inner or text[-1] in inner or not inner.strip():
            break
        text = inner.strip()
    return text


def _without_stop(text: str) -> str:
    """Without the stop of a sentence; one of an abbreviation stays: "Washington, D.C."."""
    text = text.rstrip(" ,;:，；：。")
    if text.endswith("..") and not text.endswith("..."):
        return text[:-1]
    if not text.endswith("."):
        return text
    last = text.split()[-1].rstrip(".")
    kept = re.fullmatch(r"(?:\w\.)*\w|Jr|Sr|Inc|Ltd|Co|Corp|Bros|Mt|St|No|vs|etc", last)
    quoted = text.endswith("...") or (kept and not last.isdigit())
    return text if quoted else text.rstrip(".").strip()


def _boxed(text: str) -> list[str]:
    found = []
    for match in _BOXED.finditer(text):
        depth, at = 1, match.end()
        while at < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        found.append(_COMMAND.sub(r"\1", text[match.end() : at - (depth == 0)]))
    return found


def _in_json(text: str) -> list[str]:
    """The value under "answer" where the reply is a JSON object."""
    value = as_json(text)
    if not isinstance(value, dict):
        return []
    return [
        str(v or "unknown")
        for k, v in value.items()
        if _ANSWER_LABEL.search(str(k).replace("_", " "))
    ]
