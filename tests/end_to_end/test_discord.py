"""`memora run` with nothing but an address and a token in its environment, on a loopback Discord."""

from __future__ import annotations

import asyncio
import signal
from functools import partial
from pathlib import Path

from tests.end_to_end.conversation import ANSWER, LINES, QUESTION, WINDOW
from tests.end_to_end.program import PATIENCE, started
from tests.servers.discord import Channel, DiscordServer

COMMANDS = "/applications/{application_id}/commands"


def _environment(server: DiscordServer) -> dict[str, str]:
    return {
        "MEMORA_DISCORD__API_BASE_URL": server.api_base_url,
        "DISCORD_BOT_TOKEN": server.token,
        **WINDOW,
    }


def _answered(server: DiscordServer, channel: Channel, times: int) -> bool:
    return len(server.replies(channel)) >= times


async def test_the_same_conversation_in_a_channel(tmp_path: Path) -> None:
    async with DiscordServer() as server:
        guild = server.add_guild()
        general = server.general(guild)
        ann = server.add_user("ann", "Ann")
        async with started(tmp_path, "run", **_environment(server)) as process:
            await server.connected(PATIENCE)
            for number, line in enumerate([*LINES, QUESTION], start=1):
                server.say(general, ann, line, mentions=[server.bot])
                await server.wait_for(partial(_answered, server, general, number), PATIENCE)
            await server.wait_for(lambda: ANSWER in server.replies(general)[-1].content, PATIENCE)

            context = server.slash(general, ann, "context")
            await server.wait_for(lambda: context.answers, PATIENCE)
            shown = "\n".join(message.content for message in context.answers)
            assert all(part in shown for part in ("persona", "summary", "recent", "current"))
            assert all(message.ephemeral for message in context.answers)

            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        assert server.violations == []


async def test_a_restart_remembers_and_repeats_nothing(tmp_path: Path) -> None:
    async with DiscordServer() as server:
        ann = server.add_user("ann", "Ann")
        chat = server.dm(ann)
        async with started(tmp_path, "run", **_environment(server)) as process:
            await server.connected(PATIENCE)
            first = server.say(chat, ann, "My locker is number 4711.")
            await server.wait_for(partial(_answered, server, chat, 1), PATIENCE)
            process.kill()
            await process.wait()
        assert len(server.made("PUT", COMMANDS)) == 1
        async with started(tmp_path, "run", **_environment(server)):
            await server.wait_for(lambda: server.gateway.connected, PATIENCE)
            server.repeat(first)
            server.say(chat, ann, "What is the number of my locker?")
            await server.wait_for(partial(_answered, server, chat, 2), PATIENCE)
            await server.wait_for(lambda: "4711" in server.replies(chat)[-1].content, PATIENCE)
            assert len(server.replies(chat)) == 2
        assert len(server.made("PUT", COMMANDS)) == 1
        assert server.violations == []
