"""What a short form stands for: words that begin with its letters.

After Schwartz and Hearst 2003, "A simple algorithm for identifying abbreviation definitions in
biomedical text", section 3.2, but from left to right and without the parenthesis, which handbooks
often leave out.
"""

import functools
import re
from collections.abc import Iterator

_QUOTE = "[\"“”'‘’`]?"
_SHORT = rf"{_QUOTE}([\w.&/+-]*\w){_QUOTE}"
_CALLED = rf"(?:the )?(?:\w+ )??{_SHORT}"  # "the acronym APT"
_ASKS = (
    re.compile(rf"\bwhat (?:do|does|did) {_CALLED} (?:stand for|abbreviate)\b", re.IGNORECASE),
    re.compile(rf"\bwhat (?:is|are|was) {_CALLED} short for\b", re.IGNORECASE),
    re.compile(rf"\bwhat is {_CALLED} an? (?:acronym|abbreviation) (?:for|of)\b", re.IGNORECASE),
    re.compile(
        r"\b(?:(?:full|long) (?:form|name)|expansion|meaning) of the"
        rf" (?:acronym|abbreviation|letters) {_SHORT}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:(?:full|long) form|expansion) of {_SHORT}", re.IGNORECASE),
    re.compile(r"\b[Ww]hat does \W?([A-Z]{2,6})\W? mean\b"),
)
ASKING = "stand short abbreviate abbreviation acronym expansion full form long mean meaning letters"
"""Words of such a question that say no more than what is asked for."""
_BETWEEN = r"(?:[-/\s]+(?:(?:of|and|the|for|in|on|to|at|by|an?|&)[-\s]+)*|(?=[A-Z]))"
_SPELT_OUT = re.compile(
    r"(?<![\w-])([\w&/+-]+)[\"”'’]? ?(?:\((?=[^()]{4,90}\))"
    r"|(?:stands|stood|is short|was short) for [\"“'‘]?(?:the )?)"
    r"([^\W\d_](?:[\w&'’/-]|[ ,](?=[\w&])){3,89})"
)
_REST = r"(?:[A-Z]{2,12}|[^\W\d_A-Z]*(?:['’]s|-[a-z]{2,20})?)"  # "DEC", "Multiple-image"
_MOST = 12  # letters


def short_form(question: str) -> str:
    """Return the short form that a question asks the long form of, or ""."""
    found = (asks.search(question) for asks in _ASKS)
    return next((one.group(1) for one in found if one), "")


def long_forms(short: str, text: str) -> Iterator[tuple[int, int]]:
    """Find what a short form may stand for: (first character, one past the last)."""
    pattern = _pattern(short)
    if pattern is not None:
        found = pattern.finditer(text)
        yield from (match.span() for match in found if not _is_short(match.group()))
    yield from spelt_out(short, text)


def spelt_out(short: str, text: str) -> Iterator[tuple[int, int]]:
    """Find what a text itself says that a short form stands for, whatever its letters.

    "expEYES (expEriments for Young Engineers)", "DDT stood for DEC Debugging Tape".
    """
    for match in _SPELT_OUT.finditer(text):
        words = match.group(2).split()
        first = words[0].lstrip("\"'“‘")[:1].casefold()
        if match.group(1) == short and len(words) > 1 and first == short[:1].casefold():
            yield match.span(2)


def expands(short: str, text: str) -> bool:
    """Whether a text is a long form of it."""
    pattern = _pattern(short)
    return pattern is not None and not _is_short(text) and bool(pattern.fullmatch(text))


def _is_short(text: str) -> bool:
    """Whether it is short itself, as "LED" and "LEDs" are."""
    return text.isupper() or text.removesuffix("s").isupper()


@functools.lru_cache(maxsize=64)
def _pattern(short: str) -> re.Pattern[str] | None:
    """Two letters alone begin any two words: there the words have to be capitalised."""
    letters = [c for c in short if c.isalpha()]
    if not 1 < len(letters) <= _MOST or any(c.isdigit() for c in short):
        return None
    small = len(letters) > 2
    firsts = [f"[{c.upper()}{c.lower() if small else ''}]" for c in letters]
    firsts = [f"(?:{first}|[Ee]x)" if first[1] == "X" else first for first in firsts]
    firsts[0] = f"(?:{firsts[0]}|[a-z]{letters[0].upper()})"  # "eXtensible"
    words = _BETWEEN.join(rf"{first}{_REST}" for first in firsts)
    return re.compile(rf"(?<![\w-]){words}(?![\w-])")
