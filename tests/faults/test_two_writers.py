"""Several processes at one graph; what too long a wait says is in kg/sqlite/test_store.py."""


def test_two_ingestions_and_a_reader_at_once(script, tmp_path):
    assert script("two_writers.py", 4, tmp_path)["wrong"] == []
