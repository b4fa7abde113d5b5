"""A passage as its reader takes it: what each word refers to, pronouns and short names resolved."""

import re
from typing import TYPE_CHECKING, NamedTuple

from ..text.lines import MARKS
from ..text.words import words
from .mentions import Span, spans_of
from .opening import read_opening
from .people import (
    PEOPLE,
    PERSON,
    Sexes,
    is_no_person,
    is_ship,
    may_be_person,
    person_above,
    same_before,
    subject_person,
    was_made,
)
from .things import spoken_of_before
from .tokens import DEMONSTRATIVES, FIRMS, HE, IT, PLACES, SUBJECTS, THEY, conjuncts

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token
    from spacy.tokens import Span as Sentence

NAMED = frozenset({"PERSON", "NOBLE", "NAME", "ORG", "GPE"})
_MEASURES = frozenset({"one", "some", "many", "part", "piece", "member", "number"})
_KINDS = frozenset(  # "the city of Vaagur" is Vaagur
    {"state", "city", "town", "village", "county", "district", "province", "region", "island"}
    | {"kingdom", "republic", "year", "month", "name"}
)
_LEAD = re.compile(
    r"^(?:the|a|an|this|that|these|those|his|her|its|their|both|also|some|such) ", re.I
)
_EDGES = " \"“”,;:()'’–-•"
_OTHERS = HE | THEY | {"i", "we", "you", "who"}  # that "it" is not
_MAY_BE_FIRM = frozenset({"ORG", "NAME", "TITLE", "PRODUCT", "WORK", "WORK_OF_ART"})
_ABLE = frozenset({"able", "unable", "likely", "sure", "latter", "former", "same"})
_JOINS = frozenset({"-", "/", "–", "_", "@"})
_AROUND = frozenset(".,;:!?()[]\"'“”‘’\n")
PHRASE = 9  # tokens of a noun with its "of …"
_MAY_BE_PERSON = re.compile(r"(?!The |An? )[^\W\d_a-z][^\d]{1,60}")


def _stands_for_a_clause(it: "Token") -> bool:
    """Whether it is the empty "it" of "it is possible to …", "it seems that …"."""
    verb = it.head
    if it.dep_ == "expl" or verb.lemma_ in ("seem", "appear", "rain", "snow", "happen"):
        return True
    clausal = any(c.dep_ in ("ccomp", "xcomp", "advcl", "csubj") for c in verb.children)
    described = [c for c in verb.children if c.dep_ in ("acomp", "attr", "oprd")]
    inside = any(
        d.dep_ in ("xcomp", "ccomp", "acl", "advcl") for c in described for d in c.children
    )
    return it.dep_ in SUBJECTS and verb.lemma_ == "be" and bool(described) and (clausal or inside)


class Argument(NamedTuple):
    """A head or tail: its words and the tokens [start, end) that say it."""

    text: str
    start: int
    end: int


