"""Which properties relations are: by name, and by what is stated of both ends."""

from hoptrail.kg.linked import Claim
from hoptrail.kg.types import Triple
from hoptrail.kg.wikidata.properties import Properties, Property
from hoptrail.kg.wikidata.relations import Ends, found

PROPERTIES = Properties(
    [
        Property("P57", "director", ("directed by",)),
        Property("P22", "father", ("son of",)),
        Property("P25", "mother", ("son of",)),
        Property("P40", "child"),
        Property("P17", "country"),
        Property("P131", "located in the administrative territorial entity"),
    ]
)


def claim(item, pid, value, value_id=None):
    return Claim(item, pid, "", value, value_id, "normal", "", "", "", "", "", "http://e/q", "2026")


def ends(relation, head, tail, of_head=(), of_tail=()):
    """Between Q1 and Q2, as far as something is stated of them."""
    triple = Triple(head, relation, tail, "test")
    return Ends(triple, "Q1" if of_head else None, "Q2" if of_tail else None, of_head, of_tail)


def means(*read):
    return [(m.pid, m.inverse, m.how) for m in found(read, PROPERTIES).of(read[0].triple.relation)]


def test_a_name_excludes_all_else_and_the_ends_say_which_of_its_properties():
    son = [claim("Q1", "P25", "Ada Holm"), claim("Q1", "P22", "Jens Holm")]
    read = [ends("was the son of", "Ola", "Ada Holm", son)] * 2
    assert means(*read) == [("P25", False, "name"), ("P22", False, "name")]


def test_what_both_ends_state_is_meant_in_either_direction():
    by = [claim("Q1", "P57", "Runa Eide")]
    assert means(*[ends("a work of", "Salt", "Runa Eide", by)] * 2) == [("P57", False, "ends")]
    made = [claim("Q2", "P57", "Runa Eide")]
    assert means(*[ends("is behind", "Runa Eide", "Salt", (), made)] * 2) == [("P57", True, "ends")]


def test_of_what_a_form_allows_the_ends_decide():
    of = [claim("Q1", "P131", "Vaagur"), claim("Q1", "P17", "Eide")]
    assert means(ends("is village in", "Sund", "Vaagur", of)) == []
    assert means(*[ends("is village in", "Sund", "Vaagur", of)] * 2) == [("P131", False, "ends")]


def test_once_is_chance_and_so_is_less_than_half():
    by, other = [claim("Q1", "P57", "Runa Eide")], [claim("Q1", "P57", "Odo Brandt")]
    told = ends("a work of", "Salt", "Runa Eide", by)
    assert means(told) == []
    assert means(told, told, *[ends("a work of", "Salt", "Runa Eide", other)] * 3) == []


def test_another_item_of_the_same_name_is_not_the_tail():
    read = Ends(Triple("Ola", "kin", "Ada", "t"), "Q1", "Q2", [claim("Q1", "P40", "Ada", "Q3")], ())
    assert means(read, read) == []
