"""Maps what the SDK raises, and what providers report within an answer, to Memora's own errors."""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Mapping

import httpx2
import openai

from bot.errors import (
    ModelBusy,
    ModelError,
    ModelFailed,
    ModelFiltered,
    ModelNotFound,
    ModelRejected,
    ModelTimeout,
    ModelUnauthorized,
    ModelUnreachable,
)

# Every class is named here, though the walk up the class tree would find most: a new class of the SDK is
# to be looked at, not guessed.
ERRORS: Mapping[type[Exception], type[ModelError]] = {
    openai.OpenAIError: ModelFailed,
    openai.APIError: ModelFailed,
    openai.APIResponseValidationError: ModelFailed,
    openai.APIStatusError: ModelFailed,
    openai.APIConnectionError: ModelUnreachable,
    openai.APITimeoutError: ModelTimeout,
    openai.BadRequestError: ModelRejected,
    openai.UnprocessableEntityError: ModelRejected,
    openai.ConflictError: ModelFailed,
    openai.AuthenticationError: ModelUnauthorized,
    openai.OAuthError: ModelUnauthorized,
    openai.PermissionDeniedError: ModelUnauthorized,
    openai.NotFoundError: ModelNotFound,
    openai.RateLimitError: ModelBusy,
    openai.InternalServerError: ModelFailed,
    openai.LengthFinishReasonError: ModelFailed,
    openai.ContentFilterFinishReasonError: ModelFiltered,
    openai.InvalidWebhookSignatureError: ModelFailed,
    openai.WebSocketConnectionClosedError: ModelFailed,
    openai.WebSocketQueueFullError: ModelFailed,
    httpx2.TimeoutException: ModelTimeout,
    httpx2.HTTPError: ModelUnreachable,
    httpx2.InvalidURL: ModelUnreachable,
}
# An answer that isn't what the API describes shows as one of these while it is read.
UNREADABLE = (ValueError, TypeError, AttributeError, LookupError)
RAISED = (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, *UNREADABLE)

_FILTERED = (
    "content_filter",
    "content_policy",
    "responsibleaipolicy",
    "invalid_prompt",
    "bio_policy",
    "moderation",
)
_LONGEST = 300


def translate(error: Exception, secret: str = "") -> ModelError:
    """The error of Memora for one of `RAISED`. `secret` is blacked out wherever the text repeats it."""
    text = _text(error, secret)
    if isinstance(error, UNREADABLE) and not isinstance(error, httpx2.InvalidURL):
        return ModelFailed(f"the answer can't be read: {text}")
    if isinstance(error, openai.APIError) and not isinstance(error, openai.APIConnectionError):
        if isinstance(error, openai.APIStatusError):
            return _of_status(error, text)
        return reported(error.code or error.type or "", text)
    kind = next((ERRORS[base] for base in type(error).__mro__ if base in ERRORS), ModelFailed)
    return kind(text)


def reported(code: str, message: str) -> ModelError:
    """The error for a code that a provider reports within an answer (status 200)."""
    if _is_filter(code):
        return ModelFiltered(message)
    if "rate_limit" in code or "quota" in code or code == "429":
        return ModelBusy(message)
    return ModelFailed(f"{code}: {message}" if code else message)


def is_filter(error: openai.APIStatusError) -> bool:
    """Whether a refusal is about the content and not about the form of the request."""
    return _is_filter(f"{error.code} {error.type} {error.body if isinstance(error.body, dict) else ''}")


def _is_filter(code: str) -> bool:
    return any(mark in code.lower() for mark in _FILTERED)


def _of_status(error: openai.APIStatusError, text: str) -> ModelError:
    if isinstance(error, openai.RateLimitError):
        return ModelBusy(text, retry_after(error.response.headers))
    if error.status_code in (400, 403, 422) and is_filter(error):
        return ModelFiltered(text)
    if type(error) in ERRORS and type(error) is not openai.APIStatusError:
        return ERRORS[type(error)](text)
    if error.status_code == 408:
        return ModelTimeout(text)
    return (ModelRejected if error.status_code < 500 else ModelFailed)(text)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds until the provider wants to be asked again (RFC 9110, section 10.2.3), None where unsaid."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return seconds if math.isfinite(seconds) and seconds >= 0 else None
    date = email.utils.parsedate_tz(headers.get("retry-after", ""))
    return max(0.0, email.utils.mktime_tz(date) - time.time()) if date else None


def _text(error: Exception, secret: str) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    if error.__cause__ is not None:
        text += f" ({type(error.__cause__).__name__}: {error.__cause__})"
    if secret:
        text = text.replace(secret, "***")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
