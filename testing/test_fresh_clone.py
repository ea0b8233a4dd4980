"""What a new user does first: clone into an empty folder, with an empty home, and type the first command."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
@pytest.mark.timeout(2400)
def test_the_demo_works_in_a_fresh_clone_and_the_next_command_redoes_nothing(tmp_path: Path) -> None:
    clone = tmp_path / "heddle"
    subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
    home = tmp_path / "home"
    home.mkdir()
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HEDDLE_", "CCACHE_", "PYTHON", "VIRTUAL_ENV"))}
    environment = {**kept, "HOME": str(home)}

    def heddle(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [clone / "heddle", *arguments], cwd=clone, env=environment, capture_output=True, text=True, check=False
        )

    demo = heddle("demo")
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert "build release: done" in demo.stderr
    assert "all byte-identical" in demo.stdout + demo.stderr
    again = heddle("doctor")
    assert again.returncode == 0, again.stdout + again.stderr
    assert "done in" not in again.stderr
