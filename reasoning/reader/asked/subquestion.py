"""A question in a question: "Who repairs the lift?" in "When does the man who repairs it come?".

What is only described is asked for first, and then the question of the name that is found: as a
language model does in decomposed prompting (Khot et al. 2023, §3), by grammar.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....kg.text.words import terms
from .described import KIN, PERSONS
from .parts import question_word

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ANYBODY = frozenset(
    "anybody anyone boy colleague girl guy lady man member one people person somebody someone"
    " woman".split()
)
_ROLES = frozenset(
    "accountant administrator agent ambassador apprentice architect archivist artist assistant"
    " auditor author baker boatman boss brewer builder bursar butcher buyer captain caretaker"
    " carpenter chair chairman chairperson chairwoman champion chef chief clerk coach composer"
    " conductor consultant contact cook coordinator curator dealer dean dentist deputy designer"
    " developer director doctor driver editor electrician engineer farmer founder gardener"
    " governor groundsman guard guide head host inspector instructor interpreter janitor joiner"
    " judge keeper king landlady landlord lawyer lead leader lecturer lessor librarian lifeguard"
    " locksmith maintainer manager matron mayor mechanic midwife minister musician notary nurse"
    " officer operator organiser organist organizer owner painter pastor performer pharmacist"
    " photographer physician physiotherapist pianist pilot plumber poet porter postman president"
    " priest principal producer professor publisher queen ranger receptionist recruiter rector"
    " registrar reporter researcher roofer scientist secretary seller sexton shepherd singer"
    " skipper solicitor soloist sponsor steward superintendent supervisor supplier surgeon"
    " surveyor tailor teacher technician tenant therapist tiler trainer translator treasurer"
    " tutor verger vet vicar volunteer warden watchman winner writer".split()
)
"""Who "the bursar" is can be asked of documents that name one, and of no machine."""
_OF_A_NAME = frozenset("birthplace capital country employer hometown residence".split())
"""Described by what they are of; what is said of other things' parts is mostly said of both."""
_OF_SOMEBODY = _OF_A_NAME.union(
    "area city company county department district firm label organisation organization place"
    " province region school state team town university village".split()
)
"""Likewise by whose they are: "Ann's school"; "the city of Graz" is Graz."""
_NAMING = frozenset("kind name sort title type".split())
_TIMES = frozenset("date day hour month time week weekday year".split())
_NOT_ITS = frozenset("'s ’s ' ’ here now there today".split())
_RELATIVE = frozenset("that where which who whom".split())
_FREE = frozenset("who whoever whomever".split())
_OBJECTS = frozenset({"pcomp", "ccomp", "csubj", "dobj"})
_SUBJECTS = frozenset({"expl", "nsubj", "nsubjpass"})
_TELLING = frozenset("ADJ ADV NOUN NUM PROPN VERB".split())
_CLAUSES = frozenset({"acl", "relcl"})
_OWN = frozenset("amod compound nmod".split())
_WHERE = frozenset({"at", "in", "on"})
_DEFINITE = frozenset({"our", "the", "your"})


@dataclass(frozen=True, slots=True)
class Subquestion:
    """What a question describes, as a question of its own.

    Args:
        text: "Who repairs the lift?".
        around: what stands before the description in the question, and behind it.
        clause: a clause describes it ("who repairs the lift"), of which nothing else can be meant.
    """

    text: str
    around: tuple[str, str]
    clause: bool = False

    def asked_of(self, name: str) -> str:
        """The question of what was described, by its name."""
        before, behind = self.around
        return " ".join(f"{before}{name}{behind}".split())


def subquestions(doc: "Doc") -> list[Subquestion]:
    """Find what a question describes, the shortest description first; a longer one may hold it.

    Args:
        doc: the question's parse.
    """
    asking = question_word(doc)
    if asking is None:
        return []
    wanted = _wanted(asking)
    asked = _asked_for(asking, wanted)
    found = dict[tuple[int, int], Subquestion]()
    for noun in doc:
        if noun.i in asked or noun.i == asking.i:
            continue
        phrase = _phrase(noun)
        if not phrase or any(t.i == asking.i or t.lower_ == "what" for t in phrase):
            continue
        text = _question(noun, phrase)
        first, last = phrase[0], phrase[-1]
        around = [t for t in doc if not first.i <= t.i <= last.i]
        if text and _asks_more(around, wanted):
            before, behind = doc.text[: first.idx], doc.text[last.idx + len(last) :]
            clause = noun.tag_ == "WP" or any(c.dep_ in _CLAUSES for c in noun.children)
            found[len(phrase), first.i] = Subquestion(f"{text}?", (before, behind), clause)
    return [found[place] for place in sorted(found)]


