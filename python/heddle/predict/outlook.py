"""What a program would gain from more threads and cores, and from the removal of what keeps its handlers apart."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from heddle.documents import contracts
from heddle.documents.constraints import Constraints, Pair, Verdict
from heddle.documents.trace import Trace
from heddle.errors import BadInputError
from heddle.explain.causes import Cause, causes
from heddle.predict import simulation, workload
from heddle.predict.workload import Workload
from heddle.system import machine

_WORTHWHILE = 1.02  # a smaller predicted gain is within the noise of prediction
_CANDIDATES = 10
_SAME = 0.95  # causes that bring this share of a group's gain count as bringing all of it
_NEAR = 0.05  # a simulated run that is no more than this faster than the recorded one is close enough
_HALVINGS = 6
_STEPS = 6  # a program with more causes removed would do other work than the recorded one


@dataclass(frozen=True)
class Outlook:
    """Invocations per second for each number of threads, each on as many cores, against the recorded run."""

    without: tuple[Cause, ...]
    rates: tuple[float, ...]


@dataclass(frozen=True)
class Step:
    """One cause removed after those before it."""

    cause: Cause
    before: Outlook
    after: Outlook


class Predictor:
    """One recorded run under its constraints; raises BadInputError if the two do not fit."""

    def __init__(self, trace: Trace, source: str, constraints: Constraints, cores: int | None = None) -> None:
        made_for = trace.header["program"]["build_id"]
        if made_for != constraints.build_id:
            raise BadInputError(
                f"{source} was recorded with another build than the constraints are for",
                "record again: heddle run --trace FILE PROGRAM",
            )
        self.constraints = constraints
        self.causes = causes(constraints)
        self.work: Workload = workload.read(trace, source)
        self.recorded = simulation.rate(self.work.finished)
        self._cores = cores
        self.error = self._fit()  # how far the simulated run is from the recorded one: 0.05 is 5 % too fast

    def outlook(self, threads: Sequence[int], without: Iterable[Cause] = ()) -> Outlook:
        removed = tuple(without)
        found = self._rules(removed)
        return Outlook(removed, tuple(self._rate(found, count) for count in threads))

    def _error(self) -> float:
        threads = self.work.threads - 1 if self.work.threads > 1 else 1
        found = simulation.simulate(self.work, self._rules(()), threads, machine.cores())
        return simulation.rate(found) / self.recorded - 1

    def _fit(self) -> float:
        """Chooses how much of the waiting passed outside the program, where the trace leaves that open.

        Returns the error of the simulated run that is left.
        """
        as_read = self.work
        low, high = 0.0, 1.0
        error = self._error()
        if error <= _NEAR:
            return error
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            self.work = as_read.outside(middle)
            error = self._error()
            low, high = (middle, high) if error > _NEAR else (low, middle)
        return error

    def steps(self, threads: int) -> list[Step]:
        """The removals that promise most on so many threads, one after the other; stops where none promises more.

        Where several causes keep the same two handlers apart, removing one of them gains nothing. So the causes that
        keep two handlers apart are removed together, and the group with the greatest gain per cause is chosen.
        """
        found: list[Step] = []
        now = self.outlook((threads,))
        while len(found) < _STEPS:
            best: tuple[float, list[Cause]] = (0.0, [])
            for group in self._candidates(now.without):
                gain = self.outlook((threads,), (*now.without, *group)).rates[0] / now.rates[0]
                if gain > _WORTHWHILE:
                    best = max(best, ((gain - 1) / len(group), group), key=lambda entry: entry[0])
            if not best[1]:
                break
            for cause in self._needed(now, best[1], threads):
                after = self.outlook((threads,), (*now.without, cause))
                found.append(Step(cause, now, after))
                now = after
        return found

    def _needed(self, now: Outlook, group: list[Cause], threads: int) -> list[Cause]:
        """The causes of a group that its gain needs; the others keep handlers apart that hardly ever meet."""
        kept = list(group)
        gain = self.outlook((threads,), (*now.without, *kept)).rates[0] / now.rates[0] - 1
        for cause in group:
            fewer = [other for other in kept if other is not cause]
            if fewer and self.outlook((threads,), (*now.without, *fewer)).rates[0] / now.rates[0] - 1 > _SAME * gain:
                kept = fewer
        return kept

    def named(self, names: Iterable[str]) -> list[Cause]:
        """The causes of these names, as heddle analyze lists them."""
        found = []
        for name in names:
            fitting = [cause for cause in self.causes if cause.name == name]
            if not fitting:
                known = ", ".join(cause.name for cause in self.causes[:6]) or "there is none"
                raise BadInputError(f"no cause is called {name}", f"name one that heddle analyze lists: {known}")
            found += fitting
        return found

    def _candidates(self, removed: tuple[Cause, ...]) -> list[list[Cause]]:
        """For the pairs of handlers that took most time: the causes, not removed yet, that keep the two apart."""
        spent = [0.0] * len(self.constraints.handlers)
        for handler, cpu, blocked in zip(self.work.handler, self.work.cpu, self.work.blocked, strict=True):
            if 0 <= handler < len(spent):
                spent[handler] += cpu + blocked
        between: dict[tuple[int, int], list[Cause]] = {}
        for cause in self.causes:
            for pair in cause.pairs:
                if cause not in removed and not pair.unlisted:
                    between.setdefault((pair.a, pair.b), []).append(cause)
        weight: dict[tuple[int, ...], float] = {}
        groups: dict[tuple[int, ...], list[Cause]] = {}
        for (a, b), group in between.items():
            key = tuple(map(id, group))
            groups[key] = group
            weight[key] = weight.get(key, 0.0) + min(spent[a], spent[b])
        best = sorted((key for key in groups if weight[key] > 0), key=lambda key: -weight[key])
        return [groups[key] for key in best[:_CANDIDATES]]

    def _rate(self, allowed: simulation.Rules, threads: int) -> float:
        """Speed against the *simulated* recorded run, so that what the simulation leaves out cancels."""
        found = simulation.rate(simulation.simulate(self.work, allowed, threads, self._cores or threads))
        return found / (1 + self.error)

    def _rules(self, without: tuple[Cause, ...]) -> simulation.Rules:
        removed: set[tuple[int, int, int]] = set()
        for cause in without:
            removed |= {(pair.a, pair.b, conflict.object) for pair, conflict in cause.conflicts}
        known = [{handler.name, f"{handler.file}:{handler.name}"} for handler in self.constraints.handlers]

        def left(a: int, b: int, verdict: Callable[[Pair], Verdict]) -> Verdict:
            names = [self.work.handlers[item] for item in (a, b) if item < len(self.work.handlers)]
            if contracts.FIGURES_CONNECTIONS in names:
                return "never"
            if any(item >= len(known) or self.work.handlers[item] not in known[item] for item in (a, b)):
                return "always"
            if self.constraints.handlers[a].pinned and self.constraints.handlers[b].pinned:
                return "always"  # both are run by the thread of the loop
            pair = self.constraints.pair(a, b)
            return _left(pair, verdict(pair), removed)

        return simulation.rules(
            self.work,
            lambda a, b: left(a, b, lambda pair: pair.together),
            lambda a, b: left(a, b, lambda pair: pair.verdict),
        )


def _left(pair: Pair, verdict: Verdict, removed: set[tuple[int, int, int]]) -> Verdict:
    """The verdict without these conflicts: `session` at least, for remedies leave the calls of one session in order."""
    if verdict != "always" or not removed:
        return verdict
    listed = [conflict for conflict in pair.conflicts if conflict.verdict == "always"]
    stays = pair.unlisted or not listed or any((pair.a, pair.b, c.object) not in removed for c in listed)
    return "always" if stays else "session"


def constraints_beside(trace: Path, build_id: str, program: str) -> Path | None:
    """PROGRAM.constraints.json of this build, beside the trace or where the user stands."""
    from heddle.documents import schemas

    for folder in (trace.absolute().parent, Path.cwd()):
        file = folder / f"{program}.constraints.json"
        if file.is_file() and schemas.load(file, "constraints").get("program", {}).get("build_id") == build_id:
            return file
    return None
