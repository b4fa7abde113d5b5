"""What a file is called: numbers leave titles, a first line that is set apart is one."""

import pytest

from hoptrail.kg.text.titles import unnumbered
from hoptrail.kg.types import Section
from hoptrail.loaders.formats import markdown, text
from hoptrail.loaders.html.markup import page
from hoptrail.loaders.persons import persons


@pytest.mark.parametrize(
    ("heading", "bare"),
    [
        ("9.6. The inetd Super-Server", "The inetd Super-Server"),
        ("Chapter 3: Tides", "Tides"),
        ("Appendix A. The Manifesto", "The Manifesto"),
        ("A.2 Maps", "Maps"),
        ("II. Background", "Background"),
        ("1) Aims", "Aims"),
        ("1 Introduction", "Introduction"),
        ("2 Overview of Pumps", "Overview of Pumps"),
        ("Chapter 1", "Chapter 1"),
        ("3 Doors Down", "3 Doors Down"),
        ("1 January", "1 January"),
        ("2 Chronicles", "2 Chronicles"),
        ("7 Days", "7 Days"),
        ("2001: A Space Odyssey", "2001: A Space Odyssey"),
        ("12 Angry Men", "12 Angry Men"),
        ("Part of the Union", "Part of the Union"),
        ("A. Einstein", "A. Einstein"),
        ("12.05.2024 Meeting", "12.05.2024 Meeting"),
        ("Kapitel 2. Projektleitung", "Projektleitung"),
        ("Chapitre 2. Le port", "Le port"),
        ("Appendice A. Il porto", "Il porto"),
        ("3.2 (Walrus)", "3.2 (Walrus)"),
        ("2. (New) Valves", "(New) Valves"),
    ],
)
def test_numbers_leave_headings(heading, bare):
    assert unnumbered(heading) == bare


@pytest.mark.parametrize(
    ("headings", "named"),
    [
        (["1 Pumps", "2 Valves", "3 Doors"], ["Pumps", "Valves", "Doors"]),
        (["1 Introduction", "2 Pumps"], ["Introduction", "Pumps"]),
        (["4 Pumps", "4.1 Valves", "4.2 Seals"], ["Pumps", "Valves", "Seals"]),
        (["1 Pumps", "12 Monkeys", "7 Days"], ["1 Pumps", "12 Monkeys", "7 Days"]),
        (["1 Kings", "2 Kings", "3 Kings"], ["1 Kings", "2 Kings", "3 Kings"]),
        (["1 Day", "2 Days", "3 Days"], ["1 Day", "2 Days", "3 Days"]),
        (["1. Pumps", "2. Valves"], ["Pumps", "Valves"]),
        (["Pumps", "2.1 Valves", "2.2 Seals", "2.3 Rods"], ["Pumps", "Valves", "Seals", "Rods"]),
        (
            ["Pumps", "1. Rods", "2. Pins", "3. Nuts", "5. Cogs"],
            ["Pumps", "Rods", "Pins", "Nuts", "Cogs"],
        ),
        (["Releases", "3.1 Sarge", "4.0 Etch"], ["Releases", "3.1 Sarge", "4.0 Etch"]),
        (["3.2 Release Notes", "3.3 Release Notes"], ["3.2 Release Notes", "3.3 Release Notes"]),
        (["Clubs", "1. FC Varn", "1. FC Ulm"], ["Clubs", "1. FC Varn", "1. FC Ulm"]),
        (["802.11 Wireless", "Use"], ["802.11 Wireless", "Use"]),
        (["1 Samuel", "2 Samuel", "1 Kings"], ["1 Samuel", "2 Samuel", "1 Kings"]),
    ],
)
def test_numbers_leave_the_headings_of_a_document_that_numbers_on(tmp_path, headings, named):
    path = tmp_path / "guide.md"
    path.write_text("".join(f"# {line}\n\nThey are kept clean.\n\n" for line in headings))
    (document,) = markdown.load(path)
    assert [section.heading for section in document.sections][-len(named) + 1 :] == named[1:]
    if len(document.sections) < len(named):
        assert document.title == named[0]


