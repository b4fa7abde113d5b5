"""HTML as a reader would see it."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hoptrail.kg.errors import SourceError
from hoptrail.loaders.encoding import decoded
from hoptrail.loaders.formats.html import load
from hoptrail.loaders.html.markup import MAX_DEPTH, page

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Edvard Grieg - A Wiki</title>
<meta name="author" content="A. Writer &amp; Co."><meta property="og:url" content="https://e.org/g">
<meta property="article:published_time" content="2020-01-02"></head>
<body><header>A Wiki</header><nav>Home <a href="/">Start</a></nav>
<main><h1>Edvard <i>Grieg</i></h1>
<p>Grieg was born in
   Bergen.<sup><a href="#note">[1]</a></sup> He composed.</p>
<table><tr><th>Born</th><td><p>15 June 1843</p></td></tr><tr><td></td><td>Bergen</td></tr></table>
<h2>Works<span class="mw-editsection">[edit]</span></h2><p>Peer&nbsp;Gynt.</p>
<h3>Songs</h3><ul><li><p>One</p><ul><li>inner</li></ul></li><li>two</li></ul>
</main><footer>Imprint</footer></body></html>"""
TEXT = """Grieg was born in Bergen. He composed.

Born, 15 June 1843
Bergen

Works

Peer Gynt.

Songs

One
inner
two"""


def loaded(tmp_path, data, name="a_page.html"):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    (document,) = load(path)
    return document


def test_a_page(tmp_path):
    document = loaded(tmp_path, PAGE)
    assert (document.title, document.text) == ("Edvard Grieg", TEXT)
    assert document.metadata == {
        "author": "A. Writer & Co.",
        "date": "2020-01-02",
        "url": "https://e.org/g",
        "language": "en",
    }
    places = [(section.heading, section.start) for section in document.sections]
    assert places == [("Works", TEXT.index("Works")), ("Songs", TEXT.index("Songs"))]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one<p>two", "one\n\ntwo"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<div>one <b>two</b><i>three</i></div><div>four</div>", "one twothree\n\nfour"),
        ("<dl><dt>Term<dd>Meaning<dd><p>Another</dl>after", "Term\nMeaning\nAnother\n\nafter"),
        ("<ul><li>a<li><p>b</p><p>c</p></ul>", "a\nb\nc"),
        ("<ul><li>[3 May 2017] <p>It opened.<p>b</ul>", "[3 May 2017] It opened.\nb"),
        ("<ul><li>Graz <p>It opened in 2017.</ul>", "Graz\nIt opened in 2017."),
        ("<table><tr><td>a<td>b<tr><td><td>c</table>", "a, b\nc"),
        ("<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>", "a\n\nb\n\nc"),
        ("<table><tr><td>a<td><table><tr><td>b<td>c</table><td>d</table>", "a\nb, c\n\nd"),
        ("x<pre>\n if a:\n\n   <b>go</b>\n</pre>y", "x\n\n     if a:\n\n       go\n\ny"),
        ("see <img alt='A map' src=x> here <img alt=''>", "see A map here"),
        ("<math alttext='x^2'><mi>x</mi></math> and <math><mi>y</mi></math>", "x^2 and y"),
        ("so<wbr>ft hy\xadphen", "soft hyphen"),
        ("a<p hidden>b</p><p style='color:red; display : none'>c</p>d", "a\n\nd"),
        ("a<script>b()</script><style>c</style><svg><title>e</title></svg>f", "af"),
        ("said.<a role='doc-noteref'>1</a> More. <a role='doc-backlink'>↩</a>", "said. More."),
        ("<a href='#top'>kept</a> and 10<sup>6</sup>", "kept and 106"),
        ("&eacute;&#8230;&amp;lt; 1 < 2 && 3 > 2", "é…&lt; 1 < 2 && 3 > 2"),
        ("<form>Name <select><option>x</select><button>Send</button></form>", "Name Send"),
    ],
)  # fmt: skip
def test_markup_goes_and_text_stays(html, text):
    assert page(html).text == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("out<main>in</main>out", "in"),
        ("out<div role=main>in<p>too</div>out", "in\n\ntoo"),
        ("out<article>in<article>a comment</article></article>out", "in\n\na comment"),
        ("<article>one</article><article>two</article>", "one\n\ntwo"),
        (f"<article>one</article><p>{'much ' * 9}", f"one\n\n{'much ' * 9}".strip()),
        ("<main></main>body<article>no</article><article>yes</article>", "body\n\nno\n\nyes"),
        ("<nav>menu</nav>text<footer>imprint</footer>", "text"),
        ("<article>text<footer>its own</footer></article>", "text\n\nits own"),
        ("<nav>never closed<p>the whole text", "never closed\n\nthe whole text"),
        ("<div role=navigation>menu</div><aside>aside</aside>text", "aside\n\ntext"),
    ],
)  # fmt: skip
def test_the_content_is_main_or_article_or_all_but_navigation(html, text):
    assert page(html).text == text


