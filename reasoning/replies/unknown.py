"""Whether a model says that it does not know."""

import re

UNKNOWN = "unknown"
"""What the prompts ask for when the evidence does not tell."""

_WORDS = (
    r"(?:unknown|not known|unknowable|unclear|undetermined|indeterminate|unspecified|uncertain|"
    r"unavailable|unanswerable|not sure|i don['’]t know|i do not know|"
    r"not (?:explicitly |directly |clearly )?(?:given|stated|mentioned|specified|provided|found|"
    r"available|told|said|clear|possible|enough)|"
    r"not in (?:the|any|these) (?:\w+ )?(?:passages?|texts?|contexts?|triples?|sources?|evidence)|"
    r"unbekannt|inconnue?|desconocid[oa]|sconosciut[oa]|desconhecid[oa]|onbekend|okänd|ukjent|"
    r"ukendt|tuntematon|neznám[éáý]|nieznan[yae]|неизвестно|невідомо|άγνωστο|bilinmiyor|"
    r"không rõ|tidak diketahui|未知|不明|不详|不知道|알 수 없음|غير معروف|אינו ידוע|अज्ञात)"
)
_NO_NAME = re.compile(
    r"n\s*/\s*a|none|nothing|null|not applicable|no(?:body| one) knows|\?+|"
    r"no (?:clear |such )?(?:answer|information|data|evidence)(?: (?:found|given|available))?"
)
# A name may begin with the word: it is none where a stop, a dash or a reason follows, or nothing.
_BEFORE = r"(?:(?:it|this|that|the \w+|answer|currently)\s+)?(?:(?:is|was|are|remains?)\s+)?"
_UP_TO = re.compile(rf"{_BEFORE}{_WORDS}", re.IGNORECASE)
_BARE = re.compile(
    rf"{_BEFORE}{_WORDS}"
    r"(?:$|[.!;。，；]|\s*[(（\[]|,(?=\s+[a-z])|:(?=\s+[a-z])|\s+[–—-]+\s|"
    r"\s+(?:because|as|since|from|based|given|in|to|according|at|with|here|until)\b)"
)
_SENTENCE = re.compile(
    rf"\b(?:is|was|are|were|remains?|ist|est|es|è|é)\s+(?:still\s+|currently\s+|also\s+)?{_WORDS}\b"
    r"|\bno (?:\w+ )?(?:information|mention|evidence|data|answer|details?|indication|way)\b"
    r"|\b(?:insufficient|no sufficient|too little)\b|(?:not|n['’]t) (?:enough|sufficient)\b"
    r"|\bneed(?:s|ed)? (?:more|further|additional) (?:information|context|evidence|passages)\b"
    r"|\bunable to (?:\w+ ){0,2}[a-z]|\bimpossible to (?:\w+ )?(?:say|tell|know|determine|answer)"
    r"|\b(?:passages?|texts?|contexts?|triples?|documents?|evidence|sources?|information|chains?) "
    r"(?:\w+ ){0,3}(?:lacks?|fails? to|omits?)\b"
)
_TELLS_NOT = re.compile(
    r"(?:\bnot|n['’]t|\bcannot|\bnone of the [^.]{0,40}?|\bnever|\bnor|\bnobody|\bneither \w+)\s+"
    r"(?:[a-z]+\s+){0,3}?"
    r"(?:tell|say|state|mention|provide|specif|contain|include|give|indicate|reveal|disclose|"
    r"identif|answer|know|available|clear\b|sure\b|determin|found|find|infer|conclu|establish|"
    r"deduc|address|explicit|present\b|possible|listed|confirm|support|shown?\b|described?\b)"
)


def is_unknown(answer: str) -> bool:
    """Tell whether an answer, without markup, says that there is none."""
    text = answer.strip(" \"'“”‘’«».。!()[]…")
    if not text or _NO_NAME.fullmatch(text.casefold()):
        return True
    if _BARE.match(_decapitalised(text)):
        return True
    return len(text.split()) > 2 and bool(_SENTENCE.search(_opened(text)) or says_not(text))


def says_not(text: str) -> bool:
    """Tell whether a sentence says that something is not told; a title's words are in capitals."""
    return bool(_TELLS_NOT.search(_opened(text)))


def _decapitalised(text: str) -> str:
    """The text with the words up to "unknown" in lower case, the others as they are."""
    head = _UP_TO.match(text)
    return head[0].casefold() + text[head.end() :] if head else text


def _opened(text: str) -> str:
    """The text with its first letter in lower case."""
    return text[:1].lower() + text[1:]
