"""What holds for every ChatModel. Subclass, and give the fixtures that the class names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import pytest

from bot.errors import (
    ModelBusy,
    ModelEmpty,
    ModelError,
    ModelFailed,
    ModelFiltered,
    ModelInterrupted,
    ModelNotFound,
    ModelRejected,
    ModelUnauthorized,
)
from bot.ports import ChatModel, Completion, Finish, ModelMessage, ModelRequest, TextDelta

QUESTION = ModelRequest(
    purpose="answer",
    instructions="You are a friendly assistant.",
    messages=(
        ModelMessage("developer", "Background: the exam is on 2027-01-18."),
        ModelMessage("user", "My cat is called Miso."),
        ModelMessage("assistant", "Miso is a lovely name."),
        ModelMessage("user", "What is my cat called?"),
    ),
    max_output_tokens=200,
)


async def collect(model: ChatModel, request: ModelRequest, pieces: list[str]) -> None:
    """Put the text of each delta into `pieces` as it comes, for a stream that is going to break."""
    async for item in model.stream(request):
        assert isinstance(item, TextDelta)
        pieces.append(item.text)


async def drain(model: ChatModel, request: ModelRequest) -> tuple[str, Completion]:
    """The deltas joined, and the Completion, which has to be the last thing of the stream."""
    pieces: list[str] = []
    ends: list[Completion] = []
    async for item in model.stream(request):
        assert not ends, "something came after the Completion"
        if isinstance(item, TextDelta):
            pieces.append(item.text)
        else:
            ends.append(item)
    (end,) = ends
    return "".join(pieces), end


class ChatModelContract:
    """Give a fixture `model`: a ChatModel that can answer."""

    def test_has_a_name(self, model: ChatModel) -> None:
        assert model.name.strip()

    async def test_a_stream_ends_with_the_whole_answer(self, model: ChatModel) -> None:
        text, end = await drain(model, QUESTION)
        assert text == end.text
        assert text.strip()
        assert end.finish is Finish.STOP
        assert end.model

    async def test_deltas_carry_text(self, model: ChatModel) -> None:
        deltas = [item async for item in model.stream(QUESTION) if isinstance(item, TextDelta)]
        assert all(delta.text for delta in deltas)

    async def test_a_whole_answer(self, model: ChatModel) -> None:
        completion = await model.complete(QUESTION)
        assert completion.text.strip()
        assert completion.finish is Finish.STOP

    async def test_reported_figures_are_sound(self, model: ChatModel) -> None:
        usage = (await model.complete(QUESTION)).usage
        assert usage is None or (usage.input > 0 and usage.output > 0)
        assert usage is None or (usage.cached <= usage.input and usage.reasoning <= usage.output)

    async def test_longer_input_counts_more_where_it_is_counted(self, model: ChatModel) -> None:
        longer = replace(QUESTION, messages=(ModelMessage("user", "one more word " * 9), *QUESTION.messages))
        try:
            short, long = await model.count_input(QUESTION), await model.count_input(longer)
        except (ModelRejected, ModelNotFound):
            return
        assert 0 < short < long

    async def test_a_stream_left_early_does_no_harm(self, model: ChatModel) -> None:
        stream = model.stream(QUESTION)
        await anext(stream)
        await stream.aclose()  # type: ignore[attr-defined]  # every implementation is a generator
        assert (await drain(model, QUESTION))[0]

    async def test_a_cancelled_stream_does_no_harm(self, model: ChatModel) -> None:
        task = asyncio.create_task(drain(model, QUESTION))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])  # a model that never waits is done by now, the others are cancelled
        assert (await drain(model, QUESTION))[0]

    async def test_answers_side_by_side_stay_apart(self, model: ChatModel) -> None:
        answers = await asyncio.gather(*(drain(model, QUESTION) for _ in range(4)))
        assert all(text == end.text for text, end in answers)

    async def test_can_be_checked(self, model: ChatModel) -> None:
        await model.check()


Outcome = Literal[
    "length",
    "refusal",
    "filtered",
    "tool",
    "empty",
    "blank",
    "interrupted",
    "no usage",
    "unauthorized",
    "not found",
    "busy",
    "failed",
    "rejected",
]
Arrange = Callable[[Outcome], None]


class TroubledChatModelContract:
    """Give the fixtures `model` and `arrange`: a function that makes the model's next answer end so."""

    async def test_a_cut_answer_is_returned_as_such(self, model: ChatModel, arrange: Arrange) -> None:
        arrange("length")
        text, end = await drain(model, QUESTION)
        assert text == end.text != ""
        assert end.finish is Finish.LENGTH

    async def test_a_refusal_is_told_apart(self, model: ChatModel, arrange: Arrange) -> None:
        arrange("refusal")
        text, end = await drain(model, QUESTION)
        assert text == end.text != ""
        assert end.finish is Finish.REFUSAL

    @pytest.mark.parametrize("outcome", ["empty", "blank", "tool"])
    async def test_an_answer_without_text_is_none(
        self, model: ChatModel, arrange: Arrange, outcome: Outcome
    ) -> None:
        arrange(outcome)
        with pytest.raises(ModelEmpty):
            await drain(model, QUESTION)

    async def test_a_filtered_answer_is_none(self, model: ChatModel, arrange: Arrange) -> None:
        arrange("filtered")
        with pytest.raises(ModelFiltered):
            await drain(model, QUESTION)

    async def test_a_stream_that_dies_tells_what_had_come(self, model: ChatModel, arrange: Arrange) -> None:
        arrange("interrupted")
        pieces: list[str] = []
        with pytest.raises(ModelInterrupted) as broken:
            await collect(model, QUESTION, pieces)
        assert broken.value.partial == "".join(pieces) != ""

    @pytest.mark.parametrize(
        ("outcome", "finish"),
        [
            ("length", Finish.LENGTH),
            ("refusal", Finish.REFUSAL),
            ("filtered", Finish.FILTER),
            ("tool", Finish.TOOL),
            ("empty", Finish.STOP),
        ],
    )
    async def test_whole_answers_are_left_to_the_caller(
        self, model: ChatModel, arrange: Arrange, outcome: Outcome, finish: Finish
    ) -> None:
        arrange(outcome)
        completion = await model.complete(QUESTION)
        assert completion.finish is finish
        assert bool(completion.text) is (outcome not in ("tool", "empty"))

    async def test_missing_figures_are_none(self, model: ChatModel, arrange: Arrange) -> None:
        arrange("no usage")
        assert (await drain(model, QUESTION))[1].usage is None
        arrange("no usage")
        assert (await model.complete(QUESTION)).usage is None

    @pytest.mark.parametrize(
        ("outcome", "error"),
        [
            ("unauthorized", ModelUnauthorized),
            ("not found", ModelNotFound),
            ("busy", ModelBusy),
            ("failed", ModelFailed),
            ("rejected", ModelRejected),
        ],
    )
    async def test_errors_come_as_memoras_own(
        self, model: ChatModel, arrange: Arrange, outcome: Outcome, error: type[ModelError]
    ) -> None:
        arrange(outcome)
        with pytest.raises(error) as streamed:
            await drain(model, QUESTION)
        assert type(streamed.value) is error
        arrange(outcome)
        with pytest.raises(error) as whole:
            await model.complete(QUESTION)
        assert str(whole.value)
