"""Chooses the model that the settings ask for: a provider's, or the built-in one that needs no network."""

from __future__ import annotations

from typing import Literal

from bot.config import Secrets, Settings
from bot.llm.endpoint import OPENAI, Endpoint
from bot.ports import ChatModel, TokenCounter

# Servers of one's own ask for no key, but the SDK wants one to send.
NO_KEY = "none"
Purpose = Literal["answer", "summary"]


def is_offline(settings: Settings, secrets: Secrets, purpose: Purpose = "answer") -> bool:
    """Whether the built-in model is used: there is neither a key nor an address of another server."""
    return secrets.openai_api_key is None and not _base_url(settings, purpose)


def build_model(
    settings: Settings, secrets: Secrets, counter: TokenCounter, purpose: Purpose = "answer"
) -> ChatModel:
    """The model for answers or for summaries. The caller closes it."""
    if is_offline(settings, secrets, purpose):
        from bot.llm.offline import OfflineModel  # noqa: PLC0415  loaded only where it is used

        return OfflineModel(counter)
    from bot.llm.client import OpenAIModel  # noqa: PLC0415  takes half a second

    return OpenAIModel(endpoint(settings, secrets, purpose))


def endpoint(settings: Settings, secrets: Secrets, purpose: Purpose) -> Endpoint:
    """Where the model for `purpose` is; [summary] falls back on [llm] key by key."""
    llm, summary, key = settings.llm, settings.summary, secrets.openai_api_key
    own = purpose == "summary"
    return Endpoint(
        model=(own and summary.model) or llm.model,
        key=key.get_secret_value() if key else NO_KEY,
        base_url=_base_url(settings, purpose) or OPENAI,
        api=(own and summary.api) or llm.api,
        timeout=summary.timeout if own else llm.timeout,
        max_retries=llm.max_retries,
        developer_role=llm.developer_role,
    )


def _base_url(settings: Settings, purpose: Purpose) -> str:
    return (purpose == "summary" and settings.summary.base_url) or settings.llm.base_url
