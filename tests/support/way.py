"""A way to a server that can be shut: for its clients the server is away then."""

import contextlib
import socket
import threading


class Way:
    """Forwards connections from a port of its own, until it is shut and after it was opened again.

    Args:
        uri: of a Neo4j server, `bolt://HOST:PORT`.
    """

    def __init__(self, uri: str) -> None:
        host, port = uri.removeprefix("bolt://").split(":")
        self._server, self._port = (host, int(port)), 0
        self._under_way = set[socket.socket]()
        self.open()
        self.uri = f"bolt://127.0.0.1:{self._port}"

    def open(self) -> None:
        """Let clients pass; again on the same port."""
        self._listening = socket.create_server(("127.0.0.1", self._port))
        self._port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def close(self) -> None:
        """Break off what is under way, and refuse who comes."""
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for one in list(self._under_way):
            _end(one)

    def passes(self, asked: bytes) -> bool:
        """Whether what the server answers to this comes through; else the connection is ended."""
        return True

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=self._forward, args=(client,), daemon=True).start()

    def _forward(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._server) as server, contextlib.suppress(OSError):
            self._under_way |= {client, server}
            asked = [b""]
            back = threading.Thread(target=self._answer, args=(server, client, asked), daemon=True)
            back.start()
            while data := client.recv(1 << 16):
                asked[0] = data
                server.sendall(data)
            _end(server)
            back.join()
        self._under_way -= {client, server}

    def _answer(self, server: socket.socket, client: socket.socket, asked: list[bytes]) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                if not self.passes(asked[0]):
                    break
                client.sendall(data)
        _end(client)


def _end(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
