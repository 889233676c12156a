"""The loopback OpenAI server against the provider's own SDK and description."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import aiohttp
import openai
import pytest

from tests.servers.openai import Answer, OpenAIServer, Recorded, Tokens, checking, unsupported
from tests.servers.openai.fixtures import openai_server

__all__ = ["openai_server"]

ASK: list[Any] = [{"role": "developer", "content": "Background."}, {"role": "user", "content": "Hello there"}]
EVERY_KIND = {
    "plain": Answer("Some answer, long enough for pieces."),
    "cut": Answer("Some answer", finish="length"),
    "filtered": Answer("Some", finish="content_filter"),
    "empty": Answer(empty=True),
    "tool": Answer(tool_call=True),
    "refusal": Answer("I can't help with that.", refusal=True),
    "reasoned": Answer("Thought about it.", usage=Tokens(10, 20, cached=4, reasoning=15)),
    "broken": Answer("Some answer", pause_after=4, breakdown={"message": "out of luck"}),
}


@pytest.fixture
async def client(openai_server: OpenAIServer) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=openai_server.base_url, api_key="key", max_retries=0) as client:
        yield client


async def raw(server: OpenAIServer, path: str, body: dict[str, Any]) -> str:
    async with aiohttp.ClientSession() as session, session.post(server.base_url + path, json=body) as answer:
        return await answer.text()


def events(text: str) -> list[dict[str, Any]]:
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


async def test_responses_stream_carries_the_text_and_the_usage(
    openai_server: OpenAIServer, client: openai.AsyncOpenAI
) -> None:
    openai_server.script(Answer("Hello to you, too", chunk=5))
    stream = await client.responses.create(
        model="gpt-5-mini", input=ASK, instructions="Be kind.", stream=True
    )
    seen = [event async for event in stream]
    deltas = [event.delta for event in seen if event.type == "response.output_text.delta"]
    assert deltas == ["Hello", " to y", "ou, t", "oo"]
    assert [event.sequence_number for event in seen] == list(range(len(seen)))
    assert [event.type for event in seen if event.type != "response.output_text.delta"] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    last = seen[-1]
    assert last.type == "response.completed"
    assert last.response.output_text == "Hello to you, too"
    assert last.response.usage is not None
    counted = await client.responses.input_tokens.count(
        model="gpt-5-mini", input=ASK, instructions="Be kind."
    )
    assert last.response.usage.input_tokens == counted.input_tokens > 0


async def test_chat_stream_ends_with_the_usage_only_where_asked(
    openai_server: OpenAIServer, client: openai.AsyncOpenAI
) -> None:
    openai_server.answer_with(lambda _: Answer("Hello to you", chunk=5))
    stream = await client.chat.completions.create(
        model="gpt-5-mini", messages=ASK, stream=True, stream_options={"include_usage": True}
    )
    seen = [chunk async for chunk in stream]
    assert "".join(chunk.choices[0].delta.content or "" for chunk in seen if chunk.choices) == "Hello to you"
    assert [chunk.choices[0].finish_reason for chunk in seen if chunk.choices][-1] == "stop"
    assert [chunk.usage is None for chunk in seen] == [True] * (len(seen) - 1) + [False]
    without = await client.chat.completions.create(model="gpt-5-mini", messages=ASK, stream=True)
    assert [chunk.usage async for chunk in without if chunk.usage] == []


async def test_whole_answers_of_both_apis_agree(
    openai_server: OpenAIServer, client: openai.AsyncOpenAI
) -> None:
    openai_server.answer_with(lambda request: Answer(request.current[::-1]))
    response = await client.responses.create(model="gpt-5-mini", input=ASK)
    completion = await client.chat.completions.create(model="gpt-5-mini", messages=ASK)
    assert response.output_text == completion.choices[0].message.content == "ereht olleH"
    assert response.usage is not None
    assert completion.usage is not None
    assert response.usage.output_tokens == completion.usage.completion_tokens


@pytest.mark.skipif(not checking.available(), reason="the published description is not on this machine")
@pytest.mark.parametrize("answer", EVERY_KIND.values(), ids=EVERY_KIND)
async def test_all_that_is_sent_follows_the_description(openai_server: OpenAIServer, answer: Answer) -> None:
    openai_server.answer_with(lambda _: answer)
    responses = {"model": "m", "input": ASK}
    chat = {"model": "m", "messages": ASK, "stream_options": {"include_usage": True}}
    found = []
    for event in events(await raw(openai_server, "/responses", {**responses, "stream": True})):
        found += checking.schema_violations("ResponseStreamEvent", event)
    for chunk in events(await raw(openai_server, "/chat/completions", {**chat, "stream": True})):
        name = "ErrorResponse" if "error" in chunk else "CreateChatCompletionStreamResponse"
        found += checking.schema_violations(name, chunk)
    if answer.breakdown is None:
        whole = json.loads(await raw(openai_server, "/responses", responses))
        found += checking.schema_violations("Response", whole)
        whole = json.loads(await raw(openai_server, "/chat/completions", chat))
        found += checking.schema_violations("CreateChatCompletionResponse", whole)
    assert found == []


BAD_BODIES = {
    "role": ("/responses", {"model": "m", "input": [{"role": "narrator", "content": "x"}]}),
    "limit": ("/responses", {"model": "m", "input": "x", "max_output_tokens": 3}),
    "unknown": ("/responses", {"model": "m", "input": "x", "max_tokens": 300}),
    "missing": ("/chat/completions", {"model": "m"}),
    "content": ("/chat/completions", {"model": "m", "messages": [{"role": "user", "content": 5}]}),
    "heat": ("/responses", {"model": "gpt-5-mini", "input": "x", "temperature": 0.1}),
    "loose": (
        "/responses",
        {
            "model": "m",
            "input": "x",
            "text": {
                "format": {
                    "type": "json_schema",
                    "name": "edits",
                    "strict": True,
                    "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
                }
            },
        },
    ),
}


@pytest.mark.skipif(not checking.available(), reason="the published description is not on this machine")
@pytest.mark.parametrize(("path", "body"), BAD_BODIES.values(), ids=BAD_BODIES)
async def test_requests_against_the_description_are_refused(path: str, body: dict[str, Any]) -> None:
    async with OpenAIServer() as server:
        assert "invalid_request_error" in await raw(server, path, body)
        assert server.violations
        assert len(server.requests) == 1


async def test_errors_carry_status_body_and_headers(
    openai_server: OpenAIServer, client: openai.AsyncOpenAI
) -> None:
    openai_server.script(Answer(status=429, headers={"Retry-After": "7"}), unsupported("temperature"))
    with pytest.raises(openai.RateLimitError) as busy:
        await client.responses.create(model="m", input=ASK)
    assert busy.value.response.headers["retry-after"] == "7"
    with pytest.raises(openai.BadRequestError) as bad:
        await client.chat.completions.create(model="m", messages=ASK)
    assert (bad.value.param, bad.value.code) == ("temperature", "unsupported_parameter")


async def test_a_wrong_key_is_refused() -> None:
    async with OpenAIServer(key="right") as server:
        for key, error in (("right", None), ("wrong", openai.AuthenticationError)):
            async with openai.AsyncOpenAI(base_url=server.base_url, api_key=key) as client:
                if error is None:
                    assert (await client.models.retrieve("gpt-5-mini")).id == "gpt-5-mini"
                    assert len([entry async for entry in client.models.list()]) == 2
                else:
                    with pytest.raises(error):
                        await client.models.list()


@pytest.mark.parametrize("cleanly", [False, True])
async def test_a_stream_can_die(
    openai_server: OpenAIServer, client: openai.AsyncOpenAI, cleanly: bool
) -> None:
    openai_server.script(Answer("Hello to you", die_after=7, die_cleanly=cleanly))
    stream = await client.responses.create(model="m", input=ASK, stream=True)
    text, last = "", ""
    with nullcontext() if cleanly else pytest.raises(openai.APIConnectionError):
        async for event in stream:
            last = event.type
            if event.type == "response.output_text.delta":
                text += event.delta
    assert (text, last) == ("Hello t", "response.output_text.delta")


async def test_a_held_answer_waits_for_its_event_in_the_middle(
    openai_server: OpenAIServer, client: openai.AsyncOpenAI
) -> None:
    gate = asyncio.Event()
    openai_server.script(Answer("Hello to you", hold=gate, pause_after=5))
    stream = await client.chat.completions.create(model="m", messages=ASK, stream=True)
    text = ""
    async for chunk in stream:
        text += chunk.choices[0].delta.content or ""
        if text == "Hello":
            gate.set()
        else:
            assert len(text) < 5 or gate.is_set()
    assert text == "Hello to you"


@pytest.mark.parametrize("after", [0, 5])
async def test_a_hanging_answer_ends_with_the_server(after: int) -> None:
    async with openai.AsyncOpenAI(base_url="http://unset", api_key="k", max_retries=0) as client:
        async with OpenAIServer() as server:
            client.base_url = server.base_url
            server.script(Answer("Hello to you", hang=True, pause_after=after))
            asking = asyncio.ensure_future(client.responses.create(model="m", input=ASK))
            await server.wait_for(1)
            assert not asking.done()
        with pytest.raises(openai.APIConnectionError):
            await asking


async def test_summaries_are_told_from_answers_and_scripted_apart(
    openai_server: OpenAIServer, client: openai.AsyncOpenAI
) -> None:
    openai_server.script(Answer("folded"), to="summaries")
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    named: Any = {"name": "memory_edits", "strict": True, "schema": schema}
    answer = await client.responses.create(model="m", input=ASK)
    asked: Any = {"format": {"type": "json_schema", **named}}
    summary = await client.responses.create(model="m", input="Fold this", text=asked)
    other = await client.chat.completions.create(
        model="m", messages=ASK, response_format={"type": "json_schema", "json_schema": named}
    )
    assert answer.output_text == "I read: Hello there"
    assert summary.output_text == "folded"
    assert other.choices[0].message.content == '{"operations": []}'
    assert [request.current for request in openai_server.answers] == ["Hello there"]
    assert [request.current for request in openai_server.summaries] == ["Fold this", "Hello there"]
    assert openai_server.unused == 0


async def test_requests_of_both_apis_read_alike(
    openai_server: OpenAIServer, client: openai.AsyncOpenAI
) -> None:
    persona: Any = {"role": "developer", "content": "Be kind."}
    await client.responses.create(model="m", input=ASK, instructions="Be kind.")
    await client.chat.completions.create(model="m", messages=[persona, *ASK])
    one, two = openai_server.requests

    def read(request: Recorded) -> tuple[object, ...]:
        return request.model, request.instructions, request.messages, request.current, request.text

    assert read(one) == read(two)
    assert one.messages == [("developer", "Background."), ("user", "Hello there")]


async def test_as_a_process_it_leaves_a_record_behind(tmp_path: Path) -> None:
    import sys

    from tests.servers.openai.recorded import from_json

    script, record = tmp_path / "script.json", tmp_path / "record.jsonl"
    script.write_text(
        json.dumps({"answers": [{"text": "from the script", "usage": {"input": 3, "output": 4}}]})
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.servers.openai", "--script", script, "--record", record),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    address = (await process.stdout.readline()).decode().strip()
    async with openai.AsyncOpenAI(base_url=address, api_key="secret") as client:
        answer = await client.responses.create(model="m", input=ASK)
    process.terminate()
    assert await process.wait() == 0
    assert answer.output_text == "from the script"
    (line,) = record.read_text().splitlines()
    assert from_json(json.loads(line)).current == "Hello there"
    assert "secret" not in line
