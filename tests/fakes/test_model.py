"""The scripted model keeps the contract of a real one."""

from __future__ import annotations

import asyncio

import pytest

from bot.errors import (
    ModelBusy,
    ModelError,
    ModelFailed,
    ModelNotFound,
    ModelRejected,
    ModelUnauthorized,
)
from bot.ports import Finish, TextDelta, Usage
from tests.contracts.chat_model import (
    QUESTION,
    Arrange,
    ChatModelContract,
    Outcome,
    TroubledChatModelContract,
    collect,
    drain,
)
from tests.fakes.model import Reply, ScriptedModel, Told

OUTCOMES: dict[Outcome, Told] = {
    "length": Reply("It is called Mi", Finish.LENGTH),
    "refusal": Reply("I can't help with that.", Finish.REFUSAL),
    "filtered": Reply("It is", Finish.FILTER),
    "tool": Reply("", Finish.TOOL),
    "empty": Reply(""),
    "blank": Reply(" \n"),
    "interrupted": Reply("It is called Miso.", pause_after=7, cut=True),
    "no usage": Reply("It is called Miso.", without_usage=True),
    "unauthorized": ModelUnauthorized("no"),
    "not found": ModelNotFound("no"),
    "busy": ModelBusy("no", 3.0),
    "failed": ModelFailed("no"),
    "rejected": ModelRejected("no"),
}


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel()


class TestContract(ChatModelContract):
    """Nothing beyond the contract."""


class TestTroubledContract(TroubledChatModelContract):
    """The fake breaks as real models do."""

    @pytest.fixture
    def arrange(self, model: ScriptedModel) -> Arrange:
        return lambda outcome: model.script(OUTCOMES[outcome])


async def test_scripts_are_kept_apart_by_purpose(model: ScriptedModel) -> None:
    model.script("folded", to="summary")
    model.script("hello", to="answer")
    assert (await model.complete(QUESTION)).text == "hello"
    assert (await model.complete(QUESTION)).text == "I read: What is my cat called?"
    assert len(model.requests) == 2


@pytest.mark.parametrize("after", [0, 4, 9, 99])
async def test_a_gate_holds_the_answer_back(model: ScriptedModel, after: int) -> None:
    gate = asyncio.Event()
    model.script(Reply("Hello you", chunk=2, pause_after=after, gate=gate))
    text = ""
    stream = model.stream(QUESTION)
    while len(text) < min(after, 9):
        item = await anext(stream)
        assert isinstance(item, TextDelta)
        text += item.text
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    assert not waiting.done()
    assert text == "Hello you"[:after]
    gate.set()
    rest = [await waiting, *[item async for item in stream]]
    assert text + "".join(item.text for item in rest if isinstance(item, TextDelta)) == "Hello you"


async def test_an_error_can_come_in_the_middle(model: ScriptedModel) -> None:
    model.script(Reply("Hello you", pause_after=5, error=ModelFailed("oh")))
    pieces: list[str] = []
    with pytest.raises(ModelFailed):
        await collect(model, QUESTION, pieces)
    assert "".join(pieces) == "Hello"


async def test_figures_can_be_told(model: ScriptedModel) -> None:
    model.script(Reply("Hello", usage=Usage(7, 8)))
    assert (await drain(model, QUESTION))[1].usage == Usage(7, 8)


async def test_it_can_be_out_of_reach_and_closed(model: ScriptedModel) -> None:
    model.unreachable = ModelUnauthorized("no")
    with pytest.raises(ModelError):
        await model.check()
    await model.close()
    with pytest.raises(AssertionError):
        await model.complete(QUESTION)


async def test_one_can_wait_for_requests(model: ScriptedModel) -> None:
    waiting = asyncio.ensure_future(model.wait_for(1, "answer"))
    await asyncio.sleep(0)
    assert not waiting.done()
    await model.complete(QUESTION)
    assert await waiting == [QUESTION]
