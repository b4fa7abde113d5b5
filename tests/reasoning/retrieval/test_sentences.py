"""What a passage says among much else is found by the sentence that says it."""

import numpy as np
import pytest
from support.building import page

from hoptrail import Document, Hoptrail
from hoptrail.models import packaged
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.models.sentences import encode, maker
from hoptrail.reasoning.retrieval import Hop

pytestmark = pytest.mark.one_release

HOUSE_RULES = (
    "The kitchen on the second floor is cleaned by whoever used it last. "
    "Bicycles go into the cellar and not into the corridor. "
    "Whoever finds the lift stuck rings the caretaker, whose number hangs beside it. "
    "Parcels that come while nobody is in wait at the baker's across the road. "
    "Rubbish bags are put outside on Tuesday evenings. Please do not feed the pigeons."
)
QUESTION = "On which evening is the rubbish put out?"
DOCUMENTS = {
    "House rules": HOUSE_RULES,
    "Letter": "We put the rubbish question to the council. The answer is not out yet.",
    "Minutes": "Rubbish was discussed again. Nothing has been put to the vote.",
    "Paper recycling": "The bins for rubbish have been replaced by larger ones.",
}


@pytest.fixture
def hop(tmp_path):
    with Hoptrail(tmp_path / "house.db") as hop:
        hop.ingest(*(Document(name, name, text, name) for name, text in DOCUMENTS.items()))
        yield hop


def rank(hop, **settings):
    found = Hop(hop.store, hop.encoder, **settings).search(QUESTION, 4)
    titles = [passage.title for passage in hop.store.passages([s.id for s in found]).values()]
    return titles.index("House rules")


def test_one_sentence_among_others_brings_its_passage_to_the_front(hop):
    assert (rank(hop, sentences=0), rank(hop)) == (1, 0)


def test_a_question_that_names_a_title_is_told_by_what_that_leads_to(hop):
    named = "When does one take out Paper Recycling?"
    plain = Hop(hop.store, hop.encoder, sentences=0).search(named, 4)
    assert Hop(hop.store, hop.encoder).search(named, 4) == plain


def test_a_language_that_the_encoder_does_not_read_is_not_compared(hop):
    german = "An welchem Abend wird der Müll vor die Tür gestellt?"
    plain = Hop(hop.store, hop.encoder, sentences=0).search(german, 4)
    assert Hop(hop.store, hop.encoder).search(german, 4) == plain


def test_ingestion_keeps_what_questions_compare_and_a_question_what_was_not_kept(hop):
    ids = hop.store.passages_of(DOCUMENTS)

    def kept():
        return hop.store.noted("sentences", maker(hop.encoder), ids)

    at_first, before = kept(), hop.search(QUESTION)
    assert len(at_first[hop.store.passages_of(["House rules"])[0]]) == 6 * 384
    hop.store.note("sentences", "an older version", dict.fromkeys(ids, b"?"))
    assert hop.search(QUESTION) == before
    assert kept() == {}  # a search only reads
    hop.ask(QUESTION)
    assert kept() == at_first
    assert hop.search(QUESTION) == before


def test_a_part_is_the_mean_of_its_tokens_and_what_is_not_read_is_none():
    encoder = SentenceEncoder()
    text = "Rubbish is put out on Tuesdays. " * 60  # some 480 tokens, of which 254 are read
    parts = [(0, 31), (32, 63), (len(text) - 32, len(text))]
    [whole], [found] = encoder.encode_parts([text], [parts])
    assert np.allclose(whole, encoder.encode_passages([text])[0], atol=1e-6)
    assert found.shape == (2, 384)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert float(found[0] @ encoder.encode_passages(["Rubbish is put out on Tuesdays."])[0]) > 0.7


def test_through_the_library_each_part_is_encoded_for_itself(monkeypatch):
    monkeypatch.setattr(packaged, "computes_on", lambda device: False)
    encoder, texts = SentenceEncoder(device="cpu"), ["Ham. Eggs.", "", "Milk."]
    whole, found = encoder.encode_parts(texts, [[(0, 4), (5, 10)], [], [(0, 5)]])
    assert np.allclose(whole, encoder.encode_passages(texts))
    assert [len(of_text) for of_text in found] == [2, 0, 1]
    parts = encoder.encode_passages(["Ham.", "Eggs.", "Milk."])
    assert np.allclose(np.concatenate(found), parts, atol=1e-5)


def test_a_prefix_moves_no_part():
    [_], [plain] = SentenceEncoder().encode_parts(["Ham. Eggs."], [[(0, 4), (5, 10)]])
    [_], [prefixed] = SentenceEncoder(passage_prefix="text: ").encode_parts(
        ["Ham. Eggs."], [[(0, 4), (5, 10)]]
    )
    apart = plain @ prefixed.T
    assert apart[0, 0] > apart[0, 1]
    assert apart[1, 1] > apart[1, 0]


def test_short_lines_are_compared_together():
    column = page("Readings", "\n".join(str(number) for number in range(100, 160))).passages[0]
    _, kept = encode(SentenceEncoder(), [column])
    assert len(kept[column.id]) // 384 <= 8
