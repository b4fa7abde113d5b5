"""Sentences that say a verb once, of several: "Ann keeps the library and Ben the workshop".

What is left of the verb's later uses is a part of its own (gapping: Ross 1970, "Gapping and the
Order of Constituents"), and says of its own things alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .listed import RESPECTIVELY, has_figure

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from ..candidates import Mention
    from ..pages import Page

_MARKS = frozenset({",", ";"})
_AGAINST = frozenset({"but", "while", "whereas"})
_TIES = _AGAINST | {"and"}
_PAIRS = frozenset({"between", "both"})  # what follows has an "and" of its own
_AFTERWARDS = frozenset({"then", "later", "afterwards", "subsequently"})  # ties behind a mark
_FIGURES = frozenset({"NUM", "ADV", "SYM"})  # of a part that is one more figure: ", only 7"
_OTHERS = frozenset({"one", "ones", "other", "others"})
_LONGEST = 12  # tokens of a part without a verb
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_VERBS = frozenset({"VERB", "AUX"})
_NO_NAMES = frozenset({"GPE", "LOC", "FAC", "ORG", "DATE", "TIME", "NORP"})
_TIMES = re.compile(
    r"\b(?:(?:second|minute|hour|day|night|week|month|year)s?|(?:dai|hour|week|month|year)ly)\b"
)
_NOTHING = frozenset({"free", "nothing", "none", "nil"})


@dataclass(frozen=True)
class _Part:
    """Tokens between two marks or ties.

    Args:
        tie: the word or mark before it; "," where that, or the next part's, may be no tie at all.
    """

    tokens: Sequence["Token"]
    tie: str

    def stems(self, page: "Page", but: range | None = None) -> frozenset[str]:
        """All that it says, but for some characters."""
        said = (t for t in self.tokens if but is None or t.idx not in but)
        return frozenset().union(*(page.stemmed[t.i] for t in said))

    def things(self, page: "Page") -> frozenset[str]:
        """… and all but its verbs."""
        return frozenset().union(*(page.stemmed[t.i] for t in self.tokens if t.pos_ not in _VERBS))

    def lies_beyond(self, page: "Page", found: range, asked: frozenset[str]) -> bool:
        """Whether what was found ends before it, or goes on into what is asked: "A and B"."""
        reached = [t for t in self.tokens if t.idx in found]
        return not reached or any(not asked.isdisjoint(page.stemmed[t.i]) for t in reached)

    def subject(self, page: "Page") -> frozenset[str]:
        """The stems of what does it, where it has a verb of its own: "model B goes 420 km"."""
        own = (t for t in self.tokens if t.dep_ in _SUBJECTS and t.head in self.tokens)
        said = (t for one in own for t in one.subtree)
        return frozenset().union(*(page.stemmed[t.i] for t in said))

    @property
    def has_verb(self) -> bool:
        return any(t.pos_ in _VERBS and not t.ent_type_ for t in self.tokens)

    def stands_without(self, first: "_Part") -> bool:
        """Whether it may go on with the verb of the first: "for canoes 80", "Ben the workshop"."""
        opens = self.tokens[0]
        said_before = any(t.lower_ == opens.lower_ for t in first.tokens)
        like = opens.pos_ != "ADP" or opens.lower_ == "for" or said_before
        goes_on = not self.has_verb or self.tie in _AGAINST or self.is_other
        return like and goes_on and 2 <= len(self.tokens) <= _LONGEST

    def tied_to(self, first: "_Part") -> "_Part":
        """The same; as after "and", where both begin alike: "in the north …, in the south …"."""
        alike = self.tie == "," and self.tokens[0].lower_ == first.tokens[0].lower_
        return replace(self, tie="and") if alike else self

    @property
    def is_other(self) -> bool:
        """Whether it is about another of the same: "the one to the attic is with Mr Pohl"."""
        said = [t.lower_ for t in self.tokens[:2]]
        return said[0] == "the" and said[-1] in _OTHERS


def part_asked(
    page: "Page", mention: "Mention", asked: frozenset[str], called: bool = False
) -> tuple[int, int] | None:
    """Where a sentence tells of what is asked about, if what was found is told of another thing.

    Of "Ann keeps the library and Ben the workshop" Ann does not keep the workshop, as a later part
    says that and somebody else; nor Ben the library, as the first says it, and his part does not.

    Args:
        asked: stems of the question, without those of its type.
        called: whether somebody is asked for.

    Returns:
        Its first character in the page and one past its last; None where nothing tells that it is
        of another thing.
    """
    parts = _parts(page.spans[mention.sentence])
    if not parts:  # of a symbol that stands alone
        return None
    verbal = next((n for n, part in enumerate(parts) if part.has_verb), 0)  # or none is seen
    parts[verbal + 1 :] = [part.tied_to(parts[verbal]) for part in parts[verbal + 1 :]]
    own = _at(parts, mention)
    if own is None or RESPECTIVELY.search(page.texts[mention.sentence]):  # see `out_of_turn`
        return None
    found = range(mention.start, mention.end)
    name = all(t.pos_ == "PROPN" or t.idx in found for t in parts[own].tokens)
    if own and parts[own].tie == "," and name:
        own -= 1  # "… is with the caretaker, Mr Pohl"
    gapped = [
        n for n, part in enumerate(parts) if n > verbal and part.stands_without(parts[verbal])
    ]
    said = [asked & part.stems(page, found if n == own else None) for n, part in enumerate(parts)]
    if own == verbal or own in gapped or parts[own].has_verb:
        before = frozenset[str]().union(*said[: own + 1])
        figure = has_figure(page.text[mention.start : mention.end])
        for n in range(own + 1, len(parts)) if figure else ():
            other = parts[n].subject(page) & said[n] - before
            if other and _tells_too(page, parts[n], mention, asked, called):
                return _edges(parts[n : _clause_end(page, parts, n)])
        for n in gapped:
            further = n > own and said[n] - before and parts[n].lies_beyond(page, found, asked)
            if further and _tells_too(page, parts[n], mention, asked, called):
                return _edges(parts[n : n + 1])
    remains = own in gapped and parts[own].tie != "," and parts[own].stems(page, found)
    return _edges(parts[:own]) if remains and _is_said_before(page, parts, said, own) else None


def _is_said_before(
    page: "Page", parts: Sequence[_Part], said: Sequence[frozenset[str]], own: int
) -> bool:
    """Whether the parts before one say of the question all that it says, and another thing."""
    before = frozenset[str]().union(*said[:own])
    things = frozenset[str]().union(*(part.things(page) for part in parts[:own]))
    return said[own] <= before and bool((before & things) - said[own])


def _clause_end(page: "Page", parts: Sequence[_Part], first: int) -> int:
    """The next part that has a subject, or is about another: "… but takes an hour" has none."""
    further = range(first + 1, len(parts))
    return next((n for n in further if parts[n].subject(page) or not parts[n].has_verb), len(parts))


def _edges(parts: "Sequence[_Part]") -> tuple[int, int]:
    last = parts[-1].tokens[-1]
    return parts[0].tokens[0].idx, last.idx + len(last)


def _parts(sentence: "Span") -> list[_Part]:
    parts: list[_Part] = []
    tokens: list[Token] = []
    tie = ","
    for token in sentence:
        goes_on = token.lower_ in _AFTERWARDS and bool(parts) and not tokens
        pair = token.lower_ == "and" and _opens_a_pair(tokens)
        if (token.text not in _MARKS and token.lower_ not in _TIES and not goes_on) or pair:
            if not (token.is_space or token.is_punct):
                tokens.append(token)
            continue
        if tokens:
            parts.append(_Part(tokens, tie))
            tokens, tie = [], ","
        tie = token.lower_ if tie == "," else tie
    parts = _with_figures([*parts, *([_Part(tokens, tie)] if tokens else [])])
    behind = (part.tie != "," and not part.has_verb and len(part.tokens) > 1 for part in parts[1:])
    return [
        replace(part, tie="and") if part.tie == "," and tied else part
        for part, tied in zip(parts, (*behind, False), strict=False)
    ]


def _opens_a_pair(before: "Sequence[Token]") -> bool:
    """Whether "and" belongs to "between" or "both": "shut between Wick and Reay because of …"."""
    opened = [n for n, token in enumerate(before) if token.lower_ in _PAIRS]
    return bool(opened) and all(token.lower_ != "and" for token in before[opened[-1] :])


def _with_figures(parts: Sequence[_Part]) -> list[_Part]:
    """Parts of a figure alone put to those before: "its sister, the Hartung 120, only 7"."""
    whole: list[_Part] = []
    for part in parts:
        alone = part.tie == "," and all(t.pos_ in _FIGURES for t in part.tokens)
        if alone and whole and not whole[-1].has_verb:
            whole[-1] = replace(whole[-1], tokens=[*whole[-1].tokens, *part.tokens])
        else:
            whole.append(part)
    return whole


def _at(parts: Sequence[_Part], mention: "Mention") -> int | None:
    """The part in which what was found begins."""
    inside = (
        n
        for n, part in enumerate(parts)
        if any(mention.start < t.idx + len(t) and t.idx < mention.end for t in part.tokens)
    )
    return next(inside, None) if mention.end else None


def _tells_too(
    page: "Page", part: _Part, mention: "Mention", asked: frozenset[str], called: bool
) -> bool:
    """Whether a part tells the like: a figure, a name; of other things only if it is tied."""
    more = [t for t in part.tokens if page.stemmed[t.i] and asked.isdisjoint(page.stemmed[t.i])]
    if any(t.lower_ in _NOTHING for t in part.tokens):
        return True
    if has_figure(text := page.text[mention.start : mention.end]):
        return any(has_figure(t.text) for t in more)
    if _TIMES.search(text) and any(_TIMES.search(t.text) for t in more):
        return True
    if called or mention.label == "PERSON":
        names = (t for t in more if t.pos_ == "PROPN")
        return any(t is part.tokens[0] or t.ent_type_ not in _NO_NAMES for t in names)
    return part.tie != "," and bool(more)
