"""The question of a question file, whichever its layout."""

from bisect import bisect_right
from dataclasses import dataclass

from ...kg.text.words import stable_id

Fact = tuple[str, int]
"""A sentence: title of its document, number of the sentence in it, counted from 0."""
Place = tuple[int, int, int]
"""(number of the paragraph, first character, one past the last)."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph that came with a question.

    Args:
        sentences: where in the text each begins, as the file divides it, also the empty ones;
            none where the file does not say.
    """

    title: str
    text: str
    is_supporting: bool
    sentences: tuple[int, ...] = ()

    @property
    def document_id(self) -> str:
        """Id by title and text alone: the same paragraph in several files is one document."""
        return stable_id("record", self.title, self.text)

    def sentences_in(self, start: int, end: int) -> range:
        """Return the numbers, from 0, of the sentences text[start:end] is in; start < end."""
        first, last = (bisect_right(self.sentences, place) for place in (start, end - 1))
        return range(first - 1, last)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold answer.

    Args:
        id: unlike any other of the file.
        answer: "" when the file gives none (a hidden test set, or nothing to answer).
        aliases: other spellings that count as right.
        type: the benchmark's own name for the kind of question; may be empty.
        hops: steps needed; 0 when not known.
        paragraphs: its own paragraphs, in the file's order; may be empty.
        evidences: gold triples (head, relation, tail); may be empty.
        answerable: False when the right reaction is to abstain.
        subquestions: what to ask one after the other, with the gold answers of earlier ones filled
            in where MuSiQue has "#1"; may be empty.
        subanswers: their gold answers, in the same order.
        dataset: whose layout, and so whose measures: "hotpotqa", "2wikimultihopqa", "musique",
            "bamboogle", "iirc", "quality", "fever" or "squad"; "" for any other.
        options: what there is to choose from; the answer is one of them. Empty: it is free text.
        spans: the parts of an answer that has several (IIRC); else empty.
        pair: what a question shares with its twin, which is answerable where it is not
            (MuSiQue full); else "".
        supporting_facts: gold sentences, also of documents that are not among the paragraphs.
        evidence_sets: each enough to decide a claim (FEVER).
        evidence_names: for each of `evidences`, other names of its head and of its tail
            (2WikiMultihopQA with ids); empty where none are known.
        documents: titles, in any case, of documents outside of the paragraphs that it may be
            answered from (IIRC's links).
        sources: likewise, those that it is answered from, where no fact or paragraph says it.
        places: where the answers stand; empty where the file does not say (all but SQuAD).
        lures: sentences that a span reader is misled by; no file says it, see `training.lures`.
    """

    id: str
    question: str
    answer: str
    aliases: tuple[str, ...]
    type: str
    hops: int
    paragraphs: tuple[Paragraph, ...]
    evidences: tuple[tuple[str, str, str], ...]
    answerable: bool = True
    subquestions: tuple[str, ...] = ()
    subanswers: tuple[str, ...] = ()
    dataset: str = ""
    options: tuple[str, ...] = ()
    spans: tuple[str, ...] = ()
    pair: str = ""
    supporting_facts: tuple[Fact, ...] = ()
    evidence_sets: tuple[tuple[Fact, ...], ...] = ()
    evidence_names: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    documents: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    lures: tuple[Place, ...] = ()

    @property
    def supporting_titles(self) -> tuple[str, ...]:
        """Titles of all documents that carry the answer, each once."""
        facts = (*self.supporting_facts, *(fact for group in self.evidence_sets for fact in group))
        titles = [*self.sources, *(title for title, _ in facts)]
        titles += [paragraph.title for paragraph in self.paragraphs if paragraph.is_supporting]
        return tuple(dict.fromkeys(titles))
