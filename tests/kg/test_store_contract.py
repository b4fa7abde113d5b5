"""What writing leaves in a graph, on every store: documents and all that is derived from them."""

import numpy as np
import pytest
from support.building import WORDS, batch, content, kind, named, page, shared
from support.fakes import WordEncoder

from hoptrail.kg.errors import BadRequest, EncoderMismatch
from hoptrail.kg.types import (
    KEYWORD_CAP,
    SCHEMA_VERSION,
    Batch,
    Document,
    Failure,
    Mention,
    Passage,
)

LANTERN = page(
    "The Salt Lantern",
    "The Salt Lantern opened at the Vaagur Theatre in 1911.",
    "Its second production moved to Tórshavn, where Jens Thorkil saw it.",
    mentions=("Salt Lantern", "Vaagur Theatre", "Tórshavn", "Jens Thorkil"),
    triples=(("The Salt Lantern", "opened at", "the Vaagur Theatre"),),
)
THEATRE = page(
    "Vaagur Theatre",
    "The theatre was designed by Jens Thorkil of TÓRSHAVN.",
    mentions=("Jens Thorkil", "TÓRSHAVN"),
    triples=(("theatre", "designed by", "Jens Thorkil"),),
)
THORKIL = page(
    "Jens Thorkil",
    "Jens Thorkil was born in Torshavn and drew the Vaagur Theatre.",
    mentions=("Jens Thorkil", "Torshavn", "Vaagur Theatre"),
    triples=(("Jens Thorkil", "born in", "Torshavn"),),
)
ALL = (LANTERN, THEATRE, THORKIL)


def test_an_empty_graph_is_empty_and_nothing_is_written_by_reading(new_store):
    store = new_store()
    vector = WORDS.encode_queries(["anything"])[0]
    assert store.info() is None
    assert set(store.statistics().values()) == {0}
    assert list(store.maintenance.records()) == []
    assert store.documents() == store.passages(["x"]) == store.entities(["x"]) == {}
    assert store.triples(["x"]) == store.triple_embeddings(["x"]) == store.mentioned(["x"]) == {}
    assert store.nearest_passages(vector, 5) == []
    assert store.keyword_search("anything", 5) == []
    assert store.keyword_search("anything", 5, ["x"]) == []
    chains = [[], [THEATRE.statements[0].triple]]
    ranked = store.rank_triples(chains, ["x"], np.stack([vector, vector]), 5)
    assert (ranked.chains, ranked.passages) == ([[], []], {})
    assert store.passages_of(["x"]) == store.failures() == store.find("x") == []
    assert store.triples_of(["x"]) == store.triples_about(["x"]) == store.mentioning(["x"]) == []
    assert (
        store.neighbours(["x"], ["NEXT", "NAMES", "SHARES_KEYWORD"]) == store.answers(["x"]) == []
    )
    assert store.documents_after("", 5) == store.recorded("", 5) == store.newest(5) == []
    assert store.passage_counts(["x"]) == {}
    assert store.remove(["x"]) == store.forget_answers(["x"]) == 0
    assert store.parameters("x") is None
    assert not store.forget_parameters("x")
    assert store.info() is None


def test_an_empty_batch_into_a_prepared_graph_changes_nothing(store):
    store.add(batch())
    assert [record["kind"] for record in store.maintenance.records()] == ["info"]


def test_adding_needs_a_prepared_graph(new_store):
    with pytest.raises(BadRequest, match="prepare"):
        new_store().add(batch(THEATRE))


def test_a_graph_knows_its_encoder(store, encoder):
    info = store.info()
    assert (info.schema_version, info.fingerprint) == (SCHEMA_VERSION, encoder.fingerprint)
    assert info.created_by.startswith("hoptrail")
    store.prepare(encoder.fingerprint)
    assert store.info() == info


def test_another_encoder_of_the_same_dimension_is_refused(store):
    with pytest.raises(EncoderMismatch, match=r"words.*other"):
        store.prepare(WordEncoder(name="other").fingerprint)


def test_vectors_of_another_dimension_are_refused_and_nothing_enters(store, encoder):
    small = WordEncoder(dimension=8)
    good = batch(THEATRE)
    vectors = small.encode_passages([p.text for p in good.passages])
    with pytest.raises(EncoderMismatch, match="64"):
        store.add(Batch(good.documents, good.passages, vectors, good.mentions, good.statements))
    assert store.statistics()["documents"] == 0
    store.add(good)
    query = small.encode_queries(["theatre"])[0]
    with pytest.raises(EncoderMismatch):
        store.nearest_passages(query, 3)
    with pytest.raises(EncoderMismatch):
        store.rank_triples([[good.statements[0].triple]], [], query[None], 3)
    with pytest.raises(EncoderMismatch):
        store.set_triple_embeddings({good.statements[0].triple.id: query})


