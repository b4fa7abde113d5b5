"""A question taken apart: kind of answer, its own options, the noun, the words to look for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....kg.text.words import terms
from .alike import alike
from .counted import counted
from .described import description
from .forms import HOW, LONG, form_of
from .initials import ASKING, short_form
from .names import key
from .parts import CLOSING, asking_sentence, part_of, question_word
from .sorts import Sort, sorts_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

KINDS = ("yesno", "choice", "number", "date", "person", "place", "work", "group", "other")

_PATTERNS = (
    (
        "number",
        HOW.pattern + r"|\bpopulation\b"
        r"|\bwhat (?:is|was|are|were) the (?:number|percentage|amount|average|total)\b",
    ),
    (
        "date",
        r"\bwhen ?\?$|\bwhat time\b|\bdate of (?:birth|death)\b|\bbirthday\b"
        r"|\b(?:release|publication) date\b",
    ),
    ("place", r"\bplace of (?:birth|death|burial)\b|\bbirthplace\b|\bcountry of\b|\bwhere\b"),
    ("person", r"\bwho(?:m|se)?\b"),
)
_NOUNS = {  # kind of answer by the noun asked for: "Which city …"
    "number": "percentage percent",
    "date": "year date day month century decade",
    "place": (
        "city country county state town village continent nation province region district river"
        " island"
    ),
    "person": (
        "actor actress director singer author writer player person president king queen composer"
        " artist musician politician producer wife husband father mother"
    ),
    "work": "film movie song album book novel series show game magazine play opera poem",
    "group": (
        "company band team university college school organization organisation party club group"
        " network label studio league agency"
    ),
}
_KIND_OF_NOUN = {noun: kind for kind, nouns in _NOUNS.items() for noun in nouns.split()}
_MODAL = re.compile(r"\b(?:may|might|can|could|must|shall|should)\b")  # not the month
_FILLING = re.compile(
    r"\b(?:now|nowadays|today(?!['’]s)|currently|exactly|at present|at the moment|these days)\b",
    re.I,
)
"""Says only that what holds now is asked for, which sentences seldom say."""
_LIGHT = "go goes went gone get got take took come came"  # verbs that say little by themselves
_SOMEWHERE = "located situated take took place happen happened"  # say no more than "where"
_WHAT_DOES = re.compile(r"^(?:what (?:do|does|did)|why|how)\b")
_ASKED_NOUN = re.compile(
    r"\b(?:what|which) (?:[\w'-]+ ){0,4}(" + "|".join(_KIND_OF_NOUN) + r")s?\b"
)
_ASKS_YEAR = re.compile(r"\b(?:what|which) year\b", re.IGNORECASE)
_OPENING = re.compile(
    r"^(?:(?:since|until|till|from|by|before|after|to|for|with|as of) )?(who|whom|where|when)\b"
)
_OPENINGS = {"who": "person", "whom": "person", "where": "place", "when": "date"}
_VERDICT = re.compile(
    r"^(?:is|are|am|was|were|do|does|did|has|have|had|can|could|may|must|shall|should|will|would)\b",
    re.IGNORECASE,
)

_NAME = r"(?:the )?[\"“(]?[A-Z0-9][^,?]*?"
LONGEST = 1_000  # characters of a question that names options; the patterns take their cube
_OPTIONS = (
    re.compile(r"[,:] (?:the )?([^,?]+(?:, [^,?]+)??),? or (?:the )?([^?]+?) ?\?"),
    re.compile(rf"\b(?:[Bb]etween|[Oo]f) ({_NAME}),? and ({_NAME}),? (?:which|who|what)\b"),
    re.compile(
        rf"^(?:Is|Are|Was|Were|Did|Does|Do|Has|Have) ({_NAME}) or ({_NAME})(?: [a-z]+)*\s*\?"
    ),
    re.compile(rf"^({_NAME}) or ({_NAME}),"),
    re.compile(
        r"\b([A-Z][^\s,]*(?: (?:[A-Z0-9(&][^\s,]*|of|the|in|and|de|to|a))*)"
        r" or ([A-Z][^\s,?]*(?: [^?,]+)?) ?\?"
    ),
)
_CLASS_WORD = re.compile(
    r"^(?:both )?(?:the )?(?:film|song|movie|album|book|novel|magazine|band)s? (?=\S)"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question taken apart.

    Args:
        kind: of the answer, one of KINDS.
        options: the two things a comparison puts up, as the question spells them; else empty.
        focus: lemma of the noun asked for ("city" in "Which city …"), or "".
        stems: of its words without stop words.
        wanted: stems, and those of words that say the same.
        key: see `names.key`.
        called: each name, title in quotes or number in it.
        names: their stems.
        named_stems: of all names.
        part: what the question word is to its verb: "subject", "patient", "adjunct" or "".
        unit: the noun counted ("packages" in "How many packages …"), or "".
        counted: the stems of that noun, where it is one thing and not another, see `counted`.
        form: what the answer looks like, a key of FORMS ("What does X cost?": money), or "".
        short: the short form that it asks the words of ("What does RAID stand for?"), or "".
        doing: the stem of the verb that the question word hangs on, where that tells anything.
        things: the stems of its nouns.
        typed: stems that say no more than the type: "long" in "How long", "city" in "Which city".
        described: stems of what describes a thing that it does not name, see `description`.
        sorts: its nouns that are told apart from others of their kind ("personnel files").
        identity: whether it asks who somebody is that it names ("Who is Ann Lee?").
        language: ISO 639-1, where it is not English.
    """

    text: str
    kind: str
    options: tuple[str, ...]
    focus: str
    stems: frozenset[str]
    wanted: frozenset[str]
    key: str
    called: tuple[str, ...] = ()
    names: tuple[frozenset[str], ...] = ()
    named_stems: frozenset[str] = frozenset()
    part: str = ""
    unit: str = ""
    counted: frozenset[str] = frozenset()
    form: str = ""
    short: str = ""
    typed: frozenset[str] = frozenset()
    doing: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    described: frozenset[str] = frozenset()
    sorts: tuple[Sort, ...] = ()
    identity: bool = False
    language: str = ""

    @property
    def asks_year(self) -> bool:
        """Whether it asks for a year alone."""
        return _ASKS_YEAR.search(self.text) is not None

    def year_of(self, text: str) -> str:
        """Return the year in a text, where the question asks for a year alone; else ""."""
        if not self.asks_year:
            return ""
        year = re.search(r"\b\d{4}\b", text)
        return year.group() if year else ""


