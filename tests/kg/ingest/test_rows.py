"""What rows of tables state, in the graph."""

from hoptrail.kg.ingest.rows import besides, named_in, stated_by
from hoptrail.kg.types import Fact, Statement, Triple

TEXT = "City: Vienna; Country: Austria; Staff: 40"
FACTS = (Fact(10, 51, "Vienna", "Country", "Austria"), Fact(10, 51, "Vienna", "Staff", "40"))


def test_a_row_states_its_facts_and_a_parse_nothing_within_it():
    told = {"p": stated_by(FACTS, "p", 10, 51)}
    assert [(s.triple.text, s.start, s.end) for s in told["p"]] == [
        ("Vienna Country Austria", 0, 41),
        ("Vienna Staff 40", 0, 41),
    ]
    within = Statement("p", Triple("Country", "is", "Austria", "spacy"), 14, 30)
    after = Statement("p", Triple("It", "is", "new", "spacy"), 43, 50)
    assert besides([within, after], told) == [after, *told["p"]]


def test_names_are_mentioned_and_numbers_are_not():
    facts = [*FACTS, Fact(0, 9, "Vienna", "Note", "opened by the mayor in May")]
    facts += [Fact(0, 9, "Vienna", "Head", name) for name in ("Maria de la Cruz", "Österreich")]
    named = [mention.surface for mention in named_in(facts, "p")]
    assert named == ["Vienna", "Austria", "Maria de la Cruz", "Österreich"]
