"""A server that speaks OpenAI's API from a script, one reply a request."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-secret-1234"


class Script(BaseHTTPRequestHandler):
    """Answers /v1/models, and each further request by the next of `server.replies`."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        entry = {"id": "m", "owned_by": self.server.owner, **self.server.entry}
        self.send(200, {"data": [entry]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.asked.append(body)
            self.server.busy += 1
            self.server.busiest = max(self.server.busiest, self.server.busy)
            reply = self.server.replies.pop(0) if self.server.replies else said("yes")
        try:
            reply(self, body) if callable(reply) else self.send(200, reply)
        finally:
            with self.server.lock:
                self.server.busy -= 1

    def send(self, status, body, **headers):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128


def said(text, finish="stop", top=None):
    first = {"token": text, "logprob": -0.1, "top_logprobs": top or []}
    return {
        "choices": [
            {
                "message": {"role": "assistant", "content": text},
                "finish_reason": finish,
                "logprobs": {"content": [first]},
            }
        ],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2},
    }


def refuse(status, message="busy", **headers):
    return lambda handler, body: handler.send(status, {"error": {"message": message}}, **headers)