def test_a_document_is_kept_with_all_its_properties(store):
    document = Document("d1", "Aftir regn", "Text.", "notes/rain.md", {"page": 3, "draft": True})
    passage = Passage("d1", 0, "Aftir regn", "Text.")
    store.add(Batch([document], [passage], WORDS.encode_passages(["Text."])))
    held = store.documents()["d1"]
    assert (held.title, held.source, held.sha256) == (
        "Aftir regn",
        "notes/rain.md",
        document.sha256,
    )
    assert held.metadata == {"page": 3, "draft": True}
    assert held.ingested_at.endswith("+00:00")
    assert store.documents(["d1", "unknown"]) == {"d1": held}
    assert store.documents([]) == {}
    assert store.passages(["unknown", passage.id]) == {passage.id: passage}


def test_passages_follow_each_other(store):
    store.add(batch(page("Long", "First part.", "Second part.", "Third part.")))
    ids = store.passages_of(["id of Long"])
    assert [store.passages(ids)[i].text for i in ids] == [
        "First part.",
        "Second part.",
        "Third part.",
    ]
    links = store.neighbours(ids[1:2], ["NEXT"])
    assert {(link.source, link.target) for link in links} == {(ids[0], ids[1]), (ids[1], ids[2])}
    assert store.statistics()["next"] == 2


def test_the_order_of_adding_does_not_show(store, new_store):
    store.add(batch(*ALL))
    together = content(store)
    for order in ([0, 1, 2], [2, 1, 0]):
        other = new_store()
        other.prepare(WORDS.fingerprint)
        for place in order:
            other.add(batch(ALL[place]))
        assert content(other) == together


def test_removing_is_the_inverse_of_adding(store, new_store):
    store.add(batch(*ALL))
    assert store.remove([LANTERN.document.id, "unknown"]) == 1
    left = content(store)
    afresh = new_store()
    afresh.prepare(WORDS.fingerprint)
    afresh.add(batch(THEATRE, THORKIL))
    assert left == content(afresh)


def test_removing_everything_leaves_nothing_behind(store):
    store.add(batch(*ALL))
    assert store.remove([p.document.id for p in ALL]) == 3
    assert set(store.statistics().values()) == {0}
    assert store.keyword_search("theatre", 5) == []


def test_a_changed_document_replaces_the_old_one(store, new_store):
    changed = page(
        "Vaagur Playhouse",
        "The playhouse was designed by Anna Dam.",
        mentions=("Anna Dam",),
        id=THEATRE.document.id,
    )
    store.add(batch(*ALL))
    store.add(batch(changed))
    replaced = content(store)
    afresh = new_store()
    afresh.prepare(WORDS.fingerprint)
    afresh.add(batch(LANTERN, changed, THORKIL))
    assert replaced == content(afresh)
    assert store.find("Vaagur Theatre", 1)[0].kind == "entity"
    assert store.keyword_search("playhouse", 5)


def test_adding_the_same_again_changes_nothing(store):
    store.add(batch(*ALL))
    before = content(store)
    store.add(batch(*ALL))
    assert content(store) == before


def test_an_entity_is_called_as_it_is_most_often_and_keeps_its_other_spellings(store):
    store.add(batch(*ALL))
    town = store.entities(["torshavn", "unknown"])["torshavn"]
    # "Torshavn" by a mention and a triple's end, the others by a mention each.
    assert (town.name, town.aliases) == ("Torshavn", ("TÓRSHAVN", "Tórshavn"))
    assert (town.passages, town.terms) == (3, ("torshavn",))
    store.remove([THORKIL.document.id])
    town = store.entities(["torshavn"])["torshavn"]
    assert (town.name, town.aliases, town.passages) == ("TÓRSHAVN", ("Tórshavn",), 2)


def test_an_entity_that_nothing_mentions_or_states_goes(store):
    store.add(batch(*ALL))
    assert store.entities(["theatre"])["theatre"].passages == 0  # only a triple's end
    store.remove([THEATRE.document.id])
    assert store.entities(["theatre"]) == {}
    assert "jens thorkil" in store.entities(["jens thorkil"])


def test_of_a_repeated_mention_or_statement_the_first_counts(store):
    one = batch(THEATRE)
    mentions = [*one.mentions, Mention(one.passages[0].id, "jens THORKIL")]
    store.add(
        Batch(one.documents, one.passages, one.embeddings, mentions, [*one.statements] * 2, {})
    )
    assert store.statistics()["statements"] == 1
    assert store.entities(["jens thorkil"])["jens thorkil"].aliases == ()
    assert [m["surface"] for m in kind(store, "mentions")] == ["Jens Thorkil", "TÓRSHAVN"]


