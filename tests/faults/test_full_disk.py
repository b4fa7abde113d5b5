"""A disk that is full fails the command and harms nothing; with space again the same one ends."""

import pytest
from support.neo4j_server import GIVEN, versions


def test_ingesting_and_exporting_onto_a_disk_that_fills_up(script, mounted, tmp_path):
    small = mounted(f"mount -t tmpfs -o size=3m tmpfs {tmp_path}")
    result = script("full_disk.py", tmp_path, behind=small)
    assert result["wrong"] == []
    assert all("the disk is full; free some space" in said for said in result["said"])


@pytest.mark.neo4j
@pytest.mark.parametrize("version", versions())
def test_a_server_whose_disk_fills_up(script, mounted, tmp_path, version):
    if version == GIVEN:
        pytest.skip("a server that was given has the disk it has")
    small = mounted(f"mount -t tmpfs -o size=700m tmpfs {tmp_path}")
    result = script("full_disk_server.py", tmp_path, version, behind=small)
    [said] = result.pop("said")
    assert "its disk may be full. Free some space there and start the server again" in said
    assert result == {"as_before": True, "problems": [], "goes_on": True}
