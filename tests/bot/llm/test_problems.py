"""No error of the SDK is left unmapped."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator

import httpx2
import openai
import openai._exceptions
import pytest

from bot.errors import ModelBusy, ModelError, ModelFailed, ModelTimeout, ModelUnreachable
from bot.llm.problems import ERRORS, RAISED, retry_after, translate

# Raised only by parts of the SDK that are not used here: tokens of cloud identities, Azure's own client,
# functions of before version 1, the client on module level, and answers read twice.
UNUSED = {
    "SubjectTokenProviderError",
    "MutuallyExclusiveAuthError",
    "APIRemovedInV1",
    "_AmbiguousModuleClientUsageError",
    "StreamAlreadyConsumed",
    "MissingDependencyError",
}


def family(kind: type[Exception]) -> Iterator[type[Exception]]:
    yield kind
    for child in kind.__subclasses__():
        yield from family(child)


def test_every_error_of_the_sdk_is_mapped() -> None:
    public = {cls for _, cls in inspect.getmembers(openai, inspect.isclass) if issubclass(cls, Exception)}
    named = {getattr(openai._exceptions, name) for name in openai._exceptions.__all__}
    known = {*family(openai.OpenAIError), *public, *named}
    agents = {kind for kind in known if kind.__module__.startswith("openai.lib.beta")}
    assert {kind.__name__ for kind in known - set(ERRORS) - agents} <= UNUSED
    assert len(known) > 15


@pytest.mark.parametrize("kind", list(family(httpx2.HTTPError)), ids=lambda kind: kind.__name__)
def test_every_error_of_the_transport_is_mapped(kind: type[Exception]) -> None:
    error = kind.__new__(kind)
    timed_out = issubclass(kind, httpx2.TimeoutException)
    assert type(translate(error)) is (ModelTimeout if timed_out else ModelUnreachable)
    assert isinstance(error, RAISED)


@pytest.mark.parametrize(
    "error", [json.JSONDecodeError("no JSON", "<html>", 0), TypeError("no list"), KeyError("choices")]
)
def test_what_cant_be_read_is_a_failure(error: Exception) -> None:
    assert isinstance(error, RAISED)
    assert type(translate(error)) is ModelFailed


def test_all_mapped_errors_are_memoras() -> None:
    assert all(issubclass(kind, ModelError) for kind in ERRORS.values())
    assert ModelBusy in ERRORS.values()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("3", 3.0), ("0", 0.0), ("-5", None), ("nan", None), ("soon", None), ("", None)],
)
def test_waiting_times_are_read(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}) == seconds


def test_a_waiting_time_may_be_a_date() -> None:
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0
    assert (retry_after({"retry-after": "Wed, 21 Oct 2099 07:28:00 GMT"}) or 0) > 1e6
