"""`ingest --prune`: what is no longer where it came from goes, and nothing else."""

import json

ROWS = "id,title,text\n1,Ulm,Ulm lies on the Danube.\n2,Bonn,Bonn lies on the Rhine.\n"


def held(run):
    lines = run("export", "-", "--no-vectors")[1].splitlines()
    return sorted(r["title"] for r in map(json.loads, lines) if r["kind"] == "document")


def test_deleted_rows_and_files_go(run, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rhine.md").write_text("# Rhine\n\nThe Rhine is a river.\n")
    (tmp_path / "docs" / "elbe.md").write_text("# Elbe\n\nThe Elbe is a river.\n")
    (tmp_path / "docs" / "towns.csv").write_text(ROWS)
    (tmp_path / "else.md").write_text("# Else\n\nElse is where nobody looked.\n")
    run("ingest", "docs", "else.md")
    (tmp_path / "docs" / "elbe.md").unlink()
    (tmp_path / "docs" / "towns.csv").write_text(ROWS.rsplit("2,", 1)[0])
    (tmp_path / "else.md").unlink()
    assert run("ingest", "docs")[0] == 0
    assert held(run) == ["Bonn", "Elbe", "Else", "Rhine", "Ulm"]
    status, out, _ = run("ingest", "docs", "--prune", "--json")
    assert (status, json.loads(out)["documents"]["removed"]) == (0, 2)
    assert held(run) == ["Else", "Rhine", "Ulm"]


def test_of_a_file_that_can_not_be_read_nothing_goes(run, tmp_path):
    (tmp_path / "towns.csv").write_text(ROWS)
    run("ingest", "towns.csv")
    (tmp_path / "towns.csv").write_text("id,title,text\n1,Ulm,Ulm lies on the Danube.\n2,3,4,5,6\n")
    status, _, err = run("ingest", "towns.csv", "--prune")
    assert (status, "line 3" in err) == (1, True)
    assert held(run) == ["Bonn", "Ulm"]


def test_it_needs_to_see_everything(run, tmp_path):
    (tmp_path / "towns.csv").write_text(ROWS)
    status, _, err = run("ingest", "towns.csv", "--prune", "--limit", "1")
    assert (status, "leave --limit out" in err) == (2, True)


def test_a_folder_whose_name_begins_alike_is_another(run, tmp_path):
    for folder, river in (("docs", "Rhine"), ("docs2", "Elbe")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "river.md").write_text(f"# {river}\n\nThe {river} is a river.\n")
    run("ingest", "docs", "docs2")
    assert run("ingest", "docs", "--prune")[0] == 0
    assert held(run) == ["Elbe", "Rhine"]