@pytest.mark.parametrize(
    ("html", "title", "text"),
    [
        ("<title>Grieg | Site</title><h1>Grieg</h1>Text", "Grieg", "Text"),
        ("<title>Grieg</title><h1>Griegs life</h1>Text", "Grieg", "Griegs life\n\nText"),
        ("<title>Grieg - Site</title><h2>Grieg</h2>Text<h2>Site</h2>", "Grieg", "Text\n\nSite"),
        ("<title>Site - Grieg</title>Text", "Site - Grieg", "Text"),
        ("<title>The site</title><h1>Grieg</h1>Text", "Grieg", "Text"),
        ("<title>Grieg</title><h1><a href='/'>Site</a></h1>Text", "Grieg", "Site\n\nText"),
        ("<title>Site</title><h1>One</h1>Text<h1>Two</h1>", "Site", "One\n\nText\n\nTwo"),
        ("<h1>Grieg</h1>Text<h1>Second</h1>", "Grieg", "Text\n\nSecond"),
        ("Text<h1>Late</h1>end", "Late", "Text\n\nLate\n\nend"),
        ("<meta property=og:title content=OG><h1>Grieg</h1>Text", "OG", "Grieg\n\nText"),
        ("<title/><h1/>Text", "a page", "Text"),
        ("<title> </title><title>One</title><title>Two</title>Text", "One", "Text"),
        ("<title>Only a title</title>", "Only a title", "Only a title"),
    ],
)
def test_title(tmp_path, html, title, text):
    document = loaded(tmp_path, html, "a_page.xhtml")
    assert (document.title, document.text) == (title, text)


@pytest.mark.parametrize(
    "data",
    [
        "<p>Café „Grün“".encode(),
        "<p>Café „Grün“".encode("utf-8-sig"),
        "<p>Café „Grün“".encode("utf-16"),
        "<p>Café „Grün“".encode("cp1252"),
        b"<meta charset=iso-8859-1>" + "<p>Café „Grün“".encode("cp1252"),
        b"<meta http-equiv=Content-Type content='text/html; charset=x-mac-roman'>"
        + "<p>Café „Grün“".encode(),
        b"<meta charset='MacRoman'>" + "<p>Café „Grün“".encode("mac-roman"),
        b"<?xml version='1.0' encoding='gb2312'?><p>"
        + "Café „Grün“".encode("gb18030"),
        b"<meta charset=punycode>" + "<p>Café „Grün“".encode(),
    ],
)  # fmt: skip
def test_encodings(data):
    assert page(decoded(data)).text == "Café „Grün“"


def test_a_wrong_byte_does_not_lose_the_page():
    assert page(decoded(b"<meta charset=utf-8>a\xffb")).text == "a\ufffdb"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b"<p>abc\0def", "a binary file: NUL at character 6"),
        (b"<b>" * (MAX_DEPTH + 1) + b"x", "nested deeper than"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, data, reason):
    with pytest.raises(SourceError, match=reason):
        loaded(tmp_path, data)


