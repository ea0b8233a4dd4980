"""The causes of conflicts as SARIF 2.1.0, for code review tools and CI.

One result for each cause, not for each conflict: a reviewer wants ten findings, not a thousand. A result stands where
the cause is, carries the remedy, and for some of the pairs it keeps apart a code flow with one thread flow for each
handler. Rule ids and fingerprints never change their meaning: a fingerprint is made of names, not of lines.

Services that take SARIF set limits; GitHub publishes: 25,000 results in a run of which 5,000 are shown, 10,000 thread
flow locations in a result of which 1,000 are shown, 1,000 locations in a result of which 100 are shown, 10 MB of
compressed file. We stay below what is shown; what is left out for that is said in a notification.
"""

import hashlib
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from heddle import __version__
from heddle.documents.constraints import Access, Conflict, Constraints, Pair, SharedObject
from heddle.explain import causes, prose, remedies
from heddle.explain.causes import Cause, Kind
from heddle.explain.identity import without_lines
from heddle.explain.review import Review
from heddle.explain.sources import Sources
from heddle.output.layout import plural, some

Data = dict[str, Any]

MOST_RESULTS = 5000
MOST_FLOW_LOCATIONS = 1000  # of one result
MOST_FLOW_LOCATIONS_IN_ALL = 60_000  # keeps the file far below 10 MB compressed
MOST_RELATED = 50
_FLOWS = 10  # code flows of one result

_RULES: dict[Kind, tuple[str, str, str]] = {
    "variable": ("HED001", "SharedVariable", "Handlers share a variable, and at least one writes it."),
    "function": ("HED002", "ForeignSession", "A handler works on sessions that are not its own."),
    "links": ("HED003", "LinkedSessions", "A handler reaches other sessions through a field of its own."),
    "shared": ("HED004", "SharedObject", "Handlers share memory that no single session owns."),
    "hidden state": ("HED005", "HiddenState", "A library function keeps state that all its callers share."),
    "process": ("HED006", "ProcessState", "Handlers use state that the process has only once."),
    "unknown": ("HED007", "NotKnown", "What a handler does cannot be seen, so it conflicts with every handler."),
}
_HELP = "Handlers that conflict never run at the same time. The message says how many pairs of handlers that concerns."


def log(constraints: Constraints, sources: Sources, review: Review) -> Data:
    """A SARIF log with one run."""
    found = causes.causes(constraints)
    writer = _Writer(constraints, sources, review)
    results = [writer.result(cause) for cause in found[:MOST_RESULTS]]
    invocation: Data = {"executionSuccessful": True}
    left_out = writer.left_out(len(found) - len(results))
    if left_out:
        message = {"level": "note", "message": {"text": left_out}}
        invocation["toolExecutionNotifications"] = [message]
    return {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver()},
                "automationDetails": {"id": f"heddle/{constraints.program}/"},
                "originalUriBaseIds": {"SRCROOT": {"description": {"text": "where the program was built"}}},
                "columnKind": "unicodeCodePoints",
                "invocations": [invocation],
                "results": results,
            }
        ],
    }


def fingerprint(constraints: Constraints, cause: Cause) -> str:
    name = constraints.symbol(cause.key.name)
    parts = (cause.key.kind, without_lines(name), PurePosixPath(cause.key.file).name)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _driver() -> Data:
    return {
        "name": "heddle",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [
            {
                "id": number,
                "name": name,
                "shortDescription": {"text": text},
                "fullDescription": {"text": text},
                "help": {"text": _HELP},
                "defaultConfiguration": {"level": "note" if kind == "unknown" else "warning"},
                "properties": {"tags": ["concurrency"]},
            }
            for kind, (number, name, text) in _RULES.items()
        ],
    }


