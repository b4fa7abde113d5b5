"""Other names of Wikidata's entities, as 2WikiMultihopQA gives them beside its questions."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from ..records import records

FILE = "id_aliases.json"


class Aliases:
    """Reads the folder's `id_aliases.json` when the first name is asked for.

    Its lines: Q_id, aliases [name], demonyms [name].

    Args:
        folder: where the file lies; None knows no names.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = folder and folder / FILE

    def of(self, entity: str) -> tuple[str, ...]:
        """Return the names of one entity ("Q42"), demonyms too; empty when nothing is known.

        Raises:
            SourceError: the file is malformed.
        """
        return self._names.get(entity, ()) if entity else ()

    @cached_property
    def _names(self) -> Mapping[str, tuple[str, ...]]:
        if self._path is None or not self._path.exists():
            return {}
        return {
            record.text("Q_id"): (*record.texts("aliases"), *record.texts("demonyms"))
            for record in records(self._path)
        }
