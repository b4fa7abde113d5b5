"""What a language model said, kept on disk: the same request is not made twice."""

import contextlib
import hashlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..kg.errors import BadRequest, ModelUnavailable
from .concurrency import map_concurrently
from .language import (
    GREEDY,
    TEMPLATE,
    Completion,
    Decoding,
    LanguageModel,
    OptionScores,
    Token,
    reserved,
    thinking_tokens,
)

SIZE = 2 * 2**30  # bytes of responses
_SCHEMA = """
CREATE TABLE IF NOT EXISTS response (key TEXT PRIMARY KEY, value TEXT NOT NULL, used REAL NOT NULL)
WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS response_used ON response (used);
CREATE TABLE IF NOT EXISTS asked (spec TEXT PRIMARY KEY, name TEXT NOT NULL,
                                  fingerprint TEXT NOT NULL, context_length INTEGER NOT NULL);
"""
_REPLAYS = "HOPTRAIL_REPLAY answers from the cache alone"


class Responses:
    """An SQLite file of responses by key; several processes and threads may use it at once.

    Args:
        file: created when first needed, with its folder.
        size: bytes that the responses may take; those not used for longest go first.
    """

    def __init__(self, file: Path, size: int = SIZE) -> None:
        self.file = file
        self.size = size
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._added = 0

    def get(self, key: str) -> Any | None:  # noqa: ANN401 - JSON
        """Give what was put under this key, None where nothing was."""
        with self._using() as db:
            row = db.execute("SELECT value FROM response WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            db.execute("UPDATE response SET used = ? WHERE key = ?", (time.time(), key))
            return json.loads(row[0])

    def put(self, key: str, value: object) -> None:
        """Keep a JSON value; the oldest go when there are too many."""
        text = json.dumps(value, ensure_ascii=False)
        with self._using() as db:
            db.execute("INSERT OR REPLACE INTO response VALUES (?, ?, ?)", (key, text, time.time()))
            self._added += len(text)
            if self._added > self.size // 20:
                self._added = 0
                self._make_room(db)

    def model(self, spec: str) -> tuple[str, str, int] | None:
        """Give name, fingerprint and context length of the model last asked under this spec."""
        with self._using() as db:
            query = "SELECT name, fingerprint, context_length FROM asked WHERE spec = ?"
            return db.execute(query, (spec,)).fetchone()

    def keep_model(self, spec: str, name: str, fingerprint: str, context_length: int) -> None:
        """Keep what a replay has to know of a model."""
        with self._using() as db:
            row = spec, name, fingerprint, context_length
            db.execute("INSERT OR REPLACE INTO asked VALUES (?, ?, ?, ?)", row)

    def close(self) -> None:
        """Close the file; idempotent."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    @contextlib.contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                if self._db is None:
                    self._db = self._open()
                yield self._db
            except (OSError, sqlite3.DatabaseError) as error:
                raise BadRequest(
                    f"The response cache {self.file} can't be used ({error}). Free some space or "
                    "delete the file, or name another folder in HOPTRAIL_CACHE."
                ) from error

    def _open(self) -> sqlite3.Connection:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self.file, timeout=60, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):  # else another process is just making the same switch
                raise
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(_SCHEMA)
        return db

    def _make_room(self, db: sqlite3.Connection) -> None:
        """Down to nine tenths of the size, so that it is not done at every turn."""
        total = db.execute("SELECT coalesce(sum(length(value)), 0) FROM response").fetchone()[0]
        if total <= self.size:
            return
        query = """DELETE FROM response WHERE key IN (SELECT key FROM (
            SELECT key, sum(length(value)) OVER (ORDER BY used, key) - length(value) AS before
            FROM response) WHERE before < ?)"""
        db.execute(query, (total - self.size * 9 // 10,))


@dataclass
class Cached:
    """A `LanguageModel` that asks its cache first.

    The key holds all that determines a response: the model's fingerprint (weights, quantisation,
    flash attention), prompt, form, stop strings and sampling. Only valid responses are kept.

    Args:
        model: asked for what the cache lacks.
        replay: never ask it: what is missing is an error that names the prompt.
        spec: what a replay knows the model by; "" for its name.
        in_flight: prompts that it is given at a time, by as many threads.
    """

    model: LanguageModel
    responses: Responses
    replay: bool = False
    spec: str = ""
    in_flight: int = 1
    _known: tuple[str, str, int] | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """The model's; when replaying, that of the recorded run."""
        return self._facts()[0] if self.replay else self.model.name

    @property
    def fingerprint(self) -> str:
        """The model's; when replaying, that of the recorded run."""
        return self._facts()[1]

    @property
    def context_length(self) -> int:
        """The model's; when replaying, that of the recorded run."""
        return self._facts()[2]

    @property
    def reserved_tokens(self) -> int:
        """The model's; when replaying, that of the recorded run. See `reserved`."""
        key = _key(self.fingerprint, {"reserved": "template"})
        found = self.responses.get(key)
        if found is None:
            if self.replay:
                return TEMPLATE  # recorded before it was measured
            found = reserved(self.model)
            self.responses.put(key, found)
        return found

    @property
    def thought_tokens(self) -> int:
        """The model's; see `thinking_tokens`."""
        return thinking_tokens(self.model)

    def count_tokens(self, text: str) -> int:
        keys, found = self._held([text], lambda text: {"count": text})
        if not found:
            found[text] = self.model.count_tokens(text)
            self.responses.put(keys[text], found[text])
        return found[text]

    def generate(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> list[Completion]:
        request = asdict(decoding)
        if not decoding.adapter:  # what was said before there were adapters
            del request["adapter"]

        def ask(prompt: str) -> None:
            [said] = self.model.generate([prompt], decoding)
            found[prompt] = asdict(said)
            if said.finish != "invalid":  # each at once: the next may fail
                self.responses.put(keys[prompt], found[prompt])

        keys, found = self._held(prompts, lambda prompt: {"generate": prompt, **request})
        map_concurrently(ask, [prompt for prompt in keys if prompt not in found], self.in_flight)
        return [_completion(found[prompt]) for prompt in prompts]

    def choose(self, prefix: str, tails: Sequence[str], options: Sequence[str]) -> OptionScores:
        """Tell how likely each option is; tokens are those of the run that asked."""

        def request(tail: str) -> dict[str, Any]:
            return {"choose": prefix + tail, "options": list(options)}

        keys, found = self._held(tails, request)
        missing = [tail for tail in keys if tail not in found]
        chosen = _rows(self.model.choose(prefix, missing, options)) if missing else ()
        for tail, row in zip(missing, chosen, strict=True):
            found[tail] = row
            self.responses.put(keys[tail], row)
        rows = [found[tail] for tail in tails]
        logs = np.array([row["log_probabilities"] for row in rows], np.float64)
        return OptionScores(
            logs.reshape(len(tails), len(options)),
            frozenset((at, column) for at, row in enumerate(rows) for column in row["bounded"]),
            sum(row["tokens_in"] for row in rows),
            sum(row.get("tokens_out", 0) for row in rows),
            frozenset(at for at, row in enumerate(rows) if row.get("named")),
            tuple(thought for row in rows if (thought := row.get("thought"))),
        )

    def close(self) -> None:
        """Close the model and the cache."""
        self.responses.close()
        self.model.close()

    def _held(
        self, prompts: Sequence[str], request: Callable[[str], dict[str, Any]]
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """The key of each prompt, and the response to those that the cache holds.

        Raises:
            ModelUnavailable: a replay lacks one.
        """
        fingerprint = self.fingerprint
        keys = {prompt: _key(fingerprint, request(prompt)) for prompt in prompts}
        held = {prompt: self.responses.get(key) for prompt, key in keys.items()}
        found = {prompt: response for prompt, response in held.items() if response is not None}
        missing = next((prompt for prompt in keys if prompt not in found), None)
        if missing is not None and self.replay:
            raise ModelUnavailable(
                f"{_REPLAYS}, and {self.responses.file} lacks the answer to this prompt of "
                f"{self.name}:\n{missing}"
            )
        return keys, found

    def _facts(self) -> tuple[str, str, int]:
        if self._known is None:
            self._known = self._recorded() if self.replay else self._asked()
        return self._known

    def _asked(self) -> tuple[str, str, int]:
        facts = self.model.name, self.model.fingerprint, self.model.context_length
        self.responses.keep_model(self.spec or self.model.name, *facts)
        return facts

    def _recorded(self) -> tuple[str, str, int]:
        spec = self.spec or self.model.name
        facts = self.responses.model(spec)
        if facts is None:
            raise ModelUnavailable(
                f"{_REPLAYS}, and {self.responses.file} holds nothing that {spec} said. "
                "Run once without HOPTRAIL_REPLAY."
            )
        return facts


def _completion(held: dict[str, Any]) -> Completion:
    """What was kept; what an older version kept tells no tokens."""
    tokens = (Token(*token) for token in held.get("tokens", ()))
    return Completion(**{**held, "tokens": tuple(tokens)})


def _rows(choices: OptionScores) -> list[dict[str, Any]]:
    """What is kept of each tail; the tokens of all are shared out among them."""
    count = max(1, len(choices.log_probabilities))
    (share, rest), (share_out, rest_out) = (
        divmod(tokens, count) for tokens in (choices.tokens_in, choices.tokens_out)
    )
    return [
        {
            "log_probabilities": [float(log) for log in row],
            "bounded": sorted(column for at, column in choices.bounded if at == place),
            "tokens_in": share + (rest if place == 0 else 0),
            "tokens_out": share_out + (rest_out if place == 0 else 0),
            "named": place in choices.named,
            "thought": "\n\n".join(choices.thoughts) if place == 0 else "",
        }
        for place, row in enumerate(choices.log_probabilities)
    ]


def _key(fingerprint: str, request: dict[str, Any]) -> str:
    text = json.dumps([fingerprint, request], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def default_responses(name: str = "responses.db") -> Responses | None:
    """Give the responses of `default_folder`, not opened yet; None where HOPTRAIL_CACHE is none.

    Args:
        name: of the file.

    Raises:
        BadRequest: as `default_folder`.
    """
    if os.environ.get("HOPTRAIL_CACHE", "").lower() == "none":
        return None
    return Responses(default_folder() / name)


def default_folder() -> Path:
    """Name the folder of responses: HOPTRAIL_CACHE, else where the system keeps caches.

    Raises:
        BadRequest: neither says where, and the user has no home.
    """
    if os.environ.get("HOPTRAIL_CACHE"):
        return Path(os.environ["HOPTRAIL_CACHE"])
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hoptrail"
    except RuntimeError:
        raise BadRequest(
            "There is no home folder to keep responses in. Name a folder in HOPTRAIL_CACHE, or "
            "none."
        ) from None
