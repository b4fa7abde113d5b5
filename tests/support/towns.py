"""Questions that a ranker can learn from: which of the pages that a town names support the answer.

The hop can't tell: the town's page leads to all of them alike.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import numpy as np
from support.building import Page, page

from hoptrail.loaders.questions.files import Paragraph, Question
from hoptrail.models.encoder import Encoder
from hoptrail.reasoning.fitted import Fitted
from hoptrail.reasoning.retrieval.ranker import DEPTH, RANKER, Linear, RankerParameters
from hoptrail.reasoning.retrieval.ranker_features import FEATURES


def town(number: int, *, pairs: bool = True) -> tuple[Question, list[Page]]:
    """A question and its pages.

    Args:
        pairs: what supports has a title of two words and the others of one, or the reverse.
    """
    name = f"Kirvo{number}"
    short = [f"{stem}{number}" for stem in "Alda Belm Corv Dast Erno Falk Gunt Hark".split()]
    right, *others = short
    if pairs:
        right = f"Grey {right}"
    else:
        others = [f"Grey {title}" for title in others]
    texts = {name: f"{name} is known for {', '.join([*others[:4], right, *others[4:]])}."}
    texts |= {title: f"{title} has a long past." for title in (right, *others)}
    paragraphs = tuple(Paragraph(t, text, t in (name, right)) for t, text in texts.items())
    question = Question(f"q{number}", f"What of {name} matters?", right, (), "", 2, paragraphs, ())
    pages = [page(p.title, p.text, id=p.document_id) for p in paragraphs]
    return question, pages


def plain_ranker(encoder: Encoder) -> str:
    """A ranker that was taught nothing: the hop's own order, as `keep_parameters` takes it."""
    weights = np.array([float(name == "hop") for name in FEATURES])
    parameters = RankerParameters(Linear(weights), {}, DEPTH)
    return RANKER.to_json(Fitted(parameters, encoder.fingerprint))


def write_towns(path: Path, numbers: Iterable[int], *, pairs: bool = True) -> Path:
    """A file of such questions."""
    lines = []
    for question in (town(number, pairs=pairs)[0] for number in numbers):
        paragraphs = [asdict(paragraph) for paragraph in question.paragraphs]
        record = {"id": question.id, "question": question.question, "answer": question.answer}
        lines.append(json.dumps(record | {"paragraphs": paragraphs}))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
