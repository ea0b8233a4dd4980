"""The programs that people write answer the same under node and under heddle-node, and answer right."""

from __future__ import annotations

import io
import json
import random
import subprocess
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from node_examples import EXAMPLES, Make, Run, Start, command, environment
from PIL import Image

from heddle.measure.serving import serving


def ask(port: int, path: str, body: bytes | None = None) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", data=body, timeout=30) as answer:
        data = answer.read()
        assert isinstance(data, bytes)
        return data


PAGE = b"""# Title & more

A *short* text with `code *kept*`, **strong** words and a [link](/x).

```js
// comment
const x = f("a\\"b", 12); /* y */
```

| a | b |
|---|---|
| 1 | `2` |

1. one
2. two

> quoted
---
"""
RENDERED = (
    '<h1 id="title-more">Title &amp; more</h1>\n'
    "<p>A <em>short</em> text with <code>code *kept*</code>, <strong>strong</strong> words and a "
    '<a href="/x">link</a>.</p>\n'
    '<pre><code class="js"><span class="comment">// comment</span>\n'
    '<span class="keyword">const</span> x = <span class="call">f</span>('
    '<span class="string">&quot;a\\&quot;b&quot;</span>, <span class="number">12</span>); '
    '<span class="comment">/* y */</span></code></pre>\n'
    "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><code>2</code></td></tr></table>\n"
    "<ol><li>one</li><li>two</li></ol>\n"
    "<blockquote> quoted</blockquote>\n"
    "<hr>\n"
)


@pytest.mark.usefixtures("packages")
def test_markdown_becomes_html_with_highlighted_code(start: Start, make: Make) -> None:
    with start("markdown-service/server.js", make("markdown-service/make-pages.js", "1", "1"), "0") as server:
        assert ask(server.port, "/render", PAGE).decode() == RENDERED
        assert b'href="/pages/page-001"' in ask(server.port, "/")
        with pytest.raises(urllib.error.HTTPError, match="404"):
            ask(server.port, "/pages/nothing")
        assert json.loads(ask(server.port, "/stats")) == {"pages": 0, "previews": 1}


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize("renderer", ["own", "packages"])
def test_pages_are_the_same_as_in_plain_node_and_all_are_counted(start: Start, make: Make, renderer: str) -> None:
    pages = make("markdown-service/make-pages.js", "12", "24")
    names = [f"/pages/page-{number:03}" for number in range(1, 13)] * 4
    program = "markdown-service/server.js"
    plain = command("node", program, pages, "0")
    with serving(plain, environment(RENDERER=renderer)) as server:
        wanted = {name: ask(server.port, name) for name in names}
    with start(program, pages, "0", RENDERER=renderer) as server, ThreadPoolExecutor(6) as clients:
        answers = list(clients.map(lambda name: ask(server.port, name), names))
        assert json.loads(ask(server.port, "/stats"))["pages"] == len(names)
    assert answers == [wanted[name] for name in names]
    assert b"<pre><code" in answers[0]


def frame(seed: int, width: int, height: int, add: int = 0) -> Image.Image:
    """A picture with smooth areas; `add` makes it brighter."""
    numbers = random.Random(seed)
    small = Image.new("RGB", (8, 6))
    small.putdata([tuple(numbers.randrange(40, 200) + add for _ in range(3)) for _ in range(48)])
    return small.resize((width, height), Image.Resampling.BICUBIC)


def answer(port: int, path: str, body: bytes) -> dict[str, Any]:
    found = json.loads(ask(port, path, body))
    assert isinstance(found, dict)
    return found


@pytest.mark.usefixtures("packages")
def test_a_picture_is_known_again_and_another_is_not(start: Start) -> None:
    def jpeg(picture: Image.Image) -> bytes:
        file = io.BytesIO()
        picture.save(file, "jpeg", quality=90)
        return file.getvalue()

    with start("image-hash/server.js", "0") as server:
        first = answer(server.port, "/pictures/one", jpeg(frame(1, 320, 240)))
        assert len(first["hash"]) == 16
        assert first["similar"] == []
        again = answer(server.port, "/pictures/smaller", jpeg(frame(1, 200, 150, add=20)))
        assert [other["name"] for other in again["similar"]] == ["one"]
        raw = frame(1, 160, 120).convert("RGBA").tobytes()
        framed = answer(server.port, "/frames/raw?width=160&height=120", raw)
        assert [other["name"] for other in framed["similar"]] == ["one", "smaller"]
        other = answer(server.port, "/pictures/other", jpeg(frame(2, 320, 240)))
        assert other["similar"] == []
        assert json.loads(ask(server.port, "/pictures/one"))["hash"] == first["hash"]
        assert json.loads(ask(server.port, "/stats")) == {"pictures": 4}


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/pictures/x", b"no picture"),
        ("/frames/x?width=2&height=2", b"too few"),
        ("/frames/x?width=-1&height=1", b"...."),
        ("/frames/x", b"...."),
    ],
)
def test_what_is_no_picture_is_refused(start: Start, path: str, body: bytes) -> None:
    with start("image-hash/server.js", "0") as server:
        with pytest.raises(urllib.error.HTTPError, match="400"):
            ask(server.port, path, body)
        assert json.loads(ask(server.port, "/stats")) == {"pictures": 0}


def test_the_report_is_the_same_as_in_plain_node(run: Run, make: Make) -> None:
    sales = make("csv-report/make-sales.mjs", "3", "2000")
    wanted = subprocess.run(
        command("node", "csv-report/report.mjs", sales, "200"), capture_output=True, text=True, check=True
    )
    done = run("csv-report/report.mjs", sales, "200")
    assert (done.code, done.errors) == (0, "")
    assert done.out == wanted.stdout
    assert done.out.count("\n") == 41
    assert "kettle, antique" in done.out


def test_the_report_adds_up(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('date,product,units,price\r\nd,"x ""1"", y",2,1.50\r\nd,z,1,4\r\n')
    (tmp_path / "b.csv").write_text('product,price,units\n"x ""1"", y",0.50,2')
    lines = run("csv-report/report.mjs", tmp_path).out.splitlines()
    assert lines[1].split() == ["x", '"1",', "y", "2", "4.00", "2.00", "1.00", "to", "3.00"]
    assert lines[2].split() == ["z", "1", "4.00", "4.00", "4.00", "to", "4.00"]


def test_a_report_on_nothing_says_so(run: Run, tmp_path: Path) -> None:
    assert run("csv-report/report.mjs").code == 2
    done = run("csv-report/report.mjs", tmp_path)
    assert (done.code, done.out) == (1, "")
    assert done.errors == f"no report: no CSV files in {tmp_path}\n"


def test_every_example_is_in_the_table() -> None:
    folders = {path.parent.name for path in EXAMPLES.glob("*/README.md") if path.parent.name != "node_modules"}
    text = (EXAMPLES / "README.md").read_text()
    assert {name for name in folders if f"| `{name}/` |" not in text} == set()