@pytest.mark.parametrize(
    ("written", "title", "body"),
    [
        ("Travel policy\n\nHotels are paid.", "Travel policy", "Hotels are paid."),
        ("Travel policy\n=====\nHotels are paid.", "Travel policy", "Hotels are paid."),
        (
            "Minutes of March\nDate: 3 March\nAll came.",
            "Minutes of March",
            "Date: 3 March\nAll came.",
        ),
        ("3.4. Travel policy\n\nHotels are paid.", "Travel policy", "Hotels are paid."),
        ("1. FC Varn\n\nHotels are paid.", "1. FC Varn", "Hotels are paid."),
        ("Hotels are paid.\n\nTrains, too.", "a file", "Hotels are paid.\n\nTrains, too."),
        ("Dear Anna,\n\nHotels are paid.", "a file", "Dear Anna,\n\nHotels are paid."),
        ("Only a line", "a file", "Only a line"),
        ("Date: 3 March\n\nAll came.", "a file", "Date: 3 March\n\nAll came."),
    ],
)
def test_a_first_line_set_apart_is_the_title(tmp_path, written, title, body):
    path = tmp_path / "a_file.txt"
    path.write_text(written)
    (document,) = text.load(path)
    assert (document.title, document.text) == (title, body)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Sean R. Eddy and the HMMER development team", ["Sean R. Eddy"]),
        ("Jörg Weiß; Anne-Marie van Loon", ["Jörg Weiß", "Anne-Marie van Loon"]),
        *((said, []) for said in ["root", "Microsoft Office User", "A. Writer", "GNU Project"]),
    ],
)
def test_authors_that_are_persons_are_told_from_programs_and_bodies(said, names):
    assert persons(said) == names


def test_a_document_says_whom_it_is_by(tmp_path):
    about, sections = {"author": "Ann Lee"}, [Section(0, "Tides"), Section(7, "Ebb")]
    made = text.file_document(tmp_path / "a", "Seas", "Tides\n\nEbb", about, sections)
    assert made.text == "Author: Ann Lee\n\nTides\n\nEbb"
    assert [made.text[section.start :][:3] for section in made.sections] == ["Tid", "Ebb"]
    [fact] = made.facts
    assert (fact.head, fact.relation, fact.tail) == ("Seas", "Author", "Ann Lee")
    assert made.text[fact.start : fact.end] == "Author: Ann Lee"
    for said in ("A talk by Ann Lee.", "From: Ann Lee"):
        assert text.file_document(tmp_path / "a", "Seas", said, about).text == said
    page = text.file_document(tmp_path / "a", "Seas", "Tides", about, [Section(0, "", 1)])
    assert page.sections[0].start == 0


@pytest.mark.parametrize(
    ("title", "heading", "text", "called"),
    [
        ("Alder Tree Care | FAQ", "Questions we get", "We cut trees.",
         "Questions we get (Alder Tree Care)"),
        ("Opening hours - Graz City Library", "Opening hours", "We open at 9.",
         "Opening hours (Graz City Library)"),
        ("Opening hours - Graz City Library", "Opening hours", "The Graz City Library opens at 9.",
         "Opening hours"),
        ("Curlew 1.2 documentation", "Installation", "Unpack it.", "Installation (Curlew)"),
        ("Welcome", "Installation", "Unpack it.", "Installation"),
        ("Untitled Document", "Documents", "Unpack it.", "Documents"),
        ("Unbenanntes Dokument", "Dokumente", "Unpack it.", "Dokumente"),
    ],
)  # fmt: skip
def test_whom_a_site_is_of_is_kept_where_the_text_does_not_say_it(title, heading, text, called):
    assert page(f"<title>{title}</title><h1>{heading}</h1><p>{text}").title == called


def test_neither_an_author_nor_the_name_of_a_box_heads_a_section_of_a_page():
    found = page(
        "<h1>Looms</h1><h3 class='author'>Ann Lee</h3><p>All of them.</p><h2>Belts</h2><p>Of eel."
        "<div><h3>Note:</h3><p>Eels are rare.</div><p>They last.</p><h2>Notes</h2><p>None.</p>"
    )
    assert [section.heading for section in found.sections] == ["Belts", "Notes"]
    assert "Ann Lee\n\nAll of them." in found.text
    assert "Note:\n\nEels are rare." in found.text
