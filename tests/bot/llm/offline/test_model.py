"""The model as such: streaming, figures, limits, and that it always says the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.errors import ModelEmpty
from bot.llm.offline import OfflineModel
from bot.ports import Completion, Finish, ModelRequest, TextDelta
from tests.bot.llm.offline.requests import CharacterCounter, asking, summing

COUNTER = CharacterCounter()
QUESTION = asking("My exam is on the 18th.", "Which day is my exam?")
CHINESE = asking("我的考試是18號。", "我的考試是哪一天？")
SUMMARY = summing([(1, "I live in Taipei and my exam is on the 18th."), (0, "Good to know, thank you.")])


async def deltas(model: OfflineModel, request: ModelRequest) -> list[str]:
    return [item.text async for item in model.stream(request) if isinstance(item, TextDelta)]


@pytest.mark.parametrize("request_", [QUESTION, CHINESE, SUMMARY])
async def test_the_same_request_gets_the_same_answer_in_the_same_pieces(request_: ModelRequest) -> None:
    first, second = OfflineModel(COUNTER), OfflineModel(COUNTER)
    assert await first.complete(request_) == await second.complete(request_)
    assert await deltas(first, request_) == await deltas(second, request_)


@pytest.mark.parametrize("request_", [QUESTION, CHINESE])
async def test_an_answer_comes_in_several_small_pieces(request_: ModelRequest) -> None:
    model = OfflineModel(COUNTER)
    pieces = await deltas(model, request_)
    assert "".join(pieces) == (await model.complete(request_)).text
    assert len(pieces) > 4
    assert max(map(len, pieces)) < 12


async def test_the_pace_is_kept_between_pieces() -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    pieces = await deltas(OfflineModel(COUNTER, 0.02, sleep), QUESTION)
    assert pauses == [0.02] * len(pieces)


async def test_a_model_without_a_pace_never_sleeps() -> None:
    async def sleep(seconds: float) -> None:
        raise AssertionError(f"slept {seconds} s")

    assert await deltas(OfflineModel(COUNTER, 0.0, sleep), QUESTION)


async def test_figures_are_counted_with_the_overhead_of_the_chat_format() -> None:
    request = ModelRequest("answer", "x" * 40, asking("y" * 8, "z" * 8).messages, 400)
    completion = await OfflineModel(COUNTER).complete(request)
    assert completion.usage is not None
    assert completion.usage.input == (10 + 3) + 2 * (2 + 3) + 3
    assert completion.usage.input == await OfflineModel(COUNTER).count_input(request)
    assert completion.usage.output == COUNTER.count(completion.text)


async def test_an_answer_is_cut_at_its_length_limit() -> None:
    whole = await OfflineModel(COUNTER).complete(QUESTION)
    cut = await OfflineModel(COUNTER).complete(replace(QUESTION, max_output_tokens=4))
    assert (whole.finish, cut.finish) == (Finish.STOP, Finish.LENGTH)
    assert whole.text.startswith(cut.text)
    assert COUNTER.count(cut.text) <= 4


async def test_a_cut_stream_ends_with_what_was_streamed() -> None:
    items = [item async for item in OfflineModel(COUNTER).stream(replace(QUESTION, max_output_tokens=4))]
    end = items[-1]
    assert isinstance(end, Completion)
    assert end.finish is Finish.LENGTH
    assert end.text == "".join(item.text for item in items[:-1])


async def test_no_room_for_a_word_is_no_answer() -> None:
    with pytest.raises(ModelEmpty):
        await deltas(OfflineModel(COUNTER), replace(QUESTION, max_output_tokens=0))


async def test_it_can_always_be_reached() -> None:
    model = OfflineModel(COUNTER)
    await model.check()
    await model.close()
    assert model.name == (await model.complete(QUESTION)).model == "offline"
