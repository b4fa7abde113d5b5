"""Whom a clause speaks of that calls its subject by a part of the name, by "she" or by "they"."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .....kg.text.words import bare_title, stems
from ...pages import Page
from .ellipsis import SUBJECTS

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_IT = frozenset({"it"})
_PRONOUNS = {"he": frozenset({"he", "him"}), "she": frozenset({"she", "her"}), "it": _IT}
_SHE = frozenset({"she", "her", "hers"})
_OF_A_SEX = _SHE | {"he", "him", "his"}
_KIN = frozenset(
    """aunt baby boy brother child cousin daughter father friend girl grandfather grandmother
    husband man mother nephew niece parent partner sibling sister son spouse twin uncle wife
    woman""".split()
)
_ENDINGS = ("er", "or", "ist", "ian", "man", "woman", "ess", "ant", "person")
"""Of common nouns that may be people; those that are none are no harm."""
_OBJECTS = frozenset({"dobj", "dative", "attr", "pobj", "appos"})


def stands_for(page: Page, said: Sequence[str], start: int, name: frozenset[str]) -> int:
    """How many first words of a clause stand for a person's name; 0 where they mean another.

    Args:
        said: the clause's words, without articles.
        start: number of its first token.
        name: stems of the name asked about.
    """
    if not said:
        return 0
    if said[0] in _PRONOUNS:
        return int(_is_meant(page, start, _PRONOUNS[said[0]], name))
    if said[0] == "they":
        return int(_are_meant(page, start, name))
    count = 0
    while count < len(said) and stems(said[count]) and name.issuperset(stems(said[count])):
        count += 1
    words = frozenset(stems(" ".join(said[:count])))
    return count if words and words < name and _is_part(page, start, words, name) else 0


def _is_part(page: Page, start: int, words: frozenset[str], name: frozenset[str]) -> bool:
    """Whether a part of a name says it here: the title has it all, and nobody else has the part."""
    called = page.called.get(page.sentence_at(page.doc[start].idx), ())
    if any(name == frozenset(stems(one)) for one in called):
        return True
    told = [stems(page.text[first:last]) for first, last in page.recognised]
    rest = name - words
    others = (one for one in map(frozenset, told) if len(one) > 1 and rest.isdisjoint(one))
    return name <= _above(page) and all(words.isdisjoint(one) for one in others)


def _above(page: Page) -> frozenset[str]:
    return frozenset(stems(bare_title(page.passage.title)))


def _is_meant(page: Page, start: int, pronoun: frozenset[str], name: frozenset[str]) -> bool:
    """Whether "she" means somebody: what was said before has them for its subject, back to a name.

    Where a paragraph opens with it, the one whom the title names.
    """
    if pronoun is not _IT and not name <= _above(page) and _above(page) <= _people(page):
        return False  # on a page about Ann Lee "she" is hers
    number = page.sentence_at(page.doc[start].idx)
    span = page.spans[number]
    own = _subject(span)
    if own is not None and own.i < start:
        told = _speaks_of(span, own, pronoun, name, start)
        if told is not None:
            return told
    while number and not _begins_paragraph(page, number):
        number -= 1
        span = page.spans[number]
        subject = _subject(span)
        if subject is None:
            continue
        told = _speaks_of(span, subject, pronoun, name, span.end)
        if told is not None:
            return told and not _leads_away(span, name, pronoun)
    first = next((t.lower_ for t in page.doc if t.lower_ in _OF_A_SEX), "")
    if first and (first in _SHE) != (pronoun <= _SHE):
        return False
    heading = frozenset(stems(page.passage.heading)) - _above(page)
    return pronoun is not _IT and name <= _above(page) and heading.isdisjoint(_people(page))


def _begins_paragraph(page: Page, number: int) -> bool:
    return "\n\n" in page.text[page.starts[number - 1] : page.starts[number]]


def _people(page: Page) -> frozenset[str]:
    """The stems of the names of all persons that a page, its title or its heading says."""
    told = (page.text[a:b] for (a, b), label in page.recognised.items() if label == "PERSON")
    return frozenset(stems(" ".join(told)))


def _speaks_of(
    span: "Span", subject: "Token", pronoun: frozenset[str], name: frozenset[str], end: int
) -> bool | None:
    """Whether a sentence is about somebody or about another; None where it is about neither."""
    if subject.lower_ in pronoun:
        return None
    if subject.lower_ in _PRONOUNS:
        return False
    named = (subject, *(t for t in subject.children if t.dep_ in ("compound", "nummod")))
    words = frozenset(stem for token in named for stem in stems(token.text))
    other = any(t.lower_ in pronoun and t.tag_ == "PRP" for t in span if subject.i < t.i < end)
    joined = len(subject.conjuncts) > 0
    if words and (words <= name or name <= words) and subject.text[:1].isupper():
        return not other and not joined  # "Penn paid her. She …": not Penn
    return False if joined or pronoun is _IT or _may_be_person(subject) else None


def _may_be_person(token: "Token") -> bool:
    if token.pos_ == "PROPN":
        return token.ent_type_ not in ("ORG", "GPE", "LOC", "FAC", "DATE", "WORK_OF_ART", "EVENT")
    lemma = token.lemma_.lower()
    return token.pos_ == "NOUN" and (lemma in _KIN or lemma.endswith(_ENDINGS))


def _leads_away(span: "Span", name: frozenset[str], pronoun: frozenset[str]) -> bool:
    """Whether a sentence ends in what the next may speak of: "He taught Ann Lee."."""
    root = span.root
    for token in span[root.i - span.start + 1 :]:
        if token.dep_ not in _OBJECTS or not name.isdisjoint(stems(token.text)):
            continue
        if pronoun is _IT:
            thing = token.tag_ in ("NN", "NNP") and not token.conjuncts and token.dep_ != "attr"
            leads = thing and root.lemma_ not in ("have", "be")
        else:
            kin = token.tag_ == "NN" and token.lemma_.lower() in _KIN
            leads = kin or token.ent_type_ == "PERSON"
        if leads:
            return True
    return False


def _are_meant(page: Page, start: int, name: frozenset[str]) -> bool:
    """Whether "they" are somebody and whom they married: what holds of both holds of each."""
    number = page.sentence_at(page.doc[start].idx)
    span = page.spans[number]
    own = _subject(span)
    if own is not None and own.i < start and own.lower_ != "they":
        return False
    while number:
        number -= 1
        span = page.spans[number]
        subject = _subject(span)
        if subject is None or subject.lower_ == "they":
            continue
        if span.root.lemma_ != "marry":
            if subject.lower_ in _PRONOUNS:
                continue
            return False
        said = [t.lower_ for t in span[subject.i - span.start :] if t.lower_ not in ("a", "the")]
        begins = stands_for(page, said, subject.left_edge.i, name)
        words = frozenset(s for t in subject.subtree for s in stems(t.text))
        return bool(begins) or (bool(words) and name <= words)
    return False


def _subject(span: "Span") -> "Token | None":
    return next((t for t in span.root.children if t.dep_ in SUBJECTS), None)