def test_a_triple_that_two_passages_state_is_one_and_stays_while_one_does(store):
    first = page("A", "Oslo lies in Norway.", triples=(("Oslo", "lies in", "Norway"),))
    second = page("B", "We know: Oslo lies in Norway.", triples=(("Oslo", "lies in", "Norway"),))
    store.add(batch(first, second))
    assert (store.statistics()["triples"], store.statistics()["statements"]) == (1, 2)
    store.remove([first.document.id])
    assert (store.statistics()["triples"], store.statistics()["statements"]) == (1, 1)
    store.remove([second.document.id])
    assert store.statistics()["triples"] == store.statistics()["entities"] == 0


def test_relations_are_edges_unless_only_the_pair_is_known(store):
    known = page("A", "Oslo lies in Norway.", triples=(("Oslo", "lies in", "Norway"),))
    tied = page(
        "B", "Bergen, Norway.", triples=(("Bergen", "and", "Norway"),), extractor="rules-tied"
    )
    store.add(batch(known, tied))
    assert store.statistics()["triples"] == 2
    (edge,) = kind(store, "relates_to")
    assert (edge["source"], edge["relation"], edge["target"]) == ("oslo", "lies in", "norway")


# -- SHARES_KEYWORD
def crowd(number: int) -> list:
    return [page(f"Page {n}", f"Word{n} about Gjógv.", mentions=("Gjógv",)) for n in range(number)]


def test_passages_share_the_keywords_few_mention(store):
    store.add(batch(*ALL))
    assert shared(store)[frozenset(["Vaagur Theatre", "Jens Thorkil"])] == [
        "jens thorkil",
        "torshavn",
    ]
    (ours,) = store.passages_of([THEATRE.document.id])
    (theirs,) = store.passages_of([THORKIL.document.id])
    links = store.neighbours([ours], ["SHARES_KEYWORD"])
    (link,) = [link for link in links if link.target == theirs]
    assert (link.source, link.weight) == (ours, 2.0)
    assert link.keywords == ("jens thorkil", "torshavn")


def test_a_keyword_too_many_mention_ties_none_and_ties_again_when_fewer_do(store):
    pages = crowd(KEYWORD_CAP + 1)
    store.add(batch(*pages[:KEYWORD_CAP]))
    pairs = KEYWORD_CAP * (KEYWORD_CAP - 1) // 2
    assert store.statistics()["shares_keyword"] == len(kind(store, "shares_keyword")) == pairs
    store.add(batch(pages[-1]))
    assert store.statistics()["shares_keyword"] == 0
    assert store.neighbours(store.passages_of(["id of Page 0"]), ["SHARES_KEYWORD"]) == []
    store.remove([pages[3].document.id])
    assert store.statistics()["shares_keyword"] == len(kind(store, "shares_keyword")) == pairs


def test_a_pair_keeps_the_keywords_that_stay_rare(store):
    one = page("One", "Gjógv and Saksun.", mentions=("Gjógv", "Saksun"))
    two = page("Two", "Saksun and Gjógv.", mentions=("Gjógv", "Saksun"))
    store.add(batch(one, two))
    assert shared(store) == {frozenset(["One", "Two"]): ["gjogv", "saksun"]}
    store.add(batch(*crowd(KEYWORD_CAP)))
    assert shared(store) == {frozenset(["One", "Two"]): ["saksun"]}


# -- NAMES
def test_a_passage_names_titles_before_and_after_it(store):
    store.add(batch(LANTERN))
    store.add(batch(THEATRE))  # named by the older passage
    store.add(batch(THORKIL))  # names the older one, and is named by both
    assert named(store) == {
        ("The Salt Lantern", "Vaagur Theatre"),
        ("The Salt Lantern", "Jens Thorkil"),
        ("Vaagur Theatre", "Jens Thorkil"),
        ("Jens Thorkil", "Vaagur Theatre"),
    }


def test_names_lead_to_the_first_passage_and_never_to_the_own_title(store):
    store.add(batch(LANTERN, page("Guide", "Read The Salt Lantern, then this Guide.")))
    (guide,) = store.passages_of(["id of Guide"])
    first, second = store.passages_of([LANTERN.document.id])
    links = store.neighbours([guide, first, second], ["NAMES"])
    assert [(link.source, link.target) for link in links] == [(guide, first)]


