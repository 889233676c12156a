"""Whatever course a conversation takes: nothing is lost, doubled or brought back, and every request fits."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from collections.abc import Awaitable, Coroutine
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.errors import DeliveryRefused, ModelError, ModelFailed, ModelRejected
from bot.memory.tokens import TiktokenCounter, request_tokens
from bot.messages import ChatKind, MessageEdited, MessagesDeleted
from bot.ports import Finish, ModelRequest
from bot.records import Memory, Summary
from tests.bot.chat.core import add, operations, running, small, told
from tests.fakes.clock import StepClock
from tests.fakes.model import Reply, ScriptedModel, Told
from tests.fakes.responder import RecordingResponder, words_of
from tests.fakes.store import ANN, BOB, KEY

T = TypeVar("T")
Broken = Literal["", "open", "finish"]

BUDGET = 700
MARK = re.compile(r"\bmark\d+x\b")
PLACES = st.integers(0, 40)
FAILURES: list[Told] = [
    ModelFailed("500"),
    "",
    Reply("{", Finish.LENGTH),
    operations(add("5 x", 9)),
    operations(add("It costs 99 euros", 1)),
]


def _noted(_: ModelRequest) -> str:
    """An answer that repeats nothing of its question."""
    return "Noted."


def _folded(request: ModelRequest) -> str:
    """One note for a piece, with the mark of its first message; but two notes of before are kept."""
    lines = request.messages[0].text.splitlines()
    rows = [re.match(r"(\d+) #(\d+) (.*)", line) for line in lines[lines.index("Messages") :]]
    place, about, text = next(row.groups() for row in rows if row)
    old = [line.split()[0] for line in lines[lines.index("Notes") + 1 : lines.index("Messages")]]
    drops = [{"op": "drop", "note": name, "reason": "minor", "sources": []} for name in old[:-2]]
    mark = MARK.search(text)
    note = add(mark.group() if mark else "It was noted", int(place), about=int(about))
    return operations(note, *drops)


class Gate(asyncio.Event):
    """A gate that knows when somebody stands before it."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = asyncio.Event()

    async def wait(self) -> Literal[True]:
        self.reached.set()
        return await super().wait()


