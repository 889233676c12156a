"""What every store of conversations has to do. A subclass gives the fixtures `store` and `clock`."""

from tests.contracts.store.beside import BesideContract, PiecesContract, UndoContract
from tests.contracts.store.caring import IdleContract, RetentionContract
from tests.contracts.store.figures import FiguresContract
from tests.contracts.store.folding import FoldingContract
from tests.contracts.store.log import LogContract
from tests.contracts.store.operating import OperatingContract
from tests.contracts.store.reading import ReadingContract
from tests.contracts.store.walls import WallsContract


class StoreContract(
    LogContract,
    ReadingContract,
    WallsContract,
    FoldingContract,
    BesideContract,
    PiecesContract,
    UndoContract,
    RetentionContract,
    IdleContract,
    FiguresContract,
    OperatingContract,
):
    """All of it."""


__all__ = ["StoreContract"]
