"""What the rules of a sound graph ask beside SQLite's own functions."""

import json
import sqlite3
from collections.abc import Callable

import numpy as np

from ...text.stemming import searched, terms_in
from ...text.words import normal_form, normal_title, text_key
from ...types import Passage, Triple


def add_functions(db: sqlite3.Connection) -> None:
    """Add the functions that the rules call beside SQLite's own."""
    functions: dict[str, Callable[..., str | bool]] = {
        "fit": _fit,
        "passage_id": lambda document_id, place, text: Passage(document_id, place, "", text).id,
        "triple_id": lambda *slots: Triple(*slots).id,
        "tied": lambda extractor: Triple("", "", "", str(extractor)).tied,
        "normal_form": lambda name: normal_form(str(name)),
        "normal_title": lambda title: normal_title(str(title)),
        "text_key": lambda text: text_key(str(text)),
        "stems": _stems,
        "searched": lambda text, language: searched(str(text), language),
    }
    for name, function in functions.items():
        db.create_function(name, -1, function, deterministic=True)


def _stems(title: object, text: object, language: str) -> str:
    return json.dumps(terms_in(f"{title} {text}", language), ensure_ascii=False)


def _fit(vector: object, dimension: int | None) -> bool:
    if not isinstance(vector, bytes) or len(vector) != 4 * (dimension or 0):
        return False
    return bool(np.isfinite(np.frombuffer(vector, "<f4")).all())
