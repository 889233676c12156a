"""A loopback OpenAI server for tests: both APIs, scripted answers, recorded and checked requests."""

from tests.servers.openai.answers import Answer, Tokens, content_policy, unsupported
from tests.servers.openai.folding import Told, fold, told
from tests.servers.openai.recorded import Recorded
from tests.servers.openai.server import OpenAIServer, asks_for_memory, echo

__all__ = [
    "Answer",
    "OpenAIServer",
    "Recorded",
    "Tokens",
    "Told",
    "asks_for_memory",
    "content_policy",
    "echo",
    "fold",
    "told",
    "unsupported",
]
