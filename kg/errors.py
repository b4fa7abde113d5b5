"""Everything that can go wrong, as one tree: each message names the cause and the next step."""

import errno

DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Numbers of the operating system's errors: no room, on the disk or for a user or a file."""


class HoptrailError(Exception):
    """Base of all errors meant for a user: printed as they are, without a traceback.

    Args:
        cause: what is wrong, and what whoever asked can do about it.
        command: the next step on the command line, which clients of a service don't have.
    """

    def __init__(self, cause: str = "", command: str = "") -> None:
        super().__init__(" ".join(filter(None, (cause, command))))
        self.cause = cause


class BadRequest(HoptrailError):
    """The request itself is wrong: an empty question, an unknown retriever, a missing path."""


class NotFound(HoptrailError):
    """The graph holds nothing of that name."""


class EmptyGraph(HoptrailError):
    """The graph holds no passages yet."""


class StoreUnavailable(HoptrailError):
    """The file or server that holds the graph can't be reached, opened or written."""


class UnsupportedServer(HoptrailError):
    """The server answers, but is too old for what the graph needs."""


class SchemaMismatch(HoptrailError):
    """The graph was written by a newer (or not migratable) version."""


class EncoderMismatch(HoptrailError):
    """Vectors of another encoder than the one whose fingerprint the graph carries."""


class ModelMissing(HoptrailError):
    """An encoder, a spaCy pipeline or a language model can't be loaded."""


class ModelUnavailable(HoptrailError):
    """A language model's server can't be reached, or does not answer as it should."""


class Cancelled(HoptrailError):
    """Somebody ended the work before it was done; see `kg.until`."""


class DeadlinePassed(Cancelled):
    """The work took longer than it may."""


class SourceError(HoptrailError):
    """A file or record can't be turned into documents.

    Args:
        source: path (and line) of what failed.
        reason: why, in words a user can act on.
    """

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}")
        self.source = source
        self.reason = reason


class EndpointUnavailable(HoptrailError):
    """A SPARQL endpoint can't be reached, or does not answer as it should."""
