"""reStructuredText: Sphinx's roles and directives too, and nothing from other files."""

from hoptrail.loaders.formats.rst import load


def loaded(tmp_path, text):
    path = tmp_path / "a.rst"
    path.write_text(text)
    return list(load(path))


def test_markup_goes_and_text_stays(tmp_path):
    text = """=======
Offices
=======

See :ref:`the map <map>` and :py:func:`~os.open`. It *is* ``code``.

.. versionadded:: 2.0
   The office in Graz.

Later
-----

====== =====
City   Staff
====== =====
Vienna 40
====== =====
"""
    [document] = loaded(tmp_path, text)
    assert document.title == "Offices"
    lines = document.text.split("\n")
    assert lines[0] == "See the map and os.open. It is code."
    assert "The office in Graz." in document.text
    assert lines[-1] == "City: Vienna; Staff: 40"
    assert [section.heading for section in document.sections] == ["Later"]


def test_fields_under_the_title_are_metadata_and_a_row_about_it(tmp_path):
    fields = ":Author: Ann & Bo\n:Date: 2021-06-15\n:Team: Pumps\n"
    [document] = loaded(tmp_path, f"Pump guide\n==========\n\n{fields}\nIt weighs 9 kg.\n")
    assert document.title == "Pump guide"
    assert document.metadata == {"author": "Ann & Bo", "date": "2021-06-15", "team": "Pumps"}
    assert document.text == "Author: Ann & Bo; Date: 2021-06-15; Team: Pumps\n\nIt weighs 9 kg."
    assert {fact.head for fact in document.facts} == {"Pump guide"}


def test_a_single_field_under_the_title_is_a_row_about_it(tmp_path):
    path = tmp_path / "a.rst"
    path.write_text("Dome\n====\n\n:Author: Anke Boer\n\nIt is big.\n")
    [document] = load(path)
    assert document.text.split("\n")[0] == "Author: Anke Boer"
    facts = [(fact.head, fact.relation, fact.tail) for fact in document.facts]
    assert facts == [("Dome", "Author", "Anke Boer")]


def test_nothing_is_included_or_run(tmp_path):
    (tmp_path / "secret.txt").write_text("secret words")
    text = "Text.\n\n.. include:: secret.txt\n\n.. raw:: html\n   :file: secret.txt\n\nMore."
    [document] = loaded(tmp_path, text)
    assert "secret words" not in document.text
    assert "More." in document.text


def test_the_only_section_under_a_title_is_one(tmp_path):
    text = "Pump manual\n===========\n\nMounting\n--------\n\nFour bolts hold it.\n"
    [document] = loaded(tmp_path, text)
    assert (document.title, document.text) == ("Pump manual", "Mounting\n\nFour bolts hold it.")
    assert [section.heading for section in document.sections] == ["Mounting"]


def test_a_picture_without_words_is_not_called_after_its_file(tmp_path):
    pictures = ".. image:: a.png\n\n.. image:: b.png\n   :alt: A valve\n"
    [document] = loaded(tmp_path, f"Pump\n====\n\n{pictures}\nSee it.\n")
    assert document.text == "A valve\n\nSee it."
