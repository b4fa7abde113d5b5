"""Whether somebody did another thing than what is asked: mended what was damaged."""

import re
from typing import TYPE_CHECKING

from ....kg.text.words import stems
from ..asked.parts import part_played
from .another_sort import is_said
from .listed import has_figure

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from ..asked.question import Asked
    from ..candidates import Mention
    from ..pages import Page
    from .aligned_page import AlignedPage

_ATTRIBUTES = frozenset({"amod", "compound"})
_LITTLE = frozenset(
    "be have do make create carry perform undertake conduct give provide offer handle run lead head"
    " organise organize commit cause produce arrange take complete execute say get need".split()
)
"""Verbs with a noun that says what was done: "the delivery was made by X"."""
_AFTERWARDS = frozenset(
    "report find discover notice see repair replace mend fix announce confirm return recover"
    " examine investigate photograph witness restore remove regret criticise note hear accept"
    " check approve inspect review".split()
)
"""What others do about a deed: whoever reports a delivery did not deliver."""

_NAMED_AFTER = re.compile(r"\bnamed (?:after|for|in)\b|\b(?:eponym|namesake|takes? its name)\b")
_NAMES = re.compile(r"(?i)name|eponym|called|honou?r|memory|commemorat|\bafter\b|derive|dedicat")
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_MUTUAL = frozenset({"marry", "divorce", "engage", "meet", "join"})
_DONE_TO = re.compile(r"\b(?:is|are|was|were|been) (?:the |an? )?([A-Z][^?]*)")
_PURPOSE = re.compile(
    r"\b(?:need\w*|requir\w+|necessary|takes?|ha(?:ve|s|d)|allowed) (?:[^?]*? )?to (\w+)"
)
_DOES = re.compile(r"\b[Ww]ho (?:\w+ly )?\w+ (?:(?:the|an?|our|this|that|his|her|their)\b|[A-Z])")
"""Who does it to something: "Who trained the team?", not "Who trained in Graz?"."""


def did_another_thing(asked: "Asked", page: "Page", sentence: "Span", found: "Span") -> bool:
    """Whether somebody is who did another thing to what is only called so.

    Of "the stolen bicycle was found by Ann" that is who stole it; or of "the late delivery was
    reported by Ann" who delivered late. Or whether it was done to them: Garfield, who was shot. Or
    whether the sentence says who else did it: of "Ann wrote the code, and Ben tested it" Ann did
    not test it.
    """
    if asked.kind != "person" or asked.part != "subject" or len(asked.doing) != 1:
        return False
    (verb,) = asked.doing
    played = part_played(found.root)
    if played is None or played[1].pos_ != "VERB":
        return False
    part, deed = played
    words = [t for t in sentence if is_said(verb, frozenset(page.stemmed[t.i]))]
    if part == "patient":
        done_to = found.root.i < deed.i and any(t.dep_ == "auxpass" for t in deed.children)
        done_to = done_to and deed in words and deed.lemma_ not in _MUTUAL
        return done_to and _DOES.search(asked.text) is not None
    if part != "subject" or deed in words:
        return False
    if any(_has_its_own_subject(t, found.root) for t in words):
        return True
    if deed.lemma_ in _LITTLE:
        return False
    nouns = [t for t in words if t.pos_ == "NOUN" and t.dep_ not in _ATTRIBUTES]
    if not words or any(t not in nouns and t.dep_ not in _ATTRIBUTES for t in words):
        return False
    return not nouns or deed.lemma_ in _AFTERWARDS


def done_by_another(asked: "Asked", page: "Page", sentence: int, found: "Span") -> bool:
    """Whether the deed asked about is somebody's whom the question does not name.

    Of "Alma came to Hull in 1921" and "Her sister Vera stayed behind" that is not when Vera came,
    nor of "Its sister ship Tern was scrapped in 2001" when the Petrel was.
    """
    deed = _governing(found.root)
    if deed is None or asked.part == "subject":
        return False
    if _is_who_did_it(asked, deed, found.root):
        return True
    if asked.doing and asked.doing.isdisjoint(page.stemmed[deed.i]):
        return False
    own = [*deed.children, *(deed.head.children if deed.dep_ == "conj" else ())]
    subject = next((t for t in own if t.dep_ in _SUBJECTS), None)
    if subject is None:
        return False
    whose = any(t.dep_ == "poss" and t.pos_ == "PRON" for t in subject.children)
    if whose and any(t.pos_ == "PROPN" for t in subject.subtree):  # "her sister ship Tern"
        return asked.named_stems.isdisjoint(page.said[sentence])
    if subject.ent_type_ != "PERSON":
        return False
    people = _people(asked, page)
    return bool(people) and not any(name <= page.said[sentence] for name in people)


def _is_who_did_it(asked: "Asked", deed: "Token", found: "Token") -> bool:
    """Whether the name to which a question asks what was done did it to another thing.

    Of "the fair was started in 1904 by the Old Guild" that is not when the Guild was founded.
    """
    said = _DONE_TO.search(asked.text) if asked.kind in ("date", "place", "number") else None
    if said is None or not any(t.dep_ == "nsubjpass" for t in deed.children):
        return False
    names = zip(asked.called, asked.names, strict=True)
    done_to = [words for name, words in names if said[1].startswith(name)]
    agents = ([*t.subtree] for t in deed.children if t.dep_ == "agent")
    return any(
        found not in agent and any(words <= _stems(agent) for words in done_to) for agent in agents
    )


