"""PDF: pages as running text, and what becomes of damaged ones."""

import logging
import random

import pypdf
import pytest
from support.printed import glyphs, pdf, placed, printed, ruled

from hoptrail.kg.errors import SourceError
from hoptrail.loaders.formats.pdf import load
from hoptrail.loaders.formats.printed.pages import Page, joined

LONG = "The composer Edvard Grieg was born in the town of Bergen and lived there until he went"
WORDS = ["joy", "grief", "care", "luck", "hope", "zeal"]


def only(tmp_path, data):
    path = tmp_path / "my_notes.pdf"
    path.write_bytes(data)
    (document,) = load(path)
    return document


def text(*pages, headings=()):
    numbered = [Page(number, "\n".join(lines)) for number, lines in enumerate(pages, 1)]
    return joined(numbered, headings)


def test_pages_headings_and_metadata(tmp_path):
    info = [("Title", "Grieg"), ("Author", "A. Writer"), ("CreationDate", "D:18430615120000Z")]
    document = only(
        tmp_path,
        pdf(
            [LONG, "to Leipzig.", "Later years", "He came back."],
            ["He died in Bergen."],
            outline=[(1, "Later years")],
            info=info,
        ),
    )
    assert document.title == "Grieg"
    assert document.metadata == {"pages": 2, "author": "A. Writer", "date": "1843-06-15"}
    assert document.text.startswith(f"{LONG} to Leipzig.\n\nLater years\n\n")
    places = [
        (document.text[s.start :].split("\n")[0].split(".")[0], s.heading, s.page)
        for s in document.sections
    ]
    assert places == [
        (f"{LONG} to Leipzig", "", 1),
        ("Later years", "Later years", 1),
        ("He died in Bergen", "Later years", 2),
    ]


@pytest.mark.parametrize("title", ["", "Microsoft Word - draft3.doc", "untitled"])
def test_a_title_that_a_program_made_up_is_none(tmp_path, title):
    assert only(tmp_path, pdf(["Text."], info=[("Title", title)])).title == "my notes"


@pytest.mark.parametrize(
    ("pages", "title"),
    [
        ([["The tide package*", "Ann Lee", LONG, "to Leipzig."]], "The tide package"),
        ([["The tide", "package for all", LONG, "to Leipzig."]], "The tide package for all"),
        ([[LONG, "to Leipzig, and so it ended."]], "my notes"),
    ],
)
def test_a_first_line_that_is_a_title(tmp_path, pages, title):
    assert only(tmp_path, pdf(*pages)).title == title


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([LONG, "to Leipzig."], f"{LONG} to Leipzig."),
        ([LONG[:-4] + "exam-", "ple in Leipzig."], f"{LONG[:-4]}example in Leipzig."),
        ([LONG + " Anglo-", "Saxon."], f"{LONG} Anglo-Saxon."),
        ([LONG, "It ended.", LONG, "too."], f"{LONG} It ended.\n\n{LONG} too."),
        (["Early years", LONG, "to Leipzig."], f"Early years\n\n{LONG} to Leipzig."),
        ([LONG + ":", "• one", "• two"], f"{LONG}:\n\n• one\n\n• two"),
        ([LONG + ":", "Czech is one", "of them."], f"{LONG}:\n\nCzech is one of them."),
        (["2.2 The wrong way", LONG, "to Bonn."], f"2.2 The wrong way\n\n{LONG} to Bonn."),
        (["A ﬁne ofﬁce."], "A fine office."),
        (["Carsten Gn¨orlich, Ren´e", "and 2 ˆ 3"], "Carsten Gnörlich, René and 2 ˆ 3"),
        (["A /f_ine o/f_f_ice."], "A fine office."),
        (["See https://ulm.example/", "maps"], "See https://ulm.example/maps"),
        (["See https://ulm.example/", "v2 of 2014"], "See https://ulm.example/ v2 of 2014"),
        (["Author: Ann Lee", "Keeper: Tom Bek"], "Author: Ann Lee\n\nKeeper: Tom Bek"),
        (["A\0 bell\x07."], "A bell ."),
    ],
)
def test_lines_become_sentences_and_paragraphs(lines, expected):
    assert text(lines)[0] == expected


def test_a_sentence_goes_on_over_a_page():
    whole, sections = text([LONG], ["to Leipzig, an exam-"], ["ple of a town."])
    assert whole == f"{LONG} to Leipzig, an example of a town."
    assert [section.page for section in sections] == [1, 2, 3]
    assert whole[sections[1].start :].startswith("to Leipzig")
    assert whole[sections[2].start :].startswith("ple of")


