"""The two looks of a hop, on every store: what a question finds first, and where that leads."""

from dataclasses import replace

import pytest
from support.building import WAYS, WORDS, batch, page, titles

from hoptrail.kg.text.words import terms

FILM = page(
    "The Salt Lantern",
    "The Salt Lantern is a film by Runa Eide. It opened at the Vaagur Theatre.",
    mentions=("The Salt Lantern", "Runa Eide", "Vaagur Theatre", "Vaagur"),
)
THEATRE = page(
    "Vaagur Theatre",
    "The Vaagur Theatre was designed by Jens Thorkil.",
    mentions=("Vaagur Theatre", "Jens Thorkil"),
)
TOWN = page(
    "Faroe towns", "Runa Eide and Jens Thorkil live in Vaagur.", mentions=("Runa Eide", "Vaagur")
)
LAMP = page("Salt Lamp", "The Salt Lamp is a novel about a lamp.", mentions=("Salt Lamp",))
QUESTION = "Who designed the theatre where The Salt Lantern opened?"


@pytest.fixture
def graph(store):
    store.add(batch(FILM, THEATRE, TOWN, LAMP))
    return store


def look(graph, question=QUESTION, pool=2, within=None, asked=()):
    vector = WORDS.encode_queries([question])[0]
    return graph.candidates(vector, question, asked, terms(question), pool, within)


def cross(graph, source, question=QUESTION, ways=WAYS, known=(), within=None):
    vector = WORDS.encode_queries([question])[0]
    scores = {source.passages[0].id: 1.0}
    known = {candidate.id: candidate for candidate in known}
    found = graph.bridges(scores, vector, terms(question), ways, known, within)
    return {titles(graph, [bridge.target.id])[0]: bridge for bridge in found}


def test_candidates_are_the_nearest_the_best_worded_and_the_named(graph):
    seen = look(graph, pool=1, asked=["salt lamp"])
    by_title = {c.title: c for c in seen.found}
    assert {"the salt lantern", "salt lamp"} <= set(by_title)
    vector = WORDS.encode_queries([QUESTION])[0]
    near = {s.id: s.score for s in graph.nearest_passages(vector, 4)}
    worded = {s.id: s.score for s in graph.keyword_search(QUESTION, 1)}
    for candidate in seen.found:
        assert candidate.cosine == pytest.approx(near[candidate.id], abs=1e-4)
        assert candidate.bm25 == pytest.approx(worded.get(candidate.id, 0), abs=1e-4)


def test_candidates_know_which_stems_they_hold_and_how_rare_these_are(graph):
    seen = look(graph, pool=10)
    covered = {c.title: c.covered for c in seen.found}
    assert covered["vaagur theatre"] == {"design", "theatr"}
    assert covered["salt lamp"] == {"salt"}
    assert seen.passages == 4
    assert seen.frequencies == {"design": 1, "theatr": 2, "salt": 2, "lantern": 1, "open": 1}


def test_frequencies_follow_what_comes_changes_and_goes(graph):
    graph.add(batch(page("Salt", "Salt is mined.", "Salt lanterns are lamps.")))
    assert look(graph).frequencies["salt"] == 4
    graph.remove([LAMP.document.id, "id of Salt"])
    assert look(graph).frequencies["salt"] == 1
    graph.remove([FILM.document.id])
    assert "lantern" not in look(graph).frequencies


def test_within_gives_all_of_these_and_nothing_else(graph):
    own = [LAMP.passages[0].id, TOWN.passages[0].id]
    seen = look(graph, within=own, asked=["vaagur theatre"])
    assert {c.id for c in seen.found} == set(own)
    assert set(cross(graph, FILM, within=own)) == {"Faroe towns"}


def test_bridges_go_over_titles_either_way(graph):
    bridge = cross(graph, FILM)["Vaagur Theatre"]
    assert (bridge.names, bridge.named) == (1, 0)
    back = cross(graph, THEATRE)["The Salt Lantern"]
    assert (back.names, back.named) == (0, 1)
    assert back.target.covered >= {"open", "lantern"}


def test_bridges_know_how_many_passages_name_the_title(graph):
    graph.add(batch(page("Festivals", "The Vaagur Theatre and the Salt Lamp were lit.")))
    assert cross(graph, FILM)["Vaagur Theatre"].names == 2
    assert cross(graph, THEATRE)["Festivals"].named == 2
    assert cross(graph, THEATRE)["The Salt Lantern"].named == 2


def test_a_title_that_more_passages_name_tells_less(graph):
    town = page("Faroe guide", "Of the Vaagur Theatre and of the Salt Lamp.")
    graph.add(batch(town, page("Programme", "Tonight at the Vaagur Theatre.")))
    ways = replace(WAYS, passages=6, shares=(0.0, 0.0), links=1)
    assert cross(graph, town, ways=ways).keys() == {"Salt Lamp"}


def test_bridges_go_over_the_rarest_shared_entity(graph):
    assert cross(graph, FILM)["Faroe towns"].rarest == 2
    assert cross(graph, FILM, ways=replace(WAYS, shares=(0.0, 0.0))).keys() == {
        "Vaagur Theatre"
    }  # the title leads there anyway


def test_the_strongest_ways_are_taken_and_those_to_what_is_known(graph):
    strongest = replace(WAYS, links=1)
    assert cross(graph, FILM).keys() == {"Vaagur Theatre", "Faroe towns"}
    assert cross(graph, FILM, ways=strongest).keys() == {"Vaagur Theatre"}
    seen = look(graph, pool=10).found
    for titles_known in ({"salt lamp"}, {"faroe towns"}):
        known = [candidate for candidate in seen if candidate.title in titles_known]
        led = cross(graph, FILM, ways=strongest, known=known)
        assert "Vaagur Theatre" in led
        assert ("Faroe towns" in led) == ("faroe towns" in titles_known)


def test_a_way_is_worth_what_its_source_scores(graph):
    scores = {FILM.passages[0].id: 0.1, LAMP.passages[0].id: 0.9, THEATRE.passages[0].id: 0.2}
    vector = WORDS.encode_queries([QUESTION])[0]

    def led(**more):
        ways = replace(WAYS, links=1, shares=(0.0, 0.0), **more)
        return {
            titles(graph, [b.target.id])[0]
            for b in graph.bridges(scores, vector, terms(QUESTION), ways, {})
        }

    assert led() == {"Vaagur Theatre"}  # 0.1 * 1.0
    assert led(named=0.9) == {"The Salt Lantern"}  # 0.2 * 0.9


def test_what_the_question_names_leads_nowhere_new(graph):
    asked = "Where does Runa Eide of Vaagur live?"
    assert "Faroe towns" not in cross(graph, FILM, asked)
    assert "Faroe towns" in cross(graph, FILM, "Where does Eide live?")


def test_an_empty_graph_has_neither(new_store):
    empty = new_store()
    assert not look(empty).found
    assert empty.bridges({"x": 1.0}, WORDS.encode_queries(["x"])[0], ["x"], WAYS, {}) == []


@pytest.mark.parametrize("question", ["???", 'x" OR NEAR(:*', "слово " * 400, "a\x00b \ud800"])
def test_odd_questions_are_plain_text(graph, question):
    seen = look(graph, question, pool=10, asked=["\ud800", question[:50]])
    assert len(seen.found) == 4
    scores = {c.id: 1.0 for c in seen.found}
    graph.bridges(scores, WORDS.encode_queries(["x"])[0], terms(question), WAYS, {})