def take_apart(text: str, doc: "Doc") -> Asked:
    """Take a question apart, by its text and its parse."""
    stems = frozenset(terms(_MODAL.sub(" ", _FILLING.sub(" ", text))))
    noun, asking = _focus(doc), asking_sentence(doc).text
    meant = _meant(noun) if noun is not None else None
    focus = meant.lemma_.lower() if meant is not None else ""
    own = noun is not None and (_behind_what(noun) or noun.lemma_.lower() in _EMPTY)
    who = _WHO_IS.fullmatch(text.strip())
    who = who is not None and (
        bool(_WHOLE_NAME.fullmatch(who[1])) or any(e.label_ == "PERSON" for e in doc.ents)
    )
    kind = "other" if who else kind_of(asking, focus if own else "")
    wanted = stems.union(*(alike(stem) for stem in stems))
    if kind == "place":
        wanted |= frozenset(terms("located born"))
    called = tuple(name for name in names_of(doc) if terms(name))
    names = tuple(words - _ADDRESS or words for words in map(frozenset, map(terms, called)))
    short = short_form(asking)
    form = LONG if short else form_of(asking, noun)
    says_kind = form == "path" or (  # "In which file": paths are files
        focus in _KIND_OF_NOUN and (own or _KIND_OF_NOUN[focus] != "person")
    )  # "Who is X's mother?": no kind, but what is asked about X
    how, (part, verb) = HOW.search(asking.lower()), part_of(doc)
    return Asked(
        text=text,
        called=called,
        names=names,
        named_stems=frozenset().union(*names),
        part=part,
        doing=frozenset(terms(verb)) - frozenset(terms(f"{focus} {_LIGHT}")).union(*names),
        unit=_unit(asking),
        counted=counted(doc),
        things=frozenset().union(*(terms(t.text) for t in doc if _thing(t))),
        described=description(doc, called, [t for t in (noun, meant) if t]).difference(*names),
        sorts=sorts_of(doc),
        identity=who,
        kind=kind,
        options=options_of(asking) if kind == "choice" else (),
        focus=focus,
        form=form,
        short=short,
        typed=frozenset(
            terms(
                f"{how.group(1) if how else ''} {focus if says_kind else ''}"
                f" {_SOMEWHERE if kind == 'place' else ''} {ASKING if form == LONG else ''}"
            )
        ),
        stems=stems,
        wanted=wanted,
        key=key(text),
    )


