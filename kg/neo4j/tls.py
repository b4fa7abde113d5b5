"""What keeps an encrypted connection from being made, in words: the driver names no cause."""

import socket
import ssl
from collections.abc import Iterator
from urllib.parse import urlsplit

HANDSHAKE_SECONDS = 5.0
PORT = 7687
OTHER_NAME = (62, 64)  # X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH
SELF_SIGNED = (18, 19)  # X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, …_SELF_SIGNED_CERT_IN_CHAIN
EXPIRED = 10  # X509_V_ERR_CERT_HAS_EXPIRED


def tls_failure(uri: str, error: BaseException) -> str | None:
    """Say what of TLS made a connection fail, and the next step; None when it was not TLS.

    A certificate that was refused is among the causes of the driver's error, but for older drivers
    that route. All else shows in a handshake with the server.

    Args:
        uri: without user and password.
        error: the driver's.
    """
    scheme = urlsplit(uri).scheme
    plain, encrypted, _ = scheme.partition("+")
    if not encrypted:
        if isinstance(_handshake(uri, checked=False), OSError | None):
            return None
        return f"takes encrypted connections only; take {plain}+s:// instead of {plain}://"
    failure = next(_causes(error), None) or _handshake(uri, checked=scheme.endswith("+s"))
    if isinstance(failure, ssl.SSLCertVerificationError):
        return _untrusted(failure, plain)
    if failure is None or isinstance(failure, str | TimeoutError):
        return None
    words = str(getattr(failure, "reason", None) or failure.strerror).replace("_", " ").lower()
    if "alert" in words:
        return f"broke off the TLS handshake ({words}); its log says why"
    return (
        f"does not speak TLS ({words}); take {plain}:// instead of {scheme}:// where the network "
        "is trusted, or set server.bolt.tls_level and a certificate in its neo4j.conf"
    )


def _untrusted(failure: ssl.SSLCertVerificationError, plain: str) -> str:
    """What is wrong with the certificate."""
    trusting = f"{plain}+ssc:// instead of {plain}+s:// trusts any certificate"
    if failure.verify_code in OTHER_NAME:
        # OpenSSL: "Hostname mismatch, certificate is not valid for 'localhost'."
        name = failure.verify_message.rpartition(" for ")[2].rstrip(".")
        return (
            f"shows a certificate of another host name than {name}; take a name that the "
            f"certificate holds, or {trusting}"
        )
    if failure.verify_code == EXPIRED:
        return f"shows a certificate that has expired; renew it there, or {trusting}"
    what = "a self-signed certificate" if failure.verify_code in SELF_SIGNED else "a certificate"
    return (
        f"shows {what} that is not trusted here ({failure.verify_message}); {trusting}, or let "
        "SSL_CERT_FILE name the file of the authority that issued it"
    )


def _causes(error: BaseException) -> Iterator[ssl.SSLCertVerificationError]:
    """Refused certificates among what led to an error, the groups of a routing driver included."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLCertVerificationError):
            yield seen
        if isinstance(seen, BaseExceptionGroup):
            for inner in seen.exceptions:
                yield from _causes(inner)
        seen = seen.__cause__ or seen.__context__


def _handshake(uri: str, checked: bool) -> OSError | str | None:
    """How a TLS handshake ends: its error, or its version; None when nobody listens."""
    parts = urlsplit(uri)
    context = ssl.create_default_context()
    if not checked:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    address = parts.hostname or "localhost", parts.port or PORT
    try:
        connection = socket.create_connection(address, HANDSHAKE_SECONDS)
    except OSError:
        return None
    try:
        with connection, context.wrap_socket(connection, server_hostname=address[0]) as wrapped:
            return wrapped.version()
    except OSError as error:  # ssl.SSLError is one
        return error