def test_heads_and_page_numbers_go():
    pages = [
        [f"Chapter 2: Bergen {n}", *[f"{LONG} with {word} and {name}" for word in WORDS], str(n)]
        for n, name in enumerate(WORDS)
    ]
    assert "Chapter" not in text(*pages)[0]
    assert text(*pages)[0].count(LONG) == 36


def test_an_encrypted_file_opens_without_a_password_or_says_so(tmp_path):
    for password, name in (("", "open.pdf"), ("secret", "shut.pdf")):
        (tmp_path / "plain.pdf").write_bytes(pdf(["Some text."]))
        writer = pypdf.PdfWriter(tmp_path / "plain.pdf")
        writer.encrypt(password, "owner", algorithm="RC4-128")
        writer.write(tmp_path / name)
    (document,) = load(tmp_path / "open.pdf")
    assert document.text == "Some text."
    with pytest.raises(SourceError, match=r"encrypted.*password"):
        list(load(tmp_path / "shut.pdf"))


def test_a_scan_says_that_it_holds_no_text(tmp_path):
    with pytest.raises(SourceError, match="scan"):
        only(tmp_path, pdf([], []))


def test_a_page_that_cannot_be_read_is_named_and_the_others_stay(tmp_path):
    data = pdf(["First."], ["Second."], ["Third."])
    (tmp_path / "a.pdf").write_bytes(data.replace(b"8 0 obj\n<<", b"8 0 obj\n<< /Filter /Odd"))
    documents = load(tmp_path / "a.pdf")
    assert next(documents).text == "First.\n\nThird."
    with pytest.raises(SourceError, match=r"damaged.*page 2"):
        next(documents)


def test_damaged_files_say_so_or_give_what_is_left(tmp_path, capfd, caplog):
    whole = pdf([LONG, "to Leipzig."], ["More."], outline=[(1, "One"), (2, "Two")])
    chance = random.Random(6)
    files = [b"", b"%PDF-1.4", b"no pdf", whole[:200], whole[:-300]]
    files.append(whole.replace(b"/Kids [5 0 R", b"/Kids [2 0 R"))  # contains itself
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 30)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        files.append(bytes(data))
    refused = 0
    for number, data in enumerate(files):
        path = tmp_path / f"{number}.pdf"
        path.write_bytes(data)
        try:
            for document in load(path):
                document.text.encode()
                assert all(s.start <= len(document.text) for s in document.sections)
        except SourceError:
            refused += 1
    assert 5 <= refused < len(files)
    logging.getLogger("pypdf").warning("as the command line would show it")
    assert capfd.readouterr().err == ""


def test_more_pages_than_any_document_has_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("hoptrail.loaders.formats.pdf.MAX_PAGES", 2)
    assert only(tmp_path, pdf([LONG], [LONG])).metadata["pages"] == 2
    with pytest.raises(SourceError, match="3 pages, more than 2; split it"):
        only(tmp_path, pdf([LONG], [LONG], [LONG]))


def test_pages_that_swell_are_passed_over_and_named(tmp_path, monkeypatch):
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf([LONG], ["x" * 2000], ["a"] * 40, ["He lived in Bergen."]))
    monkeypatch.setattr("hoptrail.loaders.formats.pdf.MAX_PAGE_BYTES", 1500)
    monkeypatch.setattr("hoptrail.loaders.formats.pdf.MAX_STEPS", 30)
    found = load(path)
    text = next(found).text
    assert ("He lived in Bergen." in text, "xxx" in text) == (True, False)
    with pytest.raises(SourceError, match="too much: nothing could be read of page 2, 3"):
        next(found)


@pytest.mark.parametrize(("limit", "most"), [("MAX_FILE_BYTES", 500), ("MAX_FILE_STEPS", 12)])
def test_a_file_whose_pages_swell_together_is_refused(tmp_path, monkeypatch, limit, most):
    monkeypatch.setattr(f"hoptrail.loaders.formats.pdf.{limit}", most)
    assert only(tmp_path, pdf([LONG])).text
    with pytest.raises(SourceError, match=r"its pages take more than .* of drawing"):
        only(tmp_path, pdf(*[[LONG]] * 6))