def test_a_page_without_text_is_no_document(tmp_path):
    path = tmp_path / "a.html"
    path.write_text("<!-- nothing --><script>only()</script>")
    assert list(load(path)) == []


def test_entities_of_a_files_own_are_not_expanded():
    laughs = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))
    html = f'<!DOCTYPE html [<!ENTITY a0 "ha">{laughs}<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    assert len(page(html + "<p>&a12; &f;", xml=True).text) < 10_000


PIECES = """<p> </p> <li> <ul> </ul> <td> <tr> <table> </table> <h1> </h1> <h2> <h3/> <pre> </pre>
<br> <main> </main> <article> </article> <nav> </nav> <title> </title> <sup> <!-- --> &nbsp; a b.
<![CDATA[ ]]>"""
MARKUP = st.lists(st.sampled_from([*PIECES.split(), " ", "\n\n"]), max_size=30).map("".join)


@settings(max_examples=300, deadline=None)
@given(MARKUP, st.booleans(), st.booleans())
@example("<h1>--><h1>-->", False, False)
def test_sections_lie_where_their_headings_stand(html, xml, chapter):
    found = page(html, xml, chapter)
    assert found.text == found.text.strip()
    assert [s.start for s in found.sections] == sorted(s.start for s in found.sections)
    for section in found.sections:
        assert " ".join(found.text[section.start :].split()).startswith(section.heading)


ABOVE = st.lists(
    st.sampled_from(
        [
            "<p><a href=a>Home</a></p>",
            "<header><a href=/><img alt='The logo' src=l.png></a></header>",
            "<ul><li><a href=a>1. A</a><li><a href=b>2. B</a><li><a href=c>3. C</a></ul>",
        ]
    )
).map("".join)
CONTENT = st.recursive(
    st.sampled_from(["<p>{} is said.</p>", "<h2>{}</h2>", "{}<br>", "<p><a href=x>Next</a></p>"]),
    lambda inner: st.tuples(
        st.sampled_from(["div", "section", "ul><li", "table><tr><td", "header"]),
        st.lists(inner, min_size=1, max_size=4).map("".join),
    ).map(lambda made: f"<{made[0]}>{made[1]}</{made[0].split('>')[0]}>"),
)


@settings(max_examples=300, deadline=None)
@given(ABOVE, st.sampled_from(["main", "article", "div"]), CONTENT)
def test_nothing_of_the_content_is_lost(above, region, content):
    words = [f"word{n}" for n in range(content.count("{}"))]
    found = page(f"{above}<{region}>{content.format(*words)}</{region}>")
    assert set(words) <= set(f"{found.title} {found.text}".split())


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300).map(lambda data: data.replace(b"\0", b"<")))
def test_any_bytes_are_some_page(data):
    page(decoded(data)).text.encode()


@pytest.mark.parametrize(
    "markup",
    [
        "<ul class='docnav'><li>The Book</li><li><a href=b>Next</a></li></ul>",
        "<div class=navheader><table><tr><td><a href=a><img alt=Prev src=p></a></table></div>",
        "<p><a href='#main'>Skip to content</a></p>",
        "<ol><li><a href='#a'>Tides</a><li><a href='#b'>Salt</a><li><a href='#c'>Ships</a></ol>",
        "<ul><li><a href=a>1. Tides</a><li><a href=b>2. Salt</a><li><a href=c>3. Ships</a></ul>",
        "<div><a href=up>Up</a> | <a href=home>Home</a></div>",
        "<p><a href=home><img alt='The logo' src=l></a></p>",
        "<nav><a href=a>Aims</a></nav>",
        "<p>Prev Up Home Next</p>",
        "<p>&lt;&lt; Prev<br>Up<br>Home<br>Next</p>",
        "<div>Previous page | <a href=up>Up</a> | Next page</div>",
    ],
)
def test_what_leads_through_the_pages_is_no_text(markup):
    html = f"<body><h1>Salt</h1><p>Salt is mined.</p>{markup}<p>It is white.</p></body>"
    assert page(html).text == "Salt is mined.\n\nIt is white."


