"""What goes out on the wire and what comes of it: requests, retries, time limits and errors."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from bot.errors import (
    ModelBusy,
    ModelError,
    ModelFailed,
    ModelFiltered,
    ModelInterrupted,
    ModelNotFound,
    ModelRejected,
    ModelTimeout,
    ModelUnauthorized,
    ModelUnreachable,
)
from bot.llm.client import OpenAIModel
from bot.llm.endpoint import Api, Endpoint
from bot.ports import Finish, TextDelta, Usage
from tests.contracts.chat_model import QUESTION, collect, drain
from tests.servers.openai import Answer, OpenAIServer, Tokens, content_policy, unsupported
from tests.servers.openai.fixtures import openai_server

__all__ = ["openai_server"]

Build = Callable[..., OpenAIModel]
SOON = {"retry-after-ms": "1"}
EDITS = {
    "type": "object",
    "properties": {"operations": {"type": "array", "items": {"type": "string"}}},
    "required": ["operations"],
    "additionalProperties": False,
}


@pytest.fixture(params=["responses", "chat"])
def api(request: pytest.FixtureRequest) -> Api:
    chosen: Api = request.param
    return chosen


@pytest.fixture
async def build(openai_server: OpenAIServer, api: Api) -> AsyncIterator[Build]:
    built: list[OpenAIModel] = []

    def build(**changes: object) -> OpenAIModel:
        plain = Endpoint("gpt-5-mini", "secret-key", openai_server.base_url, api)
        built.append(OpenAIModel(replace(plain, **changes)))  # type: ignore[arg-type]  # fields by name
        return built[-1]

    yield build
    for model in built:
        await model.close()


# -- what is sent


async def test_instructions_background_and_words_keep_their_roles(
    openai_server: OpenAIServer, build: Build
) -> None:
    await drain(build(), QUESTION)
    (request,) = openai_server.requests
    assert request.instructions == QUESTION.instructions
    assert request.messages == [(message.role, message.text) for message in QUESTION.messages]
    assert request.headers["authorization"] == "Bearer secret-key"


async def test_background_goes_as_system_where_wanted(openai_server: OpenAIServer, build: Build) -> None:
    await drain(build(developer_role="system"), QUESTION)
    (request,) = openai_server.requests
    if request.api == "responses":
        assert [role for role, _ in request.messages] == ["system", "user", "assistant", "user"]
    else:  # one system message: many local models' templates take no second one
        first, *others = request.body["messages"]
        assert first["role"] == "system"
        assert first["content"] == f"{QUESTION.instructions}\n\n{QUESTION.messages[0].text}"
        assert [message["role"] for message in others] == ["user", "assistant", "user"]


async def test_the_provider_keeps_nothing(openai_server: OpenAIServer, build: Build) -> None:
    model = build()
    await drain(model, QUESTION)
    await model.complete(QUESTION)
    assert not any(
        request.body.get("store", request.api == "responses") for request in openai_server.requests
    )


async def test_limits_and_schema_are_worded_for_the_api(
    openai_server: OpenAIServer, build: Build, api: Api
) -> None:
    await build().complete(replace(QUESTION, schema=EDITS, schema_name="memory_edits"))
    (request,) = openai_server.summaries
    assert (request.schema["schema"], request.schema["strict"]) == (EDITS, True)
    limit = "max_output_tokens" if api == "responses" else "max_completion_tokens"
    assert request.body[limit] == QUESTION.max_output_tokens


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        ("gpt-5-mini", False),
        ("gpt-5.4", False),
        ("gpt-6.2-sol", False),
        ("o3", False),
        ("o4-mini-2025-04-16", False),
        ("openai/gpt-5", False),
        ("gpt-5-chat-latest", True),
        ("gpt-4.1-mini", True),
        ("gpt-oss-20b", True),
        ("llama3.2", True),
        ("olmo-2", True),
    ],
)
async def test_reasoning_models_get_no_temperature(
    openai_server: OpenAIServer, build: Build, model: str, sent: bool
) -> None:
    await build(model=model).complete(replace(QUESTION, temperature=0.1))
    (request,) = openai_server.requests
    assert ("temperature" in request.body) is sent


@pytest.mark.parametrize("model", ["llama3.2", "gpt-5-mini"])
async def test_other_servers_get_the_name_of_the_limit_that_all_know(
    openai_server: OpenAIServer, build: Build, model: str, api: Api
) -> None:
    if api == "chat":
        await build(model=model).complete(QUESTION)
        (request,) = openai_server.requests
        assert ("max_tokens" in request.body) is (model == "llama3.2")
        assert ("max_completion_tokens" in request.body) is (model != "llama3.2")


# -- what comes back


async def test_figures_are_the_providers(openai_server: OpenAIServer, build: Build) -> None:
    openai_server.answer_with(lambda _: Answer("Miso.", usage=Tokens(120, 40, cached=100, reasoning=32)))
    model = build()
    expected = Usage(120, 40, 100, 32)
    assert (await drain(model, QUESTION))[1].usage == expected
    assert (await model.complete(QUESTION)).usage == expected


async def test_text_arrives_piece_by_piece(openai_server: OpenAIServer, build: Build) -> None:
    gate = asyncio.Event()
    openai_server.script(Answer("It is called Miso 🐈.", chunk=4, hold=gate, pause_after=8))
    stream, text = build().stream(QUESTION), ""
    while len(text) < 8:
        item = await anext(stream)
        assert isinstance(item, TextDelta)
        text += item.text
    assert text == "It is ca"
    gate.set()
    rest = [item.text async for item in stream if isinstance(item, TextDelta)]
    assert text + "".join(rest) == "It is called Miso 🐈."


async def test_input_is_counted_by_the_provider(openai_server: OpenAIServer, build: Build) -> None:
    model = build()
    counted = await model.count_input(QUESTION)
    usage = (await model.complete(QUESTION)).usage
    assert usage is not None
    assert counted == usage.input
    openai_server.script(Answer(status=404), to="counts")
    with pytest.raises(ModelNotFound):
        await model.count_input(QUESTION)


# -- trouble


async def test_a_busy_provider_is_asked_again(openai_server: OpenAIServer, build: Build) -> None:
    busy = Answer(status=429, headers=SOON)
    openai_server.script(busy, busy, Answer("Miso."))
    text, end = await drain(build(max_retries=2), QUESTION)
    assert (text, end.finish) == ("Miso.", Finish.STOP)
    assert len(openai_server.requests) == 3


async def test_retries_are_bounded(openai_server: OpenAIServer, build: Build) -> None:
    openai_server.answer_with(lambda _: Answer(status=429, headers=SOON | {"retry-after": "7"}))
    with pytest.raises(ModelBusy):
        await build(max_retries=2).complete(QUESTION)
    assert len(openai_server.requests) == 3


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({"retry-after": "7"}, 7.0), ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5), ({}, None)],
)
async def test_when_to_ask_again_is_passed_on(
    openai_server: OpenAIServer, build: Build, headers: dict[str, str], seconds: float | None
) -> None:
    openai_server.script(Answer(status=429, headers=headers))
    with pytest.raises(ModelBusy) as busy:
        await drain(build(max_retries=0), QUESTION)
    assert busy.value.retry_after == seconds


@pytest.mark.parametrize(("status", "error"), [(429, ModelBusy), (503, ModelFailed)])
async def test_nobody_waits_longer_than_the_time_limit(
    openai_server: OpenAIServer, build: Build, status: int, error: type[ModelError]
) -> None:
    openai_server.script(Answer(status=status, headers={"retry-after": "60"}))
    with pytest.raises(error):
        await drain(build(max_retries=5, timeout=30), QUESTION)
    assert len(openai_server.requests) == 1


ERRORS = {
    "401": (Answer(status=401), ModelUnauthorized),
    "403": (Answer(status=403), ModelUnauthorized),
    "404": (Answer(status=404), ModelNotFound),
    "400": (Answer(status=400), ModelRejected),
    "409": (Answer(status=409), ModelFailed),
    "413": (Answer(status=413), ModelRejected),
    "408": (Answer(status=408), ModelTimeout),
    "500": (Answer(status=500), ModelFailed),
    "503": (Answer(status=503), ModelFailed),
    "policy": (content_policy(), ModelFiltered),
    "azure": (Answer(status=400, error={"code": "content_filter", "message": "filtered"}), ModelFiltered),
    "quota": (Answer(status=429, error={"code": "insufficient_quota"}), ModelBusy),
}


@pytest.mark.parametrize(("answer", "error"), ERRORS.values(), ids=ERRORS)
async def test_each_status_has_its_error(
    openai_server: OpenAIServer, build: Build, answer: Answer, error: type[ModelError]
) -> None:
    openai_server.script(answer)
    with pytest.raises(error) as raised:
        await drain(build(max_retries=0), QUESTION)
    assert type(raised.value) is error
    assert len(openai_server.requests) == 1


async def test_errors_never_repeat_the_key(openai_server: OpenAIServer, build: Build) -> None:
    openai_server.script(Answer(status=401, error={"message": "Wrong key: secret-key " + "x" * 900}))
    with pytest.raises(ModelUnauthorized) as raised:
        await build().complete(QUESTION)
    assert "secret-key" not in str(raised.value)
    assert "Wrong key: ***" in str(raised.value)
    assert len(str(raised.value)) <= 300
    assert "secret-key" not in repr(Endpoint("m", "secret-key"))


async def test_silence_ends_with_the_time_limit(openai_server: OpenAIServer, build: Build) -> None:
    openai_server.answer_with(lambda _: Answer("late", hang=True))
    model = build(timeout=0.05, max_retries=5)
    with pytest.raises(ModelTimeout):
        await drain(model, QUESTION)
    with pytest.raises(ModelTimeout):
        await model.complete(QUESTION)


async def test_silence_after_a_beginning_is_an_interruption(
    openai_server: OpenAIServer, build: Build
) -> None:
    openai_server.script(Answer("It is called Miso.", chunk=5, hang=True, pause_after=10))
    pieces: list[str] = []
    with pytest.raises(ModelInterrupted) as raised:
        await collect(build(timeout=1, max_retries=0), QUESTION, pieces)
    assert raised.value.partial == "".join(pieces) == "It is call"


async def test_nobody_listening_is_unreachable(build: Build) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        model = build(base_url=f"http://127.0.0.1:{taken.getsockname()[1]}/v1", max_retries=0)
        for attempt in (model.complete(QUESTION), drain(model, QUESTION), model.check()):
            with pytest.raises(ModelUnreachable):
                await attempt


@pytest.mark.parametrize("cleanly", [False, True])
@pytest.mark.parametrize("after", [0, 7, 18])
async def test_a_stream_without_its_end_is_an_interruption(
    openai_server: OpenAIServer, build: Build, cleanly: bool, after: int
) -> None:
    openai_server.script(Answer("It is called Miso.", die_after=after, die_cleanly=cleanly))
    pieces: list[str] = []
    with pytest.raises(ModelInterrupted) as raised:
        await collect(build(max_retries=0), QUESTION, pieces)
    assert raised.value.partial == "".join(pieces) == "It is called Miso."[:after]
    assert len(openai_server.requests) == 1


@pytest.mark.parametrize(
    ("code", "error"),
    [("server_error", ModelFailed), ("rate_limit_exceeded", ModelBusy), ("invalid_prompt", ModelFiltered)],
)
async def test_a_breakdown_in_the_stream_is_reported(
    openai_server: OpenAIServer, build: Build, code: str, error: type[ModelError]
) -> None:
    openai_server.script(Answer("It is called", pause_after=5, breakdown={"code": code, "message": "oh no"}))
    with pytest.raises(error, match="oh no"):
        await drain(build(max_retries=0), QUESTION)


GARBAGE = {
    "page": ("<html>Welcome</html>", "text/html"),
    "list": ("[]", "application/json"),
    "object": ('{"error": null}', "application/json"),
    "no json": ("{", "application/json"),
    "events": ('data: {"choices": 3}\n\ndata: {"type": "response.completed"}\n\n', "text/event-stream"),
    "broken event": ("data: {\n\n", "text/event-stream"),
    "nothing": ("", "text/event-stream"),
}


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
async def test_an_answer_that_is_none_is_a_model_error(
    openai_server: OpenAIServer, build: Build, garbage: tuple[str, str]
) -> None:
    openai_server.answer_with(lambda _: Answer(garbage=garbage))
    openai_server.answer_with(lambda _: Answer(garbage=garbage), to="counts")
    openai_server.answer_with(lambda _: Answer(garbage=garbage), to="models")
    model = build(max_retries=0)
    with pytest.raises(ModelFailed):
        await model.complete(QUESTION)
    with pytest.raises(ModelError):
        await drain(model, QUESTION)
    with pytest.raises(ModelError):
        await model.count_input(QUESTION)
    with contextlib.suppress(ModelError):  # a list that can't be read still shows that the server is there
        await model.check()


# -- what models refuse


REFUSED = {
    "temperature": unsupported("temperature"),
    "value": Answer(
        status=400,
        error={
            "message": "Unsupported value: 'temperature' does not support 0.1 with this model.",
            "param": "temperature",
            "code": "unsupported_value",
        },
    ),
    "prose": Answer(status=422, error={"message": "body.temperature: Extra inputs are not permitted"}),
}


@pytest.mark.parametrize("refusal", REFUSED.values(), ids=REFUSED)
async def test_a_refused_parameter_is_left_out_from_then_on(
    openai_server: OpenAIServer, build: Build, refusal: Answer
) -> None:
    openai_server.script(refusal)
    model, warm = build(model="some-model"), replace(QUESTION, temperature=0.1)
    assert (await model.complete(warm)).text
    assert (await drain(model, warm))[0]
    assert ["temperature" in request.body for request in openai_server.requests] == [True, False, False]


async def test_refusals_of_requests_side_by_side_are_all_overcome(
    openai_server: OpenAIServer, build: Build
) -> None:
    gate = asyncio.Event()
    refusal = replace(unsupported("temperature"), hold=gate)
    openai_server.answer_with(lambda request: refusal if "temperature" in request.body else Answer("Miso."))
    model, warm = build(model="some-model"), replace(QUESTION, temperature=0.1)
    asking = asyncio.gather(model.complete(warm), model.complete(warm))
    await openai_server.wait_for(2)
    gate.set()
    assert [completion.text for completion in await asking] == ["Miso.", "Miso."]


async def test_structured_output_is_asked_for_only_where_it_is_known(
    openai_server: OpenAIServer, build: Build, api: Api
) -> None:
    openai_server.script(unsupported("text.format" if api == "responses" else "response_format"))
    model = build(model="some-model")
    assert (await model.complete(replace(QUESTION, schema=EDITS, schema_name="memory_edits"))).text
    assert [request.schema_name for request in openai_server.requests] == ["memory_edits", ""]


async def test_several_refusals_are_overcome_one_after_the_other(
    openai_server: OpenAIServer, build: Build, api: Api
) -> None:
    first, second = ("max_output_tokens", "store") if api == "responses" else ("max_tokens", "stream_options")
    openai_server.script(unsupported(first), unsupported(second))
    assert (await drain(build(model="some-model"), QUESTION))[0]
    last = openai_server.requests[-1].body
    assert first not in last
    assert second not in last
    assert api == "responses" or last["max_completion_tokens"] == QUESTION.max_output_tokens


async def test_the_developer_role_is_given_up_where_it_is_unknown(
    openai_server: OpenAIServer, build: Build
) -> None:
    message = "Unsupported value: 'messages[0].role' does not support 'developer' with this model."
    openai_server.script(Answer(status=400, error={"message": message, "param": "messages[0].role"}))
    assert (await build().complete(QUESTION)).text
    key = "messages" if openai_server.requests[0].api == "chat" else "input"
    assert [request.body[key][0]["role"] for request in openai_server.requests] == ["developer", "system"]


UNRELATED = {
    "policy": Answer(status=400, error={"message": "temperature: not allowed", "code": "content_filter"}),
    "too long": Answer(
        status=400, error={"message": "Too long.", "code": "context_length_exceeded", "param": "input"}
    ),
    "chatter": Answer(status=400, error={"message": "The temperature in the store is high."}),
    "server": Answer(status=500, error={"message": "unsupported temperature"}),
}


@pytest.mark.parametrize("answer", UNRELATED.values(), ids=UNRELATED)
async def test_unrelated_refusals_drop_nothing(
    openai_server: OpenAIServer, build: Build, answer: Answer
) -> None:
    openai_server.script(answer)
    model, warm = build(model="some-model", max_retries=0), replace(QUESTION, temperature=0.1)
    with pytest.raises(ModelError):
        await model.complete(warm)
    await model.complete(warm)
    assert ["temperature" in request.body for request in openai_server.requests] == [True, True]


async def test_a_refusal_that_goes_on_is_an_error(openai_server: OpenAIServer, build: Build) -> None:
    openai_server.answer_with(lambda _: unsupported("temperature"))
    with pytest.raises(ModelRejected):
        await build(model="some-model").complete(replace(QUESTION, temperature=0.1))
    assert len(openai_server.requests) == 2


# -- checking


async def test_check_looks_for_the_key_and_the_model(openai_server: OpenAIServer, build: Build) -> None:
    await build().check()
    assert [request.path for request in openai_server.requests] == ["/v1/models"]
    with pytest.raises(ModelNotFound):
        await build(model="gpt-nonsense").check()
    openai_server.script(Answer(status=401), to="models")
    with pytest.raises(ModelUnauthorized):
        await build().check()


async def test_check_accepts_servers_that_list_other_names(openai_server: OpenAIServer, build: Build) -> None:
    missing = Answer(status=404, error={"message": "File Not Found", "code": "404"})
    openai_server.script(Answer(), missing, to="models")
    await build(model="llama3.2").check()
