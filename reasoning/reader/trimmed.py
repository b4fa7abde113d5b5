"""What belongs to a stretch of text that might be the answer, and what stands at its ends only."""

import itertools
import re
from collections.abc import Iterator

_EDGES = " ,.;:()[]\"“”'’`–-"
_MARKS = " ¶§🔗\ufe0f"  # what pages show behind a heading, to link to it
_ANCHOR = re.compile(r"(?<=\s)#\Z")
_OPENED = re.compile(r"(?:^|\s)([‘'`“\"])(?=\S)")
_CLOSING = {"‘": "’", "'": "'", "`": "'`", "“": "”", '"': '"'}
_SIGN = re.compile(
    r"(?:(?<![^\s(])[-−–+]|[$€£¥] ?|\b(?:EUR|USD|GBP|CHF) "
    r"|\b(?:prior to|(?:older|newer|earlier|later|lower|less|fewer) than) "
    r"|(?:(?<![^\s(])[-−–+]|[$€£¥] ?|(?<![^\s(\[=:~]))\.)\Z"  # ".75", "-.3", "$.75"
)
_POINT = re.compile(r"[\s\"“'‘(]*(\.)\d")
_MARK = re.compile(  # "--quiet", "–quiet" (as PDF have it), "/etc"
    r"(?<![^\s\"'“‘`(=\[,|])(?:--?|–|(?:~|\.{1,2})?/|\.)\Z"
)
_LONGEST_SIGN = 15  # characters
_CLAUSE = 200  # … in which what denies something stands before it
_ARGUMENT = re.compile(  # "--F3 <x>", "--F3 <x> option", "--word=ARG"
    r"([-–]{1,2}[^\W\d][\w-]*)(?:[ =](?:<[^<>]*>?|\[[^][]*\]?|[A-Z][A-Z_\d]*))?"
    r"(?: (?:option|flag|switch|argument|parameter)s?)?"
)
_NICK = re.compile(r"([\w-]+)> ?")
_TAG = re.compile(r"\A<(?=\w)|(?<=\w)>\Z| <[^\W\d]\w*\Z")
_QUOTES = "\"“”'’‘`"
_SYMBOL = re.compile(r"[\"“‘'`]([^\s\"“”‘’'`]|[^\w\s\"“”‘’'`]{2,4})[\"”’'`](?!\w)")
"""What is quoted that is no word: '#', "a", '::'."""
_BARE = re.compile(  # "begin with a *", "pattern used: **~"
    r"(?:\b(?:an?|the|with|by|between|and|or|is|character|symbol|sign|pattern|wildcard) |: )"
    r"([^\w\s\"“”‘’'`.,;:()!?[\]]{1,4})(?=[\s.,;:)]|\Z)"
    r"|^([^\w\s\"“”‘’'`.,;:()!?[\]]{2,4})(?= [a-z])",
    re.MULTILINE,
)
_NO_SYMBOL = re.compile(r"[-–—−|&=+…•#>_]+|[€£$¥%°]")
"""Dashes, bullets, units."""
_MARKS_TIED = re.compile(r"[^\w\s]{1,3} (?:and|or|to) [^\w\s]{1,3}")
_TYPED = re.compile(
    r"\A(?:(?:press|typ|enter|runn?)(?:ing|e)?|plus|simply|just|only|implies|with) "
    r"(?=[\"“‘'`][^\"”’'`]{1,20}[\"”’'`]\Z|--?\w[\w-]*\Z|[\w-]*/[\w./-]+\Z)",
    re.IGNORECASE,
)
"""What is said before a key, an option or a path, and is no part of it: press "J"."""
_LED = re.compile(
    r"\A(?:as(?= [^\W\d])|(?:only|just)(?= \d)|with an?(?= [^\w\s]{1,4}(?: sign)?\Z)) "
)
"""What is no part of a role or figure: "as head of research", "only 7"."""
_BEYOND = re.compile(
    r"\A(?:(?:at|for) )?(?:more|longer|later|faster|higher|less|fewer|earlier) than "
)
_LED_BY = re.compile(r"\bmore than \Z")
_IF = re.compile(r"\b(?:if|when|where|unless|who|whoever|which|that|every|each)\b[^.\n]*\Z", re.I)
"""What makes a case of what is beyond: "if it is off by more than 2 g"."""
_DENIED = re.compile(
    r"\b(?:no|not|nobody|none|never|neither|nor|cannot|without|\w+n['’]t)\b(?:(?!\. )[^\n;])*\Z",
    re.IGNORECASE,
)
"""What makes a bound of what is beyond it."""
_CLAUSE_BEHIND = re.compile(
    r"\A([^\w\s]{1,4}(?: (?:sign|symbol|character|mark))?), (?:and|but|while|whereas) \w+ \w.*",
    re.DOTALL,
)
"""What is said behind a symbol, of something else: "* sign, and double items begin with a **"."""


