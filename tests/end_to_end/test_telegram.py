"""`memora run` with nothing but an address and a token in its environment, on a loopback Telegram."""

from __future__ import annotations

import asyncio
import signal
from functools import partial
from pathlib import Path

from tests.end_to_end.conversation import ANSWER, LINES, QUESTION, WINDOW
from tests.end_to_end.program import PATIENCE, started
from tests.servers.openai import Answer, OpenAIServer
from tests.servers.telegram import Chat, TelegramServer


def _answered(chat: Chat, times: int) -> bool:
    return len(chat.from_bot) >= times


def _environment(server: TelegramServer) -> dict[str, str]:
    return {"MEMORA_TELEGRAM__API_BASE_URL": server.base_url, "TELEGRAM_BOT_TOKEN": server.token, **WINDOW}


async def test_the_same_conversation_in_a_private_chat(tmp_path: Path) -> None:
    async with TelegramServer() as server, started(tmp_path, "run", **_environment(server)) as process:
        ann = server.person("Ann")
        chat = server.private(ann)
        for number, line in enumerate([*LINES, QUESTION], start=1):
            server.say(chat, ann, line)
            await server.wait_for(partial(_answered, chat, number), PATIENCE)
        await server.wait_for(lambda: ANSWER in chat.texts[-1], PATIENCE)

        server.say(chat, ann, "/context")
        await server.wait_for(lambda: "persona" in chat.texts[-1], PATIENCE)
        assert "summary" in chat.texts[-1]

        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        assert server.violations == []


async def test_stopped_while_it_answers_it_finishes_the_answer(tmp_path: Path) -> None:
    held = asyncio.Event()
    text = "First half of the answer, and here is the second half."
    async with TelegramServer() as server, OpenAIServer() as provider:
        provider.script(Answer(text, pause_after=24, hold=held))
        settings = {**_environment(server), "MEMORA_LLM__BASE_URL": provider.base_url}
        ann = server.person("Ann")
        chat = server.private(ann)
        async with started(tmp_path, "run", **settings) as process:
            server.say(chat, ann, "Tell me something long")
            await server.wait_for(lambda: chat.texts and "First half" in chat.texts[-1], PATIENCE)
            process.send_signal(signal.SIGTERM)
            server.say(chat, ann, "This comes too late")
            await asyncio.sleep(0)
            held.set()
            assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        assert chat.texts == [text]

        async with started(tmp_path, "run", **settings) as process:
            server.say(chat, ann, "/history")
            await server.wait_for(lambda: any("second half" in post for post in chat.texts[1:]), PATIENCE)
        assert server.violations == []
