"""Where a passage holds what might be an answer, whatever is asked: found once and kept with it."""

import re
from collections.abc import Iterator
from itertools import pairwise

from ...kg.extraction.triples import mention_spans
from .asked.dates import in_figures, is_date
from .asked.forms import CURRENCY
from .asked.names import told_apart
from .parsed import Parsed, once
from .trimmed import trimmed

LEADING = re.compile(
    r"^(?:the|a|an|this|that|these|those|his|her|its|their|both|also|some|such) ", re.IGNORECASE
)
_SECTION = re.compile(r"^[A-Z]?\.?\d+(?:\.\d+)+\.? (?=[A-Z])", re.MULTILINE)  # "2.7.3 Turnouts"
_MEASURED = re.compile(  # "a frequency of exactly 2600 Hz"
    r"^(?:the |an? )?[a-z]+ of (?:exactly |precisely )?(?=[$€£]?\d)"
)
_UNITS = (
    rf"{CURRENCY}|seconds?|minutes?|hours?|days?|weeks?|months?|years?|degrees?|percent|per cent"
    r"|%|[€£$¥]|EUR|USD|GBP|CHF|k?g|[mck]?m|lbs?|inch(?:es)?|feet|miles?|tons?|tonnes?|[kMG]?Hz"
    r"|[kMGT]i?B|(?:kilo|centi|milli)?met(?:er|re)s?|(?:kilo)?grams?"
)
_UNIT = re.compile(rf"(?: (?:thousand|million|billion))? ?(?:{_UNITS})(?![\w])")
_COLUMN_UNIT = re.compile(  # "Price EUR", "Duration in days", "Capacity (reels)"
    rf"(?:(?<=\bin )|(?<=\D )(?!(?:second|minute|hour|day|week|month|year)$))({_UNITS})$"
    r"|(?<=\()([a-z]+[^\W\ds]s)\)$"
)
_SYMBOLS = (
    rf"{_UNITS}|m?s|min|h|d|m?[VAW]|[kMG]?Wh?|kWp|kVA|[Bb]auds?|dB\w?|bits?|bytes?|°[CFK]?|[mch]?l|rpm|px"
    r"|dpi|fps|mph|km/h|kbps|[kMG]?bits?/s|pp[mb]|[mckd]?m[²³23]|ha|[mµu]?g|t|k?Pa|bar|psi|p|pence|ct|night"
)
_BRACKETS = re.compile(  # "Flow (m³/h)", "Rate (p in £)", "Level (m ODN)", "Price [EUR per night]"
    rf"[(\[]((?:{_SYMBOLS})(?: ?(?:/|per|in|a) ?(?:the )?(?:{_SYMBOLS}))?(?: [A-Z]{{2,4}})?)[)\]]$"
)
_RATE = re.compile(rf"(?:{_UNITS}) per \w+", re.IGNORECASE)  # "Hours per week"
FIGURE = re.compile(r"[\d.,]*\d")
_RATIO = re.compile(  # "3:1", "1:25,000"; not "17:30", which is found as a time
    r"(?<![\w.,:])(?!\d\d?:\d\d(?!,?\d))\d[\d.,]*:\d[\d,]*(?![\w:])"
)
_SIGNED = re.compile(r"[-–−+]?[\d.,]*\d")
_MONEY = ("$", "€", "£", "¥")  # before the figure
LANDS = frozenset({"GPE", "LOC", "FAC"})
"""Labels of places in the world."""
Place = tuple[int, int, str]
"""(first character, one past the last, label)."""


@once
def places(of: Parsed) -> list[Place]:
    """Names, phrases, figures, dates and values of fields, in order."""
    doc, whole = of.doc, of.text
    found = set(mention_spans(doc, of.passage.title))
    found |= {(e.start_char, e.end_char, e.label_) for e in doc.ents}
    found |= {(c.start_char, c.end_char, "CHUNK") for c in doc.noun_chunks}
    found |= {
        (t.idx - (whole[t.idx - 1 : t.idx] in _MONEY), measured(whole, t.idx + len(t)), "CARDINAL")
        for t in of.tokens
        if t.like_num
    }
    found |= set(_in_places(of)) | {(*span, "CARDINAL") for span in _ratios(of)}
    found = {one for one in found if not in_a_date(of, one)}
    found |= {(*span, "DATE") for span in _dates(of)}
    found |= {(start, end, "NAME") for of_one in of.fields.values() for _, start, end in of_one}
    return sorted(one for one in found if not cut(of, *one[:2]))


