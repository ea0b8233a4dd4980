"""The scripts of the paper's appendix B run with only their addresses changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from heddle.errors import BadInputError
from heddle.lab import Model
from heddle.lab.paper import read_script, run_script
from testing.threadlab.site import Answer, Site, picture

ADDRESSES = """
import threadlab

urls = [
    "http://ilsa.pugo.org/tmp/exjobb/websites/foto_wgt/",
    "http://ilsa.pugo.org/tmp/exjobb/websites/foto_berlin/",
    "http://ilsa.pugo.org/tmp/exjobb/websites/www.dn.se/",
    "http://ilsa.pugo.org/tmp/exjobb/websites/humor/",
    "http://ilsa.pugo.org/tmp/exjobb/websites/www.idg.se/",
]

window = threadlab.TLWindow( 10, 10, 1024, 800 );
"""

COOPERATIVE = (
    ADDRESSES
    + """
for url in urls:
    memarea = threadlab.TLMemarea( 0 )
    tree = threadlab.TLXMLTree()
    thread = threadlab.TLThread()

    cooperative = threadlab.TLCmdCooperative()
    cooperative.addCommand( threadlab.TLCmdLoadURL( url, memarea ) )
    cooperative.addCommand( threadlab.TLCmdParseHTML( memarea, tree ) )
    cooperative.addCommand( threadlab.TLCmdPaintAllImages( tree, window, url ) )
    thread.addCommand( cooperative )
"""
)

SERIAL = (
    ADDRESSES
    + """
for url in urls:
    thread = threadlab.TLThread()
    memarea = threadlab.TLMemarea( 0 )
    tree = threadlab.TLXMLTree()

    thread.addCommand( threadlab.TLCmdLoadURL( url, memarea ) )
    thread.addCommand( threadlab.TLCmdParseHTML( memarea, tree ) )
    thread.addCommand( threadlab.TLCmdPaintAllImages( tree, window, url ) )
"""
)

POOL = (
    ADDRESSES
    + """
threadpool = threadlab.TLThreadpool( 4, threadlab.SPAWN_AT_BOOTSTRAP )

for url in urls:
    memarea = threadlab.TLMemarea( 0 )
    tree = threadlab.TLXMLTree()

    threadpool.addCommand( threadlab.TLCmdLoadURL( url, memarea ) )
    threadpool.addCommand( threadlab.TLCmdParseHTML( memarea, tree ) )
    threadpool.addCommand( threadlab.TLCmdPaintAllImages( tree, window, url ) )
"""
)

DOWNLOADS_COOPERATIVE = """
import threadlab

NUM_THREADS = 8

thread = threadlab.TLThread()
cooperative = threadlab.TLCmdCooperative()

for i in range( NUM_THREADS ):
    cooperative.addCommand( threadlab.TLCmdLoadURL( \\
        'http://ilsa.pugo.org/tmp/exjobb/download_test_%d' % (i%4+1),
        '/tmp/download_test_%d' % (i+1) ))

thread.addCommand( cooperative )
"""

DOWNLOADS_THREADED = """
import threadlab

NUM_THREADS = 8

for i in range( NUM_THREADS ):
    thread = threadlab.TLThread()
    thread.addCommand( threadlab.TLCmdLoadURL( \\
        'http://ilsa.pugo.org/tmp/exjobb/download_test_%d' % (i%4+1),
        '/tmp/download_test_%d' % (i+1) ))
"""

FIGURE_5_2 = """
import threadlab

print( 'Threadlab script: %s' % threadlab.script_file )
print( 'Number of processors: %d' % threadlab.processor_count )

IMG1 = 'images/test_picture_1.jpg'
IMG2 = 'images/test_picture_2.jpg'

image1 = threadlab.PyImage()
image2 = threadlab.PyImage()
memarea = threadlab.PyMemarea( 0 )

window = threadlab.PyWindow( 10, 10, 800, 600 );

thread1 = threadlab.PyThread()
thread2 = threadlab.PyThread()

thread1.addCommand( threadlab.PyCmdDecodeJPG( IMG1, image1 ) )
thread1.addCommand( threadlab.PyCmdPaintImage( window, image1, 10, 10 ) )

thread2.addCommand( threadlab.PyCmdMemLoadFile( IMG2, memarea ) )
thread2.addCommand( threadlab.PyCmdDecodeJPG( memarea, image2 ) )
thread2.addCommand( threadlab.PyCmdPaintImage( image2, window, 100, 100 ) )

thread1.addCommand( threadlab.PyCmdSleep( 0.01 ) )
"""


def write(script: str, folder: Path, site: Site | None = None) -> Path:
    """The script with other addresses."""
    path = folder / "script.py"
    if site is not None:
        script = script.replace("http://ilsa.pugo.org", site.url)
    path.write_text(script.replace("/tmp/download_test", str(folder / "download")).replace("images/", f"{folder}/"))
    return path


def test_all_ways_to_load_and_paint_pages_paint_the_same(site: Site, tmp_path: Path) -> None:
    for name in ("foto_wgt", "foto_berlin", "www.dn.se", "humor", "www.idg.se"):
        site.page(f"/tmp/exjobb/websites/{name}/", 3)
    canvases = set()
    for script, model in ((COOPERATIVE, "cooperative"), (SERIAL, "threads"), (POOL, "pool")):
        record = run_script(write(script, tmp_path, site))
        assert record.model == model
        assert record.errors == {}
        assert sum(command["kind"] == "paint_image" for command in record.document["commands"]) == 15
        canvases.add(record.canvas)
    assert len(canvases) == 1


@pytest.mark.parametrize("script", [DOWNLOADS_COOPERATIVE, DOWNLOADS_THREADED])
def test_large_files_are_downloaded(script: str, site: Site, tmp_path: Path) -> None:
    for number in range(1, 5):
        site.answers[f"/tmp/exjobb/download_test_{number}"] = Answer(bytes([number]) * 300_000)
    record = run_script(write(script, tmp_path, site))
    assert record.errors == {}
    for number in range(8):
        assert (tmp_path / f"download_{number + 1}").read_bytes() == bytes([number % 4 + 1]) * 300_000


def test_the_script_of_figure_5_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2):
        (tmp_path / f"test_picture_{number}.jpg").write_bytes(picture(number))
    path = write(FIGURE_5_2, tmp_path)
    record = run_script(path)
    assert record.errors == {}
    assert len(record.document["threads"]) == 2
    assert capsys.readouterr().out.startswith(f"Threadlab script: {path}\n")
    assert run_script(path, Model.pool(3)).canvas == record.canvas


def test_a_mistake_in_a_script_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    for text, error in {
        "import threadlab\nthreadlab.TLThred()\n": ":2: module 'threadlab' has no attribute 'TLThred'",
        "import threadlab\n\nx = (": ":3: ",
        "import threadlab\nthreadlab.TLCmdPaintImage(1, 2)\n": ":2: TLCmdPaintImage needs an image and a window",
        "import threadlab\nthreadlab.TLThread()\n": "adds no command",
    }.items():
        path.write_text(text)
        with pytest.raises(BadInputError, match="script") as raised:
            read_script(path)
        assert error in str(raised.value)


def test_a_script_uses_one_model(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(
        "import threadlab as t\n"
        "t.TLThread().addCommand(t.TLCmdSleep(0))\n"
        "t.TLThreadpool(2).addCommand(t.TLCmdSleep(0))\n"
    )
    with pytest.raises(BadInputError, match="mixes pool, threads"):
        read_script(path)
