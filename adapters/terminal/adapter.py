"""The terminal as a platform: reads lines, puts them into the inbox, and shows what comes back."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TextIO

from adapters.terminal import translate
from adapters.terminal.faces import MovingReplies, WholeReplies
from adapters.terminal.json_lines import JsonForm
from adapters.terminal.plain import PlainForm
from adapters.terminal.prompt import CommandCompleter, Prompt
from adapters.terminal.render import notice
from adapters.terminal.screen import Screen
from adapters.terminal.streams import LineReader, Output
from bot.messages import ChatKind, IncomingMessage
from bot.ports import Clock, CommandInfo, Inbox

_STOPPED = "┄ Ctrl-C"

Mode = Literal["interactive", "plain", "json"]


def mode_for(stdin: TextIO, stdout: TextIO, as_json: bool) -> Mode:
    """Interactive only when a person both types and reads here."""
    if as_json:
        return "json"
    return "interactive" if stdin.isatty() and stdout.isatty() else "plain"


class TerminalAdapter:
    """One conversation on a local console.

    `settle` gives work beside the conversation a moment after each line of a script. `run_id` tells runs
    that begin at the same moment apart. `history` is the file of typed lines (None: they are forgotten at
    the end). `greeting` is shown to a person before the first prompt.
    """

    platform = translate.PLATFORM

    def __init__(
        self,
        speaker_name: str,
        conversation_name: str,
        mode: Mode,
        stdin: TextIO,
        stdout: TextIO,
        clock: Clock,
        settle: Callable[[], Awaitable[None]],
        group: bool = False,
        *,
        run_id: str,
        environment: Mapping[str, str],
        bot_name: str = "Memora",
        language: str = "",
        greeting: str = "",
        history: Path | None = None,
    ) -> None:
        self._speaker = translate.speaker(speaker_name)
        self._key = translate.conversation_key(conversation_name)
        self._kind = ChatKind.GROUP if group else ChatKind.PRIVATE
        self._mode = mode
        self._stdin, self._stdout = stdin, stdout
        self._clock = clock
        self._settle = settle
        self._run_id = run_id
        self._environment = environment
        self._bot_name = bot_name
        self._language = language
        self._greeting = greeting
        self._history = history
        self._close = ExitStack()
        self._numbers = itertools.count(1)
        self._report: Callable[[Mapping[str, Any]], None] = lambda event: None
        self._remarks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close.close()
        await asyncio.gather(*self._remarks, return_exceptions=True)

    async def check(self) -> str:
        """A terminal is always there."""
        return self.platform

    def report(self, event: Mapping[str, Any]) -> None:
        """Show what happens beside the conversation, such as a compaction."""
        self._report(event)

    async def run(self, inbox: Inbox, commands: Sequence[CommandInfo]) -> None:
        """Read until the input ends, the person ends it, or nobody reads the output any more."""
        if self._mode == "interactive":
            await self._converse(inbox, commands)
        else:
            await self._read(inbox)

    async def _read(self, inbox: Inbox) -> None:
        form = JsonForm() if self._mode == "json" else PlainForm()
        output = Output(self._stdout)
        self._report = lambda event: output.write(form.report(event))
        async with LineReader(self._stdin) as reader:
            while not output.closed and (line := await reader.line()) is not None:
                message = self._message(translate.decode(line))
                if message:
                    replies = WholeReplies(message, form, output, self._new_id)
                    await asyncio.shield(inbox.submit(message, replies))
                    await self._settle()

    async def _converse(self, inbox: Inbox, commands: Sequence[CommandInfo]) -> None:
        screen = Screen(self._stdout, self._bot_name, self._clock, self._environment)
        self._close.callback(screen.still)
        completer = CommandCompleter(commands, self._language)
        prompt = Prompt(self._stdin, self._stdout, self._speaker.name, completer, self._history)
        self._report = lambda event: self._remark(prompt, screen, event)
        with prompt.raw():
            if self._greeting:
                screen.draw(notice(self._greeting))
            while (line := await prompt.line()) is not None:
                message = self._message(line)
                if message:
                    await self._answer(prompt, screen, inbox, message)

    async def _answer(self, prompt: Prompt, screen: Screen, inbox: Inbox, message: IncomingMessage) -> None:
        replies = MovingReplies(screen, self._new_id)
        screen.wait()
        handled = asyncio.ensure_future(inbox.submit(message, replies))
        if await prompt.interrupted(handled):
            replies.hush()
            screen.draw(notice(f"{_STOPPED}\n"))
        else:
            handled.result()
            screen.still()

    def _remark(self, prompt: Prompt, screen: Screen, event: Mapping[str, Any]) -> None:
        text = str(event.get("text", ""))
        if text:
            task = asyncio.create_task(prompt.above(lambda: screen.draw(notice(f"┄ {text}"))))
            self._remarks.add(task)
            task.add_done_callback(self._remarks.discard)

    def _message(self, line: str) -> IncomingMessage | None:
        return translate.incoming(
            line,
            key=self._key,
            author=self._speaker,
            message_id=self._new_id(),
            sent_at=self._clock.now(),
            chat_kind=self._kind,
            language=self._language,
        )

    def _new_id(self) -> str:
        """An id that no other message has, over restarts too."""
        return f"{self._clock.now():%Y%m%d%H%M%S%f}-{self._run_id}-{next(self._numbers)}"
