"""Servers of language models, each as its kind behaves: what it takes, refuses and answers."""

import json
import math
import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

THOUGHT = "Okay, the user asks me something. Let me see"


@dataclass
class Kind:
    """A server that takes all of OpenAI's fields, counts nothing and does not think.

    Args:
        says: the reply to a prompt; a form that the kind is held to is kept to.
        owner: `owned_by` of its models.
        names: of its models.
        scores: log-probabilities of the first tokens, where they are asked for; None gives none.
        thinks: the model thinks unless it is told not to.
        thought: what it thinks, a token a word.
    """

    says: str = "yes"
    owner: str = "somebody"
    names: tuple[str, ...] = ("m",)
    scores: dict[str, float] | None = None
    thinks: bool = False
    thought: str = THOUGHT
    asked: list[tuple[str, dict]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)

    def get(self, path, query):
        if path == "/v1/models":
            return 200, self.listed([{"id": n, "owned_by": self.owner} for n in self.names])
        return 404, {"error": {"message": "no such page"}}

    def listed(self, entries):
        return {"object": "list", "data": entries}

    def post(self, path, body):
        if path != "/v1/chat/completions":
            return 404, {"error": {"message": "no such page"}}
        if refusal := self.refuses(body):
            return 400, {"error": {"message": refusal}}
        return 200, self.chat(body)

    def refuses(self, body):
        return ""

    def silent(self, body):
        return body.get("reasoning_effort") == "none"

    def held(self, body):
        """What a form leaves of what it says."""
        grammar = body.get("grammar") or body.get("structured_outputs", {}).get("grammar", "")
        if found := re.findall(r'"(\w+)"', grammar):
            return self.says if self.says in found else found[0]
        if "response_format" in body:
            schema = body["response_format"]["json_schema"]["schema"]
            return json.dumps({"reply": self.says}) if "properties" in schema else None
        return self.says

    def chat(self, body):
        limit = body.get("max_tokens") or body.get("max_completion_tokens")
        thinking = self.thinks and not self.silent(body)
        thought = self.thought.split() if thinking else []
        text = self.held(body)
        cut = thinking and limit <= len(thought)
        message = {"role": "assistant", "content": "" if cut else text}
        if thinking:
            message["reasoning_content"] = " ".join(thought[:limit])
        choice = {"index": 0, "message": message, "finish_reason": "length" if cut else "stop"}
        if body.get("logprobs") and self.scores is not None:
            first = {"Okay": -0.1, "The": -3.0, "Let": -4.0} if thinking else self.scores
            top = [{"token": token, "logprob": log} for token, log in first.items()]
            top = top[: body.get("top_logprobs", 0)]
            choice["logprobs"] = {
                "content": [{"token": text, "logprob": -0.2, "top_logprobs": top}]
            }
        used = {"prompt_tokens": 9, "completion_tokens": limit if cut else len(thought) + 1}
        return {"choices": [choice], "usage": used}


class LlamaServer(Kind):
    """Counts tokens (a word each), renders its template, takes grammars; `only` in a router."""

    context = 4096
    template = "system words " * 20

    def __init__(self, **settings):
        super().__init__(**{"owner": "llamacpp", **settings})

    def get(self, path, query):
        if path == "/props":
            model = query.get("model", [""])[0]
            if len(self.names) > 1 and model not in self.names:
                return 400, {"error": {"message": "model name is missing from the request"}}
            return 200, {"default_generation_settings": {"n_ctx": self.context + len(model)}}
        return super().get(path, query)

    def post(self, path, body):
        if len(self.names) > 1 and body.get("model") not in self.names:
            return 400, {"error": {"message": f"model '{body.get('model')}' not found"}}
        if path == "/tokenize":
            return 200, {"tokens": list(range(len(body["content"].split())))}
        if path == "/apply-template":
            return 200, {"prompt": f"{self.template} {body['messages'][0]['content']}"}
        return super().post(path, body)


class Ollama(Kind):
    """Takes a JSON schema: a string comes in its quotes, as JSON has them."""

    def __init__(self, **settings):
        super().__init__(**{"owner": "library", **settings})

    def held(self, body):
        return super().held(body) or json.dumps(self.says)


class Vllm(Kind):
    """Turns thinking off in the chat template."""

    def __init__(self, **settings):
        super().__init__(**{"owner": "vllm", **settings})

    def silent(self, body):
        return body.get("chat_template_kwargs", {}).get("enable_thinking") is False

    def post(self, path, body):
        if path == "/tokenize":
            text = body.get("prompt") or f"[INST] {body['messages'][0]['content']} [/INST] a b c"
            return 200, {"count": len(text.split()) + 1, "tokens": []}
        return super().post(path, body)


class Hosted(Kind):
    """OpenAI's own, a model that takes neither another temperature nor stops, and always thinks."""

    efforts = ("minimal", "low", "medium", "high")

    def __init__(self, **settings):
        super().__init__(**{"owner": "system", **settings})

    def refuses(self, body):
        for name in ("max_tokens", "logprobs", "stop"):
            if name in body:
                return f"Unsupported parameter: '{name}' is not supported with this model."
        if body.get("temperature", 1) != 1:
            return "Unsupported value: 'temperature' does not support 0.0 with this model."
        if body.get("reasoning_effort", "low") not in self.efforts:
            return "Unsupported value: 'reasoning_effort' does not support 'none' with this model."
        if "response_format" in body:
            schema = body["response_format"]["json_schema"]["schema"]
            if schema.get("type") != "object":
                return "Invalid schema for response_format 'reply': schema must be an object."
        return ""

    def chat(self, body):
        reply = super().chat(body)
        details = {"reasoning_tokens": 0}
        reply["usage"]["completion_tokens_details"] = details
        return reply


class Mistral(Kind):
    """Refuses every field that it does not know, all at once; has no log-probabilities."""

    takes = frozenset(
        "model messages temperature max_tokens stop random_seed response_format".split()
    )

    def __init__(self, **settings):
        super().__init__(**{"owner": "mistralai", **settings})

    def post(self, path, body):
        unknown = sorted(set(body) - self.takes)
        if unknown:
            detail = [
                {
                    "type": "extra_forbidden",
                    "loc": ["body", name],
                    "msg": "Extra inputs are not permitted",
                    "input": 0,
                }
                for name in unknown
            ]
            return 422, {"object": "error", "message": {"detail": detail}, "code": None}
        return super().post(path, body)


class Array(Kind):
    """Lists its models in a bare array, with the context."""

    def listed(self, entries):
        return [{**entry, "context_length": 1234} for entry in entries]


class Behind(Kind):
    """vLLM behind a proxy that passes only /v1 on."""

    def __init__(self, **settings):
        super().__init__(**{"owner": "vllm", **settings})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self._note({})
        parts = urlsplit(self.path)
        self._send(*self.server.kind.get(parts.path, parse_qs(parts.query)))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._note(body)
        self._send(*self.server.kind.post(urlsplit(self.path).path, body))

    def _note(self, body):
        with self.server.lock:
            self.server.kind.asked.append((self.path, body))
            self.server.kind.keys.append(self.headers.get("Authorization"))

    def _send(self, status, body, **headers):
        if isinstance(body, str):  # an address
            headers, body = {"Location": body}, {}
        content = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


@contextmanager
def serving(kind):
    """Serve it; gives the address, up to and including /v1."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.kind, server.lock = kind, threading.Lock()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def log(**probabilities):
    """Log-probabilities of tokens, the likeliest first."""
    return {t: math.log(p) for t, p in sorted(probabilities.items(), key=lambda one: -one[1])}