def test_links_above_the_first_heading_are_no_text():
    html = "<p><a href=x>Get the book</a></p><h2>Salt</h2><p>It is white.</p>"
    assert page(html).text == "It is white."


@pytest.mark.parametrize("region", ["main", "article", "div role=main"])
@pytest.mark.parametrize(
    "above",
    [
        "<header><a href=/><img alt='The logo' src=l.png></a> <a href=/login>Log in</a></header>",
        "<p><a href='#content'>Skip to the content</a></p>",
        "<article><a href=x>Get the book</a></article>",
    ],
)
def test_links_above_the_content_take_nothing_of_it(region, above):
    content = "<h1>Salt</h1><p>It is white.</p><p>Ann Lee mines it.</p>"
    html = f"<title>Salt - Welcome</title>{above}<{region}>{content}</{region.split()[0]}>"
    found = page(html)
    assert (found.title, found.text) == ("Salt", "It is white.\n\nAnn Lee mines it.")


def test_entries_of_contents_may_be_blocks_of_their_own():
    entry = "<p><a href='#{0}'>{0}</a></p>"
    contents = "".join(entry.format(name) for name in ("launch", "tasks", "profiles"))
    heading = "<p>Read all.</p><p><a href='#launch'>Launch it</a></p><p>Run it.</p>"
    assert page(f"{contents}{heading}").text == "Read all.\n\nLaunch it\n\nRun it."


@pytest.mark.parametrize(
    "markup",
    [
        "<ul><li><a href=a>Kestrel 80</a><li><a href=b>Merlin 150</a><li><a href=c>Wren</a></ul>",
        "<p><a href=a>A short history</a></p>",
        "<p>See <a href='#next'>Next</a>.</p>",
        "<p>Next: Ships. Previous: Tides</p>",
    ],
)
def test_links_that_say_something_stay(markup):
    assert page(f"<h1>Salt</h1><p>It is white.</p>{markup}").text != "It is white."


@pytest.mark.parametrize(
    "markup",
    [
        "<dl><dt>Style:<dd>porter<dt>Hops<dd>Fuggles</dl>",
        "<table><tr><th>Style<td>porter<tr><th>Hops<td>Fuggles</table>",
    ],
)
def test_names_and_values_state_what_the_heading_above_them_is(tmp_path, markup):
    path = tmp_path / "a.html"
    path.write_text(f"<title>Beers</title><h1>Beers</h1><h2>Slate</h2>{markup}<p>It is dark.")
    [document] = load(path)
    assert "Style: porter; Hops: Fuggles\n" in document.text
    assert [(f.head, f.relation, f.tail) for f in document.facts] == [
        ("Slate", "Style", "porter"),
        ("Slate", "Hops", "Fuggles"),
    ]


def test_a_glossary_stays_text(tmp_path):
    path = tmp_path / "a.html"
    path.write_text("<h1>Words</h1><dl><dt>ale<dd>A beer.<dt>malt<dd>It is grain.</dl>")
    [document] = load(path)
    assert (document.text, document.facts) == ("ale\nA beer.\nmalt\nIt is grain.", ())


MENU = '<ul id="menu"><li><a href="/">Start</a><li><a href="/kit">Kit</a></ul>'


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (f"{MENU}<p>We paddle.", "We paddle."),
        ('<ul class="menu"><li>Soup<li>Pie</ul>', "Soup\nPie"),  # a restaurant's
        ('<p>We paddle.<div class="footer">last changed by kb</div>', "We paddle."),
        ("<p>It costs <s>20</s> <del>18</del> 15 euros.", "It costs 15 euros."),
        ('<div class="htmltoc"><h4>Contents:</h4><a href="#a">A</a></div><p>Text.', "Text."),
    ],
)
def test_menus_footers_and_what_is_struck_out_go(html, text):
    assert page(html).text == text