@pytest.mark.parametrize(
    ("letters", "gap", "said"),
    [
        ("!~", -282, "Tests have 63 pages=sheets at most."),
        ("!~", -110, "Testshave63pages=sheetsatmost."),  # letters that stand far apart
        (" ~", -282, "Testshave63pages=sheetsatmost."),  # narrower than the font's own blank
    ],
)
def test_gaps_part_words_in_a_font_without_a_blank(tmp_path, letters, gap, said):
    words = ["Tests", "have", "63", "pages=sheets", "at", "most."]
    document = only(tmp_path, pdf(glyphs(words, gap), glyphs(words, gap), letters=letters))
    assert document.text.split("\n\n") == [said, said]


OFFICES = [("City", "Staff"), ("Graz", "12"), ("Linz", "7")]


def stated(document):
    return [(fact.head, fact.relation, fact.tail) for fact in document.facts]


def test_ruled_tables_say_what_they_say(tmp_path):
    page = printed(["The offices are these:"], 720) + ruled(OFFICES, 700)
    document = only(tmp_path, pdf(page + printed(["All of them are open."], 600)))
    assert document.text.splitlines() == [
        "The offices are these:",
        "",
        "City: Graz; Staff: 12",
        "City: Linz; Staff: 7",
        "",
        "All of them are open.",
    ]
    assert stated(document) == [("Graz", "Staff", "12"), ("Linz", "Staff", "7")]


@pytest.mark.parametrize("repeated", [True, False])
def test_a_table_that_goes_on_over_a_page_keeps_the_names_of_its_columns(tmp_path, repeated):
    further = [OFFICES[0]] * repeated + [("Wels", "3"), ("Wien", "40")]
    data = pdf(ruled(OFFICES, 100), ruled(further, 760))
    document = only(tmp_path, data)
    assert document.text.splitlines()[-1] == "City: Wien; Staff: 40"
    assert stated(document)[2:] == [("Wels", "Staff", "3"), ("Wien", "Staff", "40")]
    assert [section.page for section in document.sections] == [1, 2]


def test_boxes_around_text_are_no_tables(tmp_path):
    drawn = "".join(f"72 {100 + 20 * n} 300 20 re S 80 {105 + 20 * n} 7 7 re S\n" for n in range(5))
    assert only(tmp_path, pdf(drawn + printed(["Text in a box."], 106))).text == "Text in a box."


@pytest.mark.parametrize("damage", ["1 re S", "(a) (b) (c) (d) re S", "1e999 nan 1 1 re S"])
def test_damaged_lines_cost_no_text(tmp_path, damage):
    page = damage + "\n" + ruled(OFFICES, 700) + damage + "\n" + printed(["Then text."], 600)
    assert only(tmp_path, pdf(page)).text.endswith("Then text.")


def test_a_heading_beside_a_pages_number_is_its_head_or_foot():
    pages = [
        ["3 Lemon cells 1", "2.1 Voltage", LONG, "to Leipzig. 25", "2.1. Voltage 25"],
        ["26 Chapter 2. Cells", "2 Cells", LONG, "to Leipzig."],
    ]
    said, _ = text(*pages, headings=[(1, "Voltage"), (1, "Lemon cells"), (2, "Cells")])
    assert said == f"2.1 Voltage\n\n{LONG} to Leipzig. 25\n\n2 Cells\n\n{LONG} to Leipzig."


def test_capitals_that_a_line_end_divides_are_one_word():
    said, _ = text(["The INTER ACCEL-", "ERATOR CENTRE is in Delhi."])
    assert said == "The INTER ACCELERATOR CENTRE is in Delhi."


BODY = ("Waves run up the beach and fall back from it all day long, as they have for ages.",) * 9


def test_chapters_are_headings_where_their_titles_are_the_pages_heads():
    pages = [("3 Tides", *BODY, "3.1 ebb", *BODY), ("3 Tides", *BODY), ("4 Salt", *BODY)]
    pages += [("A Charts", *BODY), ("A Charts", "A.1 sea.c", *BODY)]
    said, sections = text(("1 Sea", *BODY), ("2 Coast", *BODY), *pages)
    assert list(dict.fromkeys(section.heading for section in sections)) == [
        "Sea", "Coast", "Tides", "ebb", "Salt", "A Charts", "sea.c"
    ]  # fmt: skip
    assert said.count("3 Tides") == said.count("A Charts") == 1


def test_numbers_that_follow_none_are_no_headings():
    lines = ("1 Sea", *BODY, "7 Gulls sat", *BODY, "2 Crabs ran", *BODY, "9.4 of them", *BODY)
    assert {section.heading for section in text(lines)[1]} == {"Sea"}


