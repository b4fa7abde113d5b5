"""Heads, relations and tails, asked of real servers."""

import pytest
from support.fakes import WordEncoder

from hoptrail.kg.errors import EndpointUnavailable
from hoptrail.kg.wikidata.endpoint import Endpoint
from hoptrail.kg.wikidata.index import read_names
from hoptrail.kg.wikidata.knowledge import Knowledge
from hoptrail.kg.wikidata.linking import Linker
from hoptrail.kg.wikidata.names import NameIndex
from hoptrail.kg.wikidata.properties import Properties, Property, read_properties
from hoptrail.models.cache import Responses


@pytest.fixture(params=["index", "endpoint"])
def knowledge(request, sparql) -> Knowledge:
    """With an index of the endpoint's names, and with the endpoint's exact names alone."""
    return made(Endpoint(sparql), request.param == "index")


def made(endpoint, indexed=False):
    index = NameIndex() if indexed else None
    if index is not None:
        read_names(endpoint, index)
    encode = WordEncoder().encode_queries
    properties = Properties(read_properties(endpoint), encode)
    return Knowledge(Linker(endpoint, index, encode), properties)


def texts(told):
    return {tail.text for tail in told.tails} if told else None


@pytest.mark.parametrize(
    ("head", "relation", "tails"),
    [
        ("Ilse Marn", "place of birth", {"Vaagur"}),
        ("Ilse Maria Marn", "was born in", {"Vaagur"}),
        ("Ilse Marn", "date of birth", {"1899-05-02T00:00:00Z"}),
        ("Ilse Marn", "father", {"Karl Marn"}),
        # Somebody unknown is no tail.
        ("Ilse Marn", "was married to", {"Odo Brandt"}),
        # Not stated of him, but of his wife.
        ("Odo Brandt", "spouse", {"Ilse Marn"}),
        # A property's own name excludes all others: a child is no father.
        ("Karl Marn", "father", None),
        ("Odo Brandt", "father", None),
        ("Nobody Known", "father", None),
        ("Ilse Marn", "is", None),
    ],
)
def test_a_head_and_a_relation_give_the_tails(knowledge, head, relation, tails):
    assert texts(knowledge.tails(head, relation)) == tails


def test_the_context_tells_namesakes_apart(knowledge):
    film = "The Salt Lantern"
    early = knowledge.tails(film, "director", "The 1931 film The Salt Lantern was widely shown.")
    late = knowledge.tails(film, "director", "The Salt Lantern, with Anke Sol, won a prize.")
    assert (texts(early), texts(late)) == ({"Ilse Marn"}, {"Odo Brandt"})


def test_what_is_asked_for_tells_namesakes_apart(knowledge):
    assert knowledge.tails("Vaagur", "mayor").head == "Q9000010"


def test_a_chain_goes_on_from_items_not_from_their_names(knowledge):
    [director] = knowledge.tails("The Salt Lantern", "directed by", "in 1974").tails
    assert knowledge.tails([director.id], "died on").tails[0].text.startswith("1980")
    assert texts(knowledge.tails([director.id], "place of birth")) == {"Vaagur"}


def test_tails_are_a_set_and_name_their_statements(knowledge):
    told = knowledge.tails(["Q9000010"], "mayor")
    assert told.statements == (
        "⟨Vaagur (Q9000010); head of government (P6); Ada Thorkil (Q9000012)⟩",
        "⟨Vaagur (Q9000010); head of government (P6); Jens Thorkil (Q9000013)⟩",
    )
    back = knowledge.tails(["Q9000004"], "spouse")
    assert back.inverse
    assert back.statements == ("⟨Ilse Marn (Q9000003); spouse (P26); Odo Brandt (Q9000004)⟩",)


def test_the_type_that_is_asked_for_decides_between_properties(knowledge):
    # "died" is an alias of the date and of the place.
    assert knowledge.tails(["Q9000008"], "died", wants="WikibaseItem").pid == "P20"


def test_a_question_takes_at_most_three_queries_and_none_again(oxigraph, tmp_path):
    kept = Responses(tmp_path / "kept.db")
    for queries in (3, 0):
        endpoint = Endpoint(oxigraph, kept=kept)
        knowledge = made(endpoint)
        before = endpoint.asked
        told = knowledge.tails("The Salt Lantern", "director", "The Salt Lantern of 1931")
        assert texts(knowledge.tails([t.id for t in told.tails], "born in")) == {"Vaagur"}
        assert endpoint.asked - before == queries
    kept.close()


def test_an_endpoint_out_of_reach_is_not_an_empty_answer(oxigraph):
    knowledge = made(Endpoint(oxigraph))
    knowledge.endpoint.offline = True
    with pytest.raises(EndpointUnavailable):
        knowledge.tails("Ilse Marn", "father")


PROPERTIES = [
    Property("P57", "director", ("directed by",), type="WikibaseItem", count=100),
    Property("P58", "screenwriter", ("written by", "director of words"), type="WikibaseItem"),
    Property("P345", "IMDb ID", ("director",), type="ExternalId", count=10**6),
    Property("P9999", "director identifier"),
]


@pytest.mark.parametrize(
    ("phrase", "pids"),
    [
        ("Director", ["P57"]),
        ("was directed by", ["P57"]),
        ("the director of", ["P57"]),
        ("is film directed by", ["P57"]),
        ("was", []),
        ("words", ["P58", "P57"]),
    ],
)
def test_a_phrase_means_a_property(phrase, pids):
    properties = Properties(PROPERTIES, WordEncoder().encode_queries)
    assert [one.id for one in properties.linked(phrase)] == pids


@pytest.mark.parametrize("phrase", ["is director", "was a director of", "is director in"])
def test_what_something_is_is_no_property(phrase):
    assert Properties(PROPERTIES).named(phrase) == {}


KINDS = [
    Property("P17", "country", ("state",), count=300),
    Property("P131", "located in the administrative territorial entity", ("in",), count=200),
    Property("P276", "location", ("in", "is in", "located in", "village"), count=100),
    Property("P26", "spouse", ("wife",)),
    Property("P40", "child"),
    Property("P25", "mother"),
    Property("P175", "performer", ("song by artist",)),
]


@pytest.mark.parametrize(
    ("phrase", "pids"),
    [
        # By use: any of them may be meant.
        ("is village in", ["P17", "P131", "P276"]),
        ("is in", ["P17", "P131", "P276"]),
        # A name comes before what the form allows besides.
        ("located in", ["P276", "P17", "P131"]),
        ("is song by", ["P175"]),
        # Who is the wife has a spouse, who is the mother a child.
        ("became wife of", ["P26"]),
        ("was mother of", ["P40"]),
    ],
)
def test_the_form_of_a_phrase_says_what_it_means(phrase, pids):
    properties = Properties(KINDS, WordEncoder().encode_queries)
    assert [one.id for one in properties.linked(phrase)] == pids


def test_what_is_done_somewhere_says_not_where_it_is():
    assert Properties(KINDS).named("was released in") == {}


def test_the_only_property_of_a_head_is_meant_by_what_is_near_it_alone():
    properties = Properties(KINDS, WordEncoder().encode_queries)
    [near], [far] = (properties.linked(said, {"P175"}) for said in ("main performer", "spelled"))
    assert (near.sure(0.5), far.sure(0.5)) == (True, False)


def test_without_an_encoder_only_names_are_linked():
    properties = Properties(PROPERTIES)
    assert [one.id for one in properties.linked("director")] == ["P57"]
    assert properties.linked("words") == []
