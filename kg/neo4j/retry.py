"""How long an operation goes on when its server is away, or asks to be asked again."""

import random
import time
import warnings

from neo4j.exceptions import (
    DatabaseUnavailable,
    DriverError,
    ForbiddenOnReadOnlyDatabase,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from .. import until

RETRY_SECONDS = 30.0  # after a deadlock, say
AWAY_SECONDS = 120.0  # a server that is started again takes up to a minute
PAUSE_SECONDS = 2.0
AWAY = (ServiceUnavailable, SessionExpired, DatabaseUnavailable)
STARTING = "Neo.ClientError.Database.DatabaseNotFound"  # of one that is not ready yet
# Another process made it meanwhile: IF NOT EXISTS looks only before.
RACED = "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"


class RetryPolicy:
    """How often one operation is tried on a server that has answered before.

    Args:
        where: the server, for the warning.
    """

    def __init__(self, where: str) -> None:
        self._where = where
        self._began = 0.0
        self._failures = 0
        self._away = False

    def lasts(self, error: DriverError | Neo4jError) -> bool:
        """Decide whether to try again after an error; warn once when the server is away."""
        self._failures += 1
        self._began = self._began or time.monotonic()
        if isinstance(error, AWAY):
            # The first may only be a connection that was idle for long.
            if self._failures > 1 and not self._away:
                self._away = True
                warnings.warn(
                    f"{self._where} does not answer; waiting up to {AWAY_SECONDS:.0f} s",
                    stacklevel=2,
                )
        elif not self._repeatable(error):
            return False
        most = AWAY_SECONDS if isinstance(error, AWAY) or self._away else RETRY_SECONDS
        limit = until.current()
        if limit is not None and limit.patience is not None:
            most = min(most, limit.patience)
        return time.monotonic() - self._began < most

    def pause(self) -> None:
        """Sleep for a little; not for the same time as another writer does."""
        most = PAUSE_SECONDS if self._failures > 1 else PAUSE_SECONDS / 4
        until.pause(most * random.uniform(0.5, 1.0))

    def _repeatable(self, error: DriverError | Neo4jError) -> bool:
        if isinstance(error, ForbiddenOnReadOnlyDatabase):
            return False  # the driver means a cluster that chooses another leader
        code = error.code if isinstance(error, Neo4jError) else None
        if code == STARTING:
            return self._away
        if code == RACED:
            return True
        return error.is_retryable()
