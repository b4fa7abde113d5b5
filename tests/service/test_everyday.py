"""What people do every day with a graph: list, filter, show, forget; plain values, clear errors."""

import json
import re
from dataclasses import fields, is_dataclass
from html.parser import HTMLParser

import pytest

from hoptrail import Document, Hoptrail
from hoptrail.kg.answers import Answer, Candidate, Chain, Citation, Stated, SupportedTriple
from hoptrail.kg.errors import BadRequest, NotFound
from hoptrail.kg.text.marking import Excerpt
from hoptrail.kg.types import DocumentInfo, Triple
from hoptrail.kg.where import Condition
from hoptrail.service.console.surroundings import print_surroundings
from hoptrail.service.graph.show import show_json

pytestmark = pytest.mark.one_release

PEOPLE = (
    ("a", "Anna Dam", "Anna Dam was born in Vaagur.", "/data/staff/anna.txt", {"year": 2019}),
    ("b", "Bo Eide", "Bo Eide was born in Ulm.", "/data/staff/old/bo.txt", {"year": 2004}),
    ("c", "Café Ulm", "Café Ulm was founded by Bo Eide.", "/data/places.csv", {"by": "Eide"}),
    ("d", "Notes", "Anna Dam works in Ulm. Anna Dam was born in Tvøroyri.", "/other/n.md", {}),
)
BORN = "Where was Anna Dam born?"


@pytest.fixture
def hop(new_store, encoder):
    with Hoptrail(new_store(), encoder=encoder) as hop:
        hop.ingest(*(Document(*one) for one in PEOPLE))
        yield hop


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ("source=staff", "ab"),
        ("source=staff/", "ab"),
        ("source=./staff/*.txt", "ab"),
        ("source=bo.txt", "b"),
        ("source=/data", "abc"),
        ("source=data/places.csv", "c"),
        ("source=/staff", ""),
        ("source=*.csv", "c"),
        ("title~ULM", "c"),
        ("title=cafe *", "c"),
        ("title = ?nna Dam", "a"),
        ("title!~a", "bd"),
        ("year=2019", "a"),
        ("year>=2004", "ab"),
        ("year>2004", "a"),
        ("year<2019.5", "ab"),
        ("year!=2019", "bcd"),
        ("metadata.by=eide", "c"),
        ("by=Eid", ""),
        ("ingested_at>=2020-01-01", "abcd"),
        ("ingested_at<2020", ""),
        ("ingested_at=2026-02-03", "abcd"),
        ("ingested_at<=2026-02", "abcd"),
        ("ingested_at>2026-02-03", ""),
        ("ingested_at<2026-02-03T11:00", "abcd"),
        (["source=staff", "year<2010"], "b"),
        ([], "abcd"),
    ],
)
def test_conditions_choose_documents(where, ids):
    meant = [Condition.read(text) for text in ([where] if isinstance(where, str) else where)]
    found = [
        id_
        for id_, title, _, source, metadata in PEOPLE
        for held in [DocumentInfo(id_, title, source, "", metadata, "2026-02-03T10:00:00+00:00")]
        if all(condition.holds(held) for condition in meant)
    ]
    assert "".join(found) == ids


@pytest.mark.parametrize("where", ["year", "=x", "", "~"])
def test_what_is_no_condition_is_told(where):
    with pytest.raises(BadRequest, match="is no condition"):
        Condition.read(where)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("ingested_at>=tomorrow", "tomorrow"),
        ("ingested_at<", ""),
        ("published<=2023-13-45", "2023-13-45"),
        ("published>2023-02-30T10:00", "2023-02-30T10:00"),
    ],
)
def test_a_date_that_is_none_is_told(where, value):
    with pytest.raises(BadRequest, match=f"'{value}' is no date such as 2026-01-31"):
        Condition.read(where)
    assert Condition.read("published>2024-02-29T10:00").holds
    assert Condition.read("age<0000").holds


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("price<abc", "abc"),
        ("published>=notadate", "notadate"),
        ("title>M", "M"),
        ("a<=nan", "nan"),
    ],
)
def test_what_nothing_is_compared_with_is_told(where, value):
    says = f"'{value}' is neither a number nor a date such as 2026-01-31"
    with pytest.raises(BadRequest, match=says):
        Condition.read(where)


@pytest.mark.parametrize(
    ("where", "fulfilled"),
    [
        ("tags=draft", True),
        ("tags=INTERNAL", True),
        ("tags=draft, internal", True),
        ("tags!=draft", False),
        ("tags=final", False),
        ("tags!=final", True),
        ("tags=nal", False),
        ("years>2020", True),
        ("years>2021", False),
        ("source=b.txt", False),
        ("title=Ulm", False),
        ("metadata.title=Bonn", True),
        ("tags>5", False),
        ("price<2026-01-01", False),
        ("price<7", True),
    ],
)
def test_a_text_that_lists_several_is_each_of_them(where, fulfilled):
    metadata = {"tags": "draft, internal", "years": "2019, 2021", "title": "Ulm, Bonn", "price": 3}
    held = DocumentInfo("a", "Ulm, Bonn", "/a, b.txt", "", metadata, "2026-02-03T10:00:00+00:00")
    assert Condition.read(where).holds(held) is fulfilled


