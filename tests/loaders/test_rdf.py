"""RDF of others: its subjects as documents with facts; what is hostile in it ends in a message."""

import bz2
import gzip

import pytest
from support.fakes import WordEncoder

from hoptrail import Hoptrail
from hoptrail.kg.errors import BadRequest
from hoptrail.kg.rdf import lines
from hoptrail.kg.rdf.spool import Spool
from hoptrail.loaders.rdf import RdfMapping, Things

PEOPLE = """
@prefix s: <http://schema.org/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
<http://x.org/me> a foaf:Person ; foaf:name "Anna Müller"@de, "Anna Mueller"@en ;
  skos:altLabel "Annie" ; rdfs:comment "A singer."@en, "Eine Sängerin."@de ;
  s:address [ s:streetAddress "Main St 1" ; s:addressLocality <http://x.org/New_York_City> ] ;
  s:birthDate "1981-02-22T00:00:00Z"^^xsd:dateTime ; s:photo "aGk="^^xsd:base64Binary ;
  s:knowsLanguage ("German" "Welsh") ; wdt:P19 <http://x.org/ulm> .
<http://x.org/ulm> rdfs:label "Ulm" ; rdfs:comment "A city." .
<http://www.wikidata.org/entity/P19> rdfs:label "place of birth"@en ; rdfs:comment "Where." .
[] a s:Event ; s:name "Party" ; s:location <http://x.org/me> .
"""


@pytest.fixture
def told(tmp_path):
    """Reads files of these names and contents; gives documents and what was left out."""

    def read(mapping: RdfMapping | None = None, **contents: str | bytes):
        with Spool() as spool:
            for name, content in contents.items():
                file = tmp_path / name.replace("_", ".")
                file.write_bytes(content.encode() if isinstance(content, str) else content)
                spool.read(file, file.name)
            spool.index()
            return list(Things(spool, mapping or RdfMapping()).documents()), spool.left_out

    return read


def facts(document) -> set[tuple[str, str]]:
    assert all(
        document.text[fact.start : fact.end] == f"{fact.relation}: {fact.tail}"
        for fact in document.facts
    )
    return {(fact.relation, fact.tail) for fact in document.facts}


def test_a_subject_is_a_document_and_each_value_a_fact(told):
    me, ulm, _, party = told(people_ttl=PEOPLE)[0]
    assert (me.title, me.source, me.metadata) == (
        "Anna Mueller",
        "people.ttl",
        {"iri": "http://x.org/me"},
    )
    assert me.text.startswith("A singer.\n\n")
    assert facts(me) == {
        ("also called", "Annie"),
        ("is a", "Person"),
        ("address street address", "Main St 1"),
        ("address address locality", "New York City"),
        ("birth date", "1981-02-22"),
        ("knows language", "German"),
        ("knows language", "Welsh"),
        ("place of birth", "Ulm"),
    }
    assert (ulm.text, facts(ulm)) == ("A city.", set())
    assert (party.title, facts(party)) == (
        "Party",
        {("is a", "Event"), ("location", "Anna Mueller")},
    )


def test_a_mapping_names_other_properties_and_another_language(told):
    german = RdfMapping(texts=("http://schema.org/birthDate",), language="de")
    me = told(german, people_ttl=PEOPLE)[0][0]
    assert (me.title, me.text.splitlines()[0]) == ("Anna Müller", "1981-02-22T00:00:00Z")
    assert ("comment", "Eine Sängerin.") in facts(me)


def test_several_files_and_graphs_are_one(told):
    nt = "<http://x/a> <http://x/knows> <http://x/b> .\n"
    quads = '<http://x/b> <http://www.w3.org/2000/01/rdf-schema#label> "Bob" <http://x/g> .\n'
    found, _ = told(one_nt=nt, two_nq=quads + '<http://x/b> <http://x/p> "1" <http://x/h> .\n')
    assert [(d.title, facts(d)) for d in found] == [
        ("a", {("knows", "Bob")}),
        ("Bob", {("p", "1")}),
    ]
    assert found[1].metadata["graph"] == "http://x/g http://x/h"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_packed_files_are_unpacked(told, pack):
    name = "a_nt_gz" if pack is gzip.compress else "a_nt_bz2"
    assert told(**{name: pack(b'<urn:a> <urn:p> "1" .\n')})[0][0].title == "a"


