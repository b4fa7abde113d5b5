"""Which titles a text names: longest match over capitalised runs of words (NAMES)."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from .words import STOP, WORD, plain

MAX_TITLE_WORDS = 10
SHORTEST_TITLE = 3  # characters
_PARTS = frozenset(
    (
        "abstract acknowledgements acknowledgments appendix background bibliography changelog "
        "chapter conclusion conclusions contents contributing discussion document faq foreword "
        "glossary index introduction license methods notes overview preface readme references "
        "results section summary untitled"
    ).split()
) | {"table of contents", "see also", "further reading", "external links"}
_NUMBERED = re.compile(
    r"(?:appendix|chapter|figure|lesson|page|part|section|slide|table|unit)"
    r"(?: (?:\d+|[ivxlc]+|[a-z]))+"
)
# As programs and devices name files ("IMG-2231", "scan 17", "Screenshot 2024-05-01"), a file's name
# with its ending ("report_final.pdf"), a hash.
_FILE = re.compile(
    r"(?:attachment|doc|document|download|dsc|dscn|file|image|img|note|paper|record|report|scan|"
    r"screenshot|text|upload|vid)(?: (?:\d+|at|am|pm))+"
    r"|.* (?:csv|docx|jpe?g|pdf|pptx|txt|xlsx)"
    r"|(?=[a-z]*\d)(?=\d*[a-z])[0-9a-f]{16,}"
)


_NAMED = (  # what parts are called, also in German, French, Italian and Spanish
    "appendix|chapter|lesson|part|section|unit|annex|kapitel|teil|abschnitt|anhang|lektion"
    "|chapitre|partie|annexe|appendice|capitolo|parte|sezione|allegato|cap[ií]tulo|secci[oó]n|anexo"
)
_NUMBERING = re.compile(
    rf"""(?:(?:{_NAMED})\s+(?:\d+(?:\.\d+)*|[ivxlc]{{2,}}|(?-i:[A-Z]))\b
          (?:\s*[.:–—-]+\s*|\s+)
        |(?:\d{{1,3}}(?:\.\d{{1,3}})+[.:)]?|\d{{1,3}}[.)]|(?-i:[A-Z])(?:\.\d{{1,3}})+[.:)]?
          |(?-i:[IVX]{{2,}})[.)]|§+\s*\d+[a-z]?)\s+
    )(?=[^\W\d_]|["“‘'`</.$]|\([^()]*\)\s*\S)""",
    re.IGNORECASE | re.VERBOSE,
)
_MAY_BE_VERSION = re.compile(r"(\d{1,3}(?:(?:\.\d{1,3})+|\.))\s")  # "3.1 Sarge", "1. FC Köln"


_PLAIN = re.compile(r"(\d{1,2})\s+(?=[^\W\d_])")  # "2 Pumps", but also "12 Monkeys"
_HEADS = _PARTS - {"chapter", "document", "page", "section", "untitled"} | set(
    """aims api architecture availability building compilation configuration copyright credits
    definitions description dependencies downloading examples features history implementation
    installation installing licence motivation objectives options prerequisites purpose quickstart
    requirements scope security setup syntax terminology terms testing troubleshooting tutorial
    upgrading usage using""".split()
)
LEAST = 3  # headings that number on, where none of them is such a word


def unnumbered(heading: str) -> str:
    """Take the number off a heading: "9.6. The inetd Super-Server", "Chapter 3: Tides", "A.2 Maps".

    Before a bare number that is only done where a common word heads a section ("1 Introduction");
    see `numbered`, which also tells it from a version. One that is nothing but its number keeps it.
    """
    if found := _NUMBERING.match(heading):
        return heading[found.end() :]
    found = _PLAIN.match(heading)
    first = WORD.match(heading, found.end()) if found else None
    return heading[found.end() :] if found and first and first[0].lower() in _HEADS else heading


def bare(heading: str) -> str:
    """Take a number off a heading of which `numbered` says that it is one: "2 Pumps"."""
    found = _PLAIN.match(heading)
    return heading[found.end() :] if found else unnumbered(heading)


def bears(line: str, heading: str) -> bool:
    """Find out whether a line is this heading, numbered or not."""
    return heading in (line, unnumbered(line), bare(line))


def numbered(headings: Sequence[str]) -> set[int]:
    """Find which headings of a document begin with the number of a section.

    "Chapter 2. Tides", "9.6. Tides" and "1 Introduction" do. "2 Pumps", "3.1 Sarge" and "1. FC
    Köln" may be called so: there have to be some that number on from 1, each saying something else
    ("1 Kings", "2 Kings" do not), or one that numbers above or below it.

    Args:
        headings: as they stand in the text, in order.
    """
    marked, runs = set[int](), dict[tuple[str, bool], list[int]]()
    numbers = dict(filter(None, map(_number, range(len(headings)), headings)))
    all_of_them = {number.rstrip(".") for number in numbers.values()}
    for at, heading in enumerate(headings):
        number = numbers.get(at, "")
        if not number:
            marked |= {at} if unnumbered(heading) != heading else set()
            continue
        above, _, last = number.rstrip(".").rpartition(".")
        below = any(other.startswith(f"{number.rstrip('.')}.") for other in all_of_them)
        chapter = last == "0" and f"{above}.1" in all_of_them  # "2.0 Ports" over "2.1 …"
        if below or chapter or above in all_of_them:
            marked.add(at)
        run = runs.setdefault((above, number.endswith(".")), [])
        if last == "1":
            marked |= _counted(headings, run)
            run.clear()
        gap = len(run) >= LEAST and "." in number and int(last) > len(run)
        if gap or int(last) == len(run) + 1:
            run.append(at)
    return marked.union(*(_counted(headings, run) for run in runs.values()))


def _number(at: int, heading: str) -> tuple[int, str] | None:
    """The number that a heading begins with, where it may be another than its section's."""
    found = _MAY_BE_VERSION.match(heading) if _NUMBERING.match(heading) else _PLAIN.match(heading)
    return (at, found[1]) if found else None


def _counted(headings: Sequence[str], run: Sequence[int]) -> set[int]:
    said = {bare(headings[at]).casefold().rstrip("s") for at in run}
    least = 2 if any(unnumbered(headings[at]) != headings[at] for at in run) else LEAST
    return set(run) if len(run) >= least and len(said) == len(run) else set()


def may_link(normal: str) -> bool:
    """Find out whether a normal title is particular enough to be looked for in other texts.

    "Introduction" and "Chapter 1" name a part of any document, "scan 17" a file; so nothing in
    particular.
    """
    return (
        len(normal) >= SHORTEST_TITLE
        and normal not in STOP | _PARTS
        and not _NUMBERED.fullmatch(normal)
        and not _FILE.fullmatch(normal)
    )


def title_grams(text: str) -> list[tuple[int, str]]:
    """Find the runs of up to MAX_TITLE_WORDS words that begin with a capital or digit.

    As (word position, normal form), ordered by position, longest first.
    """
    # Diacritics go before words are told apart: written as letter and combining mark, they would
    # end one.
    spelled = WORD.findall(plain(text))
    folded = [word.casefold() for word in spelled]
    grams = []
    for start, word in enumerate(spelled):
        if word[0].isupper() or word[0].isdigit():
            longest = min(start + MAX_TITLE_WORDS, len(folded))
            grams += [(start, " ".join(folded[start:end])) for end in range(longest, start, -1)]
    return grams


def may_name(text: str, normal: str) -> bool:
    """Rule out a text none of whose words could begin this normal title, as none has a capital.

    Far faster than `named_titles`; true of many texts that do not name it.
    """
    first, spelled = normal.partition(" ")[0], plain(text)
    return first[0].isdigit() or spelled.casefold().count(first) > spelled.count(first)


def named_titles(
    texts: Iterable[str], known: Callable[[Collection[str]], Collection[str]]
) -> list[set[str]]:
    """Find the normal titles that each text names, a longer title hiding those inside it.

    Args:
        texts: passages' texts, or a question.
        known: which of these normal titles exist in the graph; called once with all that may.
    """
    grams = [title_grams(text) for text in texts]
    asked = {gram for of_text in grams for _, gram in of_text}
    titles = {title for title in asked.intersection(known(asked)) if may_link(title)}
    return [_longest(of_text, titles) for of_text in grams]


def _longest(grams: list[tuple[int, str]], titles: set[str]) -> set[str]:
    named, free_from = set(), 0
    for start, gram in grams:
        if start >= free_from and gram in titles:
            named.add(gram)
            free_from = start + gram.count(" ") + 1
    return named