def _wanted(asking: "Token") -> "Token":
    """The question word, or the noun that it stands by: "Which firm", "On what day"."""
    while asking.dep_ in ("det", "poss", "amod", "advmod") and asking.head.pos_ in ("NOUN", "ADJ"):
        asking = asking.head
    return asking


def _asked_for(asking: "Token", wanted: "Token") -> set[int]:
    """The nouns that the question asks for: those describe nothing."""
    asked, verb = {asking.i, wanted.i}, wanted.head
    timed = wanted.lemma_.lower() in _TIMES  # "Which days is the bursar here?"
    if verb.lemma_ == "be" and asking.tag_ != "WRB" and not timed:
        asked.update(c.i for c in verb.children if c.dep_ in ("attr", *_SUBJECTS))
    for noun in [asking.doc[i] for i in asked if asking.doc[i].lemma_.lower() in _NAMING]:
        ties = (c for c in noun.children if c.dep_ == "prep" and c.lower_ == "of")
        asked.update(t.i for tie in ties for t in tie.children if t.dep_ == "pobj")
    return asked


def _phrase(noun: "Token") -> "list[Token]":
    """The words of a description, without the "'s" and the marks that end it; [] for none."""
    if noun.lower_ in _FREE and noun.tag_ == "WP":
        if noun.head.dep_ not in _OBJECTS:
            return []
        words = list(noun.head.subtree)
    elif noun.lower_ in _ANYBODY or (
        noun.tag_ in ("NN", "NNP") and noun.is_lower and noun.pos_ != "PRON"
    ):
        words = _without_place(noun)
    else:
        return []
    while words and (words[-1].text in ".,;:!?" or words[-1].lower_ in _NOT_ITS):
        words.pop()
    joined = bool(words) and words[-1].i - words[0].i + 1 == len(words)
    return words if joined else []


def _without_place(noun: "Token") -> "list[Token]":
    """A noun with what hangs on it, but for the yard of "Ann's boss in the yard".

    "Opened" in "When was the mill that Ann built opened?" does not, whatever the parse says; and
    "the singer of you can leave" has a title that goes on to the end.
    """
    ties = (c for c in noun.children if c.lower_ == "of" and noun.lower_ in _ROLES)
    if any(t.tag_ == "PRP" for tie in ties for t in tie.children):
        return list(noun.doc[noun.left_edge.i :])
    places = [c for c in noun.children if c.dep_ == "prep" and c.lower_ in _WHERE and c.i > noun.i]
    whose = any(c.dep_ == "poss" for c in noun.children)
    cut = {t.i for place in places if whose for t in place.subtree}
    clauses = [c for c in noun.children if c.dep_ in _CLAUSES]
    if len(clauses) > 1 and clauses[-1].tag_ == "VBN" and clauses[-1].n_lefts == 0:
        cut.update(t.i for t in clauses[-1].subtree)
    return [t for t in noun.subtree if t.i not in cut]


def _asks_more(around: "Sequence[Token]", wanted: "Token") -> bool:
    """Whether a question asks something of what it describes, by the rest of its words."""
    return wanted.lower_ == "where" or any(
        t.pos_ in _TELLING and t.i != wanted.i and t.head.i != wanted.i for t in around
    )


def _question(noun: "Token", phrase: "Sequence[Token]") -> str:
    """Ask for what a phrase describes; "" where it describes nothing that is worth it."""
    if noun.tag_ == "WP":
        return _of_clause("Who", noun.head, phrase, noun)
    behind = [c for c in noun.children if c.i > noun.i]
    ties = [c for c in noun.children if c.dep_ == "poss" or (c in behind and c.dep_ == "prep")]
    clause = next((c for c in behind if c.dep_ in _CLAUSES), None)
    whose = any(tie.dep_ == "poss" and tie.pos_ == "PROPN" for tie in ties)
    of_a_name = any(t.pos_ == "PROPN" for tie in ties if tie.lower_ == "of" for t in tie.subtree)
    somebody = _is_somebody(noun, whose or of_a_name)
    if clause is not None and (noun.lower_ in _ANYBODY or not ties):
        return _of_its_clause(noun, somebody, clause, phrase)
    if noun.lower_ == "one" and any(tie.lower_ == "of" for tie in ties):
        return ""  # "one of the greatest": which one is not told
    if noun.lower_ in _ANYBODY:
        return f"Who is {_text([t for t in phrase if t.i > noun.i])}" if ties else ""
    if somebody:
        definite = any(c.dep_ == "poss" or c.lower_ in _DEFINITE for c in noun.children)
        return f"Who is {_text(phrase)}" if definite else ""
    known = (whose and noun.lower_ in _OF_SOMEBODY) or (of_a_name and noun.lower_ in _OF_A_NAME)
    return f"What is {_text(phrase)}" if known else ""


