"""Keys of the service: a file of names, scopes and hashes; the keys themselves lie nowhere."""

import hashlib
import hmac
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...kg.errors import BadRequest

Scope = Literal["read", "write"]
SCOPES: tuple[Scope, ...] = ("read", "write")
_LINE = re.compile(r"([A-Za-z0-9_.-]{1,64})\s+(read|write)\s+([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Key:
    """A key that is known by its hash; "write" may read as well.

    Args:
        digest: SHA-256 of 32 random bytes as text, hexadecimal: nothing that is guessed.
    """

    name: str
    scope: Scope
    digest: str

    def allows(self, scope: Scope) -> bool:
        """Tell whether it opens what needs this scope."""
        return SCOPES.index(self.scope) >= SCOPES.index(scope)


@dataclass(frozen=True, slots=True)
class Keys:
    """Those of one file."""

    known: tuple[Key, ...]

    @classmethod
    def load(cls, path: Path) -> "Keys":
        """Read a file: a key a line, "name scope hash"; # begins a comment.

        Raises:
            BadRequest: it can't be read, holds none, or a line is none.
        """
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadRequest(f"The keys in {path} can't be read ({error}).") from None
        known = list[Key]()
        for number, line in enumerate(lines, 1):
            if not (text := line.partition("#")[0].strip()):
                continue
            if not (found := _LINE.fullmatch(text)):
                raise BadRequest(
                    f"{path}, line {number} is no key; --new-key NAME:read adds one that is."
                )
            known.append(Key(found[1], "write" if found[2] == "write" else "read", found[3]))
        if not known:
            raise BadRequest(f"{path} holds no key; --new-key NAME:read adds one.")
        return cls(tuple(known))

    def of(self, header: str) -> Key | None:
        """Find the key of an Authorization header, compared in the same time whatever it is."""
        word, _, given = header.partition(" ")
        digest = _digest(given.strip()) if word.lower() == "bearer" else ""
        found = None
        for key in self.known:
            if hmac.compare_digest(key.digest, digest):
                found = key
        return found


def add(path: Path, said: str) -> str:
    """Make a key, write its hash to the file, and return it: it is shown this once.

    Args:
        path: of the file, made where there is none, for its owner alone.
        said: name and scope, "laptop:read".

    Raises:
        BadRequest: no such scope, or a name that is taken or has other characters than letters,
            digits, "_", "." and "-".
    """
    name, _, scope = said.partition(":")
    key = secrets.token_urlsafe(32)
    line = f"{name} {scope or 'read'} {_digest(key)}"
    if not _LINE.fullmatch(line):
        raise BadRequest(f"{said!r} is no new key; say NAME:read or NAME:write.")
    there = Keys.load(path).known if path.exists() and path.stat().st_size else ()
    if name in (one.name for one in there):
        raise BadRequest(f"{path} has a key named {name}; remove its line first.")
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a") as file:
            file.write(line + "\n")
    except OSError as error:
        raise BadRequest(f"The key can't be written to {path} ({error}).") from None
    return key


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
