"""Text is only text, on every store."""

import pytest
from building import WORDS, batch, content, kind, page

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.text import normal_form
from hoptrail.kg.types import (
    Answer,
    Batch,
    Chain,
    Citation,
    Document,
    Failure,
    Mention,
    Passage,
    Statement,
    SupportedTriple,
    Triple,
)

HOSTILE = {
    "cypher": "Ann'}) DETACH DELETE n // \\' \" `Passage` $id {x: 1}",
    "sql": "Robert'); DROP TABLE passage; --",
    "fts5": 'title : "a" NEAR(b c, 2) AND NOT "d* ^e OR (',
    "lucene": 'text:[a TO z] +x -y && || ! ( ) { } ^2 "~" * ? : \\ / AND OR NOT',
    "quotes": "'\"`´’“”«»''\"\"",
    "control": "a\x01b\x02c\x1fd\x7fe\tf\ng\r\nh",
    "nul": "before\x00after",
    "emoji": "👩‍🚀 and 🏴󠁧󠁢󠁳󠁣󠁴󠁿 on 🚀",
    "scripts": "Ελλάδα Україна नेपाल 中国 العراق ישראל ไทย",
    "directions": "\u202eright\u202c \u200bzero\ufeff width",
    "markup": "<script>alert(1)</script> &amp; %00 %s {0} \\u0041 ${x}",
    "long": "Long name " * 1000,
    "wide": "Žluťoučký" * 1200,
    "blank": " \t ",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_comes_back_as_it_went_in(store, text):
    document = Document(f"id {text}"[:500], text, text, text, {"key": text[:2000]})
    passage = Passage(document.id, 0, text, text)
    triple = Triple(text, text, text, "test")
    mention = Mention(passage.id, text)
    vector = WORDS.encode_queries(["anything"])[0]
    store.add(
        Batch(
            [document],
            [passage],
            vector[None],
            [mention],
            [Statement(passage.id, triple, 0, 1)],
            {triple.id: vector},
            [Failure(f"{text} (source)", text)],
        )
    )
    given = Answer(
        question=text,
        method="test",
        text=text,
        abstained=False,
        chains=(Chain((SupportedTriple(triple, (passage.id,)),), 0.5),),
        passages=(Citation(passage.id, text, text, 1, 0.5),),
        model=text,
        created_at="2026-01-01T00:00:00.000000+00:00",
    )
    store.record(given)
    held = store.documents([document.id])[document.id]
    assert (held.title, held.source, dict(held.metadata)) == (text, text, {"key": text[:2000]})
    assert store.passages([passage.id]) == {passage.id: passage}
    assert store.triples([triple.id]) == {triple.id: triple}
    key = normal_form(text)
    assert store.entities([key])[key].name == text
    assert store.triples_about([key]) == [Statement(passage.id, triple, 0, 1)]
    assert store.mentioning([key]) == [passage.id]
    assert store.mentioned([passage.id]) == {passage.id: [key]}
    assert store.failures() == [Failure(f"{text} (source)", text)]
    assert store.answers([passage.id]) == [given]
    assert [f.kind for f in store.find(text)] == ["document", "entity", "question"]
    assert kind(store, "states")[0]["triple_id"] == triple.id
    assert store.remove([document.id]) == 1
    counts = {name: count for name, count in store.statistics().items() if count}
    assert counts == {"questions": 1, "answers": 1, "failures": 1}


@pytest.mark.parametrize("text", [*HOSTILE.values(), "\ud800 half", "", "*", '"', "a:b"])
def test_searching_for_hostile_text_finds_plain_words_or_nothing(store, text):
    store.add(batch(page("Innocent", "Bystander."), page("Other", "Nothing.")))
    assert store.keyword_search(text, 5) == []
    assert (
        store.keyword_search(f"{text} bystander", 5)[0].id
        == store.passages_of(["id of Innocent"])[0]
    )
    assert store.find(text) == []
    assert store.answers([text]) == store.mentioning([text]) == store.passages_of([text]) == []
    assert store.documents([text]) == store.passages([text]) == store.triples([text]) == {}
    assert store.remove([text]) == 0
    assert store.statistics()["documents"] == 2


def test_half_of_a_surrogate_pair_is_refused_and_nothing_enters(store):
    before = content(store)
    with pytest.raises(BadRequest, match="surrogate"):
        store.add(batch(page("Whole", "Text."), page("Half", "Half of \ud83d.")))
    assert content(store) == before


def test_many_ids_at_once(store):
    store.add(batch(page("Innocent", "Bystander.")))
    (innocent,) = store.passages_of(["id of Innocent"])
    many = [*(f"unknown {n}" for n in range(40_000)), innocent]
    assert list(store.passages(many)) == [innocent]
    found = store.nearest_passages(WORDS.encode_queries(["x"])[0], 5, within=many)
    assert [scored.id for scored in found] == [innocent]