def _thing(token: "Token") -> bool:
    """Whether it is a noun; not the "work" of "does Ann work?", which taggers take for one."""
    last = token.i + 1 == len(token.doc) or token.nbor().is_punct
    verb = last and token.i > 0 and token.nbor(-1).pos_ == "PROPN"
    return token.pos_ == "NOUN" and not verb


def _behind_what(noun: "Token") -> bool:
    """Whether "which" or "what" stands before a noun, and nothing but its own phrase between."""
    before = noun.doc[max(0, noun.i - 6) : noun.i]
    asking = next((t for t in reversed(before) if t.lower_ in ("which", "what")), None)
    between = noun.doc[asking.i + 1 : noun.i] if asking is not None else ()
    return asking is not None and not any(t.pos_ in ("VERB", "AUX", "ADP") for t in between)


def kind_of(question: str, focus: str = "") -> str:
    """Tell the kind of answer, one of KINDS, by the question's words.

    Args:
        focus: lemma of the noun asked for, where it stands behind "what" or "which".
    """
    question = question.strip()
    if _VERDICT.match(question) and " or " not in question:
        return "yesno"
    if options_of(question):
        return "choice"
    low = question.lower()
    opening = _OPENING.match(low)
    if opening:
        return _OPENINGS[opening.group(1)]
    if focus in _KIND_OF_NOUN:
        return _KIND_OF_NOUN[focus]
    said = next((kind for kind, pattern in _PATTERNS if re.search(pattern, low)), "")
    told = bool(focus) and not re.search(rf"\b{re.escape(focus)}s? who", low)
    if said in ("person", "place") and (told or _WHAT_DOES.search(low)):
        said = ""  # "who" is said of another: "Which extension has the man who repairs locks?"
    noun = _ASKED_NOUN.search(low) if not focus else None
    return said or (_KIND_OF_NOUN[noun.group(1)] if noun else "other")


def options_of(question: str) -> tuple[str, ...]:
    """Return the two things to choose from ("…, A or B?", "Between A and B, …"), else ()."""
    for pattern in _OPTIONS if len(question) <= LONGEST else ():
        found = pattern.search(question)
        if found:
            return tuple(_option(group) for group in found.groups())
    return ()


def _option(text: str) -> str:
    bare = _CLASS_WORD.sub("", text.strip()).strip(' "“”')
    return bare or text.strip()


def _focus(doc: "Doc") -> "Token | None":
    """The noun in the phrase of the question word, or the subject or attribute beside it."""
    asking = question_word(doc)
    if asking is None or asking.tag_ == "WP$":
        return None
    for chunk in doc.noun_chunks:
        if chunk.start <= asking.i < chunk.end and chunk.root.i != asking.i:
            return chunk.root
    if asking.lower_ in ("which", "what") and (noun := _noun_behind(asking)) is not None:
        return noun
    if asking.head.lemma_ != "be":
        return None  # "What did the captain become?" asks for no captain
    beside = (t for t in asking.head.children if t.dep_ in ("nsubj", "attr") and t.pos_ == "NOUN")
    return next(beside, None)


