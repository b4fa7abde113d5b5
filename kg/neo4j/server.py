"""The Neo4j server under a graph: driver, transactions, and what each failure means to a user."""

import logging
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import unquote

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    Driver,
    GraphDatabase,
    ManagedTransaction,
    NotificationMinimumSeverity,
    Session,
)
from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    DriverError,
    ForbiddenOnReadOnlyDatabase,
    Neo4jError,
    ServiceUnavailable,
)

from ...cypher import PREFIX, Version, query
from ..errors import BadRequest, StoreUnavailable, UnsupportedServer
from .retry import RetryPolicy
from .statements import Row, Statements
from .tls import tls_failure

log = logging.getLogger(__name__)
logging.getLogger("neo4j").addHandler(logging.NullHandler())  # its retries are not for the screen

Result = TypeVar("Result")

OLDEST: Version = (5, 26)
READ_ONLY = (
    "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase",
    "Neo.ClientError.General.ReadOnly",
)
STOPPED = (
    "Neo.DatabaseError.Transaction.TransactionLogError",
    "Neo.DatabaseError.Transaction.TransactionStartFailed",
)
SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
CONNECT_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Variables:
    """The environment variables that the settings of a server come from, for messages to name.

    Args:
        graph: the one that chose the server, where the user named no graph.
    """

    graph: str = ""
    user: str = "HOPTRAIL_NEO4J_USER"
    password: str = "HOPTRAIL_NEO4J_PASSWORD"
    database: str = "HOPTRAIL_NEO4J_DATABASE"

    def called(self, name: str) -> str:
        """Name a setting's variable, with the one of Hoptrail that comes before another's."""
        own, used = f"HOPTRAIL_NEO4J_{name.upper()}", getattr(self, name)
        return own if used == own else f"{used} (or {own}, which comes first)"


OWN = Variables()