class Course(RuleBasedStateMachine):
    """Drives a running core, and keeps an account of what was said and what was taken back."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = Path(tempfile.mkdtemp())
        self._runner = asyncio.Runner()
        self._clock = StepClock()
        self._counter = TiktokenCounter("o200k_base")
        self._marks = count(1)
        self._said: dict[str, str] = {}  # the mark of each message that is there, in order
        self._gone: set[str] = set()  # marks that are never to be read again
        self._waiting: list[tuple[RecordingResponder, Awaitable[None]]] = []
        self._gate: Gate | None = None
        self._seen = [0, 0]  # how many requests of each model are checked
        self._ever: list[str] = []

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        self._clock.pass_time(1)
        return self._runner.run(work)

    @initialize()
    def begin(self) -> None:
        self._models = ScriptedModel("chatty", _noted), ScriptedModel("brief", _folded)
        self._do(self._open())
        self.say(True, False, 3, "")

    async def _open(self) -> None:
        self._stack = AsyncExitStack()
        path = self._folder / "memora.db"
        chosen = small(input_budget=BUDGET, max_tokens=120)
        opened = running(path, self._counter, chosen, self._clock, self._models)
        self._core = await self._stack.enter_async_context(opened)

    def teardown(self) -> None:
        self._do(self._stack.aclose())
        self._runner.close()
        shutil.rmtree(self._folder)

    # -- what people do

    @rule(
        addressed=st.booleans(),
        by_bob=st.booleans(),
        length=st.sampled_from([0, 3, 30, 90]),
        broken=st.sampled_from(["", "", "", "open", "finish"]),
    )
    def say(self, addressed: bool, by_bob: bool, length: int, broken: Broken) -> None:
        mark = self._new_mark()
        self._said[f"id-{mark}"] = mark
        self._ever.append(f"id-{mark}")
        self._do(self._submit(f"id-{mark}", f"{mark}{' words of it' * length}", addressed, by_bob, broken))

    def _new_mark(self) -> str:
        return f"mark{next(self._marks)}x"

    async def _submit(
        self, name: str, text: str, addressed: bool = True, by_bob: bool = False, broken: Broken = ""
    ) -> None:
        speaker = BOB if by_bob else ANN
        event = self._core.words(text, name, speaker=speaker, addressed=addressed, kind=ChatKind.GROUP)
        responder, done = self._core.send(event)
        if broken == "open":
            responder.open_error = DeliveryRefused("no")
        if broken == "finish":
            responder.sink.finish_error = DeliveryRefused("no")
        await self._core.lanes.accepted()
        self._waiting.append((responder, done))
        if self._gate is None:
            await self._end()
        else:
            await self._quiet(self._gate)

    async def _quiet(self, gate: Gate) -> None:
        """Nothing moves: all have ended, or one stands before the gate and the others behind it."""
        ends: asyncio.Future[Any] = asyncio.gather(*(done for _, done in self._waiting))
        reached: asyncio.Future[Any] = asyncio.ensure_future(gate.reached.wait())
        await asyncio.wait({ends, reached}, return_when=asyncio.FIRST_COMPLETED)
        reached.cancel()

    async def _end(self) -> None:
        """Whoever waits comes to one end at most, and to none only where nothing was begun."""
        for responder, done in self._waiting:
            await done
            ends = [responder.answer is not None, responder.sink.failure is not None, *responder.views]
            assert sum(map(bool, ends)) == (not responder.silent)
        self._waiting = []

    @rule(place=PLACES)
    def deliver_again(self, place: int) -> None:
        self._do(self._submit(self._ever[place % len(self._ever)], "never said"))

    @rule(place=PLACES)
    def edit(self, place: int) -> None:
        if self._said:
            name = list(self._said)[place % len(self._said)]
            old, self._said[name] = self._said[name], self._new_mark()
            event = MessageEdited(KEY, name, self._said[name], self._clock.now())
            self._do(self._take_back({old}, self._handle(event)))

    @rule(places=st.lists(PLACES, min_size=1, max_size=3))
    def delete(self, places: list[int]) -> None:
        if self._said:
            names = sorted({list(self._said)[place % len(self._said)] for place in places})
            event = MessagesDeleted(KEY, tuple(names))
            marks = {self._said.pop(name) for name in names}
            self._do(self._take_back(marks, self._handle(event)))

    @rule()
    def reset(self) -> None:
        marks, self._said = set(self._said.values()), {}
        self._do(self._take_back(marks, self._reset()))

    async def _reset(self) -> None:
        epoch = (await self._core.conversation()).epoch
        view = await self._core.command(f"/reset confirm {epoch}", chat_kind=ChatKind.GROUP)
        assert "Everything is erased" in words_of(view)

    async def _handle(self, event: MessageEdited | MessagesDeleted) -> None:
        await self._core.lanes.submit(event, RecordingResponder())

    async def _take_back(self, marks: set[str], done: Awaitable[None]) -> None:
        """From here on `marks` are in no request: what was asked before is checked for older ones."""
        await self._core.compactor.join()
        self._check_requests()
        await done
        self._seen = [len(model.requests) for model in self._models]
        self._gone |= marks

    @rule(line=st.sampled_from(["/summary", "/context", "/history", "/compact", "/help"]))
    def command(self, line: str) -> None:
        view = self._do(self._core.command(line, chat_kind=ChatKind.GROUP))
        assert not self._gone & set(MARK.findall(words_of(view)))

    # -- what happens around them

    @precondition(lambda self: self._gate is None)
    @rule()
    def hang(self) -> None:
        """The next answer stops half way until it is released."""
        self._gate = Gate()
        self._models[0].script(Reply("Noted.", pause_after=3, gate=self._gate))

    @precondition(lambda self: self._gate is not None)
    @rule()
    def release(self) -> None:
        assert self._gate
        self._gate.set()
        self._gate = None
        self._do(self._end())

    @precondition(lambda self: self._gate is None)
    @rule(error=st.sampled_from([ModelFailed("500"), ModelRejected("400")]))
    def fail_next(self, error: ModelError) -> None:
        self._models[0].script(error)

    @rule(told=st.sampled_from(FAILURES), times=st.integers(1, 2))
    def fail_next_summary(self, told: Told, times: int) -> None:
        self._models[1].script(*[told] * times)

    @rule(seconds=st.sampled_from([20, 100, 4000]))
    def wait(self, seconds: int) -> None:
        self._clock.pass_time(seconds)

    @rule()
    def restart(self) -> None:
        self._do(self._stack.aclose())
        if self._gate:
            self._gate.set()  # what was hanging is gone, or would hang the next answer
        self._gate, self._waiting = None, []
        self._do(self._open())

    # -- what holds

    @invariant()
    def the_log_is_covered_or_verbatim_and_holds_what_was_said(self) -> None:
        if hasattr(self, "_core"):
            self._do(self._check())

    async def _check(self) -> None:
        await self._core.compactor.join()
        self._check_requests()
        conversation = await self._core.conversation()
        memory = await self._core.memory()
        log, total = await self._core.store.history(conversation, 1000)
        assert [MARK.findall(message.text) for message in log if message.role == "user"] == [
            [mark] for mark in self._said.values()
        ]
        answered = [message.answers for message in log if message.answers]
        assert len(answered) == len(set(answered))
        ids = [message.id for message in log]
        assert memory.stored == total == len(ids)
        self._check_coverage(ids, memory, await self._core.store.versions(conversation))

    def _check_coverage(self, ids: list[int], memory: Memory, versions: list[Summary]) -> None:
        watermark = memory.summary.watermark if memory.summary else 0
        assert [message.id for message in memory.verbatim] == [one for one in ids if one > watermark]
        assert memory.older == 0
        for one in ids:
            folded = [each for each in versions if each.draft.first <= one <= each.draft.last]
            assert len(folded) == (one <= watermark)

    def _check_requests(self) -> None:
        for place, model in enumerate(self._models):
            fresh = model.requests[self._seen[place] :]
            self._seen[place] += len(fresh)
            for request in fresh:
                assert not self._gone & set(MARK.findall(told(request)))
                if request.purpose == "answer":
                    self._check_answer(request)

    def _check_answer(self, request: ModelRequest) -> None:
        assert request_tokens(self._counter, request.instructions, request.messages) <= BUDGET
        roles = [message.role for message in request.messages]
        assert roles[-1] == "user"
        assert "developer" not in roles[2:]


Course.TestCase.settings = settings(
    max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnyCourse = Course.TestCase
