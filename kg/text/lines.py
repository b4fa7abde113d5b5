"""What a line end means: in a document's text it ends a block, unless the text is hard-wrapped.

Formats with markup write a line for each heading, paragraph, item and row. Typed text, and what
comes from elsewhere as a string, may have its paragraphs broken at some width: a line that the next
word would not have fitted goes on.
"""

import re
import statistics
from itertools import pairwise

_ENDS = str.maketrans(dict.fromkeys("\r\x0b\x0c\x85\u2028\u2029", "\n"))
MARKS = "*+•‣▪◦●○■–-"  # that begin an item of a list
_ITEM = re.compile(rf"(?:[{MARKS}]|\(?\d{{1,3}}[.)]|\(?[A-Za-z][.)])\s|[|>]|[#$](?!\d)")
_BEGINS = "\"'(`<[“‘„«£$€¥#"  # what a word may begin with
_CLAUSE = re.compile(
    r"\d{1,2}(?:\.\d{1,2}){1,3}[.)]?\s+(?=[\"'“‘(]{0,2}[A-Z])"
)  # "6.1 Complaints go …"
_INITIAL = re.compile(r"[A-Z]\. [A-Z]")  # "President Paul", "E. Gray of MIT"
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.? [^.!?:;,]{2,40}")  # "3. Open day"
_COLUMNS = re.compile(r"\t|[^\s.!?:] {2,}\S|\|")
_LABEL = re.compile(r"[A-Z][\w-]*(?: [\w-]+){0,2}: \S")  # "Present: Ann Lee"
ROW = re.compile(  # "City: Vienna; Country: Austria", also behind a name: "Lathe; Price: 5; …"
    r"(?:[^:;\n]{1,60}; )?[^:;]{1,80}: [^;]{1,200}; [^:;]{1,80}: \S"
)
_SETTING = re.compile(  # "inputMethod.method = PARALLEL", "call(x);", "}", alone in its line
    r"[^\W\d][\w.:\[\]-]{0,80}\s{0,20}[:+]?=(?!=)\s{0,20}"
    r"[^\s=]\S{0,200}(?:\s\s{0,9}\S{1,80}){0,3}(?<![.,])"
    r"|[^.(]{0,80}\w\(.{0,200}\);|[{}];?"
)
_STOPPED = re.compile(r"[.!?:;…。！？][\"'”’)\]]*\Z")
_ABBREVIATIONS = "dep arr max min avg est tel ref no nr st dr dept incl excl".split()
_AFTER_ONE = "|".join(rf"(?<=\b[{w[0].upper()}{w[0]}]{w[1:]})" for w in _ABBREVIATIONS)
ABBREVIATED = rf"(?:{_AFTER_ONE})\.(?= [A-Z\d])"
"""A full stop within a column's name: "Dep. Port Carrow"."""
NARROWEST, WIDEST = 50, 130  # characters of a line that was wrapped
SLACK = 2  # by which editors break a line too early
PROSE = 0.5  # of the line ends within paragraphs are at the width, where a text is wrapped
BROKEN = 0.25  # of them are plainly inside of a sentence
GOES_ON = 0.6  # of the width: a line of that length goes on with a word in lower case
RAGGED = 0.4  # of them are, where a text is wrapped, though at no width: by hand
LEAST = 40  # characters of such a line, mostly


def unwrapped(text: str) -> str:
    r"""Make every line end the end of a block: "\n"; others are blanks then.

    Lists, tables, addresses, verses and code keep their lines, as these end before the width. As
    long as the text, so that a character offset in one is an offset in the other.
    """
    text = lined(text)
    lines = text.split("\n")
    width, ragged = _width(lines)
    if not width:
        return text
    pieces = [lines[0]]
    for line, following in pairwise(lines):
        goes_on = _goes_on(line, following, width, ragged)
        pieces += [" " if goes_on else "\n", following]
    return "".join(pieces)


def lined(text: str) -> str:
    r"""Make each kind of line end "\n", in a text that stays as long as it is."""
    if text.isascii() and not ("\r" in text or "\x0b" in text or "\x0c" in text):
        return text
    return text.replace("\r\n", " \n").translate(_ENDS)


def _width(lines: list[str]) -> tuple[int, bool]:
    """At how many characters the text is wrapped, 0 where it is not; whether by hand."""
    within = [
        (len(line.rstrip()), _first_word(following), _is_broken(line, following))
        for line, following in pairwise(lines)
        if line.strip() and following.strip() and not _apart(line, following)
    ]
    lengths = sorted(length for length, _, _ in within)
    width = lengths[len(lengths) * 19 // 20] if lengths else 0
    longer = sum(len(line) > WIDEST and not ROW.match(line) for line in lines)
    if not NARROWEST <= width <= WIDEST or longer > len(within) / 20:
        return 0, False
    full = sum(length + 1 + word > width - SLACK for length, word, _ in within)
    broken = [length for length, _, is_broken in within if is_broken]
    if full >= PROSE * len(within) and len(broken) >= BROKEN * len(within):
        return width, False
    ragged = len(broken) >= RAGGED * len(within) and statistics.median(broken) >= LEAST
    return (width, True) if ragged else (0, False)


def _goes_on(line: str, following: str, width: int, ragged: bool) -> bool:
    if not line.strip() or not following.strip() or _apart(line, following):
        return False
    length = len(line.rstrip())
    if not ragged and length + 1 + _first_word(following) > width - SLACK:
        return True
    is_broken = _is_broken(line, following)
    if ragged:
        is_word = following.lstrip()[0] in _BEGINS or following.lstrip()[0].isalnum()
        long = length >= GOES_ON * width
        return is_broken or (long and is_word and not _STOPPED.search(line.rstrip()))
    return is_broken and length >= GOES_ON * width


def _is_broken(line: str, following: str) -> bool:
    """Whether a sentence plainly goes on with the second line."""
    return following.lstrip()[:1].islower() and not _STOPPED.search(line.rstrip())


def _apart(line: str, following: str) -> bool:
    """Whether the second line can't go on with the first: an item, a table's row, set in deeper."""
    start = following.lstrip()
    if both_labelled(line, following) or ROW.match(line) or ROW.match(following):
        return True
    if _NUMBERED.fullmatch(line.strip()) and following[:1].isupper():
        return True
    if _COLUMNS.search(start) or _COLUMNS.search(line.strip()):
        return True
    if _ITEM.match(start) and (_STOPPED.search(line.rstrip()) or not _INITIAL.match(start)):
        return True
    if _is_setting(following) or _is_setting(line):
        return True
    item = _ITEM.match(line.lstrip()) or _CLAUSE.match(line.lstrip())
    if _CLAUSE.match(start) and (item or _STOPPED.search(line.rstrip())):
        return True
    indent = len(line) - len(line.lstrip()) + (item.end() if item else 0)
    return len(following) - len(start) > indent


def _is_setting(line: str) -> bool:
    """Whether a line that is set in assigns a value, or is code."""
    return line[:1].isspace() and _SETTING.fullmatch(line.strip()) is not None


def both_labelled(line: str, following: str) -> bool:
    """Whether both lines are of a record: "Present: Ann Lee", "Absent: Tom Bek"."""
    return bool(_LABEL.match(line.lstrip()) and _LABEL.match(following.lstrip()))


def _first_word(line: str) -> int:
    return len(line.split(None, 1)[0])
