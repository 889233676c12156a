"""The HTTP connections to Telegram, and what is kept out of the log."""

from __future__ import annotations

import json
import logging
import os
from types import TracebackType
from typing import Any, Self

import structlog
from telegram import Bot, Update
from telegram.error import TelegramError
from telegram.request import HTTPXRequest

# In seconds. What takes longer than this to arrive counts as lost, and is then looked for.
_TIMEOUT = 20.0
_CONNECTIONS = 64

log = structlog.get_logger(__name__)


class QuietRequest(HTTPXRequest):
    """Reads answers without writing unreadable ones to the log."""

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """The answer as a mapping; TelegramError where it is none."""
        try:
            answer = json.loads(payload.decode("utf-8", "replace"))
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise TelegramError("the answer of the server can't be read")
        return answer


class UpdatesRequest(QuietRequest):
    """Puts an empty update in place of one that the SDK can't read.

    Otherwise that one would be asked for again and again, and everything after it would never arrive.
    """

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """The answer, with updates that can all be read."""
        answer = QuietRequest.parse_json_payload(payload)
        if isinstance(updates := answer.get("result"), list):
            answer["result"] = [_readable(update) for update in updates]
        return answer


class Connection:
    """A bot that can be called while this is entered; entering makes no call yet."""

    def __init__(self, token: str, base_url: str, timeout: float = _TIMEOUT) -> None:
        self._token = token
        self._base_url = base_url
        self._timeout = timeout

    async def __aenter__(self) -> Self:
        # httpx writes every address to the log, and with it the token.
        for name in ("httpx", "httpcore"):
            logging.getLogger(name).setLevel(logging.WARNING)
        # Without this, the SDK warns whenever Telegram asks to wait.
        os.environ.setdefault("PTB_TIMEDELTA", "1")
        times = (self._timeout, self._timeout, self._timeout, self._timeout)
        self._calls = QuietRequest(_CONNECTIONS, *times)
        self._updates = UpdatesRequest(1, *times)
        self.bot = Bot(
            self._token,
            base_url=f"{self._base_url}/bot",
            request=self._calls,
            get_updates_request=self._updates,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._calls.shutdown()
        await self._updates.shutdown()


def _readable(update: dict[str, Any]) -> dict[str, Any]:
    try:
        Update.de_json(update, None)
    except Exception as error:
        number = update["update_id"]
        log.error("an update can't be read and is passed over", update=number, error=type(error).__name__)
        return {"update_id": number}
    return update