class Neo4jServer:
    """One driver to one database, opened by the first transaction; safe for several threads.

    Args:
        uri: `neo4j://`, `bolt://`, `neo4j+s://`, …; may hold user and password.
        user: instead of the one in the URI; "neo4j" when neither says.
        password: instead of the one in the URI; none for a server that asks for none.
        database: its name on the server.
        variables: where these come from.
        prefix: of the labels of the graph's nodes, by which they are told from others'.

    Raises:
        BadRequest: no prefix.
    """

    def __init__(
        self,
        uri: str,
        user: str | None,
        password: str | None,
        database: str,
        variables: Variables = OWN,
        prefix: str = PREFIX,
    ) -> None:
        check_prefix(prefix)
        self.prefix = prefix
        self.where, embedded_user, embedded_password = without_credentials(uri)
        self._user = user or embedded_user or "neo4j"
        self._password = password if password is not None else embedded_password
        self.database = database
        self.variables = variables
        self._told = not variables.graph
        self._bookmarks = GraphDatabase.bookmark_manager()  # a cluster, too, reads what was written
        self._driver: Driver | None = None
        self._version: Version = (0, 0)
        self._answered = False
        self._lock = threading.Lock()

    def read(self, work: Callable[[Statements], Result]) -> Result:
        """Do `work` in a transaction that may only read, see `write`."""
        return self._repeated(lambda: self._once(READ_ACCESS, work))

    def ask(self, name: str, /, **parameters: object) -> list[Row]:
        """Run one statement that reads: there and back once, where a transaction takes three."""

        def once() -> list[Row]:
            with self._open().session(**self._session(READ_ACCESS)) as session, self._left():
                return self._statements(session)(name, **parameters)

        return self._repeated(once)

    def write(self, work: Callable[[Statements], Result]) -> Result:
        """Do `work` in one transaction, all or nothing.

        Again when the server asks for it, and when it comes back after an outage: also after a
        commit of which only the acknowledgement was lost. So `work` done twice has to give the same
        graph as done once.
        """
        return self._repeated(lambda: self._once(WRITE_ACCESS, work))

    def beside(self, work: Callable[[Statements], Result]) -> Result:
        """Do `work` beside a transaction that has locked the graph; with what it is given it reads.

        That sees what was committed before that one began, also in a cluster, whose leader it asks.
        Once: what it fails of, that one repeats.
        """
        return self._once(WRITE_ACCESS, work)

    def close(self) -> None:
        """Close the driver; the next transaction opens another."""
        with self._lock:
            driver, self._driver = self._driver, None
        if driver is not None:
            driver.close()

    def _session(self, access: str) -> dict[str, Any]:
        return {
            "database": self.database,
            "default_access_mode": access,
            "bookmark_manager": self._bookmarks,
        }

    def _repeated(self, once: Callable[[], Result]) -> Result:
        policy = RetryPolicy(self.where)
        with self.explained():
            while True:
                try:
                    return once()
                except (DriverError, Neo4jError) as error:
                    # A first connection fails at once: the address may be wrong.
                    if not self._answered or not policy.lasts(error):
                        raise
                policy.pause()

    def _once(self, access: str, work: Callable[[Statements], Result]) -> Result:
        def done(transaction: ManagedTransaction) -> Result:
            with self._left():
                return work(self._statements(transaction))

        with self._open().session(**self._session(access)) as session:
            execute = session.execute_read if access == READ_ACCESS else session.execute_write
            return execute(done)

    def _statements(self, within: ManagedTransaction | Session) -> Statements:
        return Statements(within, self._version, self.prefix, self.close)

    @contextmanager
    def _left(self) -> Iterator[None]:
        """Leave at once where the user does: to end a transaction is to wait for the server."""
        try:
            yield
        except KeyboardInterrupt:
            self.close()
            raise

    def _open(self) -> Driver:
        if self.where.partition("://")[0] not in SCHEMES:
            # The driver would take http://, for another protocol that it is only trying out.
            raise ConfigurationError(f"the scheme is none of {', '.join(SCHEMES)}")
        with self._lock:
            if not self._told:
                self._told = True
                log.warning(
                    "The graph is on %s, as %s says; --graph names another, or a file",
                    self.where,
                    self.variables.graph,
                )
            if self._driver is None:
                driver = GraphDatabase.driver(
                    self.where,
                    auth=None if self._password is None else (self._user, self._password),
                    connection_timeout=CONNECT_SECONDS,
                    max_transaction_retry_time=0,  # see RetryPolicy
                    notifications_min_severity=NotificationMinimumSeverity.OFF,
                    user_agent="hoptrail",
                    telemetry_disabled=True,
                )
                try:
                    self._version = checked_version(driver.get_server_info().agent, self.where)
                except BaseException:
                    driver.close()
                    raise
                self._driver, self._answered = driver, True
            return self._driver

    def _databases(self) -> str:
        """Those of the server that hold data, as far as this user may see them."""
        try:
            with self._open().session(database="system") as session:
                found = session.run(query("info/databases", self._version))  # pyright: ignore
                return ", ".join(repr(row["name"]) for row in found)
        except (DriverError, Neo4jError):
            return ""

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn the driver's errors into ones that name the cause and the next step."""
        try:
            yield
        except AuthError as error:
            if self._password is None:
                raise StoreUnavailable(
                    f"{self.where} asks for a password; set {self.variables.called('password')}"
                ) from error
            raise StoreUnavailable(
                f"{self.where} refuses the user {self._user!r}: {_reason(error)}; set "
                f"{self.variables.called('user')} and {self.variables.called('password')} to what "
                "the server expects"
            ) from error
        except ServiceUnavailable as error:
            raise StoreUnavailable(f"{self.where} {self._unreached(error)}") from error
        except Neo4jError as error:
            if (error.code or "").startswith("Neo.ClientError.Statement."):
                raise  # a mistake of this package, not of the server
            raise StoreUnavailable(f"{self.where} {self._refused(error)}") from error
        except ConfigurationError as error:
            raise StoreUnavailable(
                f"{self.where} is not an address of a Neo4j server ({error}); it looks like neo4j://host:7687"
            ) from error
        except UnicodeEncodeError as error:
            half = error.object[error.start : error.start + 1]
            raise BadRequest(
                f"a text holds half of a surrogate pair ({half!r}), which no server can keep; "
                "replace it before adding"
            ) from error
        except UnicodeError as error:  # of a host that no DNS knows
            raise StoreUnavailable(
                f"{self.where} is not an address ({error}); it looks like neo4j://host:7687"
            ) from error
        except DriverError as error:
            raise StoreUnavailable(
                f"{self.where} broke off the connection ({error}); repeat the command"
            ) from error

    def _unreached(self, error: ServiceUnavailable) -> str:
        """Why there is no connection, and what to do about it."""
        return tls_failure(self.where, error) or (
            f"can't be reached ({_reason(error)}); check that Neo4j runs there and that the "
            "address is right"
        )

    def _refused(self, error: Neo4jError) -> str:
        """What the server would not do, and what to do about it."""
        code = error.code or ""
        if code == "Neo.ClientError.Database.DatabaseNotFound":
            there = self._databases()
            return (
                f"has no database {self.database!r}{f', but {there}' if there else ''}; set "
                f"{self.variables.called('database')} to one that is there"
            )
        if code == "Neo.ClientError.Security.CredentialsExpired":
            return (
                f"wants the user {self._user!r} to choose another password first: "
                "ALTER CURRENT USER SET PASSWORD FROM '…' TO '…' in its system database"
            )
        if isinstance(error, ForbiddenOnReadOnlyDatabase) or code in READ_ONLY:
            return (
                f"lets nobody write into the database {self.database!r}: its settings say "
                "read-only; change server.databases.default_to_read_only or "
                "server.databases.read_only in neo4j.conf and start it again"
            )
        if code == "Neo.ClientError.Security.Forbidden":
            return (
                f"does not let the user {self._user!r} do that ({_reason(error)}); the graph needs "
                "the rights to read, to write and to make indexes and constraints, as the role "
                "architect has them"
            )
        if code in STOPPED:
            return (
                f"does nothing more after an error of its own ({_reason(error)}): its disk may "
                "be full. Free some space there and start the server again; the same command goes "
                "on then, and nothing that was written is lost"
            )
        return (
            f"could not do it ({code}: {_reason(error)}); look into the server's log, then repeat "
            "the command"
        )


