"""The ways to make concurrency that a scenario can be run by."""

from dataclasses import dataclass, replace
from typing import Self

from heddle.errors import BadInputError
from heddle.system import machine

# A model that opens as many connections as there are transfers opens no more than this.
MOST_CONNECTIONS = 256
NAMES = ("cooperative", "threads", "pool", "pico", "constrained", "composed", "speculative")


@dataclass(frozen=True)
class Model:
    """Who runs the commands.

    `connections` is how many transfers there may be at once, which alone can reverse the order of two models. None:
    as many as the model has by its nature, one for each thread that waits for its transfer, and one for each transfer
    where nobody waits.
    """

    name: str
    workers: int = 1
    busy: bool = False
    per_group: bool = False
    connections: int | None = None

    @classmethod
    def cooperative(cls, busy: bool = False, per_group: bool = False, connections: int | None = None) -> Self:
        """One thread, whose commands give way to each other; or one for each group.

        A command that waits is asked again when its descriptor or its time says so; with `busy` again and again, as in
        the paper of 2007.
        """
        return cls("cooperative", busy=busy, per_group=per_group, connections=connections)._checked()

    @classmethod
    def threads(cls, connections: int | None = None) -> Self:
        """A thread for each group, which runs its commands in order and waits for each."""
        return cls("threads", connections=connections)._checked()

    @classmethod
    def pool(cls, workers: int = 8, connections: int | None = None) -> Self:
        """Workers that take what is due, a part at a time; one thread more watches descriptors. Data are locked."""
        return cls("pool", workers, connections=connections)._checked()

    @classmethod
    def pico(cls, workers: int = 1, connections: int | None = None) -> Self:
        """A lightweight thread for each command."""
        return cls("pico", workers, connections=connections)._checked()

    @classmethod
    def constrained(cls, workers: int | None = None, connections: int | None = None) -> Self:
        """Workers that never run two parts at once that conflict by what their commands read and write. No locks."""
        return cls("constrained", workers or machine.cores(), connections=connections)._checked()

    @classmethod
    def composed(cls, workers: int = 4, connections: int | None = None) -> Self:
        """The redesign that the paper of 2007 advises: a thread for each group, which gets help while it is stuck;
        another one for transfers to files; and a pool of `workers` for what commands add, such as images.
        """
        return cls("composed", workers, connections=connections)._checked()

    @classmethod
    def speculative(cls, workers: int | None = None, connections: int | None = None) -> Self:
        """Parts run at once as transactions, and count in the order of one thread; what has seen old values runs again.

        Only commands that can be taken back do: `compute` and `touch`. The others run when it is their turn.
        """
        return cls("speculative", workers or machine.cores(), connections=connections)._checked()

    @classmethod
    def all(cls) -> list[Self]:
        """One of each."""
        return [
            cls.cooperative(),
            cls.threads(),
            cls.pool(),
            cls.pico(),
            cls.constrained(),
            cls.composed(),
            cls.speculative(),
        ]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The model that `str` calls so: `threads`, `pool:8`, `cooperative:busy`, `pico:2`, `pool:8@16` connections."""
        words, at, connections = text.partition("@")
        name, *options = words.split(":")
        if name not in NAMES:
            raise BadInputError(f"there is no model {name!r}", f"the models are {', '.join(NAMES)}")
        try:
            model = next(model for model in cls.all() if model.name == name)
            model = replace(model, connections=int(connections) if at else None)
            for option in options:
                if option == "busy":
                    model = replace(model, busy=True)
                elif option == "per-group":
                    model = replace(model, per_group=True)
                else:
                    model = replace(model, workers=int(option))
        except ValueError:
            raise BadInputError(
                f"{text!r} is not a model", "write it like pool:8, cooperative:busy or threads@16"
            ) from None
        return model._checked()

    def natural_connections(self, groups: int) -> int:
        if self.name == "threads":
            return groups
        return self.workers if self.name == "pool" else MOST_CONNECTIONS

    def threads_for(self, groups: int) -> int:
        """Threads that run commands, in a scenario of so many groups."""
        if self.name == "composed":
            return groups + 1 + self.workers
        return groups if self.name == "threads" or self.per_group else self.workers

    def __str__(self) -> str:
        options = [self.name]
        if self.name not in ("cooperative", "threads"):
            options.append(str(self.workers))
        options += ["busy"] if self.busy else []
        options += ["per-group"] if self.per_group else []
        return ":".join(options) + (f"@{self.connections}" if self.connections else "")

    def _checked(self) -> Self:
        if (self.busy or self.per_group) and self.name != "cooperative":
            raise BadInputError("only the cooperative model can be busy or per group", "write cooperative:busy")
        if self.workers != 1 and self.name in ("cooperative", "threads"):
            raise BadInputError(f"the model {self.name} has no number of workers", f"write {self.name}")
        if not 1 <= self.workers <= 1024:
            raise BadInputError(f"{self.workers} workers are not possible", "choose from 1 to 1024")
        if self.connections is not None and not 1 <= self.connections <= 1024:
            raise BadInputError(f"{self.connections} connections are not possible", "choose from 1 to 1024")
        return self