ABOVE = """<div class="header"><p>Next: <a href="b.html" rel="next">Tides</a>, Previous:
<a href="a.html" rel="prev">Top</a>, Up: <a href="i.html" rel="up">Sea</a> &nbsp;
[<a href="i.html#C" rel="contents">Contents</a>][<a href="x.html" rel="index">Index</a>]</p>
</div>"""


@pytest.mark.parametrize("rel", [True, False])
def test_a_manuals_way_through_its_pages_goes(rel):
    way = ABOVE if rel else re.sub(' rel="[a-z]+"', "", ABOVE)
    assert page(f"{way}<hr><h3>Salt</h3><p>It is white.</p><hr>{way}").text == "It is white."


def test_words_beside_links_stay():
    assert page("<p>Next: <a href=b>Tides</a> rise.</p>").text == "Next: Tides rise."
    assert page("<p>Harbour: <a href=b>Tides</a></p>").text == "Harbour: Tides"


@pytest.mark.parametrize("sign", ["¶", "#", "§", "🔗"])
def test_a_sign_that_gives_an_address_goes(sign):
    html = f"<dl><dt><b>salt</b><a href='#salt'> {sign}</a><dd><p>White.</dl>"
    assert page(html).text == "salt\nWhite."
    assert page(f"<p>C<a href='csharp.html'>{sign}</a> is typed.").text == f"C{sign} is typed."


def test_a_page_that_only_leads_to_another_is_none(tmp_path):
    head = '<meta http-equiv="Refresh" content="0; url=new.html#Salt">'
    said = "The node you are looking for is at <a href=new.html>Salt</a>."
    with pytest.raises(SourceError, match=r"leads to new\.html#Salt"):
        loaded(tmp_path, f"{head}<p>{said}".encode())
    assert loaded(tmp_path, f"{head}<p>{said * 9}".encode()).text


def test_a_question_in_bold_is_a_heading():
    html = "<h1>FAQ</h1><p>It <b>is?</b><p><b>5.8 What is <i>salt</i>?</b></p><p>White."
    found = page(html + "<ul><li><p><strong>Why?</strong></p><p>So.</ul><p><b>No.</b></p>")
    assert [section.heading for section in found.sections] == ["What is salt?", "Why?"]
    assert "5.8 What is salt?\n\nWhite." in found.text


def test_a_footer_by_its_class_tells_contacts_too(tmp_path):
    path = tmp_path / "a.html"
    path.write_text("<p>We paddle.<div class=footer>Phone 01632 960188<br>© Club</div>")
    [document] = load(path)
    assert document.text == "We paddle.\n\nPhone 01632 960188"


def test_what_stands_around_the_content_and_tells_something_comes_last(tmp_path):
    (tmp_path / "a.html").write_text(
        "<title>Ferries</title><header><a href='/'>Kestrel</a><p>Office hours: Mon-Fri 9-17</p>"
        "<nav>Phone: 1</nav></header><main><h1>Ferries</h1><h2>Boats</h2><p>Two boats.</p></main>"
        "<aside><p>Lost property: ring <a href='tel:1'>01234 555 010</a></p><ul><li>"
        "<a href='/n'>News: a new boat</a></ul></aside>"
        "<footer>Twice a year. Editor: <b>Fiona Baikie</b>. <a href='u'>Leave</a><br>"
        "© 2025 Kestrel: all rights reserved<br>Last updated: 3 May<br><a href='/p'>Privacy</a>"
        "<p>Two boats.</footer>"
    )
    (document,) = load(tmp_path / "a.html")
    assert document.text == (
        "Boats\n\nTwo boats.\n\nOffice hours: Mon-Fri 9-17\nLost property: ring 01234 555 010\n"
        "Editor: Fiona Baikie."
    )
    assert [section.heading for section in document.sections] == ["Boats", ""]
