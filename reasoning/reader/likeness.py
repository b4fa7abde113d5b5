"""Cosines of the question with the sentences and relations of its pages.

Relations are encoded by the encoder itself, so that any encoder will do; they are short and come
back in every question, so their vectors are kept.
"""

import numpy as np

from ...kg.types import Vector
from ...models.encoder import Encoder
from ...models.kept_vectors import KeptVectors
from .features import Similarities
from .pages import Evidence

MAX_RELATIONS = 20_000  # about 30 MB at 384 dimensions


def similarities(
    evidence: Evidence, sentences: dict[str, Vector], encoder: Encoder, relations: KeptVectors
) -> Similarities:
    """Compare the question with sentences and relations; see `features.Similarities`.

    Args:
        sentences: vectors of each page's sentences, by passage id.
        relations: keeps theirs from question to question.
    """
    asked, rest = encoder.encode_queries([evidence.asked.text, evidence.rest])
    said = sorted({s.triple.relation for p in evidence.pages for s in p.statements})
    vectors = relations.of(said, encoder.encode_passages, encoder.fingerprint.dimension)
    meant = vectors @ rest if said else np.empty(0, np.float32)
    return Similarities(
        {id_: of_page @ asked for id_, of_page in sentences.items()},
        {id_: of_page @ rest for id_, of_page in sentences.items()},
        dict(zip(said, map(float, meant), strict=True)),
    )
