"""Cosines of the question with the sentences and relations of its pages.

Encoding is most of what a question costs, so only what can matter is encoded: the sentences that
say most of the question's words, and relations of what it names or leads to. Relations are short
and come back in every question, so their vectors are kept.
"""

import numpy as np

from ...kg.types import Vector
from ...kg.vectors import dots
from ...models.encoder import Encoder
from ...models.kept_vectors import KeptVectors
from .alignment import Aligner
from .features import Similarities, followed
from .pages import Evidence, Floats

SENTENCES = 6  # of all pages together
BEYOND = 3  # of a page that another one names


def telling(aligner: Aligner) -> dict[str, list[int]]:
    """Choose the sentences worth comparing, by passage id: those that say most of the question.

    A sentence counts with what stands before and above it, half as much as with its own words.
    Where a second hop leads, words tell nothing: there the first ones are chosen as well.
    """
    evidence, none = aligner.evidence, frozenset[str]()
    scored: list[tuple[float, int, int]] = []
    for page in evidence.pages:
        aligned = aligner.page(page)
        for n in range(len(page.spans)):
            said = aligned.met(n, none, none) + 0.5 * aligned.met_around(n, none, none)
            scored.append((-said, page.rank, n))
    chosen: dict[str, list[int]] = {page.id: [] for page in evidence.pages}
    ids = {page.rank: page.id for page in evidence.pages}
    for _, rank, n in sorted(scored)[:SENTENCES]:
        chosen[ids[rank]].append(n)
    for page in evidence.linked:
        if page not in evidence.named:
            first = range(min(BEYOND, len(page.spans)))
            chosen[page.id] = sorted({*first, *chosen[page.id]})
    return chosen


def similarities(
    evidence: Evidence,
    asked: Vector,
    sentences: dict[str, Vector],
    encoder: Encoder,
    phrases: KeptVectors,
) -> Similarities:
    """Compare the question with sentences and relations; see `features.Similarities`.

    Args:
        asked: the question's vector (d,).
        sentences: vectors of each page's sentences, by passage id, NaN for those that were not
            chosen; they count as the least similar of those that were.
        phrases: keeps the vectors of relations from question to question.
    """
    said = sorted(followed(evidence))
    own = [evidence.rest] if evidence.rest != evidence.asked.text else []
    vectors = phrases.of([*said, *own], encoder.encode_queries, len(asked))  # together: a pass less
    rest = vectors[-1] if own else asked
    meant = dots(vectors[: len(said)], rest)
    return Similarities(
        _filled({id_: dots(of_page, asked) for id_, of_page in sentences.items()}),
        _filled({id_: dots(of_page, rest) for id_, of_page in sentences.items()}),
        dict(zip(said, map(float, meant), strict=True)),
    )


def _filled(cosines: dict[str, Floats]) -> dict[str, Floats]:
    """Put the least of all in place of NaN."""
    least = min((float(v) for of_page in cosines.values() for v in of_page if v == v), default=0.0)
    return {id_: np.nan_to_num(of_page, nan=least) for id_, of_page in cosines.items()}
