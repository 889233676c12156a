"""The demonstration: plays a learner's conversation and shows summary and context as they change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from rich.text import Text

from adapters.terminal import palette, translate
from adapters.terminal.faces import MovingReplies
from adapters.terminal.render import notice
from adapters.terminal.screen import Screen
from bot.config import Settings
from bot.messages import ChatKind
from bot.ports import Clock, CommandInfo, Inbox

SCRIPT = (
    "Hello! My TOEIC exam is on the 18th next month, my aim is 850 and listening is my weak point.",
    "I study every evening from 20:00 for 40 minutes.",
    "My teacher Mr. Lee says that I should repeat short news clips aloud.",
    "Correction: my aim is not 850 but 900.",
    "/context",
    "I prefer British podcasts over American ones.",
    "Yesterday I reached 61 of 100 points in the listening test.",
    "My sister lends me her headphones until Friday.",
    "What could I do on the train to work?",
    "The train takes 25 minutes each way.",
    "/summary",
    "I will do one full practice test every Sunday.",
    "My desk lamp broke, so I bought a new one for 39 euros.",
    "The words of chapter 7 are harder for me than those of chapter 6.",
    "My friend Aylin in Izmir reads the same book and is at page 140.",
    "She sent me 120 flash cards and a long list of useful phrases.",
    "When is my exam, and what is my aim?",
    "/summary",
    "/context",
)
_READING_SECONDS = 1.2


def demo_settings(settings: Settings, path: Path) -> Settings:
    """The settings with a window so small that it fills within a minute's conversation."""
    memory = settings.memory.model_copy(
        update={"input_budget": 1200, "recent_turns": 3, "trigger_turns": 4, "token_count": "local"}
    )
    summary = settings.summary.model_copy(update={"max_tokens": 400, "base_url": "", "model": "", "api": ""})
    llm = settings.llm.model_copy(update={"base_url": ""})
    storage = settings.storage.model_copy(update={"path": path})
    return settings.model_copy(update={"memory": memory, "summary": summary, "llm": llm, "storage": storage})


class DemoAdapter:
    """A terminal at which the script types. `settle` waits for a summary under way, so that it is seen."""

    platform = translate.PLATFORM

    def __init__(
        self,
        stdout: TextIO,
        clock: Clock,
        settle: Callable[[], Awaitable[None]],
        environment: Mapping[str, str],
        *,
        bot_name: str = "Memora",
        fast: bool = False,
    ) -> None:
        self._screen = Screen(stdout, bot_name, clock, environment)
        self._clock = clock
        self._settle = settle
        self._pause = 0.0 if fast else _READING_SECONDS

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._screen.still()

    async def check(self) -> str:
        """A terminal is always there."""
        return self.platform

    def report(self, event: Mapping[str, Any]) -> None:
        """Show a compaction as it happens."""
        if text := str(event.get("text", "")):
            self._screen.draw(notice(text))

    async def run(self, inbox: Inbox, commands: Sequence[CommandInfo]) -> None:
        """Play the script to its end."""
        for number, line in enumerate(SCRIPT, start=1):
            self._screen.draw(Text(f"› {line}", style=f"bold {palette.GREEN}"))
            message = translate.incoming(
                line,
                key=translate.conversation_key("demo"),
                author=translate.speaker("you"),
                message_id=str(number),
                sent_at=self._clock.now(),
                chat_kind=ChatKind.PRIVATE,
                language="en",
            )
            if message:
                await inbox.submit(message, MovingReplies(self._screen, partial("answer-{}".format, number)))
                await self._settle()
                await self._clock.sleep(self._pause)
