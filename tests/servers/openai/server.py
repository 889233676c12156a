"""The loopback OpenAI server: receives, records, checks and answers as it was told."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from aiohttp import web

from tests.servers.openai import checking, counting, delivery
from tests.servers.openai.answers import Answer, Tokens, error_body
from tests.servers.openai.folding import fold
from tests.servers.openai.recorded import Api, Recorded

Kind = Literal["answers", "summaries", "counts", "models"]
Answerer = Callable[[Recorded], Answer]


def asks_for_memory(request: Recorded) -> bool:
    """Whether a request is the summariser's: it asks for memory edits as structured output."""
    return request.schema_name == "memory_edits"


def echo(request: Recorded) -> Answer:
    """The answer where nothing else was told: one sentence that repeats the start of the last message."""
    return Answer(f"I read: {' '.join(request.current.split())[:120]}")


class OpenAIServer:
    """Listens on loopback while it is entered.

    `key`, if given, is the only one accepted. `record` names a file that gets every request as a line of
    JSON before it is answered. `models` are the names that /models lists.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        key: str | None = None,
        record: Path | None = None,
        is_summary: Callable[[Recorded], bool] = asks_for_memory,
        models: tuple[str, ...] = ("gpt-5-mini", "gpt-4.1-mini"),
    ) -> None:
        self.requests: list[Recorded] = []
        self.violations: list[str] = []
        self.models = models
        self._port = port
        self._key = key
        self._record = record
        self._is_summary = is_summary
        self._queues: dict[Kind | None, deque[Answer]] = {}
        self._answerers: dict[Kind | None, Answerer] = {}
        self._arrived = asyncio.Condition()
        self._closing = asyncio.Event()
        self._runner: web.AppRunner | None = None

    # -- telling it what to do

    def script(self, *answers: Answer, to: Kind | None = None) -> None:
        """Queue answers: for one kind of request, or (None) for answers and summaries alike."""
        self._queues.setdefault(to, deque()).extend(answers)

    def answer_with(self, answerer: Answerer, to: Kind | None = None) -> None:
        """Ask `answerer` whenever no queued answer is left: for one kind of request, or (None) for both."""
        self._answerers[to] = answerer

    @property
    def unused(self) -> int:
        """Queued answers that nobody has fetched yet."""
        return sum(len(queue) for queue in self._queues.values())

    # -- seeing what came

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def answers(self) -> list[Recorded]:
        """Requests for an answer to a person, in order of arrival."""
        return [request for request in self.requests if self._kind(request) == "answers"]

    @property
    def summaries(self) -> list[Recorded]:
        """Requests of the summariser, in order of arrival."""
        return [request for request in self.requests if self._kind(request) == "summaries"]

    async def wait_for(self, number: int, kind: Kind | None = None) -> list[Recorded]:
        """Return as soon as `number` requests (of one kind, or of any) have arrived."""

        def arrived() -> list[Recorded]:
            return [r for r in self.requests if kind is None or self._kind(r) == kind]

        async with self._arrived:
            await self._arrived.wait_for(lambda: len(arrived()) >= number)
        return arrived()

    # -- listening

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/responses", partial(self._handle, api="responses"))
        app.router.add_post("/v1/chat/completions", partial(self._handle, api="chat"))
        app.router.add_post("/v1/responses/input_tokens", partial(self._handle, api="input_tokens"))
        app.router.add_get("/v1/models", partial(self._handle, api="models"))
        app.router.add_get("/v1/models/{name}", partial(self._handle, api="models"))
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1.0, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        if self._runner:
            await self._runner.cleanup()

    async def _handle(self, http: web.Request, api: Api) -> web.StreamResponse:
        request = await self._receive(http, api)
        if self._key is not None and request.headers.get("authorization") != f"Bearer {self._key}":
            return _refused(Answer(status=401))
        if api != "models" and (found := checking.violations(api, request.body)):
            self.violations += [f"{request.path}: {violation}" for violation in found]
            return _refused(Answer(status=400, error={"message": "; ".join(found)}))
        answer = self._choose(request)
        if not answer.pause_after:
            await delivery.pause(http, answer, self._closing)
        if answer.status != 200:
            return _refused(answer)
        if answer.garbage:
            text, kind = answer.garbage
            return web.Response(text=text, content_type=kind)
        if api in ("responses", "chat"):
            return await self._speak(http, request, answer)
        return self._tell(http, request, answer)

    async def _receive(self, http: web.Request, api: Api) -> Recorded:
        raw = await http.read()
        body: dict[str, Any] = json.loads(raw) if raw else {}
        headers = {name.lower(): value for name, value in http.headers.items()}
        request = Recorded(http.path, api, body, headers, time.time())
        if self._record:
            with self._record.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(request.to_json()) + "\n")
        async with self._arrived:
            self.requests.append(request)
            self._arrived.notify_all()
        return request

    async def _speak(self, http: web.Request, request: Recorded, answer: Answer) -> web.StreamResponse:
        tokens = counting.usage(request, answer)
        speech = delivery.Speech(request, answer, tokens, len(self.requests))
        if request.streamed:
            return await delivery.stream(http, speech, self._closing)
        return await delivery.whole(http, speech, self._closing)

    def _tell(self, http: web.Request, request: Recorded, answer: Answer) -> web.Response:
        if request.api == "input_tokens":
            tokens = answer.usage or Tokens(counting.count_input(request), 0)
            return web.json_response({"object": "response.input_tokens", "input_tokens": tokens.input})
        entries = [
            {"id": name, "object": "model", "created": 1754000000, "owned_by": "loopback"}
            for name in self.models
        ]
        if (name := http.match_info.get("name")) is None:
            return web.json_response({"object": "list", "data": entries})
        found = [entry for entry in entries if entry["id"] == name]
        return web.json_response(found[0]) if found else _refused(Answer(status=404))

    def _kind(self, request: Recorded) -> Kind:
        if request.api == "models":
            return "models"
        if request.api == "input_tokens":
            return "counts"
        return "summaries" if self._is_summary(request) else "answers"

    def _choose(self, request: Recorded) -> Answer:
        kind = self._kind(request)
        wanted: tuple[Kind | None, ...] = (kind, None) if kind in ("answers", "summaries") else (kind,)
        for name in wanted:
            if queue := self._queues.get(name):
                return queue.popleft()
        for name in wanted:
            if answerer := self._answerers.get(name):
                return answerer(request)
        return fold(request) if kind == "summaries" else echo(request)


def _refused(answer: Answer) -> web.Response:
    return web.json_response(error_body(answer), status=answer.status, headers=dict(answer.headers))
