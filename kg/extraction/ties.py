"""Names no rule reached, tied to their sentence's subject or to the title.

The pair is known, the relation a guess from the words between.
"""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from .facts import Fact, fact
from .mentions import Span
from .reading import Argument, Reading
from .tokens import HE, IT, SUBJECTS

if TYPE_CHECKING:
    from spacy.tokens import Span as Sentence
    from spacy.tokens import Token

_ON_THE_WAY = frozenset(
    ["prep", "agent", "acl", "relcl", "ROOT", "conj", "dobj", "pobj", "advcl", "xcomp", "attr"]
)  # words that say something about the relation
MAX_PATH = 5  # words
MAX_SUBJECT = 8  # words of a subject worth tying something to


def ties(
    reading: Reading, sentence: "Sentence", reached: Collection[int], of_title: Collection[str]
) -> Iterator[Fact]:
    """Make one tie for each name of a sentence that needs it.

    In a first sentence on the title that is each name not yet the tail of a fact about the title,
    elsewhere each name that no clause reached. In a document with sections only names are tied, to
    the name that is their sentence's subject, by words of the sentence.

    Args:
        reading: of the passage.
        sentence: one of its sentences.
        reached: tokens inside arguments of clauses.
        of_title: tails, in lower case, of facts about the title.
    """
    first = sentence.start == 0 and reading.opening.is_on_title and not reading.divided
    title = Argument(reading.title, sentence.start, sentence.start + 1) if reading.title else None
    subject = title if first else _subject(reading, sentence)
    subject = subject or (None if reading.divided or _is_unknown(reading, sentence) else title)
    for token in sentence:
        span = reading.mention.get(token.i)
        if span is None or span.label in ("TITLE", "ORDINAL") or span.end != token.i + 1:
            continue
        if _is_number_of_item(sentence, span):
            continue
        root = reading.doc[span.start : span.end].root
        said = reading.whole(span) if first else reading.argument(root)
        if said is None:
            continue
        needed = said.text.lower() not in of_title if first else root.i not in reached
        words = _path(reading, root, sentence.root) or ("" if reading.divided else "mentions")
        if needed and (tie := fact(subject, words, said)):
            yield tie._replace(tied=True)


def _is_number_of_item(sentence: "Sentence", span: Span) -> bool:
    """Whether it numbers an item of a list: "1. Call Ann"."""
    behind = sentence.doc[span.end : span.end + 1].text
    number = sentence.doc[span.start : span.end].text.strip("(.)")
    return span.start <= sentence.start + 1 and number.isdigit() and behind[:1] in {".", ")", ""}


def _subject(reading: Reading, sentence: "Sentence") -> Argument | None:
    for child in sentence.root.children:
        if child.dep_ in SUBJECTS and (said := reading.argument(child)):
            fits = reading.is_name(child) or not reading.divided
            return said if fits and len(said.text.split()) < MAX_SUBJECT else None
    return None


def _is_unknown(reading: Reading, sentence: "Sentence") -> bool:
    """Whether its subject is a pronoun that may mean more than one thing."""
    subjects = [child for child in sentence.root.children if child.dep_ in SUBJECTS]
    return any(t.lower_ in IT | HE and reading.argument(t) is None for t in subjects)


def _path(reading: Reading, token: "Token", root: "Token") -> str:
    """The words on the way from the sentence's root to the name, "" where there are none."""
    words: list[str] = []
    while token.i not in (root.i, token.head.i) and len(words) < MAX_PATH:
        token = token.head
        if token.dep_ not in _ON_THE_WAY or reading.is_name(token):
            continue
        if token.is_alpha and token.lower_ not in words[-1:]:
            words.append(token.lower_)
    return " ".join(reversed(words))
