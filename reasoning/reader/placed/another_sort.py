"""Whether a sentence speaks of another sort of the thing asked about: "closed files"."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ....kg.text.words import stems
from ..asked.alike import alike
from ..asked.parts import clause_of
from ..asked.sorts import GENERAL, Sort, owners, stems_of, tellers
from ..pages import Page

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_HEADING = re.compile(r"(?:#+ .*|(?:\w{1,3}\.)*[ ]?[^\s*•|-][^:;.!|]{0,58}[^\s.;,:!|])\s*\Z")
_THEY = frozenset({"it", "they", "he", "she", "these", "those"})
_LETTERS, _MOST = 3, 0.6  # that two words of one family share


def of_another_sort(
    sorts: Sequence[Sort],
    around: frozenset[str],
    asked: frozenset[str],
    found: frozenset[str],
    page: Page,
    sentence: int,
) -> bool:
    """Whether a sentence, or the heading above it, speaks of another sort of the thing asked about.

    It says the noun, with something else before it, and nothing says what the question does: of
    "Annual leave: up to five days may be carried over" that is parental leave. Or it says the noun
    alone, where the question adds what it is of: "accounts on the mail server".

    Args:
        around: the stems of the sentence and its surroundings, title and heading.
        asked: the question's stems.
        found: the stems of all that was found. Where it says what tells the sort, that may be known
            there ("network tests" in a chapter on networks): mostly it was right.
    """
    above, others = headings(page, sentence)
    said = around.union(stems(above))
    meant = {
        one.noun for one in sorts if not one.of and any(is_said(stem, said) for stem in one.told_by)
    }
    for noun, told_by, behind, of in sorts:
        nouns = noun.union(*map(alike, noun))
        if of:
            if _is_of_another(page, sentence, nouns, told_by):
                return True
            continue
        if noun in meant or nouns.isdisjoint(said):
            continue
        if any(told_by <= frozenset(stems(other)) for other in others):
            return True
        if any(is_said(stem, found) for stem in told_by):
            continue
        if behind:
            if not nouns.isdisjoint(page.said[sentence]):
                return True
        elif _has_other(page, sentence, nouns, asked) or _says_other(above, nouns, asked):
            return True
    return False


def of_nothing_asked(
    page: Page,
    found: "Span",
    things: frozenset[str],
    around: frozenset[str],
    asked: frozenset[str],
    everywhere: frozenset[str],
) -> bool:
    """Whether a clause is about "they", and nothing around it says a thing of the question.

    Of "Annual leave: … they must be taken by 30 June" that is overtime. Or whether it is about
    another thing, and nothing that was found says any of the question: of "The rye is cut in
    August" that is barley, where no page speaks of barley.

    Args:
        asked: the question's stems: "the cause was …" is about what caused it.
        everywhere: the stems of all that was found.
    """
    things -= GENERAL
    subjects = [t for t in clause_of(found.root).children if t.dep_ in ("nsubj", "nsubjpass")]
    if not things or not subjects:
        return False
    if any(t.lower_ in _THEY for t in subjects):
        said = around.union(stems(headings(page, page.sentence_at(found.start_char))[0]))
        return not any(is_said(stem, said) for stem in things)
    another = all(
        t.pos_ == "NOUN"
        and not t.ent_type_
        and t.i < found.start  # in "Ring the line; harbours do not" the clause is another's
        and asked.isdisjoint(page.stemmed[t.i])
        for t in subjects
    )
    return another and not any(is_said(stem, everywhere) for stem in things)


def is_said(stem: str, said: frozenset[str]) -> bool:
    """Whether a word, one alike or one that begins alike is said."""
    if not said.isdisjoint(alike(stem)):
        return True
    return any(_begins_alike(stem, word) for word in said)


def _begins_alike(first: str, second: str) -> bool:
    """Whether most of two words is the same: "daily" and "day", "employment" and "employee"."""
    same = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    same = min(len(first), len(second)) if same is None else same
    return same >= _LETTERS and same >= _MOST * max(len(first), len(second))


def _has_other(page: Page, sentence: int, nouns: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether a sentence says the noun with another word before it, or "by water" behind it."""
    told = (
        stems_of([*tellers(token), *_causes(token)])
        for token in page.spans[sentence]
        if not nouns.isdisjoint(page.stemmed[token.i])
    )
    return any(bool(said - GENERAL) and asked.isdisjoint(said) for said in told)


def _is_of_another(page: Page, sentence: int, nouns: frozenset[str], of: frozenset[str]) -> bool:
    """Whether all that a sentence says the noun of is other things: the key of the house."""
    own, said = page.said[sentence], list[frozenset[str]]()
    if any(is_said(stem, own) for stem in of):
        return False
    for token in page.spans[sentence]:
        if not nouns.isdisjoint(page.stemmed[token.i]):
            said.append(stems_of(owners(token)) - GENERAL)
    return bool(said) and all(said)


def _causes(noun: "Token") -> "Iterator[Token]":
    """What did or made it: "damage by water", "noise from machines"."""
    for tie in noun.children:
        if tie.lower_ in ("by", "from") and tie.dep_ == "prep":
            yield from (t for t in tie.children if t.dep_ == "pobj" and t.pos_ == "NOUN")


def _says_other(heading: str, nouns: frozenset[str], asked: frozenset[str]) -> bool:
    """The same of a heading: "1 Annual leave"."""
    pairs = pairwise(re.findall(r"[^\W\d_]+", heading))
    return any(
        not nouns.isdisjoint(stems(noun)) and bool(stems(told)) and asked.isdisjoint(stems(told))
        for told, noun in pairs
    )


def headings(page: Page, sentence: int) -> tuple[str, list[str]]:
    """The heading above a sentence within its passage, "" for none, and the other headings."""
    found, at, lines = list[tuple[int, str]](), 0, page.text.split("\n")
    for before, line in pairwise(["", *lines]):
        alone = not before.strip() or line.startswith("#")
        if alone and line.strip() and _HEADING.match(line):
            found.append((at, line.strip()))
        at += len(line) + 1
    before = [text for place, text in found if place < page.starts[sentence]]
    above = before[-1] if before else ""
    return above, [text for _, text in found if text != above]


def is_another(kin: str, asked: str, text: str) -> bool:
    """Whether a text says "the third edition", and never "the second", which is asked about."""
    which = re.search(rf"(?i)\b({kin}) ([a-z]{{4,}})", asked)
    if which is None:
        return False
    others = re.search(rf"(?i)\b(?:{kin}) {which[2]}", text)
    return others is not None and re.search(rf"(?i)\b{which[1]}\b", text) is None