class Reading:
    """Resolves tokens to arguments.

    Args:
        title: bare title of the passage; what a leading "he" or "it" stands for. May be empty.
        hint: what its parenthesis said: "2006 film", "physicist".
        divided: it is of a document with sections.
        opens: "it" is rather the title than the nearest thing, in a document that is not divided.
    """

    def __init__(
        self, doc: "Doc", title: str, hint: str = "", divided: bool = False, opens: bool = True
    ) -> None:
        self.doc, self.title = doc, title
        self.divided = divided or not title
        self.nearest = self.divided or not opens
        self.spans = spans_of(doc, title)
        self.mention = {i: span for span in self.spans for i in range(span.start, span.end)}
        self._chunk = {i: c for c in doc.noun_chunks for i in range(c.start, c.end)}
        self.opening = read_opening(doc, title, self.spans, whole=self.nearest)
        self.kinds = self.opening.kinds | set(words(hint))
        self.is_person = self.opening.is_person
        self._short = self._short_names()
        self._last_person = self._last_thing = self._last_several = self._last_firm = ""
        self._subject, self._subject_of = "", -1  # who the sentence up to a token speaks of
        self._sexes = Sexes()

    # What a token is

    def label(self, token: "Token") -> str:
        """Return the label of the mention that a token is part of, or ""."""
        span = self.mention.get(token.i)
        return span.label if span else ""

    def is_name(self, token: "Token") -> bool:
        """Find out whether a token is part of a mention."""
        return token.i in self.mention

    def is_measure(self, token: "Token") -> bool:
        """Find out whether a noun itself says nothing: "one of …"."""
        return (
            token.lemma_.lower() in _MEASURES
            and not self.is_name(token)
            and any(child.lower_ == "of" for child in token.children)
        )

    def chunk_start(self, token: "Token") -> int:
        """Return the first token of the noun chunk around a token."""
        chunk = self._chunk.get(token.i)
        return chunk.start if chunk else token.i

    def around(self, token: "Token") -> "list[Token]":
        """Find the places that commas put around a place: of "Nice, France, Europe" the others."""
        span, found = self.mention.get(token.i), []
        while span and span.label in PLACES and span.end + 1 < len(self.doc):
            further = self.mention.get(span.end + 1)
            if self.doc[span.end].text != "," or further is None or further.label not in PLACES:
                break
            found.append(self.doc[further.start : further.end].root)
            span = further
        return found

    def words(self, start: int, end: int) -> str:
        """Write tokens as an argument: without article, quotes, brackets and doubled blanks.

        Of a file's path, which a tokeniser cuts at its slashes, the whole.
        """
        start, end = self._path(start, end)
        text = " ".join(self.doc[start:end].text.split()).strip(_EDGES)
        return _LEAD.sub("", text)

    def _path(self, start: int, end: int) -> tuple[int, int]:
        doc, first = self.doc, start
        while first > 0 and not doc[first - 1].whitespace_ and doc[first - 1].text not in _AROUND:
            first -= 1
        if not doc[first].text.startswith("/"):
            return start, end
        while end < len(doc) and not doc[end - 1].whitespace_ and doc[end].text not in _AROUND:
            end += 1
        return first, end

    def whole(self, span: Span) -> Argument:
        """Write a mention as it stands; titles and quoted works keep their article."""
        if span.label == "TITLE":
            text = self.title
        elif span.label == "WORK":
            text = " ".join(self.doc[span.start : span.end].text.split()).strip(_EDGES)
        else:
            text = self.words(span.start, span.end)
        return Argument(text, span.start, span.end)

    def topic(self, token: "Token") -> Argument:
        """Return the title as the argument that a token, or the mention it is in, stands for."""
        span = self.mention.get(token.i, Span(token.i, token.i + 1, ""))
        return Argument(self.title, span.start, span.end)

    # What a token refers to

    def argument(self, token: "Token") -> Argument | None:
        """Find what a token and its phrase refer to; None when that can't be an argument."""
        if token.i == self.opening.copula > 0:
            return Argument(self.title, 0, token.i)
        if self._introduces(token):
            return self._introduced(token)
        if token.pos_ in ("VERB", "AUX", "SPACE", "PUNCT") or self._in_life(token):
            return None
        if token.pos_ == "PRON" or token.lower_ in HE or token.lower_ in IT:
            name = self._antecedent(token)
            return Argument(name, token.i, token.i + 1) if name else None
        if self.is_name(token):
            return self._name(token)
        if (self.divided and token.pos_ in ("NUM", "ADV", "DET")) or token.lower_ in _ABLE:
            return None  # "the latter", "four of them", "is able"
        return self._phrase(token)

    def begin(self, sentence: "Sentence") -> None:
        """Forget who was named where a paragraph begins, and what, where an item of a list does."""
        if not self.nearest:
            return
        before = self.doc[sentence.start - 1].text if sentence.start else ""
        if before.count("\n") > 1:
            self._last_person, self._subject = person_above(self.doc, sentence, self.mention), ""
            self._sexes.forget()
        if sentence[0].text in MARKS:
            self._last_person = self._last_thing = self._last_several = self._subject = ""

    def remember(self, sentence: "Sentence") -> None:
        """Note the sentence's subjects: later pronouns that can't mean the title mean them."""
        for token in sentence:
            self._remember(token)
        if not self.nearest:
            return
        named = self._people(sentence, sentence.end)
        if len(named) == 1:
            self._last_person = named.pop()
        self._subject, self._subject_of = self._somebody(sentence), sentence.end

    def _somebody(self, sentence: "Sentence") -> str:
        """Who a sentence speaks of, by name or as "she"."""
        if named := subject_person(self.doc, sentence, self.mention):
            return self.whole(named).text
        said = (t for t in sentence.root.children if t.dep_ in SUBJECTS and t.lower_ in HE)
        return next((self._antecedent(t) for t in said), "")

    def _people(self, sentence: "Sentence", end: int) -> set[str]:
        """Who is named in a sentence before a token."""
        within = [s for s in self.spans if sentence.start <= s.start < end]
        people = (s for s in within if s.label in PEOPLE and may_be_person(self.doc, s))
        nobody = {t.i for t in sentence if was_made(t)}
        return {self.whole(s).text for s in people if nobody.isdisjoint(range(s.start, s.end))}

    def _is_somebody(self, token: "Token") -> bool:
        span = self.mention.get(token.i)
        if span is None or span.label not in PEOPLE or was_made(token):
            return False
        return may_be_person(self.doc, span)

    def _remember(self, token: "Token") -> None:
        if token.dep_ not in SUBJECTS or token.pos_ not in ("NOUN", "PROPN", "NUM", "X"):
            return
        said = self.argument(token)
        if said is not None and self.label(token) in _MAY_BE_FIRM:
            self._last_firm = said.text
        if said is None or not (self.nearest or self.is_name(token)):
            return
        if self._is_somebody(token):
            self._last_person = said.text if len(conjuncts(token)) == 1 else ""
        elif token.tag_ in ("NNS", "NNPS") or len(conjuncts(token)) > 1:
            self._last_several = said.text
        else:
            self._last_thing = said.text

    def _antecedent(self, pronoun: "Token") -> str:
        """The nearest thing before it that fits in kind and number, or the title; else ""."""
        if self.nearest:
            for token in pronoun.sent:
                if token.i < pronoun.i and token.head.i != pronoun.head.i:
                    self._remember(token)
        if pronoun.lower_ in HE and not is_ship(pronoun):
            name = self._he(pronoun)
            self._sexes.note(name, pronoun)
            return name
        if pronoun.lower_ in IT | HE:
            if _stands_for_a_clause(pronoun):
                return ""
            return self._it(pronoun)
        if pronoun.lower_ in THEY:
            title = "" if self.is_person or self.nearest else self.title
            return self._last_several or title
        return ""

    def _it(self, pronoun: "Token") -> str:
        """What was spoken of last, or the title; "" where that is as likely another thing."""
        if told := spoken_of_before(pronoun):
            subject, thing = told
            said, other = self.argument(subject), self.argument(thing)
            several = subject.tag_ in ("NNS", "NNPS") or len(conjuncts(subject)) > 1
            person = self._is_somebody(subject) or subject.lower_ in _OTHERS
            if person or several:
                return other.text if other and not self._is_somebody(thing) else ""
            if subject.lower_ not in IT and (said is None or said.text != self.title):
                return ""
        if self.is_person or self.nearest:
            return self._last_thing or self.title
        return self.title

    def _he(self, pronoun: "Token") -> str:
        if self.nearest and (same := same_before(pronoun)):
            return self._he(same)
        sent, fits = pronoun.sent, self._sexes.fits
        here = self._people(sent, pronoun.i) if self.nearest else set[str]()
        here = {name for name in here if fits(name, pronoun)}
        if here and self._last_person not in here:  # "It is run by Ann Lee; her mate is Bo Ek."
            return here.pop() if len(here) == 1 else ""
        form = PERSON if self.nearest else _MAY_BE_PERSON
        titled = form.fullmatch(self.title) and not is_no_person(self.title)
        title = self.title if self.is_person or titled else ""
        before = "" if here or sent.start != self._subject_of else self._subject
        if self.is_person and not self.nearest:
            meant = [title, self._last_person]
        else:
            meant = [before, self._last_person, self._sexes.last(pronoun), title]
        return next((name for name in meant if fits(name, pronoun)), "")

    def _introduces(self, token: "Token") -> bool:
        """Whether it is the subject of the passage's first "is": the title by whatever name."""
        return (
            token.i < self.opening.copula
            and token.dep_ in SUBJECTS
            and token.pos_ in ("PROPN", "NOUN", "X")
        )

    def _introduced(self, token: "Token") -> Argument:
        said = self.topic(token)
        name = self.words(said.start, said.end)
        if self.is_name(token) and len(name) > 2 and name != self.title:
            self._short.setdefault(name, self.title)
        return said

    def _in_life(self, token: "Token") -> bool:
        life = self.opening.life
        return life is not None and life.start <= token.idx < life.end

    def _name(self, token: "Token") -> Argument:
        span = self.mention[token.i]
        said = self.whole(span)
        longer = len(said.text.split()) - len(self.title.split())
        if token.dep_ in SUBJECTS and self.title and self.title in said.text and longer <= 2:
            return said._replace(text=self.title)
        after = self.doc[span.end : span.end + 2]
        is_word = span.label == "NAME" and span.end - span.start == 1 and len(after) == 2
        if is_word and after[0].lower_ == "of" and self.is_name(after[1]):
            end = self.mention[after[1].i].end  # "President of Nicaragua"
            return Argument(self.words(span.start, end), span.start, end)
        if span.label in NAMED:
            return said._replace(text=self._short.get(said.text, said.text))
        return said

    def _phrase(self, token: "Token") -> Argument | None:
        """A common noun with what stands before it and its "of …"."""
        first = self.chunk_start(token)
        if self._is_title_again(token, first):
            return Argument(self.title, first, token.i + 1)
        for i in range(token.i - 1, first, -1):  # "X's second album": the owner is another argument
            if self.doc[i].tag_ == "POS" and self.is_name(self.doc[i - 1]):
                first = i + 1
                break
        the = self.doc[first].lower_ == "the" and token.i == first + 1
        if self.nearest and the and token.lower_ in FIRMS and self._last_firm:
            return Argument(self._last_firm, first, token.i + 1)
        if self.nearest and self.doc[first].lower_ in DEMONSTRATIVES:
            return self._pointed_at(token, first)
        inner = self._of(token)
        if inner is None:
            end = self._end_of_word(token.i + 1)
            return Argument(self.words(first, end), first, end)
        if token.lemma_.lower() in _KINDS and self.is_name(inner):
            return self._name(inner)
        span = self.mention.get(inner.i)
        end = span.end if span else inner.i + 1
        end = end if end - first <= PHRASE else token.i + 1
        return Argument(self.words(first, end), first, end)

    def _end_of_word(self, end: int) -> int:
        """Where the word ends that a tokeniser has cut at a hyphen: "non-free"."""
        doc = self.doc
        while end + 1 < len(doc) and doc[end].text in _JOINS:
            if doc[end - 1].whitespace_ or doc[end].whitespace_:
                break
            end += 2
        return end

    def _pointed_at(self, token: "Token", first: int) -> Argument | None:
        """What "this package" is: the last thing said to be one."""
        several = token.tag_ in ("NNS", "NNPS")
        last = self._last_several if several else self._last_thing
        if last and words(last)[-1:] == [token.lower_]:
            return Argument(last, first, token.i + 1)
        return None

    def _of(self, token: "Token") -> "Token | None":
        for child in token.children:
            if child.lower_ == "of" and child.i == token.i + 1:
                return next((c for c in child.children if c.dep_ == "pobj"), None)
        return None

    def _is_title_again(self, token: "Token", first: int) -> bool:
        """Whether it is "the film", of a title that was called a film."""
        if not self.title or self.doc[first].lower_ not in ("the", "this") or token.i - first > 2:
            return False
        lemma = token.lemma_.lower()
        return lemma in self.kinds or (
            token.i - first == 1 and lemma == self.title.split()[-1].lower()
        )

    def _short_names(self) -> dict[str, str]:
        """Surnames, and a person's first name, of the full names in the passage."""
        names = [self.title] if " " in self.title else []
        names += [
            self.words(span.start, span.end)
            for span in self.spans
            if span.label in ("PERSON", "NAME", "ORG", "NOBLE") and span.end - span.start > 1
        ]
        short: dict[str, str] = {}
        for name in names:
            parts = name.partition(",")[0].split()
            own = self.is_person and name == self.title
            for part in (*parts[-1:], *(parts[:1] if own else ())):
                if part[0].isupper() and len(part) > 2:
                    short.setdefault(part, name)
        return short