def trimmed(text: str, page: str, start: int, end: int) -> str:
    """Take a stretch of a page without what is only at its ends, and with what belongs before it.

    Args:
        start: its first character in the page's text; end is one past the last. Both 0 for what
            stands elsewhere, such as in a title.
    """
    if not any(c.isalnum() for c in text):
        whole = next(iter(_around(page, start, end)), None)
        text = page[slice(*whole)] if whole else text.strip(_QUOTES + " ")
        return text if symbol(page, start, end) else ""
    given = _ANCHOR.sub("", text.rstrip(_MARKS))
    text = _closed(_said(given.strip(_EDGES), page[start - 1 : start]), given)
    text = _signed(_quoted(text, page, start, end), given, page, start, end)
    text = _bracketed(text, page, start, end)
    text = _CLAUSE_BEHIND.sub(r"\1", _TYPED.sub("", _LED.sub("", text), count=1))
    bare = _ARGUMENT.fullmatch(text)
    return bare[1] if bare else text


def bound(text: str, page: str, start: int) -> str:
    """A text without "more than", where nobody may: "no boat may go at more than four knots".

    And with it before a figure, where it is said outright: "the boats are more than 90 years old".

    Args:
        start: its first character in the page's text.
    """
    beyond = _BEYOND.match(text)
    before = page[max(0, start - _CLAUSE) : start]
    if beyond:
        return text[beyond.end() :] if _DENIED.search(before) else text
    led = _LED_BY.search(before) if text[:1].isdigit() and page.startswith(text, start) else None
    if led is None or _DENIED.search(before[: led.start()]) or _IF.search(before[: led.start()]):
        return text
    return led[0] + text


def _bracketed(text: str, page: str, start: int, end: int) -> str:
    """A text with the brackets around two marks: "[* and *]"."""
    if not end or not _MARKS_TIED.fullmatch(text):
        return text
    begin, whole = page.find(text, max(0, start - 1), end + 1), f"[{text}]"
    return whole if begin > 0 and page.startswith(whole, begin - 1) else text


def symbol(page: str, start: int, end: int) -> bool:
    """Whether the text quotes one character, or some that are no letters, at this place.

    Or whether such stand there unquoted, as those of a pattern do: "with a **", "used: **~".
    """
    if not end:
        return False
    if _around(page, start, end):
        return True
    begin = start if page[start] in _QUOTES else start - 1
    found = _SYMBOL.match(page, begin) if begin >= 0 else None
    within = begin <= 0 or not (page[begin - 1].isalnum() or page[begin - 1] in _QUOTES)
    return found is not None and within and end <= found.end()


def symbols(page: str) -> list[tuple[int, int]]:
    """Places of all that `symbol` holds of."""
    places = (found.span(1) for found in _SYMBOL.finditer(page))
    return [place for place in places if symbol(page, *place)] + list(_bare(page, 0))


def _around(page: str, start: int, end: int) -> list[tuple[int, int]]:
    """Places of those that a stretch is, or is a part of."""
    found = _bare(page, max(0, start - _LONGEST_SIGN)) if end else iter(())
    near = itertools.takewhile(lambda place: place[0] <= start, found)
    return [place for place in near if end <= place[1]]


def _bare(page: str, first: int) -> Iterator[tuple[int, int]]:
    """Places of symbols that are not quoted, from about one character on."""
    for found in _BARE.finditer(page, first):
        place = found.span(found.lastindex or 0)
        if not _NO_SYMBOL.fullmatch(page, *place):
            yield place


def _said(text: str, before: str) -> str:
    """What somebody says in a chat, or who: of "<yuki> hello" the span "yuki> hello"."""
    nick = _NICK.match(text) if before.endswith("<") else None
    return text[nick.end() :] or nick[1] if nick else text


def _closed(text: str, given: str) -> str:
    """A text up to a parenthesis that it leaves open; none if it closes one it did not open.

    Args:
        given: the same with what stands at its ends.
    """
    if text.count("(") > text.count(")"):
        return text[: text.rfind("(")].strip(_EDGES)
    if text.count("[") > text.count("]"):
        return f"{text}]" if f"{text}]" in given else text[: text.rfind("[")].strip(_EDGES)
    if text.count("<") != text.count(">"):
        text = _TAG.sub("", text)
    return "" if text.count(")") > text.count("(") else text


def _quoted(text: str, page: str, start: int, end: int) -> str:
    """A text with the quotation mark beyond its edge: "pressing 'c" becomes "pressing 'c'"."""
    before, behind = page[start - 1 : start], page[end - 1 : end + 1] if end else ""
    opened = list(_OPENED.finditer(text))
    if opened:
        closing = set(_CLOSING[opened[-1][1]])
        open_still = closing.isdisjoint(text[opened[-1].end() :])
        return text + _CLOSING[opened[-1][1]][0] if open_still and closing & set(behind) else text
    return before + text if set(_CLOSING.get(before, "")) & set(text) else text


def _signed(text: str, given: str, page: str, start: int, end: int) -> str:
    """A text with what belongs before it: "-5 °C", "€ 25", ".5", "prior to 4.2", "--quiet", "/etc".

    Args:
        given: the same with what stands at its ends.
    """
    if not end and text[:1].isdigit() and (point := _POINT.match(given)):
        return point[1] + text
    if not text[:1].isalnum() or not end:
        return text
    begin = page.find(text[:1], start, end)
    before = _SIGN if text[0].isdigit() else _MARK
    sign = before.search(page, max(0, begin - _LONGEST_SIGN), begin)
    return sign.group() + text if sign and begin > 0 else text
