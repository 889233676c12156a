"""Maps what discord.py raises to Memora's own errors, once for all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import aiohttp
import discord
from discord import app_commands, oggparse, opus

from bot.errors import ChatGone, DeliveryDelayed, DeliveryError, DeliveryRefused

# Discord's own codes, see its list of JSON error codes.
UNKNOWN_CHANNEL, UNKNOWN_INTERACTION = 10003, 10062
NO_HISTORY, INVALID_BODY, ALREADY_ACKNOWLEDGED = 160002, 50035, 40060
_GONE = frozenset({UNKNOWN_CHANNEL, 10004})


def _answered(error: discord.HTTPException) -> DeliveryError:
    if error.status == 429 or error.status >= 500:
        return DeliveryDelayed(str(error))
    if error.code in _GONE:
        return ChatGone(str(error))
    return DeliveryRefused(str(error))


def _limited(error: discord.RateLimited) -> DeliveryError:
    return DeliveryDelayed(str(error), error.retry_after)


def _gone(error: Exception) -> DeliveryError:
    return ChatGone(str(error))


def _delayed(error: Exception) -> DeliveryError:
    return DeliveryDelayed(str(error) or type(error).__name__)


def _refused(error: Exception) -> DeliveryError:
    return DeliveryRefused(str(error) or type(error).__name__)


_KINDS: Mapping[type[Exception], Callable[..., DeliveryError]] = {
    discord.HTTPException: _answered,
    discord.NotFound: _answered,
    discord.DiscordServerError: _delayed,
    discord.Forbidden: _gone,
    discord.RateLimited: _limited,
    discord.GatewayNotFound: _delayed,
    discord.LoginFailure: _refused,
    discord.PrivilegedIntentsRequired: _refused,
    discord.ConnectionClosed: _refused,
    discord.InteractionResponded: _refused,
    discord.InvalidData: _refused,
    discord.MissingApplicationID: _refused,
    discord.ClientException: _refused,
    discord.DiscordException: _refused,
    # What Memora does not use: discord.py's own command framework and voice.
    **dict.fromkeys(
        (
            app_commands.AppCommandError,
            app_commands.CommandInvokeError,
            app_commands.TransformerError,
            app_commands.TranslationError,
            app_commands.CheckFailure,
            app_commands.NoPrivateMessage,
            app_commands.MissingRole,
            app_commands.MissingAnyRole,
            app_commands.MissingPermissions,
            app_commands.BotMissingPermissions,
            app_commands.CommandOnCooldown,
            app_commands.CommandAlreadyRegistered,
            app_commands.CommandNotFound,
            app_commands.CommandLimitReached,
            app_commands.CommandSignatureMismatch,
            app_commands.CommandSyncFailure,
            discord.FFmpegProcessError,
            opus.OpusError,
            opus.OpusNotLoaded,
            oggparse.OggError,
        ),
        _refused,
    ),
    # Connections; TimeoutError is an OSError.
    aiohttp.ClientError: _delayed,
    OSError: _delayed,
}
REACHING = (discord.DiscordException, aiohttp.ClientError, OSError)


def is_mapped(kind: type[Exception]) -> bool:
    """Whether a class of errors has its own entry."""
    return kind in _KINDS


def delivery_error(error: Exception) -> DeliveryError:
    """What Memora calls an error that came of reaching Discord."""
    for kind in type(error).__mro__:
        if issubclass(kind, Exception) and kind in _KINDS:
            return _KINDS[kind](error)
    raise TypeError(f"{type(error).__name__} is no error of reaching Discord")


@contextmanager
def reaching_discord() -> Iterator[None]:
    """Whatever fails inside is raised as a DeliveryError."""
    try:
        yield
    except REACHING as error:
        raise delivery_error(error) from error
