"""The same list as board.cpp's, in Python: each of the programs works with the others' file."""

import sys
from pathlib import Path

import objectbase


def main(file: str, what: str, word: str = "") -> None:
    if what == "list":
        with objectbase.open(file) as store, store.snapshot() as now:  # others may go on: what is listed is one commit
            for note in now:
                print(note.id, note["text"])
        return
    with objectbase.open(file, write=True) if Path(file).exists() else objectbase.create(file, 16 << 20) as store:
        note = store.define("Note", "text")
        with store.transaction() as change:
            if what == "add":
                change.create(note, text=word)
            else:
                change.erase(objectbase.Id(word))


if __name__ == "__main__":
    if len(sys.argv) < 3 or (sys.argv[2] != "list" and len(sys.argv) < 4):
        sys.exit("board FILE add TEXT | done NUMBER | list")
    try:
        main(*sys.argv[1:4])
    except objectbase.Error as error:
        print(f"board: {error}", file=sys.stderr)
        sys.exit(2)