def _of_its_clause(
    noun: "Token", somebody: bool, clause: "Token", phrase: "Sequence[Token]"
) -> str:
    """Ask which noun a clause tells of: "the firm that …", "the man named …"; "" for none."""
    own = [c for c in noun.children if c.dep_ in _OWN and c.i < noun.i and c.tag_ != "JJS"]
    lead = "Who" if somebody else f"Which {_text([*own, noun])}"
    words = [t for t in phrase if t.i >= min(s.i for s in clause.subtree)]
    if len(words) < 2:  # "Where is the club based?": it is asked, not told
        return ""
    if clause.dep_ == "relcl":
        return _of_clause(lead, clause, words)
    helping = {"VBN": "was", "VBD": "was", "VBG": "is"}.get(clause.tag_)
    return f"{lead} {helping} {_text(words)}" if helping else ""


def _is_somebody(noun: "Token", of_a_name: bool) -> bool:
    """Whether a noun says what people are; of a name it needs but to end as if it did."""
    word = noun.lemma_.lower()
    if word in _ANYBODY or word in _ROLES or not KIN.isdisjoint(terms(word)):
        return True
    return of_a_name and bool(PERSONS.fullmatch(word))


def _of_clause(
    lead: str, verb: "Token", words: "Sequence[Token]", pronoun: "Token | None" = None
) -> str:
    """Ask what a relative clause tells: "who fixes X": "Who fixes X", "X was in": "Who was X in".

    Args:
        lead: what asks: "Who", "Which firm".
        verb: the clause's.
        words: the clause's.
        pronoun: the relative one; None finds it, or none.
    """
    subject = next((c for c in verb.children if c.dep_ in _SUBJECTS), None)
    if pronoun is None:
        first = next(iter(words), None)
        told = [t for t in words if t.lower_ in _RELATIVE and t.i < verb.i]
        pronoun = told[0] if told and first is not None and told[0].i - first.i < 2 else None
    if subject is None or (pronoun is not None and subject.i == pronoun.i):
        rest = [t for t in words if pronoun is None or t.i > pronoun.i]
        return f"{lead} {_text(rest)}" if pronoun is not None and rest else ""
    if pronoun is not None and pronoun.lower_ == "where":
        lead = f"In {lead[0].lower()}{lead[1:]}"
    elif pronoun is not None and words[0].dep_ == "prep":
        if words[0].lower_ == "of":
            return ""
        lead = f"{words[0].text.capitalize()} {lead[0].lower()}{lead[1:]}"
    kept = [t for t in words if pronoun is None or t.i > pronoun.i]
    return f"{lead} {_inverted(verb, subject, kept)}"


def _inverted(verb: "Token", subject: "Token", words: "Sequence[Token]") -> str:
    """A clause as a question has it: "was X born", "did X found"."""
    own = {t.i for t in subject.subtree}
    rest = [t for t in words if t.i not in own]
    helping = verb if verb.lemma_ == "be" else None
    for child in verb.children:
        if helping is None and child.dep_ in ("aux", "auxpass") and child.i > subject.i:
            helping = child
    named = _text([t for t in words if t.i in own])
    if helping is not None:
        return f"{helping.text} {named} {_text([t for t in rest if t.i != helping.i])}".strip()
    did = {"VBD": "did", "VBN": "did", "VBP": "do"}.get(verb.tag_, "does")
    said = " ".join(t.lemma_ if t.i == verb.i else t.text for t in rest)
    return f"{did} {named} {said}".strip()


def _text(words: "Sequence[Token]") -> str:
    return "".join(token.text_with_ws for token in words).strip()
