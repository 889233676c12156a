"""From the model's stream to what people see: pace, typing, and what happens when either side fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.chat.streaming import deliver
from bot.errors import DeliveryRefused, ModelInterrupted, ModelTimeout
from bot.ports import Completion, Finish, TextDelta
from tests.bot.chat.core import Core, told
from tests.fakes.clock import StepClock, Watched
from tests.fakes.model import Reply
from tests.fakes.responder import RecordingResponder, words_of


class Source(Watched):
    """A stream that a test feeds; `taken` counts what was read of it."""

    def __init__(self) -> None:
        super().__init__()
        self._queue: asyncio.Queue[TextDelta | Completion | Exception | None] = asyncio.Queue()
        self.taken = 0

    async def stream(self) -> AsyncIterator[TextDelta | Completion]:
        while (item := await self._queue.get()) is not None:
            if isinstance(item, Exception):
                raise item
            self.taken += 1
            self.changed()
            yield item

    def feed(self, *items: str | Completion | Exception | None) -> None:
        for item in items:
            self._queue.put_nowait(TextDelta(item) if isinstance(item, str) else item)

    async def read(self, number: int) -> None:
        await self.until(lambda: self.taken >= number)


def _whole(text: str) -> Completion:
    return Completion(text, Finish.STOP, "chatty")


class Scene:
    """One delivery under way."""

    def __init__(self, interval: float = 1.0) -> None:
        self.source, self.clock = Source(), StepClock()
        self.responder = RecordingResponder(interval)
        self.sink = self.responder.sink

    def start(self) -> asyncio.Task[Completion]:
        return asyncio.create_task(deliver(self.source.stream(), self.sink, self.responder, self.clock))

    async def shown(self, number: int) -> None:
        await self.responder.until(lambda: len(self.sink.updates) >= number)


async def test_updates_keep_the_platform_s_interval_and_show_all_that_came() -> None:
    scene = Scene(interval=2.0)
    task = scene.start()
    scene.source.feed("One ")
    await scene.shown(1)
    await scene.clock.asleep(2.0)
    scene.source.feed("two ", "three")
    await scene.source.read(3)
    scene.clock.pass_time(1.9)
    await asyncio.sleep(0)
    assert scene.sink.updates == ["One "]
    scene.clock.pass_time(0.1)
    await scene.shown(2)
    assert scene.sink.updates == ["One ", "One two three"]
    scene.source.feed(_whole("One two three"))
    assert (await task).text == "One two three"
    assert scene.sink.text is None  # it is stored before it is shown as finished


async def test_nothing_new_means_no_update() -> None:
    scene = Scene()
    task = scene.start()
    scene.source.feed("One")
    await scene.shown(1)
    await scene.clock.asleep(1.0)
    scene.clock.pass_time(30.0)
    await asyncio.sleep(0)
    scene.source.feed(_whole("One"))
    await task
    assert scene.sink.updates == ["One"]


async def test_typing_is_renewed_until_the_first_text() -> None:
    scene = Scene()
    task = scene.start()
    for times in (1, 2, 3):
        await scene.clock.asleep(4.0)
        assert scene.responder.typed == times
        scene.clock.pass_time(4.0)
        await scene.responder.until(lambda times=times: scene.responder.typed > times)  # type: ignore[misc]
    scene.source.feed("Now")
    await scene.shown(1)
    scene.clock.pass_time(0.5)
    await scene.clock.asleep(1.0)
    typed = scene.responder.typed
    scene.clock.pass_time(60.0)
    await asyncio.sleep(0)
    assert scene.responder.typed == typed
    scene.source.feed(_whole("Now"))
    await task


async def test_typing_or_updates_that_fail_cost_no_answer() -> None:
    scene = Scene()
    scene.responder.typing_error = DeliveryRefused("no")
    scene.sink.update_error = DeliveryRefused("no")
    task = scene.start()
    scene.source.feed("One")
    await scene.shown(1)
    await scene.clock.asleep(1.0)
    scene.source.feed(" two")
    await scene.source.read(2)
    scene.clock.pass_time(1.0)
    await scene.shown(2)
    scene.source.feed(_whole("One two"))
    assert (await task).text == "One two"


async def test_a_slow_platform_never_holds_up_the_stream() -> None:
    scene = Scene()
    scene.sink.gate = asyncio.Event()
    task = scene.start()
    scene.source.feed("One")
    await scene.shown(1)
    scene.source.feed(*[" more"] * 50, _whole("all"))
    await scene.source.read(52)
    assert not task.done()  # the update on its way could overtake the last one
    scene.sink.gate.set()
    assert (await task).text == "all"
    assert len(scene.sink.updates) == 1


async def test_an_update_that_never_comes_back_is_waited_for_no_longer_than_ten_seconds() -> None:
    scene = Scene()
    scene.sink.gate = asyncio.Event()
    task = scene.start()
    scene.source.feed("One")
    await scene.shown(1)
    scene.source.feed(_whole("One"))
    await scene.clock.asleep(10.0)
    scene.clock.pass_time(9.9)
    await asyncio.sleep(0)
    assert not task.done()
    scene.clock.pass_time(0.1)
    assert (await task).text == "One"
    assert scene.clock.sleeping == []


async def test_a_stream_without_its_completion_is_an_interruption() -> None:
    scene = Scene()
    task = scene.start()
    scene.source.feed("Half an ans", None)
    with pytest.raises(ModelInterrupted) as caught:
        await task
    assert caught.value.partial == "Half an ans"
    assert scene.clock.sleeping == []


async def test_the_stream_s_own_error_comes_through_and_nothing_is_left_running() -> None:
    scene = Scene()
    task = scene.start()
    scene.source.feed("Half")
    await scene.shown(1)
    scene.source.feed(ModelTimeout("too long"))
    with pytest.raises(ModelTimeout):
        await task
    await asyncio.sleep(0)
    assert scene.clock.sleeping == []


async def test_a_large_piece_at_once_is_shown_and_stored_whole(core: Core) -> None:
    text = "word " * 1000
    core.model.script(Reply(text, chunk=5000))
    responder = await core.say("Tell me much.")
    assert responder.answer == text
    assert [message.text for message in (await core.memory()).verbatim] == ["Tell me much.", text]


async def test_an_error_after_a_part_replaces_it_and_nothing_of_it_is_stored(core: Core) -> None:
    core.model.script(Reply("This is half of what", pause_after=12, error=ModelInterrupted("gone", "This")))
    responder = await core.say("And?")
    assert responder.answer is None
    assert responder.sink.failure
    assert "broke off half way" in words_of(responder.sink.failure)
    assert [message.text for message in (await core.memory()).verbatim] == ["And?"]
    await core.say("Again?")
    assert "This is half" not in told(core.last)


async def test_a_stream_that_just_ends_is_told_as_broken_off(core: Core) -> None:
    core.model.script(Reply("This is half of what", pause_after=12, cut=True))
    responder = await core.say("And?")
    assert responder.sink.failure
    assert "broke off half way" in words_of(responder.sink.failure)


async def test_an_answer_cut_at_its_length_limit_says_so_and_is_kept(core: Core) -> None:
    core.model.script(Reply("And so it went on and", finish=Finish.LENGTH))
    responder = await core.say("Tell me.")
    assert responder.answer
    assert responder.answer.startswith("And so it went on and…")
    assert "reached its length limit" in responder.answer
    assert (await core.memory()).verbatim[-1].text == responder.answer


@pytest.mark.parametrize("text", ["", "  \n "])
async def test_an_empty_answer_is_told_and_not_kept(core: Core, text: str) -> None:
    core.model.script(Reply(text))
    responder = await core.say("Well?")
    assert responder.sink.failure
    assert "empty answer" in words_of(responder.sink.failure)
    assert [message.text for message in (await core.memory()).verbatim] == ["Well?"]


async def test_a_filtered_answer_is_told_and_not_kept(core: Core) -> None:
    core.model.script(Reply("Half a", finish=Finish.FILTER))
    responder = await core.say("Well?")
    assert responder.sink.failure
    assert "content filter" in words_of(responder.sink.failure)
    assert len((await core.memory()).verbatim) == 1


async def test_an_answer_that_can_t_be_shown_whole_is_stored_all_the_same(core: Core) -> None:
    responder, done = core.send(core.words("Well?"))
    responder.sink.finish_error = DeliveryRefused("no")
    await done
    assert [message.role for message in (await core.memory()).verbatim] == ["user", "assistant"]
    follow = await core.say("And?")
    assert follow.answer == "I read: And?"


async def test_a_reply_that_can_t_be_opened_ends_its_turn_and_no_other(core: Core) -> None:
    responder, done = core.send(core.words("Well?"))
    responder.open_error = DeliveryRefused("no")
    await done
    assert await core.store.open_turn(await core.conversation()) is None
    assert (await core.say("And?")).answer == "I read: And?"
