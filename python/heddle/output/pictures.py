"""What every picture shares: the formats it can have, and a file that is the same for the same content."""

from pathlib import Path
from typing import TYPE_CHECKING

from heddle.errors import BadInputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".svg", ".png")


def check(file: Path) -> None:
    """Raises BadInputError where save() could not write."""
    if file.suffix.lower() not in FORMATS:
        raise BadInputError(f"{file} is no picture that can be made", "name a file that ends in .svg or .png")
    if not file.absolute().parent.is_dir():
        raise BadInputError(f"{file} cannot be written", "name a file in a folder that exists")


def save(figure: "Figure", file: Path) -> None:
    figure.savefig(file, dpi=150, metadata={"Date": None} if file.suffix.lower() == ".svg" else None)
