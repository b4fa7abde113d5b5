"""What a text is about: whether its title, or a section's heading, names a thing.

"Edvard Grieg" and "The inetd Super-Server" do, "Travel policy" and "Scheduling Tasks" head a text
without naming what its "it" and "he" mean.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..text.titles import bears, may_link
from ..text.words import STOP, WORD, bare_title, fold, normal_title, plain, words
from ..types import Section
from .full_names import is_of_file, name_in_full
from .people import PERSON, is_no_person

_SMALL = frozenset(
    "a al an and at bin da de del der di du el for in la le of on or the to van von".split()
)
_TASK = re.compile(
    r"[A-Z][a-z-]+ing\b|(?:About|How|What|When|Where|Which|Who|Why|Working|Your)\b", re.IGNORECASE
)  # "Scheduling Tasks", "How to Migrate"
_HEADS = frozenset(  # words that head texts of all kinds, and so name nothing
    """about agenda background benefits careers catalog catalogue changes company contact contacts
    costs customers departments directions employees equipment events facilities faq features
    gallery glossary history hours installation inventory list locations management meeting
    meetings members minutes news notes offices opening options orders organisation organization
    our overview partners people personnel plan policies policy price prices pricing products
    projects questions report reports requirements results roadmap rules safety schedule
    services settings shipping specifications staff statistics status suppliers support team
    terms timeline training usage vendors warranty welcome""".split()
)
_DOCUMENTS = frozenset(  # what a title that ends so is of is about no such thing itself
    """agenda faq guide handbook howto introduction manual minutes newsletter overview policy
    questions readme report tutorial""".split()
)
_WITH_MORE = re.compile(  # a name that goes on with common words: "Alderline company notes"
    r"((?:[^\W\d_a-z][\w'’.-]*)(?: [^\W\d_a-z][\w'’.-]*){0,4})(?: [^\W\dA-Z_][a-z-]*){1,4}"
)
_OF_SOMEBODY = re.compile(r"(?!The |An? )(?s:.*)\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er|born)\b")
_FILE = re.compile(
    r"\S+\.(?:txt|md|html?|pdf|docx?|odt|rst|adoc|csv|tsv|xlsx?|pptx?|json|xml|tex|log|dat)"
    r"|(?:read[ _-]?me|changelog|todo)\w*(?: .*)?",
    re.IGNORECASE,
)
BEGINNING = 4  # words of a text besides those that name what it is about
OPENING = 600  # characters in which a text says what it is about
LONG = 12_000  # characters; a longer text has parts, whether its format says so or not
BLOCK = 2_000  # characters, and more to the end of the paragraph
MOST = 0.5  # of a title's words
NUMBERING = 40  # characters that a heading's number takes at most


class Part(NamedTuple):
    """Text [start, end) of a passage under one heading, without it, and the thing it is about.

    Args:
        topic: a title or heading; "" where none names a thing.
        divided: it is of a document with sections, in which "it" rarely means the topic.
        opens: the document begins with its topic, which "it" then means first.
    """

    start: int
    end: int
    topic: str
    divided: bool = False
    opens: bool = True


def stands(section: Section, text: str) -> bool:
    """Find out whether the line that begins a section is its heading, numbered or not.

    It is, too, where the heading says what it stands under: "Rents: Payment" for "4.1 Payment".
    """
    line = text[section.start : section.start + len(section.heading) + NUMBERING].split("\n", 1)[0]
    told = (section.heading, section.heading.rpartition(": ")[2])
    return bool(section.heading) and any(bears(line.strip(), heading) for heading in told)


def parts_of(text: str, title: str, sections: Sequence[Section], source: str = "") -> list[Part]:
    """Divide a document's text into parts, in order; blanks may lie between them.

    What a long document is about is what only those of its sections are about, or of a long section
    some paragraphs, that name it.

    Args:
        source: of the document; of a title that is but a file's name the text has the full one.
    """
    whole = len(text) <= LONG and not any(section.heading for section in sections)
    common = None if whole else _common(text)
    thing = title if names_a_thing(title, text, common) else ""
    thing = name_in_full(thing, text) if is_of_file(thing, source) else thing
    divided, opens = common is not None, _opens_with(thing, text)
    begun = [Section(0), *sections] if not sections or sections[0].start else list(sections)
    parts, before = list[Part](), ""
    for section, (start, end) in zip(begun, _between(begun, len(text)), strict=True):
        if stands(section, text):
            start = min(end, start + len(text[start:end].split("\n", 1)[0]))
        elif parts and section.heading == before:  # it goes on, on another page
            parts.append(Part(start, end, parts[-1].topic, divided, opens))
            continue
        before = section.heading
        own = before and before != title and names_a_thing(before, text[start:end], common)
        if own or not thing or len(text) <= LONG:
            parts.append(Part(start, end, before if own else thing, divided, opens))
            continue
        for first, last in _blocks(text, start, end):
            topic = thing if not parts or _names(text[first:last], thing) else ""
            if first > start and parts[-1].topic == topic:
                parts[-1] = parts[-1]._replace(end=last)
            else:
                parts.append(Part(first, last, topic, divided, opens))
    return parts


def _between(sections: Sequence[Section], length: int) -> Iterator[tuple[int, int]]:
    yield from pairwise([*(section.start for section in sections), length])


def within(parts: Sequence[Part], start: int, end: int) -> list[Part]:
    """Cut the parts that lie in text[start:end] out, as parts of that."""
    inside = [p for p in parts if p.start < end and p.end > start]
    return [p._replace(start=max(p.start - start, 0), end=min(p.end, end) - start) for p in inside]


def _blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Some paragraphs at a time of text[start:end]."""
    while end - start > 2 * BLOCK and (last := text.find("\n\n", start + BLOCK, end - BLOCK)) > 0:
        yield start, last
        start = last
    yield start, end


