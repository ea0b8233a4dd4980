"""Where files are kept from one command to the next, and that a home that is not there is not made."""

from pathlib import Path

import pytest

from heddle.system import kept

PROGRAM = Path("/somewhere/server")


def folder_of(monkeypatch: pytest.MonkeyPatch, home: str | None, caches: str | None = None) -> str | None:
    for name, value in (("HOME", home), ("XDG_CACHE_HOME", caches)):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    file = kept.place("analyses", PROGRAM, ".zip")
    return None if file is None else str(file.parent)


def test_files_are_kept_at_home_or_where_the_user_wants_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = str(tmp_path)
    assert folder_of(monkeypatch, home) == f"{home}/.cache/heddle/analyses"
    assert folder_of(monkeypatch, home, "relative") == f"{home}/.cache/heddle/analyses"
    assert folder_of(monkeypatch, None, f"{home}/caches") == f"{home}/caches/heddle/analyses"


def test_without_a_home_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even in the folder that the system's list of users has for this user."""
    (tmp_path / "file").touch()
    for home in (None, "", "relative", str(tmp_path / "missing"), str(tmp_path / "file")):
        assert folder_of(monkeypatch, home) is None
    assert not (tmp_path / "missing").exists()
