"""What a typed message quotes: lines behind ">", and all below a line "Original message".

"I" in it is not the sender: each run of quoted lines is a section apart, headed by the line above
it that says who wrote it ("On 1 April Ann Lee wrote:"). So is each further message of a thread,
which begins with "From: …" over "To: …" or the like.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace

from ....kg.types import Section
from ...layout import cut, heading_of
from .headings import structured

UNKNOWN = "Quoted"
"""Heads what is quoted without a word on who wrote it."""
_MARKS = re.compile(r"(?:> ?)+")
_ESCAPED = re.compile(r">+From ")  # as mailboxes write a line that begins with it: no quotation
_SAYS_WHO = re.compile(
    r"\b(?:wrote|schrieb|écrit|escribió|ha scritto|schreef|skrev|napisała?)\b.{0,120}:\s*\Z", re.I
)
_OPENS = re.compile(r"(?:On|Am|Le|El|Il|Op|Den|Dnia)\b")  # such a line, over several
_BELOW = re.compile(
    r"[-_]{2,}\s?(?:original message|forwarded message|reply|message d'origine|message transféré"
    r"|(?:ursprüngliche|weitergeleitete) nachricht)\s?[-_]{2,}",
    re.IGNORECASE,
)
_FROM = re.compile(r"\s*\**(?:From|Von|De)\**\s?:\**\s+(\S.*)")
_TO = re.compile(
    r"\s*\**(?:To|Sent|Date|Cc|Subject|An|Gesendet|Datum|Betreff|À|Envoyé)\**\s?:", re.I
)
_BESIDE = 3  # lines below "From: …" in which it says to whom, or when
_LAYER = 100  # deeper is what stands below such a line, or head
_HEAD = 5  # lines below such a line in which it says who wrote
_LONGEST = 3  # lines that say who wrote: an address makes them long

Line = tuple[int, str]  # how deep it is quoted, and what it says


def told(lines: list[str]) -> tuple[str, tuple[Section, ...]]:
    """Put the lines of a message together, without marks, and tell the sections."""
    text, sections = "", list[Section]()
    for depth, heading, part in _parts(_filled(list(_deep(lines)))):
        whole, inside = structured(part)
        whole, inside = cut(whole, inside, 0, len(whole))
        if not whole:
            continue
        start = len(text) + 2 if text else 0
        first = "" if depth or not inside or inside[0].start else inside[0].heading
        if depth or text:
            sections.append(Section(start, first or heading, apart=True))
            inside = tuple(one for one in inside if one.start)
        sections += [replace(one, start=one.start + start) for one in inside]
        text += ("\n\n" if text else "") + whole
    return text, tuple(sections)


def _deep(lines: list[str]) -> Iterator[Line]:
    """Each line without its marks, and how often it is quoted."""
    below = 0
    for place, line in enumerate(lines):
        beside = "".join(one[:1] for one in lines[max(0, place - 1) : place + 2])
        escaped = _ESCAPED.match(line) and beside.count(">") == 1
        marks = None if escaped else _MARKS.match(line)
        said = line[marks.end() :] if marks else line.lstrip(">") if escaped else line
        if _BELOW.fullmatch(said.strip()) or (place and _begins(lines, place)):
            below += _LAYER
        yield below + (marks[0].count(">") if marks else 0), said


def _begins(lines: list[str], place: int) -> bool:
    """Whether another message begins with this line: "From: …" over "To: …"."""
    above = lines[place - 1].strip()
    apart = not above or (not above[-1].isalnum() and not _BELOW.fullmatch(above))
    head = lines[place + 1 : place + 1 + _BESIDE]
    return apart and _FROM.fullmatch(lines[place]) is not None and any(map(_TO.match, head))


def _filled(lines: list[Line]) -> list[Line]:
    """Empty lines between two that are quoted alike are quoted, too."""
    filled: list[Line] = []
    for said, run in itertools.groupby(enumerate(lines), lambda one: bool(one[1][1].strip())):
        places = [place for place, _ in run]
        around = [lines[at][0] for at in (places[0] - 1, places[-1] + 1) if 0 <= at < len(lines)]
        alike = not said and len(around) > 1 and around[0] == around[1]
        filled += [(around[0] if alike else lines[at][0], lines[at][1]) for at in places]
    return filled


def _parts(lines: list[Line]) -> Iterator[tuple[int, str, list[str]]]:
    """(depth, heading, lines) of each run of lines that are quoted alike."""
    runs = [
        (depth, [said for _, said in run])
        for depth, run in itertools.groupby(lines, lambda line: line[0])
    ]
    who, above = {0: ""}, list[str]()
    for (depth, part), (following, _) in zip(runs, [*runs[1:], (0, [])], strict=True):
        part, above = above + part, list[str]()
        if depth and (_BELOW.fullmatch(part[0].strip()) or _FROM.fullmatch(part[0])):
            said = filter(None, map(_FROM.fullmatch, part[: _HEAD + 1]))
            who[depth] = next((found[1] for found in said), UNKNOWN)
        begin = _who_wrote(part) if following > depth else len(part)
        if begin < len(part):
            who[depth + 1] = " ".join(part[begin:]).rstrip(" :")
            if following == depth + 1:
                part, above = part[:begin], part[begin:]
        said = next(filter(None, map(str.strip, part)), "") if depth else ""
        told = said.rstrip(" :") if _SAYS_WHO.search(said) else UNKNOWN
        yield depth, heading_of(who.get(depth, told)), part


def _who_wrote(part: list[str]) -> int:
    """Where the lines begin that say who wrote what is quoted below them; else their number."""
    end = len(part)
    while end and not part[end - 1].strip():
        end -= 1
    begin, found = end, list[int]()
    while begin and part[begin - 1].strip() and end - begin < _LONGEST:
        begin -= 1
        if _SAYS_WHO.search(" ".join(part[begin:end])):
            found.append(begin)
    opened = (place for place in found if _OPENS.match(part[place]))
    return next(opened, found[0] if found else len(part))
