"""What "it" may mean after a sentence that speaks of two things: "The club bought the quay."."""

from typing import TYPE_CHECKING

from .tokens import SUBJECTS

if TYPE_CHECKING:
    from spacy.tokens import Token

_PASSES_ON = frozenset(
    """acquire buy build close commission create demolish design destroy donate erect establish
    expand find found fund give inherit invent launch lease manage open operate own paint produce
    publish purchase rebuild release rename rent repair replace restore run sell sink start visit
    write""".split()
)
"""Verbs after which the next sentence is as often about what they were done to."""
_KNOWN = frozenset("the a an this that its his her their our my".split())


def spoken_of_before(pronoun: "Token") -> "tuple[Token, Token] | None":
    """Return who or what the sentence before says did something, and the thing it was done to.

    None where there is no such sentence in the paragraph, or it speaks of no thing by a noun of
    its own.
    """
    sentence = pronoun.sent
    if sentence.start == 0:
        return None
    last = sentence.doc[sentence.start - 1]
    if last.text.count("\n") > 1:
        return None
    root = last.sent.root
    if root.lemma_ not in _PASSES_ON:
        return None
    subjects = [t for t in root.children if t.dep_ in SUBJECTS]
    things = [t for t in root.children if t.dep_ == "dobj" and t.tag_ in ("NN", "NNP")]
    if len(subjects) != 1 or len(things) != 1 or not _is_known(things[0]):
        return None
    return subjects[0], things[0]


def _is_known(noun: "Token") -> bool:
    """Whether it is one thing: "the quay", "Corve Mill"."""
    return noun.pos_ == "PROPN" or any(child.lower_ in _KNOWN for child in noun.children)
