"""The HTTP side of the loopback Telegram server: reads calls in every encoding, checks, answers, fails."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.telegram import checking
from tests.servers.telegram.checking import Upload
from tests.servers.telegram.control import routes
from tests.servers.telegram.faults import ApiError, Fault
from tests.servers.telegram.methods import Methods

if TYPE_CHECKING:
    from tests.servers.telegram.server import TelegramServer


class Wire:
    """`closing` releases whatever hangs when the server goes down."""

    def __init__(self, server: TelegramServer, methods: Methods) -> None:
        self._server = server
        self._methods = methods
        self.closing = asyncio.Event()

    def application(self) -> web.Application:
        """The web application to serve."""
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_routes(routes(self._server))
        app.router.add_route("*", "/bot{token}/{method}", self._handle)
        return app

    async def _handle(self, http: web.Request) -> web.Response:
        try:
            return await self._answered(http)
        except ApiError as error:
            return _refusal(error)

    async def _answered(self, http: web.Request) -> web.Response:
        method = http.match_info["method"]
        self._authorise(http.match_info["token"])
        if method not in self._methods.table or not checking.known(method):
            self._server.took(method, {})
            raise ApiError(404, "Not Found: method not found")
        params, violations = checking.read(method, await _raw(http))
        self._server.took(method, params)
        fault = self._server.next_fault(method)
        if fault and not fault.processed:
            return await self._fail(http, fault)
        if violations:
            self._server.violations += violations
            raise ApiError(400, f"Bad Request: {'; '.join(violations)}")
        result = await self._methods.table[method](params)
        self._check(method, result)
        self._server.changed()
        if fault:
            return await self._fail(http, fault)
        return web.json_response({"ok": True, "result": result})

    def _authorise(self, token: str) -> None:
        number, _, secret = token.partition(":")
        if not (number.isdigit() and secret):
            raise ApiError(404, "Not Found")
        if token != self._server.token:
            raise ApiError(401, "Unauthorized")

    def _check(self, method: str, result: Any) -> None:
        if checking.available() and not isinstance(result, bool):
            kind = checking.result_types(method)[0]
            self._server.violations += checking.violations_of(kind, result)

    async def _fail(self, http: web.Request, fault: Fault) -> web.Response:
        if fault.hang:
            await self.closing.wait()
        if fault.hang or fault.drop:
            if http.transport:
                http.transport.abort()
            return web.Response()
        return _refusal(ApiError(fault.status, fault.description, fault.parameters))


async def _raw(http: web.Request) -> Mapping[str, Any]:
    """Parameters from the address and the body: JSON, a form, or a form with files."""
    found: dict[str, Any] = dict(http.query)
    if http.content_type == "application/json":
        return found | dict(json.loads(await http.read() or b"{}"))
    for name, value in (await http.post()).items():
        if isinstance(value, web.FileField):
            found[name] = Upload(value.filename, value.file.read())
        else:
            found[name] = value
    return found


def _refusal(error: ApiError) -> web.Response:
    body: dict[str, Any] = {"ok": False, "error_code": error.status, "description": error.description}
    if error.parameters:
        body["parameters"] = dict(error.parameters)
    return web.json_response(body, status=error.status)