def test_documents_come_in_order_and_by_pages(hop):
    assert [one.source for one in hop.documents()] == sorted(one[3] for one in PEOPLE)
    titles = [one.title for one in hop.documents(order="title", offset=1, limit=2)]
    assert titles == ["Bo Eide", "Café Ulm"]
    assert {one.id for one in hop.documents(order="newest")} == set("abcd")
    assert [one.passages for one in hop.documents()] == [1, 1, 1, 1]
    assert hop.documents(where="by=Eide")[0].to_dict()["metadata"] == {"by": "Eide"}
    assert hop.documents(limit=3, offset=9) == []
    found = hop.documents(where=["source=staff", "year<2010", "ingested_at>=2020"])
    assert [one.title for one in found] == ["Bo Eide"]
    for where, says in {
        "metadata.title=x": "None has a field metadata.title; there are: by, ",
        "datum=1": "fulfils datum=1. None has a field datum; there are: by, ingested_at, source, ",
        "by=Eid": "fulfils by=Eid. In by they have: Eide.",
        "source=bo.text": "In source they have: anna.txt, bo.txt, n.md, places.csv.",
        "metadata.year>2019": "In metadata.year they have: 2004, 2019.",
    }.items():
        with pytest.raises(NotFound, match=re.escape(says)):
            hop.documents(where=where)
    with pytest.raises(NotFound, match=r"by=Eide and year=2004\. Some fulfil each of these alone"):
        hop.documents(where=["by=Eide", "year=2004"])


@pytest.mark.parametrize("retriever", ["dense", "bm25", "hybrid", "hop", "gnn"])
def test_a_search_stays_inside_what_is_meant(hop, retriever):
    found = hop.search("Anna Dam born in Ulm", retriever=retriever, where="source=staff")
    assert {hit.passage.title for hit in found} <= {"Anna Dam", "Bo Eide"}
    assert found
    everywhere = hop.search("Anna Dam born in Ulm", retriever=retriever, where="source=*")
    assert everywhere == hop.search("Anna Dam born in Ulm", retriever=retriever)


def test_an_answer_comes_from_what_is_meant_alone(hop):
    assert hop.ask(BORN, where="source=staff").text == "Vaagur"
    notes = hop.ask(BORN, where="title=Notes")
    assert "Vaagur" not in {notes.text, *(one.text for one in notes.candidates)}
    assert {citation.title for citation in notes.passages} == {"Notes"}
    staff = hop.store.passages_of(["a", "b"])
    assert hop.search("born", within=staff, where="title~bo")[0].passage.title == "Bo Eide"
    with pytest.raises(NotFound, match="title=Nobody"):
        hop.ask(BORN, where="title=Nobody")


def test_a_question_that_is_not_answered_is_recorded_only_where_asked(hop):
    unknown = "Who is the king of Wieliczka?"
    assert hop.ask(unknown).abstained
    assert not hop.ask(BORN, where="source=staff", record=False).abstained
    assert hop.statistics()["answers"] == 0
    hop.ask(unknown, record=True)
    hop.ask(BORN, where="source=staff")
    assert hop.statistics()["questions"] == 2

    with pytest.raises(NotFound, match="Nothing was forgotten"):
        hop.forget(BORN, "no such question")
    with pytest.raises(BadRequest):
        hop.forget()
    assert hop.forget(older_than="2020-01-01") == hop.forget(BORN, older_than="30d") == 0
    assert hop.forget(BORN) == 1
    with pytest.raises(NotFound):
        hop.show(BORN)
    assert hop.show("Anna Dam")
    assert hop.forget(everything=True) == 1
    assert hop.statistics()["questions"] == hop.statistics()["answers"] == 0


def test_a_file_is_shown_by_its_name_and_facts_come_first(hop):
    hop.ask(BORN, where="source=staff")
    assert [thing["id"] for thing in hop.show("bo.txt")] == ["b"]
    assert {thing["id"] for thing in hop.show("staff")} == {"a", "b"}
    entity, document = hop.show("Anna Dam")
    assert (entity["kind"], document["kind"]) == ("entity", "document")
    order = list(entity)
    assert order.index("triples") < order.index("passages") < order.index("answers")


def test_what_show_leaves_out_is_counted(hop, capsys):
    piers = (Document(f"{n}", "Ulm", f"Ulm has pier {n}.", f"/piers/{9 - n}.md") for n in (1, 2))
    hop.ingest(piers)
    whole = show_json(hop.store, "Ulm", 50)
    assert (whole["left_out"], whole["found"][0]["left_out"]) == (0, {})
    cut = show_json(hop.store, "Ulm", 1)
    [entity] = cut["found"]
    assert cut["left_out"] == len(whole["found"]) - 1 == 2
    left = {name: len(whole["found"][0][name]) - 1 for name in entity["left_out"]}
    assert entity["left_out"] == left
    assert {"triples", "passages"} <= set(left)
    print_surroundings(cut)
    said = capsys.readouterr().out
    assert f"⟩\n    … and {left['triples']} more; --limit shows more\n" in said
    assert said.endswith("\n… and 2 more; --limit shows more\n")
    assert [one["source"] for one in hop.show("piers")] == ["/piers/7.md", "/piers/8.md"]
    with pytest.raises(BadRequest, match="The limit is 0"):
        hop.show("Ulm", limit=0)