def _noun_behind(asking: "Token") -> "Token | None":
    """The last of the nouns right behind "which", whatever the parse makes of them.

    Where no verb follows, one of them is: the first is meant ("Which tool unpacks archives?").
    """
    doc, run = asking.doc, []
    for token in doc[asking.i + 1 :]:
        if token.pos_ not in ("NOUN", "ADJ", "NUM") and token.dep_ != "case":
            break
        run.append(token)
    verb = any(t.pos_ in ("VERB", "AUX") for t in doc[asking.i + 1 + len(run) :])
    nouns = [t for t in run if t.pos_ == "NOUN"]
    return nouns[-1 if verb else 0] if nouns else None


def _meant(noun: "Token") -> "Token | None":
    """The noun itself; what it is the name or kind of, where it is only that, or None."""
    if noun.lemma_.lower() not in _EMPTY:
        return noun
    of = (t for child in noun.children if child.lower_ == "of" for t in child.children)
    return next((t for t in of if t.pos_ == "NOUN"), None)


_QUOTED = re.compile('["“]([^"”]+)["”]')
_WHO_IS = re.compile(
    r"(?i:who (?:is|was)) ((?:[A-Z][\w.'’-]*|of|the|von|van|de|der|da|la)"
    r"(?: (?:[A-Z][\w.'’-]*|of|the|von|van|de|der|da|la))*) ?\?*"
)
_WHOLE_NAME = re.compile(
    r"[A-Z][a-zà-ÿ'’-]+(?: [A-Z]\.)?(?: (?:von|van|de|der|da|la))* [A-Z][\w'’-]+"
)
_UNIT = re.compile(
    r"\bhow many (?:[\w'-]+ )*?([\w'-]+?)s?\b(?= (?:do|does|did|is|are|was|were|has|have|had|can"
    r"|will|may|in|of|came|come|took|take|there|work|worked|live|attended)\b| ?\?)",
    re.IGNORECASE,
)
_SMALL = frozenset(
    {
        "of",
        "the",
        "de",
        "da",
        "do",
        "von",
        "van",
        "der",
        "la",
        "le",
        "and",
        "for",
        "in",
        "'s",
        "’s",
        "&",
        "-",
    }
)


def names_of(doc: "Doc") -> Iterator[str]:
    """Find the names in a question: runs of capitals, quoted titles, numbers."""
    quoted = [match.span(1) for match in _QUOTED.finditer(doc.text)]
    for start, end in quoted:
        yield doc.text[start:end]
    run: list[Token] = []
    for token in doc:
        inside = any(start <= token.idx < end for start, end in quoted)
        if not inside and _names(token, bool(run)):
            run.append(token)
        else:
            yield _joined(run)
            run = []
    yield _joined(run)


def _names(token: "Token", going_on: bool) -> bool:
    if token.lower_ in _SMALL:
        return going_on
    if token.tag_ in ("WDT", "WP", "WRB", "WP$") or token.text == "I" or token.lower_ in _SHORTENED:
        return False
    first = token.i == 0 or token.is_sent_start or token.nbor(-1).text in CLOSING
    capital = token.text[:1].isupper() and (not first or token.pos_ == "PROPN")
    code = re.search(r"\w[._/@]\w", token.text) is not None  # "irc.debian.org"
    return capital or code or any(c.isdigit() for c in token.text)


def _joined(run: list["Token"]) -> str:
    while run and run[-1].lower_ in _SMALL:
        run.pop()
    return run[0].doc[run[0].i : run[-1].i + 1].text if run else ""


def _unit(text: str) -> str:
    found = _UNIT.search(text)
    return found.group(1).lower() if found else ""


_EMPTY = frozenset({"name", "kind", "type", "sort", "title"})
_SHORTENED = frozenset({"i.e.", "e.g.", "a.m.", "p.m.", "a.k.a.", "i.e", "e.g"})
_ADDRESS = frozenset(terms("Mr Mrs Ms Miss Dr Prof Professor"))
"""What comes before a name, and may be left out."""
