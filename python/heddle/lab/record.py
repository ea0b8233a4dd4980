"""What one run left behind: the document of schemas/lab.schema.json, and the picture."""

import json
from dataclasses import dataclass
from pathlib import Path

from heddle.documents import schemas
from heddle.documents.schemas import Document


@dataclass(frozen=True)
class Record:
    document: Document
    pixels: bytes | None = None
    """The canvas as PNG; None if there is none, and for a record that was read from a file."""

    @classmethod
    def load(cls, path: Path) -> "Record":
        document = schemas.load(path, "lab")
        schemas.check(document, "lab", str(path))
        return cls(document)

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.document) + "\n")

    @property
    def scenario(self) -> str:
        return str(self.document["scenario"])

    @property
    def model(self) -> str:
        return str(self.document["model"]["name"])

    @property
    def seconds(self) -> float:
        return float(self.document["seconds"])

    @property
    def cpu_seconds(self) -> float:
        return float(self.document["cpu_seconds"])

    @property
    def foreign_cpu(self) -> float:
        return float(self.document["foreign_cpu"])

    @property
    def canvas(self) -> str | None:
        canvas: str | None = self.document["canvas"]
        return canvas

    @property
    def results(self) -> dict[str, str | float]:
        return dict(self.document["results"])

    @property
    def errors(self) -> dict[str, str]:
        """What went wrong, by the name of the command."""
        return {command["name"]: command["error"] for command in self.document["commands"] if command["error"]}

    def _repr_png_(self) -> bytes | None:
        """For a notebook."""
        return self.pixels