def test_what_is_shown_reads_well(hop, capsys):
    hop.ask(BORN, where="source=staff")
    print_surroundings(show_json(hop.store, "places.csv"))
    said = capsys.readouterr().out
    assert "  metadata:\n    by: Eide\n" in said
    assert re.search(r"ingested at: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00\n", said)
    print_surroundings(show_json(hop.store, BORN))
    said = capsys.readouterr().out
    id_ = hop.store.find(BORN)[0].id
    assert said.startswith(f"question  {BORN}\n  id: {id_}\n")
    assert said.count(id_) == 1


def test_a_question_is_known_by_its_words(hop):
    hop.ask(BORN, where="source=staff")
    for spelling in ("where was anna dam born", "WHERE was  Anna Dam born?", BORN):
        assert [thing["name"] for thing in hop.show(spelling)] == [BORN]
    assert hop.forget("where was anna dam born") == 1
    with pytest.raises(NotFound):
        hop.forget("where was anna dam born")


def test_the_end_of_a_source_that_is_one_alone_is_removed(hop):
    hop.ingest(Document("e", "More notes", "Bo Eide left Ulm.", "/third/n.md"))
    with pytest.raises(BadRequest, match=r"2 sources: /other/n\.md, /third/n\.md\. "):
        hop.remove("bo.txt", "n.md")
    hop.ingest(Document("f", "More notes", "Bo Eide came back.", "/fourth/m.md"))
    with pytest.raises(BadRequest, match=r"2 sources: /fourth/m\.md, /third/n\.md\. "):
        hop.remove("More notes")
    assert hop.remove("/fourth/m.md", "third/n.md", "bo.txt") == 3
    assert {one.id for one in hop.documents()} == set("acd")


def test_everything_given_back_is_plain(hop):
    answer = hop.ask(BORN, where="source=staff")
    guessed = hop.ask("Where was Café Ulm born?")
    for one in (answer, guessed, *hop.search(BORN), *hop.documents()):
        check_plain(one)
        assert json.loads(json.dumps(one.to_dict())) == one.to_dict()
    [said, *_] = hop.search(BORN)[0].to_dict()["sentences"]
    assert said["sentence"] == "Anna Dam was born in Vaagur."
    first = guessed.candidates[0]
    assert (first.text, first.probability) == first
    assert answer.to_dict()["chains"][0]["triples"][0]["tail"] == "Vaagur"


def check_plain(value):
    if is_dataclass(value):
        for field in fields(value):
            check_plain(getattr(value, field.name))
    elif isinstance(value, dict):
        for item in value.items():
            check_plain(item)
    elif isinstance(value, list | tuple):
        for item in value:
            check_plain(item)
    else:
        assert type(value) in (str, int, float, bool, type(None)), repr(value)


def test_after_close_everything_says_so(hop):
    hop.close()
    hop.close()
    for call in (
        lambda: hop.ask(BORN),
        lambda: hop.search(BORN),
        hop.documents,
        hop.statistics,
        lambda: hop.ingest(Document(*PEOPLE[0])),
        lambda: hop.forget(everything=True),
    ):
        with pytest.raises(BadRequest, match="is closed"):
            call()


def test_a_notebook_shows_documents_words_as_text():
    evil = "<script>alert('x')</script>"
    triple = Triple(evil, "is & was", evil, "test")
    shown = Answer(
        evil,
        "trace",
        "",
        True,
        candidates=(Candidate(evil, 0.25),),
        chains=(Chain((SupportedTriple(triple, ("p",)),), 0.5),),
        passages=(Citation("p", evil, evil, 1, 0.5, evil, 3),),
    )
    for answer in (shown, Answer("Q", "trace", evil, False, confidence=0.5)):
        read = _Tags()
        read.feed(answer._repr_html_())
        assert "script" not in read.tags
        assert evil in "".join(read.text)
    assert "Insufficient evidence" in shown._repr_html_()


def test_a_notebook_shows_the_sentence_with_its_words_marked():
    stated = Stated("p", Excerpt("Ann & Bo founded X.", 10, 29, ((10, 18), (27, 28))))
    step = SupportedTriple(Triple("Ann & Bo", "founded", "X", "test"), ("p",), stated=(stated,))
    answer = Answer("Q", "trace", "X", False, chains=(Chain((step,), 0.5),))
    assert "<br>“<mark>Ann &amp; Bo</mark> founded <mark>X</mark>.”" in answer._repr_html_()


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.text.append(data)
