"""Operating: small state, copies, and whether the store can be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import StoreUnusable
from bot.ports import ConversationStore, StateStore
from tests.fakes.store import talk


class OperatingContract:
    async def test_small_values_are_kept(self, store: StateStore) -> None:
        assert await store.get_state("telegram.commands") is None
        for value in ("abc", "def", ""):
            await store.set_state("telegram.commands", value)
            assert await store.get_state("telegram.commands") == value
        assert await store.get_state("discord.commands") is None

    async def test_a_store_that_works_says_so(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a")
        await store.check()
        assert (await store.memory(conversation)).verbatim == tuple(messages)

    async def test_a_copy_never_overwrites_a_file(self, store: ConversationStore, tmp_path: Path) -> None:
        target = tmp_path / "copy.db"
        target.write_text("precious")
        with pytest.raises(StoreUnusable):
            await store.backup(target)
        assert target.read_text() == "precious"

    async def test_a_copy_into_a_missing_folder_is_refused(
        self, store: ConversationStore, tmp_path: Path
    ) -> None:
        with pytest.raises(StoreUnusable):
            await store.backup(tmp_path / "missing" / "copy.db")
