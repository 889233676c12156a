"""What has arrived of one streamed answer, and the judgement on it when the stream is over."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.errors import ModelEmpty, ModelFiltered, ModelInterrupted
from bot.ports import Completion, Finish, Usage


def tokens(owner: object, name: str) -> int:
    """A figure of a provider's usage; 0 where it leaves it out or sends something else."""
    value = getattr(owner, name, None)
    return value if isinstance(value, int) else 0


@dataclass(slots=True)
class Partial:
    """Filled while a stream is read. `finish` stays None until the provider says why it stopped."""

    model: str
    pieces: list[str] = field(default_factory=list)
    finish: Finish | None = None
    usage: Usage | None = None
    refused: bool = False

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def completion(self) -> Completion:
        """The whole answer. ModelInterrupted, ModelFiltered or ModelEmpty when it is none."""
        if self.finish is None:
            raise ModelInterrupted("the stream ended before the provider said so", self.text)
        if self.finish is Finish.FILTER:
            raise ModelFiltered("the provider's content filter stopped the answer")
        if not self.text.strip():
            raise ModelEmpty(f"the answer has no text (finish reason: {self.finish})")
        return Completion(self.text, self.finish, self.model, self.usage)
