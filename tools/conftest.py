"""Prints advice after the tests of this folder: what somebody should look at, and what is no failure."""

from __future__ import annotations

import pytest
from results import aged
from sizes import long_files


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    advice = [*long_files(), *aged()]
    if advice:
        terminalreporter.section("advice, no failure")
        for line in advice:
            terminalreporter.line(line)
