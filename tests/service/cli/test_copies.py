"""Copies, tables and what is passed over, as the command line tells of them."""

import json

TEXT = "Quantrel Devices was founded by Mara Lindqvist. She was born in Umea."


def test_a_passage_of_two_folders_is_one_and_names_both(run, tmp_path):
    for folder, name in (("docs", "company.md"), ("export", "about.md"), ("docs", "logo.png")):
        (tmp_path / folder).mkdir(exist_ok=True)
        text = TEXT if folder == "docs" else TEXT.replace(". ", ".\n")
        (tmp_path / folder / name).write_text(f"# {name}\n\n{text}")
    (tmp_path / "docs" / "offices.csv").write_text("city,country\nVienna,Austria\n")
    status, out, err = run("ingest", str(tmp_path / "docs"), str(tmp_path / "export"))
    assert (status, out) == (0, "")
    assert "Passed over 1 file: 1 .png." in err
    status, out, _ = run("search", "Who founded Quantrel Devices?", "--json")
    first, *others = json.loads(out)["passages"]
    assert len(others) == 1
    [other] = first["also"]
    assert other["source"] in {str(tmp_path / "docs/company.md"), str(tmp_path / "export/about.md")}
    status, out, _ = run("search", "Who founded Quantrel Devices?")
    assert "also in" in out
    status, out, _ = run("show", "Vienna", "--json")
    assert "Austria" in out


def test_rows_that_were_put_together_are_told(run, tmp_path):
    rows = "Name;Town;Remarks\nAda Brock;Leeds;plays; sings\nBen Crane;York\nCy;Dunn;Hull;1;2\n"
    (tmp_path / "club.csv").write_text(rows)
    status, _, err = run("ingest", str(tmp_path / "club.csv"))
    assert status != 0
    assert "2 documents added" in err
    assert "was put together: club.csv, line 2." in err
    assert "line 4: 5 fields where the first row has 3, left out" in err


def test_a_near_copy_is_similar_and_states_nothing(run, tmp_path):
    for name, days in (("old.md", 27), ("new.md", 28)):
        said = f"Employees of Brackwater get {days} days of annual leave, and may carry over five."
        (tmp_path / name).write_text(f"# Leave\n\n{said}\n", encoding="utf-8")
    assert run("ingest", "old.md", "new.md")[0] == 0
    asked = "How many days of annual leave do employees get?", "--retriever", "hop:near=0.6"
    for command in ("search", "ask"):
        out = run(command, *asked)[1]
        assert "similar in " in out
        assert "also in " not in out
        [only] = json.loads(run(command, *asked, "--json")[1])["passages"]
        assert [copy["near"] for copy in only["also"]] == [True]


def test_only_what_the_filter_allows_is_named(run, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "about.md").write_text(f"# About\n\n{TEXT}\n", encoding="utf-8")
    assert run("ingest", "a", "b")[0] == 0
    for command in ("search", "ask"):
        asked = command, "Who founded Quantrel Devices?"
        assert "also in " in run(*asked)[1]
        assert "also in " not in run(*asked, "--where", "source=b")[1]
