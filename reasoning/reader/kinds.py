"""Whether a candidate is of the type that a question asks for."""

import re

from ...kg.extraction.mentions import MONTH
from .asked.dates import is_date
from .asked.described import PERSONS
from .asked.forms import FORMS, LABELS, LONG, NAME, NUMBERS
from .asked.initials import expands, spelt_out
from .asked.question import Asked, kind_of
from .candidates import Mention

_NEVER = {
    "person": frozenset({"DATE", "CARDINAL", "QUANTITY", "NORP"}),
    "place": frozenset({"DATE", "CARDINAL", "QUANTITY", "PERSON"}),
    "date": frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "WORK", "NORP"}),
    "number": frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "WORK", "NORP"}),
    "group": frozenset({"DATE", "CARDINAL", "QUANTITY"}),
    "work": frozenset({"DATE", "QUANTITY", "GPE", "LOC", "NORP"}),
    "other": frozenset[str](),
}
_NUMBER = re.compile(rf"\d|\b(?:{NUMBERS})\b", re.IGNORECASE)
_MONTH = re.compile(MONTH)
_DIGIT = re.compile(r"\d")
_FIGURE = re.compile(r"[\d.,%\s]+")
_VERDICT = re.compile(r"yes|no|true|false", re.IGNORECASE)
_DAYS = r"(?:Mon|Tues?|Wed|Thu(?:rs)?|Fri|Sat|Sun)"
_TIME = re.compile(
    r"\d ?[ap]\.?m\b|\b(?:noon|midnight|o['’]clock)\b"
    r"|\b\d{3,4}\b|\b(?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|century"
    r"|spring|summer|autumn|winter|dawn|dusk|sun(?:rise|set))\b|\d{1,2}[:.]\d\d",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\d ?[ap]\.?m\b|\b(?:noon|midnight|o['’]clock)\b|\d[:.]\d\d", re.IGNORECASE)
_WEEKDAY = re.compile(
    r"(?:every |each )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
    rf"|{_DAYS}(?:(?:, | and |, and |-|–){_DAYS})*"
)
_ANY_GROUP = frozenset(
    {"", "company", "organization", "organisation", "group", "team", "band", "party", "club"}
)
_PEOPLE = re.compile(r"[A-Z][a-z]*(?:ican|ish|ian|ese|ench|utch|erman|reek|wiss)")
_BUILDING = "Hall|Museum|Theatre|Theater|School|College|Road|Library|Hospital"
_NAMESAKE = "Church|Court|Centre|Center|Square|Park|Bridge|Station|River|Lake"
"""Places, but also surnames: no sign against whom recognisers take for a person."""
_NO_PERSON = re.compile(  # nor a "Sun Yat-sen" a day
    rf"\d|[_/@]|\.\w{{2,}}|^{_DAYS}(?:, {_DAYS})*$"
    rf"|\b(?:{_BUILDING}|Prize|Award|Medal|Festival|Competition|Quartet|Orchestra|Choir)$"
)
_MAYBE_NO_PERSON = re.compile(rf"\b(?:{_NAMESAKE})$")
_SITE = re.compile(
    rf"\b(?:{_BUILDING}|{_NAMESAKE}|Castle|House|Inn|Hotel|Abbey|Palace|Tower|Street|Lane|Farm|Mill"
    r"|Quay|Harbou?r|Airport|Bay|Gardens?|Observatory|Valley|Hill)$"
)
_WITHIN = re.compile(
    r"\b(?:in|at|on|from|under|behind|near|beside|outside|inside|opposite|into|to)"
    r" (?:(?:the|an?|our|your|his|her|its|their) )?$"
)
_COMPANY = re.compile(
    r"[A-Z].* (?:GmbH|AG|SE|Inc\.?|Ltd\.?|LLC|plc|Corp(?:\.|oration)?|Company|Co\.?|B\.?V\.?|AB|Oy"
    r"|S\.?[Ap]\.?A?\.?|S\.?r\.?l\.?|KG)"
)
_COMPARED = re.compile(
    r"(?: [a-zé%]+)? (?:more|less|fewer|higher|lower|better|larger|smaller|longer|shorter|older"
    r"|younger|bigger|taller|wider|deeper|heavier|lighter)\b"
    r"(?! than \d)"
)
_MORE = re.compile(r"(?: (?:an?|per|each|every) \w+)? (?:more|less|extra|cheaper|dearer|on top)\b")
_TAKEN_OFF = ("minus ", "less ")
_LONGEST_SUM = 40  # characters
_ASKS_MORE = re.compile(
    r"\b(?:more|less|extra|cheaper|dearer|rise|raise|increase|discount|reduction|surcharge|difference"
    r"|additional(?:ly)?|on top|much off|deducted|kept?|save[sd]?)\b",
    re.IGNORECASE,
)
_NOT_IN = re.compile(r"\w, $|(?:st|th)ern $|(?:north|south|east|west) of $")
_PART_OF_LAND = re.compile(r"^(?:nor|sou|ea|we)(?:st|th)ern ")
_OF_PEOPLES = frozenset({"language", "nationality"})
_LAND = frozenset({"country", "nation", "state", "continent"})
_WATER = frozenset({"river", "lake", "sea", "ocean", "island", "mountain"})
_PARTS = frozenset({"county", "district", "province", "region", "continent"})
_SHIRE = re.compile(r"\w(?:shire|land)$")
_COUNTY = re.compile(r"\wshire$|\bCounty\b")
_TOWN = frozenset({"city", "town", "village"})
RELEASE = re.compile(r"\d+(?:\.\d+)+")  # "3.0.0"
HOUSES = frozenset(
    "bank band brewery church cinema club college company employer factory firm gallery hospital"
    " hostel hotel institute laboratory library museum observatory office orchestra organisation"
    " organization pub restaurant school shop society station studio theatre theater"
    " university".split()
)
"""What somebody is at, and no town is."""
_PERSONAL = re.compile(  # capitals and no more
    r"(?!.*\b(?:The|Project|Club|Company|Group|Inc|Ltd|GmbH|University|Association|Team|Foundation"
    r"|System|Software|Computer|Music|Street|City)\b)"
    r"[^\W\d_a-z][\w'’]+(?:[ -](?:[^\W\d_a-z][\w'’]*\.?|de|van|von|der|la|bin|al)){1,4}"
)
_NAME_OF = re.compile(r"\bwhat (?:is|was|are|were) the names? of\b", re.IGNORECASE)
_AROUND = re.compile(r"\b(?:in|at|on|under|during|through) (?:which|what)\b", re.IGNORECASE)
_MEASURED = re.compile(  # not "3 months", which a rent may be
    r"\d ?(?:k?g|mg|[mck]?m|m?l|[kMGT]B|k?[AVW]|hours?|minutes?|sheets?|pages?|people"
    r"|met(?:re|er)s?|lit(?:re|er)s?)\b"
)
_SIGN = re.compile(r"[$€£¥]")
LONGEST = 200  # characters of an answer that has a form; the patterns take the cube of them
_COUNTED = frozenset({"age", "long"})
_STRICT = frozenset({LONG, "extension", "age"})
_FORMS = {
    form: (re.compile(whole, re.IGNORECASE), re.compile(least, re.IGNORECASE))
    for form, (whole, least) in FORMS.items()
}


def fit(asked: Asked, mention: Mention, text: str) -> float:
    """Tell how a candidate fits the type asked for: 1 yes, -1 no, between: its words allow it."""
    kind, label = asked.kind, _recognised(mention)
    if kind in ("choice", "yesno"):
        return 0.0
    if asked.form == NAME:
        return _name(label, text)
    if asked.form == LONG:
        return 1.0 if expands(asked.short, text) or _spelt_out(asked, mention) else -0.2
    if asked.form == "money" and _measures(mention, text):
        return -1.0
    if _is_sum(text) and _differs(asked, mention, text):
        return -1.0
    if asked.form:
        return -1.0 if _is_compared(asked, mention, text) else _form(asked.form, text)
    if kind == "date":
        return _date(text, asked.focus)
    if kind == "number":
        return min(0.3 if _is_compared(asked, mention, text) else 1.0, _number(text, asked))
    if asked.focus in _PARTS and not _part_of_land(asked.focus, mention, text):
        return -0.2
    return _called(asked, mention, text, label)


def _measures(mention: Mention, text: str) -> bool:
    """Whether a number counts sheets, or is the "10" of "10 A", which is no price."""
    whole, start, end = mention.page.text, mention.start, mention.end
    if not end or _SIGN.search(whole, max(0, start - 2), end):  # "€10 m" are millions
        return False
    return _MEASURED.search(text + whole[end : end + 8], max(0, len(text) - 12)) is not None


def _is_sum(text: str) -> bool:
    return (
        len(text) <= _LONGEST_SUM
        and _DIGIT.search(text) is not None
        and _FORMS["money"][0].fullmatch(text) is not None
    )


def _differs(asked: Asked, mention: Mention, text: str) -> bool:
    """Whether it is what something costs more or less, which no price is: "minus £15"."""
    if not mention.end or _ASKS_MORE.search(asked.text):
        return False
    whole = mention.page.text
    before = whole[max(0, mention.start - len("minus ")) : mention.start]
    taken_off = before.endswith(_TAKEN_OFF) or text.startswith(_TAKEN_OFF)
    return taken_off or _MORE.match(whole, mention.end) is not None


def _is_compared(asked: Asked, mention: Mention, text: str) -> bool:
    """Whether it is by how much something is more than another: "two years older"."""
    if not mention.end or _COMPARED.search(asked.text):
        return False
    behind = _COMPARED.match(mention.page.text, mention.end)
    return (behind or _COMPARED.search(text)) is not None


def _spelt_out(asked: Asked, mention: Mention) -> bool:
    """Whether the text itself says that it is what the short form stands for."""
    return (mention.start, mention.end) in spelt_out(asked.short, mention.page.text)


def is_strict(asked: Asked, text: str) -> bool:
    """Whether a text that fits below 0 is no answer.

    Words tell a long form, a number to dial, an age, a year, an hour or a county from others, and a
    number of sheets or a difference from a price; "on request" may be one.
    """
    exact = asked.kind == "date" and (asked.focus == "time" or asked.asks_year)
    counted = _is_sum(text) or (asked.form == "money" and _DIGIT.search(text) is not None)
    return asked.form in _STRICT or asked.focus in _PARTS or exact or counted


def _called(asked: Asked, mention: Mention, text: str, label: str) -> float:
    """Fit of what has neither form, date nor number: by what recognisers call it."""
    kind = asked.kind
    wanted, never = LABELS.get(kind, frozenset[str]()), _NEVER[kind]
    if label in wanted:
        return _narrowed(asked, mention, text)
    if kind == "place" and label == "PERSON" and _SITE.search(text):
        return 0.8  # recognisers take "Thirlby Castle" for somebody
    if kind == "place" and _by(mention) and _PERSONAL.fullmatch(text) and not _SITE.search(text):
        return -1.0
    people = kind == "place" and asked.focus not in _LAND
    people = people and (label == "NORP" or bool(_PEOPLE.fullmatch(text)))
    if people or label in never or (kind != "work" and is_date(text)):
        return -1.0
    if kind == "other" and asked.focus in _OF_PEOPLES and label == "NORP":
        return 1.0
    if kind == "other" and _NAME_OF.search(asked.text) and PERSONS.fullmatch(asked.focus):
        return 0.7 if any(c.isupper() for c in text) else -0.5
    if kind == "other":
        return 0.7 if label == "PERSON" and PERSONS.fullmatch(asked.focus) else 0.0
    return _shaped(kind, label, text, mention)


def _by(mention: Mention) -> bool:
    """Whether it stands after "by", as who did something does."""
    return bool(mention.end) and mention.page.text[: mention.start].endswith((" by ", "By "))


def area_asked(asked: Asked, text: str) -> str:
    """Of "Royston, Hertfordshire, England" the county or the country, where that is asked for."""
    parts = text.split(", ")
    if asked.kind != "place" or len(parts) == 1 or not all(part[:1].isupper() for part in parts):
        return text
    if asked.focus == "country" and "countries" not in asked.text.lower():
        return parts[-1]
    counties = (part for part in parts if _COUNTY.search(part)) if asked.focus == "county" else ()
    return next(iter(counties), text)


def _part_of_land(noun: str, mention: Mention, text: str) -> bool:
    """Whether it is called a county where one is asked for: "Virginia" is not."""
    whole = mention.page.text
    around = whole[max(0, mention.start - 12) : mention.start], whole[mention.end :][:10]
    return noun in text.join(around).lower() or bool(_SHIRE.search(text))


def _recognised(mention: Mention) -> str:
    """What recognisers call it, where it was found otherwise: as the end of a triple, a phrase."""
    if mention.label not in ("END", "CHUNK", "NAME") or not mention.end:
        return mention.label
    found = mention.page.recognised.get((mention.start, mention.end), "")
    return found if found in ("PERSON", "GPE", "DATE") else mention.label


def _name(label: str, text: str) -> float:
    if label == "PERSON" or (label == "WORK" and text[:1].isupper()):
        return 1.0
    return 0.4 if text[:1].isupper() and not text[-1:].isdigit() else -0.5


def _shaped(kind: str, label: str, text: str, mention: Mention) -> float:
    """Fit by how it is written: recognisers miss many a name."""
    other = _NO_PERSON.search(text) or _MAYBE_NO_PERSON.search(text)
    if kind == "person" and _PERSONAL.fullmatch(text) and not other:
        return 0.8
    if kind == "group" and _COMPANY.search(text):
        return 1.0
    if kind == "place" and re.search(r"\w/\w|^/\w", text):
        return 0.8  # a path, where something is stored
    if kind == "place" and mention.end and text[:1].isupper():
        before = mention.page.text[max(0, mention.start - 3) : mention.start]
        if before in ("in ", "In "):
            return 0.8
    if not any(c.isupper() for c in text):
        before = mention.page.text[max(0, mention.start - 14) : mention.start]
        if kind == "place" and mention.end and _WITHIN.search(before):
            return 0.3  # "under the stairs"
        return -0.5 if kind in ("place", "group", "work") else -1.0
    return 0.5 if label in ("NAME", "TITLE", "END") else 0.2


def _narrowed(asked: Asked, mention: Mention, text: str) -> float:
    """Fit of what is of the wanted kind, by the noun asked for: "town", "country", "university"."""
    if asked.kind == "person" and _NO_PERSON.search(text):
        return -0.5
    if asked.kind == "group" and asked.focus not in _ANY_GROUP:
        return 1.0 if asked.focus in text.lower() else 0.5
    if asked.kind == "place" and asked.focus in _TOWN and _PART_OF_LAND.search(text.lower()):
        return -0.5
    if asked.kind == "place":
        after = mention.page.text[mention.end : mention.end + 3]
        if asked.focus in _WATER and mention.label == "GPE":
            return 0.2  # recognisers call towns so, seldom a river
        if asked.focus in _LAND and mention.end and re.match(r", [A-Z]", after):
            return 0.3  # "Ghent, Belgium"
        before = mention.page.text[max(0, mention.start - 12) : mention.start]
        if asked.focus in _TOWN and _NOT_IN.search(before):
            return 0.3
    return 1.0


def no_person(asked: Asked) -> bool:
    """Whether what is asked for is where or how something was: "in which style", "on what team"."""
    return bool(_AROUND.search(asked.text)) and not PERSONS.fullmatch(asked.focus)


def number_word(word: str) -> bool:
    """Whether it is "two" or "12"."""
    return bool(_NUMBER.fullmatch(word)) or word.isdigit()


def _form(form: str, text: str) -> float:
    if form in _COUNTED and not _NUMBER.search(text):
        return -1.0
    whole, least = _FORMS[form]
    if len(text) > LONGEST:
        return -1.0
    if whole.fullmatch(text):
        return 1.0
    return 0.3 if least.search(text) else -1.0


def contradicts(asked_for: str, text: str) -> bool:
    """Tell whether words alone show that an answer is of another kind than what is asked for.

    Args:
        asked_for: a noun: "person", "date", "film director"; one that names no kind is never
            contradicted, such as "name".
    """
    noun = asked_for.strip().casefold()
    kind = noun if noun in LABELS else kind_of(f"Which {noun} is it?") if noun else "other"
    if kind == "date":
        return not (_TIME.search(text) or _DIGIT.search(text))
    if kind == "number":
        return not _NUMBER.search(text)
    if kind in ("person", "place", "group"):
        bare = text.strip(" .")
        nobody = kind == "person" and bare == bare.lower() != bare.upper()  # in letters with cases
        other = is_date(bare) or _FIGURE.fullmatch(bare) or _VERDICT.fullmatch(bare)
        return nobody or bool(other)
    return False


def _date(text: str, focus: str) -> float:
    if focus == "time" and _CLOCK.search(text):
        return 1.0
    if focus == "day" and _WEEKDAY.fullmatch(text):
        return 1.0
    if not _TIME.search(text):
        return -1.0
    if focus == "day":
        return 1.0 if is_date(text) else 0.2
    return 1.0 if is_date(text) or re.fullmatch(r"\d{4}", text) else 0.3


def _number(text: str, asked: Asked) -> float:
    if not _NUMBER.search(text):
        return -1.0
    if re.search(r"\d(?:st|nd|rd|th)\b", text):
        return -0.5
    if _MONTH.search(text):
        return -1.0
    year = re.fullmatch(r"(?:1[5-9]|20)\d\d", text)
    return -0.5 if year and not asked.unit.startswith("year") else 1.0
