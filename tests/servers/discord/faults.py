"""What goes wrong on purpose at the loopback Discord server, and its rate limits."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass

from tests.servers.discord.refusals import Refusal, limited


@dataclass(slots=True, eq=False)
class Fault:
    """Spoils the next `times` requests of a method and path template ("" for any).

    First it holds the request until `hold` is set; then it refuses it, or (`lose`) lets it be done and breaks
    the connection off instead of answering.
    """

    method: str
    template: str
    times: int = 1
    refusal: Refusal | None = None
    lose: bool = False
    hold: asyncio.Event | None = None

    def concerns(self, method: str, template: str) -> bool:
        return self.times > 0 and self.method in ("", method) and self.template in ("", template)


class Faults:
    """The faults that wait for their request."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []

    def add(self, fault: Fault) -> None:
        self._waiting.append(fault)

    def take(self, method: str, template: str) -> Fault | None:
        """The first fault that concerns a request, used up by one."""
        for fault in self._waiting:
            if fault.concerns(method, template):
                fault.times -= 1
                return fault
        return None


class Limits:
    """Rate limits by route and channel, guild or webhook: so many requests in so many seconds."""

    def __init__(self) -> None:
        self._limits: dict[tuple[str, str], tuple[int, float]] = {}
        self._seen: defaultdict[tuple[str, str, str], deque[float]] = defaultdict(deque)

    def set(self, method: str, template: str, requests: int, seconds: float) -> None:
        """Bound a route; without it a route has room for 50 requests a second that nobody checks."""
        self._limits[method, template] = (requests, seconds)

    def headers(self, method: str, template: str, major: str) -> Mapping[str, str]:
        """Count a request and say how much room is left. Raises the 429 when there is none."""
        requests, seconds = self._limits.get((method, template), (50, 1.0))
        now = time.monotonic()
        seen = self._seen[method, template, major]
        while seen and seen[0] <= now - seconds:
            seen.popleft()
        if len(seen) >= requests and (method, template) in self._limits:
            raise limited(seen[0] + seconds - now)
        seen.append(now)
        reset = seen[0] + seconds - now
        left = requests - len(seen) if (method, template) in self._limits else requests - 1
        return {
            "X-RateLimit-Limit": str(requests),
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Reset": f"{time.time() + reset:.3f}",
            "X-RateLimit-Reset-After": f"{reset:.3f}",
            "X-RateLimit-Bucket": hashlib.md5(f"{method} {template}".encode()).hexdigest(),
        }