def test_options_and_rows_of_figures_stay_apart():
    long = "\u2013narrow (-n) Take the input as narrow, which it is by default (8 kHz) as ever."
    rows = ["0 250 None", "1 2,150 Poor, mostly for noise", "2 5,950 Good"]
    items = [
        f"{BODY[0][:-1]}:",
        long,
        "\u2013wide Take it as wide",
        "-q --quiet",
        "Mode Rate Is",
        *rows,
    ]
    said = text((*BODY, *items, *BODY))[0]
    assert f":\n\n{long}\n\n\u2013wide Take it as wide\n\n-q --quiet" in said
    assert "\n\n" + "\n".join(rows) in said
    turned = text(
        (*BODY, "This holds for every one of the inputs, as it does with the option", "-n too.")
    )
    assert "with the option -n too." in turned[0]


def test_a_label_at_the_right_margin_is_a_word_of_its_own(tmp_path):
    label, name = (480, 700, 12, "Resource"), (72, 700, 12, "openTimeout (class Timeout)")
    document = only(tmp_path, pdf(placed(label, name, (100, 686, 12, "How long to wait."))))
    assert document.text.startswith("Resource openTimeout (class Timeout)")


def test_terms_end_the_descriptions_that_they_stand_left_of(tmp_path):
    told = "Giving this option is the same as setting the resource of the window to"
    data = pdf(
        placed(
            (72, 720, 12, "(quiet)"),
            (110, 706, 12, told),
            (110, 692, 12, "off. See page 72, which has all details of what it does and how."),
            (72, 674, 12, "(loud)"),
            (110, 660, 12, told),
            (110, 646, 12, "on."),
        )
    )
    *_, quiet, loud, _ = only(tmp_path, data).text.split("\n\n")
    assert quiet.endswith("what it does and how.")
    assert loud == "(loud)"


def test_a_heading_in_larger_letters_ends_before_words_in_lower_case(tmp_path):
    data = pdf(
        placed(
            (72, 720, 16, "Free software"),
            (72, 700, 12, "tide is free; this means that everyone is free to use it and free to"),
            (72, 686, 12, "redistribute it on a free basis."),
        ),
        ["The end."],
    )
    assert "tide is free; this means" in only(tmp_path, data).text.split("\n\n")[-2]


def test_paragraphs_apart_from_each_other_end_also_in_a_full_line(tmp_path):
    first = "The keeper was born in the town on the island and lived there till the end."
    second = "He never left it, not for a day, as all who knew him there and then have said."
    lines = [(72, 720, first), (72, 706, second), (72, 684, first), (72, 670, second)]
    indented = [(72, 720, first), (72, 706, second), (84, 692, first), (72, 678, second)]
    for drawn in (lines, indented):
        data = pdf(["Keepers"], placed(*((x, y, 12, words) for x, y, words in drawn)))
        assert only(tmp_path, data).text.split("\n\n")[-2:] == [f"{first} {second}"] * 2


def test_an_index_is_no_text():
    entries = [f"{letter}bb, {n}, {n + 3}" for n, letter in enumerate("abcdefghij", 1)]
    assert text(BODY, ("Index", *entries, "3"), (*entries, "4"))[0].endswith("ages.")
    assert "bb, 4" in text(BODY, (*entries, "3"))[0]


def test_entries_that_lead_to_pages_are_no_text():
    entries = [f"{letter}bb . . . . . {n}, {n + 30}" for n, letter in enumerate("abcdefghij", 1)]
    contents = [f"{n}.2 {letter}bb . . {n}" for n, letter in enumerate("abcdefghij", 1)]
    pages = (("Contents", *contents, "Applying All to"), BODY, ("Label Index", "A", *entries, "B"))
    last = ("Use with. . . . . . 34, 46,", "84, 86", "Zoom. . . . . . 7")
    assert text(*pages, last)[0] == text(BODY)[0]
    assert text((*BODY, "7.3.5 Several values . . 129", *entries[:2]))[0] == text(BODY)[0]
    paused = (*BODY, "He paused . . . and so on . . .")
    assert text(paused)[0].endswith("so on . . .")


def test_a_head_on_an_empty_page_is_no_text():
    full = [(f"{n} The tide", *(f"{LONG} {n}{m}" for m in WORDS)) for n in range(2, 6)]
    for alone in ("6 The tide", "vi The tide"):
        assert "The tide" not in text(*full, (alone,))[0]
    assert "The tide" in text(*full, ("The tide",))[0]