def test_blank_nodes_in_circles_and_shared_many_times_end(told):
    found, _ = told(a_ttl="_:a <urn:p> _:b . _:b <urn:p> _:a ; <urn:v> 1 . <urn:x> <urn:q> _:a .")
    assert facts(found[0]) == {("q p v", "1"), ("q p p p v", "1")}
    doubled = "".join(f"_:n{i} <urn:p> _:n{i + 1} ; <urn:q> _:n{i + 1} .\n" for i in range(60))
    found, _ = told(b_ttl=f"{doubled} <urn:x> <urn:p> _:n0 ; <urn:v> 1 .")
    assert facts(found[0]) == {("v", "1")}


XML = (
    '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "abc"><!ENTITY b {}>]>'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="urn:v#">'
    '<rdf:Description rdf:about="urn:x"><v:p>{}</v:p></rdf:Description></rdf:RDF>'
)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a_nt", '<urn:a> <urn:p> "1" .\n<urn:a> <urn:p> 1 1 .\n', r"a\.nt, line 2: "),
        ("a_ttl", '<urn:a> <urn:p> "x" .'.encode("utf-16"), "line 1: .*UTF-8"),
        ("a_nt", '<urn:a> <urn:p> "é" .'.encode("latin-1"), "line 1: .*UTF-8"),
        ("a_nt", '<urn:a> <urn:p> <http://x/"><script>> .', "Invalid IRI"),
        ("a_nt", '<urn:a> <urn:p> "\\uD800" .', "line 1"),
        ("a_nt", '<urn:a> <urn:p> "' + 20_000_000 * "x" + '" .', "too long"),
        ("a_nt_gz", gzip.compress(b'<urn:a> <urn:p> "1" .\n' * 9999)[:-30], "damaged"),
        ("a_nt_gz", b"<urn:a>", "damaged"),
        ("a_jsonld", '{"@context": "http://localhost:1/c", "p": 1}', "not fetched"),
        ("a_jsonld", '{"urn:p":' * 100_000, "line 1"),
        ("a_rdf", XML.format('"&a;&a;"', "&b;"), "made of others"),
        ("a_rdf", XML.format(f'"{10_000 * "x"}"', 10_000 * "&b;"), "amplification"),
        ("a_rdf", XML.format('SYSTEM "file:///etc/passwd"', "&b;"), "stands elsewhere"),
        ("a_rdf", XML.format('"x"', "&b;")[:-30], "line 1"),
        ("a_rdf", XML.split("<rdf:D")[0].replace("{}", '"x"') + "<rdf:D><v:p>" * 600, "nest"),
        ("a_ttl", "<html>", "line 1"),
    ],
)
def test_what_is_damaged_or_hostile_is_refused_with_the_place(told, name, content, says):
    with pytest.raises(BadRequest, match=says):
        told(**{name: content})


def test_broken_lines_are_left_out_and_told_where_that_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "CHUNK", 64)  # so that faults lie in several parts
    good = [f'<urn:s{n}> <urn:p> "value {n}" .\n' for n in range(40)]
    faults = {5: "<urn:x> <urn:p> .\n", 6: "\n", 20: "\xff\n", 33: '<urn:s33> <urn:p> "open .\n'}
    file = tmp_path / "some.nt"
    file.write_bytes("".join(faults.get(n, one) for n, one in enumerate(good)).encode("latin-1"))
    with Spool(lenient=True) as spool:
        spool.read(file, "some.nt")
    assert (spool.triples, spool.broken.count) == (36, 3)  # an empty line is no fault
    places = [one.split(":")[0] for one in spool.broken.told]
    assert places == [f"some.nt, line {n}" for n in (6, 21, 34)]
    with Spool(lenient=True) as spool, pytest.raises(BadRequest, match="N-Triples and N-Quads"):
        spool.read(tmp_path / "some.nt", "some.ttl", "ttl")


def test_entities_that_abbreviate_are_fine_and_triples_about_triples_are_counted(told):
    assert facts(told(a_rdf=XML.format('"x"', "&b;&lt;"))[0][0]) == {("p", "x<")}
    _, left_out = told(a_ttl="<urn:a> <urn:p> <<( <urn:x> <urn:y> <urn:z> )>> .")
    assert left_out == {"triples about triples": 1}


def test_imported_again_only_what_changed_is_written(tmp_path):
    file = tmp_path / "people.ttl"
    file.write_text(PEOPLE)
    with Hoptrail(tmp_path / "hoptrail.db", encoder=WordEncoder()) as hop:
        assert hop.import_rdf(file).added == 4
        file.write_text(PEOPLE.replace("Main St 1", "High St 2"))
        report = hop.import_rdf(file)
        assert (report.changed, report.unchanged) == (1, 3)
        assert hop.search("Where does Anna live: High Street?")[0].passage.title == "Anna Mueller"
