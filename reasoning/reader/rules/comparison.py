"""Rules for questions that compare two named things: dates, countries, what they are."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ....kg.text.words import bare_title, terms
from ....kg.types import Statement
from ..asked.names import inside, key, same_name
from ..pages import Evidence, Page
from .dates import Date, read_date
from .rulings import Ruling

_LATER = re.compile(
    r"\b(?:later|younger|youngest|latest|last|newer|newest|more recent(?:ly)?|most recent(?:ly)?)\b"
)
_EARLIER = re.compile(r"\b(?:earlier|first|older|oldest|elder|before|earliest)\b")
_LONGER = re.compile(r"\blived? longer\b|\blonger (?:life|lived)\b")
_DIED = re.compile(r"\bdie[ds]?\b|\bdeath\b")
_BORN = re.compile(r"\bborn\b|\bbirth\b|\b(?:older|younger|oldest|youngest|elder)\b")
_MADE = re.compile(r"founded|magazine|\bband\b|established|formed|opened|released|published")

# What a question calls the maker, and how the work's triples say who it is.
_MAKERS = (
    (r"\bdirectors?\b", r"direct"),
    (r"\bcomposers?\b", r"compos|music"),
    (r"\b(?:performers?|singers?)\b", r"\bby\b|perform|sung|record|singer"),
    (r"\b(?:authors?|writers?|screenwriters?)\b", r"\bwrit|wrote|author"),
    (r"\bproducers?\b", r"produce"),
    (r"\bfounders?\b", r"found"),
)
_BEGINNING = 60  # words: where a passage says what its subject is
_MAX_CLASS_WORDS = 4  # with "both"; a longer question asks for more than a class
_SELDOM_SAID = re.compile(
    r"\b(?:descent|ancestry|heritage|(?:type|kind|sort|form)s? of)\b", re.IGNORECASE
)
"""What a page may be silent about though it is so: that a cactus is a type of plant."""
_DATED = {
    "born": re.compile(r"\bborn\b"),
    "died": re.compile(r"\bdied\b|\bdeath\b"),
    "made": re.compile(
        r"^year$|releas|found|establish|formed|publish|open|premier|launch|start|built"
    ),
}
_BEGAN = re.compile(
    r"\b(?:opened|built|completed|founded|established|formed|made|created|erected|constructed"
    r"|released|published|launched|premiered|inaugurated|dates)\b"
)


@dataclass(frozen=True, slots=True)
class _End:
    """Where a comparison looks: a page, and the statements that led from the named thing to it."""

    page: Page
    way: tuple[Statement, ...] = ()


def by_date(evidence: Evidence) -> Ruling | None:
    """Decide 'Which film's director was born first, A or B?' by their dates, or their makers'."""
    asked = evidence.asked
    if asked.kind != "choice" or len(asked.options) != 2:
        return None
    low = asked.text.lower()
    for option in asked.options:  # "Last Tango in Paris" asks for nothing last
        low = low.replace(option.lower(), " ")
    lived, later, earlier = (bool(p.search(low)) for p in (_LONGER, _LATER, _EARLIER))
    if not (lived or later or earlier):
        return None
    ends = [_end(evidence, option, low) for option in asked.options]
    first, second = ends
    if first is None or second is None or first.page is second.page:
        return None
    if lived:
        return _longer_life(asked.options, first, second)
    kind = _date_asked(low)
    dates = _date(first.page, kind), _date(second.page, kind)
    if _asks_age(low) and not (dates[0] or dates[1]):
        dates = _beginning(first.page), _beginning(second.page)
    if dates[0] is None or dates[1] is None:
        return None
    before = dates[0][0].before(dates[1][0])
    if before is None:
        return None
    wants_later = later and not (kind == "born" and re.search(r"\b(?:older|oldest)\b", low))
    support = (*first.way, *dates[0][1], *second.way, *dates[1][1])
    return Ruling(bare_title(asked.options[int(before == wants_later)]), "date", support)


def by_country(evidence: Evidence) -> Ruling | None:
    """Decide 'Are A and B from the same country?' by the countries their pages name."""
    asked = evidence.asked
    low = asked.text.lower()
    if asked.kind != "yesno" or not re.search(r"\b(?:country|countries|nationality)\b", low):
        return None
    pair = _pair(evidence)
    if pair is None:
        return None
    ends = [end for page in pair if (end := _maker(evidence, page, low)) is not None]
    if len(ends) < 2:
        return None
    said = [_countries(end.page) for end in ends]
    if not said[0] or not said[1]:
        return None
    common = said[0].keys() & said[1].keys()
    verdict = "yes" if common else "no"
    chosen = sorted(common)[:1] * 2 or [next(iter(s)) for s in said]
    support = [s for end, of, c in zip(ends, said, chosen, strict=True) for s in (*end.way, *of[c])]
    return Ruling(verdict, "country", tuple(support))


def by_class(evidence: Evidence) -> Ruling | None:
    """Decide 'Are both A and B French magazines?' by the beginnings of both pages."""
    asked = evidence.asked
    pair = _pair(evidence)
    if asked.kind != "yesno" or pair is None:
        return None
    wanted = set(terms(evidence.without(pair)))
    if "both" not in wanted or "same" in wanted or not 1 < len(wanted) <= _MAX_CLASS_WORDS:
        return None
    starts = [set(terms(" ".join(page.passage.text.split()[:_BEGINNING]))) for page in pair]
    said = [wanted - {"both"} <= start for start in starts]
    if not all(said) and _SELDOM_SAID.search(asked.text):
        return None
    return Ruling("yes" if all(said) else "no", "both")


def by_default(evidence: Evidence) -> Ruling | None:
    """Guess at a yes-or-no question that no rule reads; never asserted."""
    if evidence.asked.kind != "yesno":
        return None
    return Ruling("no" if re.search(r"\bsame\b", evidence.asked.text.lower()) else "yes", "default")


def _pair(evidence: Evidence) -> tuple[Page, Page] | None:
    """The two pages a question names, in its order; a title inside another is not a second one.

    Of more than two, those that it joins by "and": "Are A and B both published by C?".
    """
    chosen: list[Page] = []
    for page in evidence.named:
        if not any(inside(page.title, longer.title) for longer in chosen):
            chosen.append(page)
    if len(chosen) < 2:
        return None
    asked = evidence.asked.key
    inorder = sorted(chosen, key=lambda page: asked.find(page.title))
    joined = (p for p in pairwise(inorder) if inside(f"{p[0].title} and {p[1].title}", asked))
    a, b = sorted(chosen[:2], key=inorder.index)
    return next(joined, (a, b))


def _end(evidence: Evidence, option: str, question: str) -> _End | None:
    page = evidence.page_of(option)
    return _maker(evidence, page, question) if page is not None else None


def _maker(evidence: Evidence, page: Page, question: str) -> _End | None:
    """The page of the one who made it, where the question asks for that; else the page itself."""
    stem = next((stated for said, stated in _MAKERS if re.search(said, question)), None)
    if stem is None:
        return _End(page)
    for statement in page.statements:
        if re.search(stem, statement.triple.relation.lower()):
            made_by = evidence.page_of(statement.triple.tail, other_than=page)
            if made_by is not None:
                return _End(made_by, (statement,))
    for other in evidence.pages:
        if other is not page and len(other.title) > 4 and inside(other.title, page.key):
            return _End(other)
    return None


def _date_asked(question: str) -> str:
    if _DIED.search(question):
        return "died"
    return "born" if _BORN.search(question) and not _MADE.search(question) else "made"


def _asks_age(question: str) -> bool:
    """Whether it asks which is older without saying that they were born: they may be things."""
    return not re.search(r"\b(?:who|whose|born|birth)\b", question) and not _DIED.search(question)


def _beginning(page: Page) -> tuple[Date, tuple[Statement, ...]] | None:
    """The stated date at which the thing a page is about was made, founded or opened."""
    for statement in page.statements:
        triple = statement.triple
        if _BEGAN.search(triple.relation.lower()) and same_name(key(triple.head), page.title):
            date = read_date(triple.tail)
            if date is not None:
                return date, (statement,)
    return None


def _date(page: Page, kind: str) -> tuple[Date, tuple[Statement, ...]] | None:
    """A date of the page with its statement; for things made also the first year of the text."""
    for statement in page.statements:
        if _DATED[kind].search(statement.triple.relation.lower()):
            date = read_date(statement.triple.tail)
            if date is not None:
                return date, (statement,)
    if kind != "made":
        return None
    year = re.search(r"\b(?:1\d|20)\d\d\b", page.passage.text)
    return (Date(int(year.group())), ()) if year else None


def _longer_life(options: tuple[str, ...], first: _End, second: _End) -> Ruling | None:
    spans, support = [], []
    for end in (first, second):
        born, died = _date(end.page, "born"), _date(end.page, "died")
        if born is None or died is None:
            return None
        spans.append(died[0].number - born[0].number)
        support += [*end.way, *born[1], *died[1]]
    if abs(spans[0] - spans[1]) < 0.1:
        return None
    return Ruling(bare_title(options[int(spans[1] > spans[0])]), "date", tuple(support))


_SAYS_NATION = re.compile(r"nationality|country|citizen")
_SAYS_PLACE = re.compile(r"located in|\bborn\b.* in$|\bfrom$")
_COUNTRY_LABELS = ("GPE", "NORP")
_NEAR_START = 45  # tokens: where a passage says where its subject is from

# Other names and adjectives of a country, cut as below; the rest share its first letters.
_SAME_COUNTRY = {
    "us": "amer", "usa": "amer", "unit": "amer", "u s": "amer", "u s a": "amer",
    "uk": "brit", "engl": "brit", "scot": "brit", "wale": "brit", "wels": "brit", "grea": "brit",
    "dutc": "neth", "holl": "neth", "spai": "span", "swis": "swit", "dani": "denm",
    "pola": "poli", "fren": "fran", "finn": "finl",
}  # fmt: skip


def _countries(page: Page) -> dict[str, tuple[Statement, ...]]:
    """Countries by the letters they share with their adjectives, with what states them, if any.

    A nationality or a country that is stated counts alone; else places, also those named first.
    """
    nations = dict(_stated(page, _SAYS_NATION))
    if nations:
        return nations
    found = dict(_stated(page, _SAYS_PLACE))
    first = next(iter(page.doc.sents), None)
    near = max(_NEAR_START, first.end if first is not None else 0)
    for entity in page.doc.ents:
        if entity.label_ in _COUNTRY_LABELS and entity.start < near:
            found.setdefault(_country(entity.text), ())
    return found


def _stated(page: Page, says: re.Pattern[str]) -> Iterator[tuple[str, tuple[Statement, ...]]]:
    for statement in page.statements:
        triple = statement.triple
        if says.search(triple.relation) and same_name(key(triple.head), page.title):
            yield _country(triple.tail), (statement,)


def _country(name: str) -> str:
    words = key(name)
    if words.startswith("united kingdom"):
        return "brit"
    return _SAME_COUNTRY.get(words, _SAME_COUNTRY.get(words[:4], words[:4]))
