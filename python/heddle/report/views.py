"""The questions that `heddle analyze` answers, each as text and as data, and the files that it writes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from heddle.documents.constraints import Constraints
from heddle.errors import BadInputError
from heddle.explain.review import Review
from heddle.explain.sources import Sources
from heddle.output.terminal import Palette
from heddle.report import data, pair, text
from heddle.report import unknown as not_known


@dataclass(frozen=True)
class Subject:
    """What is reported on: a document, the program's sources, and what of it is to be shown."""

    constraints: Constraints
    sources: Sources
    review: Review

    @property
    def shown(self) -> Constraints:
        """What people read: with the names of the source."""
        return self.constraints.for_people


class Question(Protocol):
    def text(self, subject: Subject, width: int, colour: Palette, all_of_it: bool) -> list[str]: ...

    def data(self, subject: Subject) -> Any: ...  # noqa: ANN401 - whatever JSON can hold


@dataclass(frozen=True)
class Report:
    def text(self, subject: Subject, width: int, colour: Palette, all_of_it: bool) -> list[str]:
        return text.report(subject.shown, width, colour, all_of_it, subject.review)

    def data(self, subject: Subject) -> Any:  # noqa: ANN401
        return subject.constraints.document


@dataclass(frozen=True)
class Pair:
    first: str
    second: str

    def text(self, subject: Subject, width: int, colour: Palette, all_of_it: bool) -> list[str]:
        return pair.why(subject.shown, self.first, self.second, width, colour, subject.sources, all_of_it)

    def data(self, subject: Subject) -> Any:  # noqa: ANN401
        found = [pair.find(subject.constraints, name) for name in (self.first, self.second)]
        return data.why(subject.constraints, found[0], found[1], subject.sources)


@dataclass(frozen=True)
class Object:
    name: str

    def text(self, subject: Subject, width: int, colour: Palette, all_of_it: bool) -> list[str]:
        return pair.about_object(subject.shown, self.name, width, colour, subject.sources, all_of_it)

    def data(self, subject: Subject) -> Any:  # noqa: ANN401
        found = pair.find_objects(subject.constraints, self.name)
        return data.objects(subject.constraints, found, subject.sources)


@dataclass(frozen=True)
class Handler:
    name: str

    def text(self, subject: Subject, width: int, colour: Palette, all_of_it: bool) -> list[str]:
        del all_of_it
        return pair.about_handler(subject.shown, self.name, width, colour)

    def data(self, subject: Subject) -> Any:  # noqa: ANN401
        return data.about_handler(subject.constraints, pair.find(subject.constraints, self.name))


@dataclass(frozen=True)
class Causes:
    def text(self, subject: Subject, width: int, colour: Palette, all_of_it: bool) -> list[str]:
        del all_of_it
        return text.all_causes(subject.shown, width, colour, subject.review)

    def data(self, subject: Subject) -> Any:  # noqa: ANN401
        return data.all_causes(subject.constraints, subject.review)


@dataclass(frozen=True)
class Unknown:
    def text(self, subject: Subject, width: int, colour: Palette, all_of_it: bool) -> list[str]:
        return not_known.unknown(subject.shown, width, colour, all_of_it)

    def data(self, subject: Subject) -> Any:  # noqa: ANN401
        return data.unknown(subject.constraints, not_known.costs(subject.constraints))


def write(subject: Subject, html: Path | None, sarif: Path | None) -> list[Path]:
    """The files that were asked for."""
    import json

    from heddle.report.sarif import log

    written: list[tuple[Path, str]] = []
    if html is not None:
        from heddle.report.page import page

        written.append((html, page(subject.shown, subject.sources, subject.review)))
    if sarif is not None:
        written.append((sarif, json.dumps(log(subject.shown, subject.sources, subject.review)) + "\n"))
    for file, content in written:
        try:
            file.write_text(content)
        except OSError as error:
            raise BadInputError(f"{file} cannot be written ({error.strerror})", "name another file") from None
    return [file for file, _ in written]
