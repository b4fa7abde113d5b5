"""A disk that is full fails the command and harms nothing; with space again the same one ends."""


def test_ingesting_and_exporting_onto_a_disk_that_fills_up(script, mounted, tmp_path):
    small = mounted(f"mount -t tmpfs -o size=3m tmpfs {tmp_path}")
    result = script("full_disk.py", tmp_path, behind=small)
    assert result["wrong"] == []
    assert all("the disk is full; free some space" in said for said in result["said"])
