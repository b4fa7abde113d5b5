"""Dumps of a wiki: articles as plain text with their sections and links."""

import bz2
import gzip
import random
import tracemalloc

import pytest
from support.printed import article, dump, dump_of, multistream

from hoptrail.kg.errors import SourceError
from hoptrail.kg.types import Failure
from hoptrail.loaders import documents
from hoptrail.loaders.formats import wikipedia
from hoptrail.loaders.formats.marks.wikitext import Wiki, reduced

TINY = Wiki("tinywiki", {"dosiero": 6, "kategorio": 14})


def load(tmp_path, data, name="tiny-pages-articles.xml"):
    path = tmp_path / name
    path.write_bytes(data)
    return list(wikipedia.load(path))


def linked(wikitext, wiki=TINY):
    """(text, {what a link shows and the words after it: title})."""
    text, _, anchors = reduced(wikitext, wiki)
    return text, [(text[a.start :].split()[0], a.title) for a in anchors]


def test_an_article_with_sections_links_and_metadata(tmp_path):
    page = """{{Infobox|name=[[Nowhere]]}}
'''Edvard Grieg''' ({{IPA|x}}; born 1843) came from [[bergen]].<ref>[[Book]]</ref>

== Life ==
He went to [[Leipzig (Saxony)|Leipzig]].
=== Late ===
== Notes ==
{{reflist}}
[[Kategorio:Composers]]
"""
    (document,) = load(tmp_path, dump(("Edvard Grieg", page)))
    assert document.title == "Edvard Grieg"
    assert document.metadata == {
        "page_id": "1",
        "date": "2024-05-01T12:00:00Z",
        "wiki": "tinywiki",
    }
    assert (
        document.text == "Edvard Grieg (born 1843) came from bergen.\n\nLife\n\nHe went to Leipzig."
    )
    places = [(document.text[s.start :][:4], s.heading) for s in document.sections]
    assert places == [("Edva", ""), ("Life", "Life")]
    shown = [(document.text[a.start :].split(".")[0], a.title) for a in document.anchors]
    assert shown == [("bergen", "Bergen"), ("Leipzig", "Leipzig (Saxony)")]


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("'''b''' ''i'' '''''bi'''''", "b i bi"),
        ("a<!-- gone -->b <nowiki>''x''</nowiki>", "ab x"),
        ("a&nbsp;&amp;&eacute;", "a &é"),
        ("a &#xE000;b&#xE001; [[c]]", "a b c"),  # the characters that are marks on the way
        ("[http://e.org label] stays", "label stays"),
        ("* one\n* two\n** three\n: four", "one\ntwo\nthree\nfour"),
        ("wrapped\nline\n\nnext", "wrapped line\n\nnext"),
        ("before\n{| class=x\n|-\n| cell\n|}\nafter", "before\n\nafter"),
        ("x<ref name=a>gone</ref>, y<ref name=a /> z.", "x, y z."),
        ("<gallery>\nDosiero:a.jpg\n</gallery>a <math>x^2</math> b", "a b"),
        ("{{convert|5|to|7|km|mi}} and {{convert|3|ft}}", "5 to 7 km and 3 ft"),
        ("{{lang|no|''Bjørgvin''}}, {{nowrap|as is}}{{snd}}so", "Bjørgvin, as is – so"),
        ("Name ({{x}}, {{y}}) and (; 1843) {{z}} .", "Name and (1843)."),
        ("[[Dosiero:a.jpg|thumb|of [[Bergen]]]][[Kategorio:X]][[fr:Y]]text", "text"),
        ("__NOTOC__ text {{unclosed [[also", "text unclosed also"),
        ("<div>one</div>two<br>three", "one\n\ntwo\n\nthree"),
    ],
)
def test_markup_goes_and_words_stay(wikitext, text):
    assert reduced(wikitext, TINY)[0] == text


@pytest.mark.parametrize(
    ("wikitext", "found"),
    [
        ("[[bergen]]", [("bergen", "Bergen")]),
        ("[[Bergen|the town]]s", [("the", "Bergen")]),
        ("[[dog]]s", [("dogs", "Dog")]),
        ("[[Bergen#History|x]]", [("x", "Bergen")]),
        ("[[a_b%20c]]", [("a_b%20c", "A b c")]),
        ("[[Star Wars: A New Hope]]", [("Star", "Star Wars: A New Hope")]),
        ("''[[A]]'' {{lang|de|[[B]]}}\n* [[C]]", [("A", "A"), ("B", "B"), ("C", "C")]),
        ("[[#Life|x]] [[:Kategorio:A|x]] [[User:A|x]] [[:fr:A|x]] [[wikt:a|x]] [[File:A.jpg]]", []),
    ],
)
def test_links_to_articles_are_kept(wikitext, found):
    assert linked(wikitext)[1] == found


def test_a_wiki_that_minds_capitals():
    assert linked("[[bergen]]", Wiki(capital=False))[1] == [("bergen", "bergen")]