def test_a_longer_title_hides_the_shorter_inside_it_until_it_goes(store):
    text = page("Note", "We saw The Salt Lantern Society.")
    society = page("The Salt Lantern Society", "A club.")
    store.add(batch(text, page("The Salt Lantern", "A play.")))
    assert named(store) == {("Note", "The Salt Lantern")}
    store.add(batch(society))
    assert ("Note", "The Salt Lantern") not in named(store)
    assert ("Note", "The Salt Lantern Society") in named(store)
    store.remove([society.document.id])
    assert named(store) == {("Note", "The Salt Lantern")}


def test_homonyms_are_all_named_but_do_not_name_each_other(store):
    myth = page("Lilu (mythology)", "Lilu is a demon.")
    film = page("Lilu (film)", "Lilu is a film of 1998.")
    store.add(batch(myth, page("Demons", "Among them is Lilu.")))
    store.add(batch(film))
    assert named(store) == {("Demons", "Lilu (mythology)"), ("Demons", "Lilu (film)")}
    store.remove([myth.document.id])
    assert named(store) == {("Demons", "Lilu (film)")}


def test_a_title_counts_only_where_it_is_written_with_a_capital(store):
    store.add(batch(page("One", "The water of Water."), page("Two", "Only water.")))
    store.add(batch(page("Water", "H2O.")))
    assert named(store) == {("One", "Water")}


def test_a_new_title_is_found_in_what_was_tied_to_documents_that_change(store):
    """With the ties, a server's search within the transaction loses what was tied."""
    titles, river = ("Town 5", "Town 6", "Town 7"), ("Danube",)
    towns = [page(title, f"{title} lies on the Danube.", mentions=river) for title in titles]
    letter = page("Letter", "Town 4 is on the Danube, too.", mentions=river)
    store.add(batch(*towns, letter))
    store.add(batch(page("Town 4", "A town.", mentions=river), *towns))
    assert named(store) == {("Letter", "Town 4")}


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Gjógv", "We walked to GJÓGV."),
        ("Gjógv", "We walked to Gjo\u0301gv."),  # the same letter as two characters
        ("Gjo\u0301gv", "We walked to Gjógv."),
        ("東京", "Then 東京 fell."),
        ("Владивосток", "Then Владивосток fell."),
        ("O'Brien & Sons", "They met O’Brien & Sons."),
        ("𞤀𞤣𞤤𞤢𞤥", "Then 𞤀𞤣𞤤𞤢𞤥 fell."),  # letters that older Unicode tables lack
    ],
)
def test_titles_are_found_in_any_script_and_spelling(store, title, text):
    store.add(batch(page("Note", text)))
    store.add(batch(page(title, "Itself.")))
    expected = {("Note", title)} if title != "東京" else set()  # no capitals, no names
    assert named(store) == expected


# -- failures and vectors of triples
def test_a_failure_is_kept_until_its_source_is_read(store):
    empty = np.empty((0, 64), np.float32)
    failures = [Failure("Vaagur Theatre.md", "not UTF-8"), Failure("a.pdf", "encrypted")]
    store.add(Batch([], [], empty, failures=failures))
    store.add(Batch([], [], empty, failures=[Failure("a.pdf", "still encrypted")]))
    assert store.failures() == [failures[0], Failure("a.pdf", "still encrypted")]
    store.add(batch(THEATRE))
    assert store.failures() == [Failure("a.pdf", "still encrypted")]
    assert store.statistics()["failures"] == 1


def test_triples_get_their_vectors_later_and_keep_the_first(store):
    store.add(batch(THEATRE, THORKIL, embedded=False))
    triples = [s.triple for s in (*THEATRE.statements, *THORKIL.statements)]
    vector = WORDS.encode_queries([triples[0].text])[0]
    assert store.triple_embeddings([t.id for t in triples]) == {}
    store.set_triple_embeddings({triples[0].id: vector, "unknown": vector})
    store.set_triple_embeddings({triples[0].id: -vector})
    held = store.triple_embeddings([t.id for t in triples])
    assert list(held) == [triples[0].id]
    assert held[triples[0].id].dtype == np.float32
    np.testing.assert_array_equal(held[triples[0].id], vector)
    assert store.statistics()["embedded_triples"] == 1


def test_a_replaced_document_keeps_the_vectors_of_triples_it_still_states(store):
    store.add(batch(THEATRE))
    before = store.triple_embeddings([THEATRE.statements[0].triple.id])
    store.add(batch(THEATRE, embedded=False))
    after = store.triple_embeddings([THEATRE.statements[0].triple.id])
    assert len(after) == 1
    np.testing.assert_array_equal(*before.values(), *after.values())
