"""The loopback Discord server as a process of its own, steered over HTTP."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.servers.discord.control import ControlledServer
from tests.servers.discord.remote import RemoteDiscord, answers, replies
from tests.servers.discord.watching import watching

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
async def controlled(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ControlledServer]:
    async with ControlledServer() as server:
        monkeypatch.setattr(Route, "BASE", server.api_base_url)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway_url))
        yield server
    assert server.violations == []


async def test_people_are_played_from_afar(controlled: ControlledServer) -> None:
    async with (
        RemoteDiscord(controlled.control_url.removesuffix("/control")) as remote,
        watching(controlled) as client,
    ):
        assert remote.api_base_url == controlled.api_base_url
        ann = await remote.do("add_user", username="ann", display="Ann")
        general = await remote.do("add_guild", name="Home")
        await remote.do("moderate", channel=general, user=ann)
        said = await remote.say(general, ann, "hello", mentions=[client.user.id if client.user else 0])
        assert (await client.expect("message")).id == said
        channel = client.get_partial_messageable(general)
        await channel.send("hi @everyone")
        (reply,) = await remote.replies(general, 1)
        assert (reply["content"], reply["pings"], reply["ephemeral"]) == ("hi @everyone", True, False)
        await remote.do("edit", message=said, content="hello all")
        assert (await client.expect("raw_message_edit")).message.content == "hello all"
        thread = await remote.do("thread", channel=general, user=ann, name="side", starter=said)
        assert thread == said
        await remote.do("delete", messages=[said])
        assert (await client.expect("raw_message_delete")).message_id == said


async def test_commands_are_used_from_afar(controlled: ControlledServer) -> None:
    async with (
        RemoteDiscord(controlled.control_url.removesuffix("/control")) as remote,
        watching(controlled) as client,
    ):
        ann = await remote.do("add_user", username="ann")
        private = await remote.do("dm", user=ann)
        with pytest.raises(AssertionError, match="registered"):
            await remote.slash(private, ann, "help")
        await client.http.bulk_upsert_global_commands(
            controlled.bot.id, [{"name": "help", "description": "Help", "type": 1}]
        )
        used = await remote.slash(private, ann, "help")
        received = await client.expect("interaction")
        assert answers(await remote.state(), used) == []
        await received.response.send_message("here", ephemeral=True)
        (answer,) = await remote.answers(used)
        assert (answer["content"], answer["ephemeral"]) == ("here", True)
        assert replies(await remote.state(), private) == []


async def test_waiting_for_what_never_happens_ends(controlled: ControlledServer) -> None:
    async with RemoteDiscord(controlled.control_url.removesuffix("/control")) as remote:
        version = (await remote.state())["version"]
        with pytest.raises(TimeoutError):
            await remote.state(version, timeout=0.01)


async def test_the_process_says_its_address_records_and_ends_on_request(tmp_path: Path) -> None:
    record = tmp_path / "calls.jsonl"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.servers.discord",
        "--record",
        str(record),
        "--token",
        "a.b.c",
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout
    address = (await process.stdout.readline()).decode().strip()
    try:
        async with RemoteDiscord(address.removesuffix("/api/v10")) as remote:
            state = await remote.state()
            assert (state["connected"], state["violations"], state["calls"]) == (False, [], [])
            assert remote._session
            headers = {"Authorization": "Bot a.b.c"}
            async with remote._session.get(f"{address}/users/@me", headers=headers) as answer:
                assert (await answer.json())["id"] == str(state["bot"])
    finally:
        process.terminate()
        assert await process.wait() == 0
    (line,) = record.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["path"] == "/users/@me"
    assert "a.b.c" not in line