def check_prefix(prefix: str) -> None:
    """Refuse what can't begin the labels of a graph; it stands in statements, as it is.

    Raises:
        BadRequest: it is not one capital letter and then small ones or digits, 30 at most.
    """
    if not re.fullmatch(r"[A-Z][a-z0-9]{1,29}", prefix):
        raise BadRequest(
            f"{prefix!r} can't begin the labels of a graph (HOPTRAIL_NEO4J_PREFIX): it takes one "
            f"capital letter, then small letters and digits, 30 at most, as {PREFIX} has them."
        )


def checked_version(agent: str, where: str = "the server") -> tuple[int, int]:
    """Read (major, minor) of a server that calls itself "Neo4j/5.26.30".

    Raises:
        UnsupportedServer: it is older than OLDEST, or no Neo4j.
    """
    found = re.match(r"Neo4j/(\d+)\.(\d+)", agent)
    version: Version = (int(found[1]), int(found[2])) if found else (0, 0)
    if version < OLDEST:
        raise UnsupportedServer(
            f"{where} runs {agent}; the graph needs Neo4j {OLDEST[0]}.{OLDEST[1]} or newer: "
            "upgrade the server"
        )
    return version


def without_credentials(uri: str) -> tuple[str, str | None, str | None]:
    """Take user and password out of a URI, as the driver would not take it; return all three.

    All before the last "@", so that nothing of a password with a "/" in it is left.
    """
    scheme, colon, rest = uri.partition("://")
    credentials, at, host = rest.rpartition("@")
    if not at:
        return uri, None, None
    user, given, password = credentials.partition(":")
    return scheme + colon + host, unquote(user) or None, unquote(password) if given else None


def _reason(error: Exception) -> str:
    message = (error.message if isinstance(error, Neo4jError) else None) or str(error)
    lines = message.strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(" .:")