def _stems(tokens: "list[Token]") -> frozenset[str]:
    return frozenset(stems(" ".join(t.text for t in tokens)))


def is_another_item(asked: "Asked", page: "Page", sentence: int) -> bool:
    """Whether a list's item says what to do, and another one what a question says is done.

    Of "1. Elect the chair. 2. Amend the rules, by two thirds" two thirds are not needed to elect.
    """
    purpose = _PURPOSE.search(asked.text)
    if purpose is None or not _is_order(page, sentence):
        return False
    (verb, *_) = (*stems(purpose[1]), "")
    if not verb or is_said(verb, page.said[sentence].union(stems(page.passage.heading))):
        return False
    return any(
        is_said(verb, page.said[n]) and _is_order(page, n)
        for n in range(len(page.spans))
        if n != sentence
    )


def _is_order(page: "Page", sentence: int) -> bool:
    """Whether a line begins with a verb: "2. Amend the rules"."""
    before = page.text[: page.starts[sentence]].rpartition("\n")[2]
    first = next((t for t in page.spans[sentence] if t.is_alpha), None)
    opens = not any(map(str.isalnum, before))  # "- ", which may be a sentence of its own
    return opens and first is not None and first.tag_ in ("VB", "VBP")


def _people(asked: "Asked", page: "Page") -> list[frozenset[str]]:
    """The question's names that a page knows as people's."""
    people = [
        frozenset(stems(page.text[start:end]))
        for (start, end), label in page.recognised.items()
        if label == "PERSON"
    ]
    return [name for name in asked.names if any(name <= one for one in people)]


def tells_no_name(asked: "Asked", text: str) -> bool:
    """Whether a sentence tells of no naming, where it is asked what something is named after.

    Of "Deckers Creek begins west of Arthurdale" that is not Arthurdale.
    """
    return _NAMED_AFTER.search(asked.text) is not None and not _NAMES.search(text)


def deed_asked(
    asked: "Asked", page: "Page", sentence: "Span", found: "Span"
) -> tuple[int, int] | None:
    """Where a sentence tells of the deed asked about, where a figure is told of another.

    Of "was placed on 2 May, shipped on 5 May and delivered on 19 May" 5 May is not when it was
    delivered, nor 19 May when it was shipped.

    Returns:
        Its first character in the page and one past its last; None where nothing tells that the
        figure is of another deed, or none is told of the one that is asked about.
    """
    own = _governing(found.root)
    if len(asked.doing) != 1 or own is None or not has_figure(found.text):
        return None
    (verb,) = asked.doing
    verbs = [t for t in sentence if t.pos_ == "VERB" and verb in page.stemmed[t.i]]
    said = [t for t in verbs if t in own.conjuncts]
    if len(said) != 1 or own in verbs:
        return None
    told = [t for t in sentence if t == said[0] or _governing(t) == said[0]]
    first, last = told[0], told[-1]
    if first.i <= found.start <= last.i or not any(has_figure(t.text) for t in told):
        return None
    return first.idx, last.idx + len(last)


def is_of_the_deed(aligned: "AlignedPage", mention: "Mention") -> bool:
    """Whether a figure, alone of its sentence's, hangs on the verb asked about.

    Of "was closed in 1966 and reopened, after a long campaign, in 2004" 2004 is when it reopened,
    wherever a comma stands.
    """
    asked, page, found = aligned.of.asked, aligned.page, aligned.span(mention.start, mention.end)
    own, sentence = _governing(found.root) if found else None, page.spans[mention.sentence]
    if not found or own is None or len(asked.doing) != 1:
        return False
    if asked.doing.isdisjoint(page.stemmed[own.i]):
        return False
    others = (t for t in sentence if has_figure(t.text) and t not in found)
    if not has_figure(found.text) or any(_governing(t) == own for t in others):
        return False
    subject = [t for one in own.children if one.dep_ in _SUBJECTS for t in one.subtree]
    return not subject or any(not asked.stems.isdisjoint(page.stemmed[t.i]) for t in subject)


def _governing(token: "Token") -> "Token | None":
    """The nearest verb above a token, or the last of those joined to it that stand before it.

    Of "was cut back in 1951 and extended, after petitions, in 1987" parsers tie both to "cut"
    (right association: Kimball 1973).
    """
    above = next((t for t in token.ancestors if t.pos_ == "VERB"), None)
    if above is None:
        return None
    joined = [t for t in above.conjuncts if t.pos_ == "VERB" and above.i < t.i < token.i]
    return joined[-1] if joined else above


def _has_its_own_subject(verb: "Token", somebody: "Token") -> bool:
    """Whether a verb says who does it, by a name or noun that is not somebody's."""
    if verb.pos_ != "VERB":
        return False
    subjects = [t for t in verb.children if t.dep_ == "nsubj" and t.pos_ in ("PROPN", "NOUN")]
    return bool(subjects) and all(
        somebody != one and somebody not in one.conjuncts and somebody not in one.subtree
        for one in subjects
    )
