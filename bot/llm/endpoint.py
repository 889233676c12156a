"""Where a model is and how it is spoken to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

OPENAI = "https://api.openai.com/v1"
Api = Literal["responses", "chat"]
Role = Literal["developer", "system"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model behind one address. `timeout` is in seconds until an answer begins (retries included), and
    again between two pieces of it. Background and instructions are sent with `developer_role`."""

    model: str
    key: str = field(repr=False)
    base_url: str = OPENAI
    api: Api = "responses"
    timeout: float = 120.0
    max_retries: int = 2
    developer_role: Role = "developer"
