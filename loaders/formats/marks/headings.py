"""Headings of text as people type it.

A heading is underlined ("Tides", "====="), marked ("== Tides", "## Tides"), numbered ("2.1
Tides"), named ("Chapter 3", "Appendix B: Maps"), in capitals, or what all other text is set in
under, or in the middle of its line. All but the first two stand alone: a blank line, or the end of
the file, on either side; "3. Bills" may stand over "3.1 Bills are sent monthly".
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from ....kg.types import Section
from ...layout import CODE, heading_of
from .sequence import RULE, Heading, is_numbered, numbering

_ESCAPES = re.compile(r"\x1b\[[\d;]*m|.\x08")  # bold and underlined, for a terminal or printer
_MARKED = re.compile(r"={1,6}[ \t]+([^\W_].*?)(?:[ \t]+=+)?[ \t]*")
_HASHED = re.compile(r"#{1,6}[ \t]+([^\W_].*?)(?:[ \t]+#+)?")
_NUMBERED = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,5}\.|[A-Z](?:\.\d{1,2})+\.?)\s+[^\W\d_a-z]"
)
_NUMBER = re.compile(r"(\d{1,2})\.?\s+[^\W\d_a-z]")
_NAMED = re.compile(
    r"(?:chapter|part|section|appendix|annex|book|act)\s+(?:\d+|[ivxlc]+|[a-z])\b", re.I
)
_CAPITALS = re.compile(r"(?=(?:.*[A-Z]){3})[A-Z][^a-z=]+")
_LEADER = re.compile(r"(?: ?\.){4}|\s\d+$")  # of a table of contents: "2.1 Tides ..... 14"
_FIELD = re.compile(r"[A-Z][\w-]*: (?![A-Z][^\W\d_]*(?: |$))")  # "Owner: ann@loom.example"
_BEGINS = re.compile(r"[\"“'‘]?[^\W\d_a-z]")
_COLUMNS = re.compile(r"\S {2,}\S|\t\S|\|")
_STOPPED = re.compile(r"[.,:;!?…]$")
_CODE = re.compile(r"[={};$\\]|\.{3}|^[a-z]")
_SIGNS = re.compile(r"[={};$\\<>|]|\.{3}|[^\s.!?:] {2,}\S")  # of code, and of columns
_BRACED = re.compile(
    r"\{(?=[^\W_])[^{}]{1,60}\}?|^[\w' -]{1,60}\}|<[\w.+-]+@[\w.-]+>|<https?:[^<> ]+>"
)
"""In prose: a word of a glossary, addresses."""
_WORD = re.compile(r"[\W_]{0,2}[^\W\d_]+(?:['’-][^\W\d_]+)*[^\w=(]{0,3}")
_PROMPT = re.compile(r"\s*(?:[$%>]|>>>|[\w.@~:/-]{1,40}[$%#>]|[A-Z]:\\\S*>)\s")  # of a command
_BULLET = re.compile(r"[•‣▪◦●○■]\s")  # not those that code may begin with
_PROSE = 5  # words of a line
_WORDY = 6  # … of each line but the last of a paragraph, mostly
_LONGEST = 100  # characters of a heading that is underlined or marked
_SENTENCE = 4  # words of a line that ends in a full stop: fewer may be a heading
_WORDS = 8  # … of one that is neither
_SET_OUT = 14  # … of one that is left of all others
_CENTRED = 12  # characters in front of one in the middle, at least
_SLOPPY = 3  # characters by which a rule may be shorter than its heading, or the middle be missed
_NEARLY_ALL = 0.8


def lines_of(text: str) -> list[str]:
    """The lines of a text, without what only terminals and printers read."""
    return [_ESCAPES.sub("", line).rstrip() for line in text.split("\n")]


def with_title(lines: list[str]) -> list[str]:
    """Put the title of a text in one line that has two, the second in the middle below the first.

    Rules above it go.
    """
    first = next((at for at, line in enumerate(lines) if line and not RULE.fullmatch(line)), 0)
    line, below, *others = [*lines[first : first + 3], "", "", ""][:3]
    left = _indent(below)
    centred = abs(left + len(below.strip()) / 2 - len(line.rstrip()) / 2) <= _SLOPPY
    if left < _CENTRED or not centred or any(others) or not _BEGINS.match(line.strip()):
        return lines
    return [f"{line.strip()} {below.strip()}", *lines[first + 2 :]]


def structured(lines: list[str]) -> tuple[str, tuple[Section, ...]]:
    """Put lines together without rules, each heading a paragraph, and tell the sections."""
    written, sections, length = [""], list[Section](), 1
    lines, numbered = numbering(lines)
    items = {place for place, heading in numbered.items() if heading.is_item}
    told = zip(_told(lines, numbered), _indents(lines), strict=True)
    for place, ((line, heading), indent) in enumerate(told):
        line = line[indent:] if line[:indent].isspace() else line
        item = place in items and not numbered[place].lines  # which goes on behind its heading
        for piece in ("", line, "") if heading or item else (line,):
            if not piece and not written[-1]:
                continue
            if (heading or item) and piece:
                indent = len(line) - len(line.lstrip())
                sections.append(Section(length + indent, heading_of(heading), apart=place in items))
            written.append(piece)
            length += len(piece) + 1
    return "\n".join(written), tuple(sections)


def _indents(lines: list[str]) -> Iterator[int]:
    """By how much each line is set in as all of its paragraph are, where that is no code's.

    It is none where a paragraph reads as prose, or has no signs and is set in as most lines are,
    or is an item.
    """
    most = _indent_of_most(lines)
    for empty, run in itertools.groupby(lines, lambda line: not line):
        block = list(run)
        prose = not empty and any(len(line.split()) >= _PROSE for line in block)
        bare = [_BRACED.sub("", line.strip()) for line in block]
        coded = sum(_SIGNS.search(line) is not None for line in bare)
        indent = min(map(_indent, block))
        prose = prose and (4 * coded < len(block) or _is_worded(block))
        plain = not coded and (indent == most or _BULLET.match(bare[0]))
        yield from [indent if prose or plain else 0] * len(block)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _indent_of_most(lines: list[str]) -> int:
    """By how much most lines are set in, where nearly all are; else 0."""
    indents = Counter(_indent(line) for line in lines if line)
    set_in = indents.total() - indents[0]
    return indents.most_common(1)[0][0] if set_in > _NEARLY_ALL * indents.total() else 0


def _is_worded(block: list[str]) -> bool:
    """Whether lines are full of words and have no columns: what has signs between is prose."""
    words = " ".join(block).split()
    plain = sum(_WORD.fullmatch(word) is not None for word in words)
    return (
        len(words) > _WORDY * (len(block) - 1)
        and plain >= _NEARLY_ALL * len(words)
        and not any(_COLUMNS.search(line.strip()) for line in block)
    )


def underlined(lines: list[str], place: int) -> bool:
    """Whether the line below is a rule of about its length, and nothing but a rule is above."""
    line, below = lines[place], lines[place + 1 : place + 2]
    if not below or not RULE.fullmatch(below[0]) or not re.search(r"[^\W\d_]", line):
        return False
    above = lines[place - 1] if place else ""
    if RULE.fullmatch(above):  # as around code
        above = "code" if _CODE.search(line.strip()) else ""
    if above or len(line) > _LONGEST or (line.endswith(".") and len(line.split()) > _SENTENCE):
        return False  # a rule below a sentence parts what is above from what is below
    table = _COLUMNS.search(line.strip()) and any(lines[place + 2 : place + 3])
    return len(below[0].strip()) >= len(line.strip()) - _SLOPPY and not table


def _told(lines: list[str], numbered: Mapping[int, Heading]) -> Iterator[tuple[str, str]]:
    """(line, heading or ""), without rules.

    Args:
        numbered: headings that number on, by their lines: then no other numbered line is one.
    """
    filled = [line for line in lines if line]
    most = _NEARLY_ALL * len(filled)
    set_in = not numbered and sum(line[0].isspace() for line in filled) > most
    body = max(1, _indent_of_most(lines)) if set_in else 0
    middle = sorted(map(len, filled))[-1 - len(filled) // 20] // 2 if filled else 0
    left = iter([*filled[1:], ""])  # what comes behind each of them
    for place, line in enumerate(lines):
        behind = next(left) if line else ""
        if RULE.fullmatch(line) and (not line.startswith(CODE) or line.strip(" _") == ""):
            yield "", ""
        elif place in numbered:
            yield line, numbered[place].said
        elif is_numbered(line, numbered) or _PROMPT.match(line):
            yield line, ""
        elif marked := _MARKED.fullmatch(line):
            yield marked[1], marked[1] if len(line) <= _LONGEST else ""
        elif (hashed := _HASHED.fullmatch(line)) and not any(_beside(lines, place)):
            yield hashed[1], hashed[1]
        elif line and (
            underlined(lines, place)
            or _alone(lines, place, behind)
            or _set_out(lines, place, behind, body, middle)
        ):
            yield line, line.strip().rstrip("¶")
        else:
            yield line, ""


def _beside(lines: list[str], place: int) -> tuple[str, str]:
    """The lines above and below, "" where there is none."""
    return "".join(lines[max(0, place - 1) : place]), "".join(lines[place + 1 : place + 2])


def _over_clauses(line: str, below: str) -> bool:
    """Whether a line is the heading of clauses: "3. Bills" over "3.1 Bills are sent monthly"."""
    number = _NUMBER.match(line)
    first = number and below.lstrip().startswith(f"{number[1]}.1 ")
    said = len(below.split()) > _PROSE or _STOPPED.search(below)
    return bool(first and said) and not _LEADER.search(below)


def _alone(lines: list[str], place: int, behind: str) -> bool:
    """Whether a line is a heading that stands alone, by what it says.

    Args:
        lines: of the text, without blanks at their ends.
        place: of the line, which is not empty.
        behind: the next one that is not empty; "" at the end.
    """
    line = lines[place].strip()
    above, below = _beside(lines, place)
    if above or not behind or len(line.split()) > _WORDS or _STOPPED.search(line):
        return False
    out = not lines[place][0].isspace() and not _COLUMNS.search(line)
    capitals = out and _CAPITALS.fullmatch(line)
    if below:
        return bool(capitals and below[0].isspace()) or _over_clauses(line, below)
    if _NAMED.match(line):
        return True
    if _LEADER.search(line):
        return False
    if _NUMBERED.match(line):
        return not _NUMBERED.match(behind.strip())
    return bool(capitals)


def _set_out(lines: list[str], place: int, behind: str, body: int, middle: int) -> bool:
    """Whether a line is a heading that stands alone, left of all other text or in its middle.

    Args:
        lines: as above, and so the next two.
        place: as above.
        behind: as above.
        body: by how much nearly all lines are set in; 0 where they are not.
        middle: characters of half a line.
    """
    line, left = lines[place].strip(), _indent(lines[place])
    if not body or not behind or any(_beside(lines, place)) or len(line.split()) > _SET_OUT:
        return False
    plain = _BEGINS.match(line) and not (_COLUMNS.search(line) or _FIELD.match(line))
    if not plain or (_STOPPED.search(line) and line[-1] != "?"):
        return False
    if not left:
        return behind[0].isspace() or _FIELD.match(behind) is not None
    if left < body:
        return _indent(behind) >= body
    centred = left >= _CENTRED and abs(left + len(line) / 2 - middle) <= _SLOPPY
    above = next((lines[at] for at in range(place - 1, -1, -1) if lines[at]), "")
    return centred and max(_indent(behind), _indent(above)) <= body
