"""Rows and sentences that name relatives: what they tell of one is not told of the other."""

from ....kg.text.words import stems
from ..asked.alike import alike
from ..asked.described import KIN
from ..asked.question import Asked
from ..candidates import Mention
from ..pages import Page


def as_a_relative(asked: Asked, page: Page, sentence: int) -> bool:
    """Whether a row names who is asked about only as a relative.

    "Child: Ann; Father: Ben; Born: 1990" does not say when Ben was born.
    """
    head = page.heads.get(sentence, frozenset())
    columns = [
        frozenset(stems(column))
        for column, start, end in page.fields.get(sentence, ())
        for name in asked.names
        if name <= frozenset(stems(page.text[start:end])) and not name <= head
    ]
    return bool(columns) and all(column & KIN - asked.stems for column in columns)


def of_its_relative(asked: Asked, page: Page, mention: Mention) -> bool:
    """Whether it is told of whom a row is about, where his or her wife is asked about.

    "Name: Ann; Died: 1931; Spouse: Bo" does not say when Ann's husband died.
    """
    kin = asked.described & KIN
    fields = page.fields.get(mention.sentence, ())
    if not kin or not mention.end or not fields:
        return False
    own = next((name for name, start, end in fields if start <= mention.start < end), "")
    columns = [frozenset(stems(name)) for name, *_ in fields]
    like = kin.union(*map(alike, kin))
    return not like.isdisjoint(frozenset().union(*columns)) and like.isdisjoint(stems(own))


def as_a_relatives(asked: Asked, page: Page, mention: Mention) -> bool:
    """Whether its clause names who is asked about only as somebody whose relative does it.

    "Mira's sister Jana is a vet in Brno; …" does not say where Mira lives.
    """
    if not mention.end or not KIN.isdisjoint(asked.stems):
        return False
    sentence, text = page.spans[mention.sentence], page.text
    begin = max(sentence.start_char, text.rfind(";", 0, mention.start) + 1)
    said = [token for token in sentence if begin <= token.idx < mention.start]
    named = [t for t in said if any(set(page.stemmed[t.i]) & name for name in asked.names)]
    return bool(named) and all(
        any(child.tag_ == "POS" for child in t.children)
        and not KIN.isdisjoint(page.stemmed[t.head.i])
        and mention.start > t.head.idx
        and not page.text[t.head.idx + len(t.head) : mention.start].isspace()
        for t in named
    )
