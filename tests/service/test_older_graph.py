"""A graph that an older version left: the message names a command, and that command mends it."""

import json
import sqlite3
from contextlib import closing


def test_the_command_that_the_message_names_brings_it_up_to_date(run, tmp_path):
    (tmp_path / "ulm.md").write_text("# Ulm\n\nUlm is a city on the Danube.\n")
    ask = ("search", "Which river flows through Ulm?", "--json")
    run("ingest", "ulm.md")
    _, afresh, _ = run(*ask)
    with closing(sqlite3.connect("hoptrail.db")) as connection:
        for table in ("term", "parameters"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("UPDATE graph_info SET schema_version = 1")
        connection.commit()

    status, _, err = run(*ask)
    assert (status, "older version" in err, "`hoptrail ingest`" in err) == (1, True, True)
    assert "brings it up to date" in run("doctor")[1]
    assert run("ingest", "ulm.md")[0] == 0
    status, out, _ = run(*ask)
    assert (status, json.loads(out)) == (0, json.loads(afresh))


def test_ingesting_nothing_new_brings_a_graph_without_claims_up_to_date(run, tmp_path):
    (tmp_path / "ulm.md").write_text("# Ulm\n\nUlm is a city on the Danube.\n")
    run("ingest", "ulm.md")
    for mend in (("ingest", "ulm.md"), ("doctor", "--fix")):
        with closing(sqlite3.connect("hoptrail.db")) as connection:
            for table in ("claim_step", "claim_cites", "claim_traced"):
                connection.execute(f"DROP TABLE {table}")
            connection.execute("ALTER TABLE passage DROP COLUMN language")
            connection.execute("UPDATE graph_info SET schema_version = 6")
            connection.commit()
        status, out, _ = run("doctor")
        assert (status, "made by an older version" in out, "new graph" in out) == (1, True, False)
        assert run(*mend)[0] == 0
        assert run("doctor")[0] == 0


def test_a_graph_that_lacks_columns_is_to_be_made_anew(run, tmp_path):
    (tmp_path / "ulm.md").write_text("# Ulm\n\nUlm is a city on the Danube.\n")
    run("ingest", "ulm.md")
    with closing(sqlite3.connect("hoptrail.db")) as connection:
        connection.execute("ALTER TABLE entity DROP COLUMN terms")
        connection.execute("UPDATE graph_info SET schema_version = 1")
        connection.commit()
    asked = ("search", "Which river flows through Ulm?")
    for command in (asked, ("ingest", "ulm.md"), ("remove", "Ulm"), ("reembed", "--triples")):
        status, _, err = run(*command)
        assert (status, "hoptrail --graph NEW.db ingest" in err) == (1, True)
    status, out, _ = run("doctor")
    assert (status, "entity has no terms" in out, "next ingest" in out) == (1, True, False)
