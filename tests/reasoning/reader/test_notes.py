"""What reading takes of passages, made at ingestion or by the first question that needs it."""

from collections.abc import Callable, Sequence

import pytest
from support.fakes import WordEncoder

from hoptrail import Document, Hoptrail
from hoptrail.kg.types import Vector
from hoptrail.models import eight_bits
from hoptrail.models.encoder import SentenceEncoder, roughly
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader.notes import maker_of

LANTERN = Document(
    "lantern",
    "The Salt Lantern",
    "The Salt Lantern is a cinema in Vaagur. It was founded by Jens Thorkil in 1931. "
    "It closed in 1950.",
    "lantern.txt",
)
LARK = Document("lark", "The Lark", "The Lark is a boat. Ida Holm built it.", "lark.txt")
QUESTION = "Who founded the Salt Lantern?"


class Listening(WordEncoder):
    """Remembers what it encoded."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vector:
        self.heard += texts
        return super().encode_passages(texts, progress)


def asked(path, **options):
    """The first answer over a fresh graph, and the sentences that were encoded for it."""
    encoder = Listening()
    with Hoptrail(path, encoder=encoder) as hop:
        hop.ingest(LANTERN, **options)
        encoder.heard.clear()
        answer = hop.ask(QUESTION)
    return answer, [text for text in encoder.heard if text.startswith("The Salt Lantern: ")]


def test_a_first_question_encodes_no_sentence_that_ingestion_did(tmp_path):
    early, left = asked(tmp_path / "early.db", embed_sentences=True)
    late, made = asked(tmp_path / "late.db", keep_parses=False)
    assert left == []
    assert any("founded by Jens Thorkil" in sentence for sentence in made)
    assert early.text == late.text == "Jens Thorkil"
    assert early.candidates == late.candidates


def test_sentences_wait_for_a_question_where_eight_bits_are_no_quicker(tmp_path, monkeypatch):
    monkeypatch.setattr(eight_bits, "fits", lambda: False)
    with Hoptrail(tmp_path / "graph.db", encoder=SentenceEncoder(device="cpu")) as hop:
        hop.ingest(LANTERN)
        passages = hop.store.passages_of([LANTERN.id])
        maker = maker_of(hop.pipeline, roughly(hop.encoder))
        assert hop.store.noted("sentences", maker, passages) == {}
        hop.ingest(LARK, embed_sentences=True)
        passages = hop.store.passages_of([LARK.id])
        assert list(hop.store.noted("sentences", maker, passages)) == passages


@pytest.mark.parametrize(
    "text",
    [
        "Anna Pole didn't sell Quantrel's 2 mills in Graz (Austria).\n\nShe kept them.",
        "",
        " \n ",
        "日本 – naïve 😀 x\x00y",
    ],
)
def test_a_kept_parse_is_the_parse(text):
    pipeline = Pipeline()
    [doc] = pipeline([text])
    again = pipeline.unpack(pipeline.pack(doc))
    assert again.text == doc.text
    assert [list(map(str, sentence)) for sentence in again.sents] == [
        list(map(str, sentence)) for sentence in doc.sents
    ]
    assert [(e.text, e.label_) for e in again.ents] == [(e.text, e.label_) for e in doc.ents]
    for one, other in zip(again, doc, strict=True):
        assert (one.lemma_, one.pos_, one.tag_, one.dep_, one.head.i) == (
            (other.lemma_, other.pos_, other.tag_, other.dep_, other.head.i)
        )