def test_only_articles_become_documents(tmp_path):
    data = dump_of(
        article(1, "A", "Text."),
        article(2, "B", "#REDIRECT [[A]]", redirect='<redirect title="A" />'),
        article(3, "User:C", "Text.", ns=2),
        article(4, "D", "{{only a template}}"),
    )
    assert [d.title for d in load(tmp_path, data)] == ["A"]


@pytest.mark.parametrize("pack", [bytes, bz2.compress, gzip.compress, multistream])
def test_packed_or_not_it_is_the_same(tmp_path, pack):
    data = dump(*((f"Page {n}", "Some text.") for n in range(20)))
    assert [d.title for d in load(tmp_path, pack(data))] == [f"Page {n}" for n in range(20)]


def test_an_article_of_a_later_dump_replaces_itself(tmp_path):
    (before,) = load(tmp_path, dump(("A", "Old.")), "tiny-20240501-pages-articles.xml")
    (after,) = load(tmp_path, dump(("A (moved)", "New.")), "tiny-20240601-pages-articles.xml")
    assert before.id == after.id
    assert before.sha256 != after.sha256


def damaged(whole):
    data = bytearray(whole)
    data[len(data) // 2] ^= 0xFF
    return bytes(data)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda xml: xml[:-30], "damaged or cut off"),
        (lambda xml: xml.replace(b"</title>", b"</titel>"), "damaged or cut off"),
        (lambda xml: multistream(xml)[:-20], "cut off"),
        (lambda xml: gzip.compress(xml)[:-20], "cut off"),
        (lambda xml: damaged(bz2.compress(xml)), "can't be read: Invalid data"),
        (lambda xml: b"<html><body/></html>", "not a Wikipedia dump: it begins with <html>"),
        (lambda xml: b"no XML at all", "not a Wikipedia dump"),
        (lambda xml: b"", "not a Wikipedia dump"),
    ],
)
def test_what_is_no_whole_dump_says_so(tmp_path, spoil, reason):
    path = tmp_path / "a.xml"
    path.write_bytes(spoil(dump(*((f"Page {n}", "Some text.") for n in range(30)))))
    *_, last = documents([path])
    assert isinstance(last, Failure)
    assert reason in last.reason


def test_other_xml_in_a_folder_is_passed_over(tmp_path):
    (tmp_path / "pom.xml").write_text("<project/>")
    (tmp_path / "wiki.xml").write_bytes(dump(("A", "Text.")))
    assert [d.title for d in documents([tmp_path])] == ["A"]


def test_a_page_without_an_end_is_refused_in_bounded_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(wikipedia, "MAX_PAGE_BYTES", 200_000)
    path = tmp_path / "bomb.xml.bz2"
    xml = dump(("A", "First."), ("B", "x" * 10_000_000))
    path.write_bytes(bz2.compress(xml))
    del xml
    tracemalloc.start()
    try:
        found = list(documents([path]))
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert found[0].title == "A"
    assert "a page of more than 0.2 MB" in found[1].reason


def test_memory_does_not_grow_with_the_dump(tmp_path):
    path = tmp_path / "many.xml"
    path.write_bytes(dump(*((f"Page {n}", f"{n}. " + "Word. " * 1000) for n in range(1000))))
    pages = wikipedia.load(path)
    next(pages)
    tracemalloc.start()
    try:
        assert sum(1 for _ in pages) == 999
        assert tracemalloc.get_traced_memory()[1] < path.stat().st_size / 3
    finally:
        tracemalloc.stop()


PIECES = [
    *"[ ] { } | = ' # * : ; < > / & ! - \n".split(" "),
    *"[[ ]] {{ }} {| |} |- ''' <ref> </ref> <b> </b> == <!-- --> &amp; <nowiki> [[File: a".split(),
]


def test_any_mixture_of_markup_is_reduced():
    chance = random.Random(6)
    for _ in range(300):
        text = "".join(chance.choices(PIECES, k=chance.randint(1, 60)))
        found, sections, anchors = reduced(text, TINY)
        assert all(0 <= a.start <= len(found) and a.title for a in anchors)
        assert all(0 <= s.start <= len(found) for s in sections)
        assert not any("\ue000" <= c <= "\uf8ff" for c in found)


def test_broken_xml_never_raises_anything_else(tmp_path):
    whole = dump(("A", "[[B]] text."), ("B", "== H ==\n* x"))
    chance = random.Random(6)
    for number in range(150):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 5)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            load(tmp_path, bytes(data), f"{number}.xml")
        except SourceError as error:
            assert "dump" in error.reason or "damaged" in error.reason  # noqa: PT017


def test_of_several_revisions_the_last_counts(tmp_path):
    page = article(1, "Bergen", "Bergen is old.", date="2020-01-01T00:00:00Z")
    later = article(1, "Bergen", "Bergen is new.", date="2024-01-01T00:00:00Z")
    revision = later[later.index("<revision>") : later.index("</page>")]
    (document,) = load(tmp_path, dump_of(page.replace("</page>", f"{revision}</page>")))
    assert document.text == "Bergen is new."
    assert document.metadata["date"] == "2024-01-01T00:00:00Z"