def _names(text: str, thing: str) -> bool:
    """Whether a section of a long document says a word of what that is about, as a name."""
    written = {fold(word) for word in WORD.findall(plain(text)) if not word.islower()}
    return not written.isdisjoint(set(words(thing)) - STOP)


def names_a_thing(title: str, text: str, common: Collection[str] | None = None) -> bool:
    """Find out whether a title names what the text under it is about.

    Of a text that is divided into sections it does if the text begins with it, or if it is written
    as a name and none of its words occurs as a common one. Of one that is not, as an encyclopedia's
    paragraph, most of its words are enough there, or one of them that is never a common one, or a
    parenthesis that tells homonyms apart.

    Args:
        title: of a document or section, without its number.
        text: under it, without its headings, at least the beginning.
        common: words in lower case of a document that has sections; None of one without.
    """
    name = bare_title(title)
    named = set(words(name)) - STOP
    if not named or not may_link(normal_title(title)):
        return False
    if _is_file(name) or _begins_with_a_subject(name, text):
        return False
    said = words(_first_line(text))
    task = _TASK.match(name) is not None
    if common is not None:
        if title.endswith(("?", "!")) or ":" in title or task:
            return False
        begins = named.issubset(said[: BEGINNING + len(named)])
        is_name = len(named) > 1 and _written_as_names(name) == 1
        return begins or (is_name and named.isdisjoint(common))
    if name != title or len(named.intersection(said)) > MOST * len(named):
        return True
    if task or named <= _HEADS or words(name)[-1] in _DOCUMENTS:
        return False
    return _written_as_names(name) > MOST and not named <= _common(text)


def _opens_with(title: str, text: str) -> bool:
    """Whether a text begins with most words of a title, or with some of somebody's name."""
    name = bare_title(title)
    named, said = set(words(name)) - STOP, _first_line(text)
    if len(named.intersection(words(said))) > MOST * len(named):
        return True
    somebody = PERSON.fullmatch(name) and not is_no_person(name)
    return bool(somebody and _OF_SOMEBODY.match(text.lstrip()[:OPENING])) and _names(said, name)


def _is_file(title: str) -> bool:
    """Whether it is a file's name and no more: "Readmefirst_Wasabi.txt", "readme for F3F"."""
    return _FILE.fullmatch(title) is not None


def _begins_with_a_subject(title: str, text: str) -> bool:
    """Whether a text speaks of "Alderline" that is called "Alderline company notes"."""
    found = _WITH_MORE.fullmatch(title)
    if found is None or title.lower() in text.lower():
        return False
    return re.search(rf"(?:\A|[.!?:]\s|\n)\s*{re.escape(found[1])}(?= [a-z])", text) is not None


def _first_line(text: str) -> str:
    """The beginning of the first line that is a sentence, or of the text."""
    lines = text.strip().split("\n")
    return next((line for line in lines if line.rstrip().endswith((".", ":"))), lines[0])[:OPENING]


def _written_as_names(title: str) -> float:
    """The share of a title's words that are written as names are."""
    named = [word for word in title.split() if word.lower() not in _SMALL]
    return sum(map(_is_written_as_name, named)) / max(1, len(named))


def _is_written_as_name(word: str) -> bool:
    bare = word.lstrip("\"'“‘(")
    return not bare[:1].islower() or any(c.isupper() or c.isdigit() for c in bare)


def _common(text: str) -> set[str]:
    """The words of a text that stand in it in lower case."""
    return {word for word in WORD.findall(text) if word.islower()}
