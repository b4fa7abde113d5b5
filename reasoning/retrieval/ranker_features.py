"""Features of a passage for the learned ranker: parts of the hop's score, what surrounds it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kg.text.words import terms
from ...kg.types import Scored
from .hop import Look

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

FEATURES = (
    # the passage itself
    "dense",  # on the question's scale, as the next two
    "text",
    "first",  # both halves
    "covers",  # share of the question's words
    "is named",  # the question names its title
    "title asked",  # share of the title's words that the question has
    "title words",
    "seed rank",
    "adds to best",  # words of the question that the hop's best has not
    # what the hop makes of it
    "hop",  # as it ranks: the best in turn
    "alone",  # its score before that
    "hop rank",
    "behind",  # the best passage's hop score less its own
    # what leads to it: over all messages, the largest
    "message",
    "from names",  # the sender's first score, where its text names the receiver
    "from named",  # where the receiver's text names it
    "from shared",  # times the link, where they share an entity
    "covers together",  # sender and receiver
    "second message",  # of another sender
    "messages",  # sum
    "senders",  # how many
    "names senders",
    "rarest",  # passages with the rarest entity shared, a logarithm
    "later message",  # as if these scores were the first stage's
    # the sender of the best message
    "link",
    "sender first",
    "sender is named",
    # what it leads to
    "sends",  # the largest of its messages
    "tied to second",  # the link with the hop's second best, either way
    # the question
    "question words",
    "titles named",
)

_OF_ITSELF = FEATURES[: FEATURES.index("hop")]


def features(look: Look, ranked: Sequence[Scored]) -> Floats:
    """Describe the hop's best in its order by a row each: (len(ranked), len(FEATURES))."""
    if not ranked:
        return np.zeros((0, len(FEATURES)))
    ids = [scored.id for scored in ranked]
    scores = look.scores()
    everyone = [*ids, *scores.keys() - set(ids)]
    alone = np.array([scores[id_] for id_ in everyone])
    first = np.array([look.first[id_] for id_ in everyone])
    named = np.array([look.candidates[id_].title in look.named for id_ in everyone])
    mail = _Mail.of(look, {id_: place for place, id_ in enumerate(everyone)})
    around = _heard(mail, first, alone) | _best_sender(mail, first, named) | _told(mail)
    columns = {name: values[: len(ids)] for name, values in (around | {"alone": alone}).items()}
    columns |= _of_itself(look, ids) | _ranked(np.array([scored.score for scored in ranked]))
    columns["question words"] = np.full(len(ids), float(len(look.weights)))
    columns["titles named"] = np.full(len(ids), float(len(look.named)))
    return np.column_stack([columns[name] for name in FEATURES])


def _ranked(hop: Floats) -> dict[str, Floats]:
    return {"hop": hop, "hop rank": np.log1p(np.arange(len(hop))), "behind": hop[0] - hop}


def _of_itself(look: Look, ids: Sequence[str]) -> dict[str, Floats]:
    rank = {id_: place for place, id_ in enumerate(look.senders)}
    best = look.candidates[ids[0]].covered
    rows = []
    for id_ in ids:
        candidate = look.candidates[id_]
        title = terms(candidate.title)
        asked = sum(stem in look.weights for stem in title)
        rows.append(
            (
                look.dense[id_],
                look.text[id_],
                look.first[id_],
                look.share(candidate.covered),
                candidate.title in look.named,
                asked / (len(title) or 1),
                len(title),
                rank.get(id_, len(rank)),
                look.share(candidate.covered - best),
            )
        )
    return dict(zip(_OF_ITSELF, np.array(rows, float).T, strict=True))


@dataclass(frozen=True, slots=True)
class _Mail:
    """All messages as arrays (m,); sources and targets are places among n candidates."""

    n: int  # candidates, the ranked ones first
    source: Places
    target: Places
    link: Floats
    gain: Floats
    score: Floats
    names: NDArray[np.bool_]
    named: NDArray[np.bool_]
    rarest: Floats  # 0 without a shared entity
    covers: Floats  # the sender's share of the question

    @staticmethod
    def of(look: Look, place: Mapping[str, int]) -> "_Mail":
        sent = look.messages
        covers = {id_: look.share(look.candidates[id_].covered) for id_ in look.senders}
        return _Mail(
            len(place),
            np.array([place[m.bridge.source] for m in sent], int),
            np.array([place[m.bridge.target.id] for m in sent], int),
            np.array([m.link for m in sent], float),
            np.array([m.gain for m in sent], float),
            np.array([m.score for m in sent], float),
            np.array([m.bridge.names for m in sent], bool),
            np.array([m.bridge.named for m in sent], bool),
            np.array([m.bridge.rarest or 0 for m in sent], float),
            np.array([covers[m.bridge.source] for m in sent], float),
        )

    def best(self) -> Places:
        """Which message is each candidate's best, -1 without any: (n,)."""
        best = np.full(self.n, -1)
        order = np.argsort(self.score, kind="stable")
        best[self.target[order]] = order  # the last one written stays
        return best

    def largest(self, values: Floats, places: Places, low: float = 0.0) -> Floats:
        """Of the values at each candidate: (n,), `low` at least."""
        largest = np.full(self.n, low)
        np.maximum.at(largest, places, values)
        return largest

    def count(self, which: NDArray[np.bool_]) -> Floats:
        """How many such messages each candidate receives: (n,)."""
        return np.bincount(self.target[which], minlength=self.n).astype(float)


def _heard(mail: _Mail, first: Floats, alone: Floats) -> dict[str, Floats]:
    """What leads to each candidate."""
    to, sent = mail.target, first[mail.source]
    shared = mail.rarest > 0
    others = mail.score.copy()
    others[mail.best()[mail.best() >= 0]] = 0
    rarest = np.full(mail.n, 1e3)
    np.minimum.at(rarest, to[shared], mail.rarest[shared])
    return {
        "message": mail.largest(mail.score, to),
        "from names": mail.largest(sent * mail.names, to),
        "from named": mail.largest(sent * mail.named, to),
        "from shared": mail.largest(sent * mail.link * shared, to),
        "covers together": mail.largest(mail.covers + mail.gain, to),
        "second message": mail.largest(others, to),
        "messages": np.bincount(to, mail.score, mail.n).astype(float),
        "senders": mail.count(mail.score > -np.inf),
        "names senders": mail.count(mail.names),
        "rarest": np.log(rarest),
        "later message": mail.largest(alone[mail.source] * mail.link * (1 + mail.gain), to),
    }


def _best_sender(mail: _Mail, first: Floats, named: NDArray[np.bool_]) -> dict[str, Floats]:
    best = mail.best()
    has = best >= 0
    by = mail.source[best[has]]
    out = {name: np.zeros(mail.n) for name in ("link", "sender first", "sender is named")}
    out["link"][has] = mail.link[best[has]]
    out["sender first"][has] = first[by]
    out["sender is named"][has] = named[by]
    return out


def _told(mail: _Mail) -> dict[str, Floats]:
    """What each candidate leads to."""
    second = 1  # in the hop's order
    out, back = mail.source == second, mail.target == second
    told = mail.largest(mail.link[out], mail.target[out])
    return {
        "sends": mail.largest(mail.score, mail.source),
        "tied to second": np.maximum(told, mail.largest(mail.link[back], mail.source[back])),
    }