class _Writer:
    def __init__(self, constraints: Constraints, sources: Sources, review: Review) -> None:
        self._constraints = constraints
        self._sources = sources
        self._review = review
        self._flow_locations = 0
        self._flows_left_out = 0
        self._always = max(1, constraints.count("always"))

    def result(self, cause: Cause) -> Data:
        number = _RULES[cause.key.kind][0]
        result: Data = {
            "ruleId": number,
            "ruleIndex": list(_RULES).index(cause.key.kind),
            "level": "note" if cause.key.kind == "unknown" else "warning",
            "rank": round(100 * len(cause.pairs) / self._always, 1),
            "message": {"text": self._message(cause)},
            "partialFingerprints": {"heddleCause/v1": fingerprint(self._constraints, cause)},
            "properties": {"pairs": len(cause.pairs), "pairsAlone": cause.only},
        }
        where = self._place(cause)
        if where:
            result["locations"] = [where]
        related = [self._of_object(number, item) for number, item in enumerate(cause.objects[:MOST_RELATED])]
        result["relatedLocations"] = [location for location in related if location]
        flows = self._code_flows(cause)
        if flows:
            result["codeFlows"] = flows
        self._reviewed(cause, result)
        return {key: value for key, value in result.items() if value != []}

    def left_out(self, results: int) -> str:
        said = [f"{plural(results, 'cause')} of least weight"] if results else []
        if self._flows_left_out:
            said.append(f"the paths of {plural(self._flows_left_out, 'pair')} of handlers")
        return f"Left out to stay within the limits of SARIF services: {' and '.join(said)}." if said else ""

    def _message(self, cause: Cause) -> str:
        constraints = self._constraints
        alone = f", {cause.only} of them alone" if cause.only else ""
        names = [item.name for item in cause.objects]
        on = f" (on {some(names, 6)})" if names != [cause.name] else ""
        title = prose.title(constraints, cause)
        weight = f"keeps {plural(len(cause.pairs), 'pair')} of handlers apart{alone}"
        return f"{title}{on}: {weight}. Remedy: {remedies.remedy(constraints, cause).text}."

    def _reviewed(self, cause: Cause, result: Data) -> None:
        review = self._review
        if review.baseline is not None:
            places = {(known.pair.a, known.pair.b, known.object_id) for known in review.new}
            new = any((pair.a, pair.b, conflict.object) in places for pair, conflict in cause.conflicts)
            result["baselineState"] = "new" if new else "unchanged"
        reasons = [review.reason(pair, conflict) for pair, conflict in cause.conflicts]
        if reasons and all(reasons):
            text = "; ".join(dict.fromkeys(reason for reason in reasons if reason))
            result["suppressions"] = [{"kind": "external", "justification": text}]

    def _place(self, cause: Cause) -> Data | None:
        file, _, line = cause.place.rpartition(":")
        if file:
            return {"physicalLocation": self._physical(file, int(line))}
        # A cause without a place of its own is shown where a handler meets it.
        _, conflict = causes.witness(self._constraints, cause)
        frame = self._constraints.sides(conflict)[0].last
        return {"physicalLocation": self._physical(frame.file, frame.line)} if _known(frame.file) else None

    def _of_object(self, number: int, item: SharedObject) -> Data | None:
        if not item.line or not _known(item.file):
            return None
        return {
            "id": number,
            "message": {"text": item.name},
            "physicalLocation": self._physical(item.file, item.line),
        }

    def _code_flows(self, cause: Cause) -> list[Data]:
        flows: list[Data] = []
        size = 0
        pairs = _one_for_each_pair(self._constraints, cause)
        for pair, conflict in pairs:
            sides = self._constraints.sides(conflict)
            locations = sum(len(side.path) for side in sides)
            full = len(flows) == _FLOWS or size + locations > MOST_FLOW_LOCATIONS
            if full or self._flow_locations + locations > MOST_FLOW_LOCATIONS_IN_ALL:
                break
            size += locations
            self._flow_locations += locations
            names = f"{self._constraints.label(pair.a)} and {self._constraints.label(pair.b)}"
            flows.append(
                {
                    "message": {"text": f"{names} meet on {self._constraints.objects[conflict.object].name}"},
                    "threadFlows": [self._thread_flow(side, number) for number, side in enumerate(sides, 1)],
                }
            )
        self._flows_left_out += len(pairs) - len(flows)
        return flows

    def _thread_flow(self, access: Access, number: int) -> Data:
        constraints = self._constraints
        name = constraints.objects[access.object].name
        told = prose.how(constraints, access)
        locations = []
        for depth, frame in enumerate(access.path):
            last = depth == len(access.path) - 1
            text = (
                f"{prose.deed(access)} {name}" if last else f"{frame.function} calls {access.path[depth + 1].function}"
            )
            location: Data = {"message": {"text": f"{text}, {told}" if last and told else text}}
            if _known(frame.file):
                location["physicalLocation"] = self._physical(frame.file, frame.line)
            locations.append(
                {
                    "location": location,
                    "nestingLevel": depth,
                    "importance": "essential" if last else "important",
                    "kinds": ["memory" if last else "call"],
                }
            )
        return {"id": f"{number}: {constraints.label(access.handler)}", "locations": locations}

    def _physical(self, file: str, line: int) -> Data:
        artifact: Data = {"uri": quote(file.removeprefix("./"))}
        if file.startswith("/"):
            artifact["uri"] = f"file://{quote(file)}"
        else:
            artifact["uriBaseId"] = "SRCROOT"
        location: Data = {"artifactLocation": artifact}
        if line > 0:
            region: Data = {"startLine": line}
            text = self._sources.line(file, line)
            if text:
                region["snippet"] = {"text": text}
            location["region"] = region
        return location


def _known(file: str) -> bool:
    return file not in ("", "?")


def _one_for_each_pair(constraints: Constraints, cause: Cause) -> list[tuple[Pair, Conflict]]:
    """The pairs a cause keeps apart, each with its shortest conflict."""
    best: dict[tuple[int, int], tuple[Pair, Conflict]] = {}

    def length(conflict: Conflict) -> int:
        return sum(len(side.path) for side in constraints.sides(conflict))

    for pair, conflict in cause.conflicts:
        known = best.get((pair.a, pair.b))
        if known is None or length(conflict) < length(known[1]):
            best[pair.a, pair.b] = (pair, conflict)
    return list(best.values())
