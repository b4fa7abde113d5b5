"""What reading takes of passages, made at ingestion or by the first question that needs it."""

import pytest
from support.fakes import WordEncoder

from hoptrail import Document, Hoptrail
from hoptrail.models.parser import Pipeline

LANTERN = Document(
    "lantern",
    "The Salt Lantern",
    "The Salt Lantern is a cinema in Vaagur. It was founded by Jens Thorkil in 1931. "
    "It closed in 1950.",
    "lantern.txt",
)
QUESTION = "Who founded the Salt Lantern?"


def asked(path, **options):
    """The first answer over a fresh graph, and how many parses it holds before and after."""
    with Hoptrail(path, encoder=WordEncoder()) as hop:
        hop.ingest(LANTERN, **options)
        passages = hop.store.passages_of([LANTERN.id])

        def kept():
            return len(hop.store.noted("parse", hop.pipeline.maker, passages))

        before = kept()
        answer = hop.ask(QUESTION)
        return answer, before, kept()


def test_a_question_keeps_the_parses_that_ingestion_left_to_it(tmp_path):
    early, *held = asked(tmp_path / "early.db")
    late, *made = asked(tmp_path / "late.db", keep_parses=False)
    assert (held, made) == ([1, 1], [0, 1])
    assert early.text == late.text == "Jens Thorkil"
    assert early.candidates == late.candidates


def test_a_document_of_another_title_is_read_under_that(tmp_path):
    with Hoptrail(tmp_path / "g.db", encoder=WordEncoder()) as hop:
        for name in ("Salt Lantern", "Sea Lantern"):
            text = "Admission: 12 crowns\nTelephone: 0298 55"
            hop.ingest(Document("lantern", f"The {name}", text, "lantern.txt"))
            answer = hop.ask(f"What is the telephone number of the {name}?")
            assert (answer.text, answer.abstained) == ("0298 55", False)


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
