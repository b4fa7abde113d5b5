"""What a whole document is of, and who speaks in it, as its opening and its signature say.

A contract names its parties once, an e-mail its subject, a letter its writer below the last line;
what follows, or comes before, is said of them without a word of it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...kg.text.words import stems
from .asked.question import Asked
from .pages import Page

_LINES, _OF_A_CONTRACT = 3, 12  # of an opening; with the parties
_LONGEST = 200  # characters of such a line
_LABEL = re.compile(r"([A-Z][\w ./&-]{0,30}):\s+(\S.*)")
_OF = re.compile(
    r"(?i)subject|re|regarding|concerning|topic|project|client|customer|property|site|premises"
    r"|contract|agreement|between|event|tenant|landlord|lessee|lessor|licensee|hirer|patient|vessel"
)
"""Labels of what a document is of; not who was present."""
_BETWEEN = re.compile(r"\s*(?:(?:made|concluded|entered into) )?between\b:?", re.IGNORECASE)
_CONTRACT = re.compile(r"\b(?:agreement|contract|lease|deed|licence|tenancy)\b.*\bbetween\b", re.I)
_OVER = re.compile(r"\s*(?:#|[-*•>]|\d+[.)]|§|(?:Dear|Hi|Hello|Article|Section|Clause)\b)")
"""Begins what is below an opening."""
_PROSE = re.compile(r"(?:\S+\s+){5,}\S*[.!?]['\"”)]*\s*\Z")
_FROM = re.compile(r"^>?[^\S\n]*From:[^\S\n]*([^<\n]+)|^>?.{0,80}\bwrote:[^\S\n]*$", re.MULTILINE)
_CLOSES = re.compile(
    r"^[^\S\n]*((?:(?:Yours?|With|Kind|Kindest|Best|Warm|Warmest|Many|Lots of|All|Much|Love|Regards"
    r"|Cheers|Sincerely|Thanks|Respectfully)\b)[^\n.:;!?]{0,40},?)[^\S\n]*\n\s*"
    r"([A-Z][\w'’-]*\.?(?: [A-Z][\w'’-]*\.?){0,3})[^\S\n]*$",
    re.MULTILINE,
)
"""The last words of a letter, and who signs it."""
_DEAR = re.compile(r"(?:[^.!?]*\n)?[^\S\n]*(?:Dear|Hi|Hello) ([^\n.:;]{1,40}),?\s*\n")
_YOU = frozenset({"you", "your", "yours", "we", "our", "us", "ours"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_ROLE = re.compile(r"\((?:hereinafter )?[\"“'‘]?(?:[Tt]he )?([A-Z][a-z]+)[\"”'’]?\)")
"""Behind a party what a contract calls it: "… Ltd (“the Contractor”)"."""
Roles = dict[str, frozenset[str]]
_I = frozenset({"i", "me", "my", "mine", "myself"})


def told_of_all(asked: Asked, pages: Sequence[Page]) -> tuple[Page, ...]:
    """Return the pages, with the question's names that their documents are of in their `scope`.

    And said where the writer, if the question names them, says "I".
    """
    if not asked.called:
        return tuple(pages)
    openings = {p.passage.document_id: _opening(p) for p in pages if not p.passage.position}
    roles = {p.passage.document_id: _roles(p) for p in pages if not p.passage.position}
    told = list[Page]()
    for page in pages:
        said = openings.get(page.passage.document_id, frozenset())
        titled = frozenset(stems(page.passage.title))
        own = [name for name in asked.names if name <= said and not name <= titled]
        scope = frozenset().union(*own)
        called = _of_no_other(asked, page, scope, roles.get(page.passage.document_id, {}))
        called |= _by_the_writer(asked, page, pages)
        told.append(replace(page, scope=scope, called={**page.called, **called}))
    return tuple(told)


def of_the_writer(asked: Asked, page: Page, sentence: int) -> bool:
    """Whether a sentence speaks of "my" things alone, where those of the addressee are asked for.

    Of "Dear Philip, … My driving test is on the 3rd" that is not Philip's.
    """
    said = page.parsed.lower[slice(*page.parsed.bounds[sentence])]
    if _I.isdisjoint(said) or not _YOU.isdisjoint(said):
        return False
    to = _DEAR.match(page.text)
    meant = [name for name in asked.names if to is not None and name <= frozenset(stems(to[1]))]
    return bool(meant) and asked.named_stems.isdisjoint(page.said[sentence])


def _opening(page: Page) -> frozenset[str]:
    """The stems of the lines above a document's first sentence that say what it is of."""
    lines = list(_title_lines(page.text))
    parties = any(_BETWEEN.match(line) for line in lines)
    first = page.texts[0] if page.texts and _CONTRACT.search(page.texts[0][:_LONGEST]) else ""
    return frozenset(stems(" ".join([*lines[: _OF_A_CONTRACT if parties else _LINES], first])))