@once
def worded(of: Parsed, start: int, end: int) -> str:
    """What stands at a place, without its article, with the unit that its column gives."""
    text, unit = LEADING.sub("", of.text[start:end]), _units(of).get((start, end), "")
    if unit.startswith(_MONEY):  # "£/h"
        return f"{unit[0]}{text}{unit[1:]}"
    return f"{text} {unit}".rstrip()


@once
def told(of: Parsed, text: str, start: int, end: int) -> tuple[str, str, bool]:
    """What a text at a place says as an answer, what tells it from others, whether it is a date."""
    text = _MEASURED.sub("", " ".join(text.split()))
    text = trimmed(text, of.text, start, end)
    return text, told_apart(text), is_date(text)


@once
def is_whole(of: Parsed, start: int, end: int) -> bool:
    """Whether a stretch stays in its line and field, and cuts no section's number, no "3:1"."""
    if "\n" in of.text[start:end].strip() or of.crosses(start, end):
        return False
    if end and any(a < edge < b for a, b in _ratios(of) for edge in (start, end)):
        return False
    return not any(a <= start < behind for a, behind in _numbers(of))


@once
def _numbers(of: Parsed) -> list[tuple[int, int]]:
    return [found.span() for found in _SECTION.finditer(of.text)]


@once
def _ratios(of: Parsed) -> list[tuple[int, int]]:
    return [found.span() for found in _RATIO.finditer(of.text)]


@once
def _dates(of: Parsed) -> list[tuple[int, int]]:
    return list(in_figures(of.text))


def in_a_date(of: Parsed, place: Place) -> bool:
    """Whether a place is a piece of a date: "07" of "2009-07-22"."""
    start, end, _ = place
    return any(a <= start < end <= b and (a, b) != (start, end) for a, b in _dates(of))


@once
def _units(of: Parsed) -> dict[tuple[int, int], str]:
    """What a row's figures are of, where their column says it: "EUR" of "Price (EUR): 1490.5"."""
    return {
        (start, end): unit
        for of_one in of.fields.values()
        for name, start, end in of_one
        if (unit := _unit_of(name)) and _SIGNED.fullmatch(of.text, start, end)
    }


def _unit_of(column: str) -> str:
    found = _BRACKETS.search(column) or _COLUMN_UNIT.search(column)
    if _RATE.fullmatch(column):
        return column.lower()
    return found[found.lastindex or 0] if found else ""


@once
def cut(of: Parsed, start: int, end: int) -> bool:
    """Whether a span is a piece of a longer word: "pool/main" of "pool/main/a"."""
    text = of.text
    if text[start:end].isdigit():
        return False
    before, behind = text[max(0, start - 2) : start], text[end : end + 2]
    if text[start] == "@" and before[-1:].isalnum():
        return True
    return bool(
        re.fullmatch(r"\w[-/_+@]", before)
        or (text[start].islower() and re.fullmatch(r"[a-z]\.", before))  # "names" of "col.names"
        or (text[start] == "/" and before[-1:] == "*")  # of "**/lost+found*/"
        or re.fullmatch(r"[/_@+]\w|\+\+|\.[a-z]|\*/", behind)
    )


def measured(text: str, end: int) -> int:
    """Where a number ends with its unit: "900 euros"."""
    unit = _UNIT.match(text, end)
    return unit.end() if unit else end


def _in_places(of: Parsed) -> Iterator[Place]:
    """Places with those they lie in ("Edinburgh, Scotland"), two people ("Ann and Ben Lee")."""
    for first, second in pairwise(of.doc.ents):
        labels, between = {first.label_, second.label_}, of.doc[first.end : second.start].text
        if labels <= LANDS and between == ",":
            yield first.start_char, second.end_char, "GPE"
        elif labels == {"PERSON"} and between in ("and", "&"):
            yield first.start_char, second.end_char, "PERSON"