def _title_lines(text: str) -> Iterator[str]:
    for line in filter(str.strip, text.split("\n")):
        if _OVER.match(line) or _PROSE.search(line) or len(line) > _LONGEST:
            return
        if (label := _LABEL.match(line)) is None:
            yield line
        elif _OF.fullmatch(label[1]):
            yield f"{label[1]} {label[2]}"


def _of_no_other(
    asked: Asked, page: Page, scope: frozenset[str], roles: Roles
) -> dict[int, tuple[str, ...]]:
    """The question's names that a document is of, by the sentences that no other name does.

    Nor another party, by what the contract calls it: "The Contractor holds insurance of …".
    """
    found = dict[int, tuple[str, ...]]()
    names = [one for one in zip(asked.called, asked.names, strict=True) if one[1] <= scope]
    for number, span in enumerate(page.spans if names else ()):
        subjects = [t for t in span if t.dep_ in _SUBJECTS]
        if any(t.pos_ == "PROPN" and t.lower_ not in roles for t in subjects):
            continue
        parties = [roles[t.lower_] for t in subjects if t.lower_ in roles]
        meant = [c for c, name in names if not parties or any(name <= one for one in parties)]
        found[number] = (*page.called.get(number, ()), *meant)
    return found


def _roles(page: Page) -> Roles:
    """What a contract calls its parties, with the words of the line that says so."""
    found = dict[str, frozenset[str]]()
    for line in _title_lines(page.text):
        for role in _ROLE.findall(line):
            found[role.lower()] = frozenset(stems(line))
    return found


def _by_the_writer(asked: Asked, page: Page, pages: Sequence[Page]) -> dict[int, tuple[str, ...]]:
    """The question's names that mean the writer, by the sentences that say "I"."""
    found = dict[int, tuple[str, ...]]()
    lower = page.parsed.lower
    for number, (start, end) in enumerate(page.parsed.bounds):
        if _I.isdisjoint(lower[start:end]) or page.texts[number].lstrip().startswith(">"):
            continue
        writer = frozenset(stems(_writer(page, number, pages)))
        names = zip(asked.called, asked.names, strict=True)
        if meant := tuple(called for called, name in names if name <= writer):
            found[number] = (*page.called.get(number, ()), *meant)
    return found


def _writer(page: Page, sentence: int, pages: Sequence[Page]) -> str:
    """Who wrote a sentence, as the head of its message, or the signature below, says; or ""."""
    start = page.starts[sentence]
    if heads := [head for head in _FROM.finditer(page.text) if head.start() <= start]:
        return heads[-1][1] or ""
    document = page.passage.document_id
    same = [p for p in pages if p.passage.document_id == document]
    for one in sorted(same, key=lambda p: p.passage.position):
        if one.passage.position < page.passage.position:
            continue
        below = start if one is page else 0
        head, end = _FROM.search(one.text, below), _CLOSES.search(one.text, below)
        if end is not None:
            return "" if head is not None and head.start() < end.start() else f"{end[1]} {end[2]}"
        if head is not None:
            return ""
    return ""
