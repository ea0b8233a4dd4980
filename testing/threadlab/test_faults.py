"""What fails is a named error of its command; the others go on, and nothing hangs."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from heddle.lab import Model, Record, Scenario, run, run_all
from testing.threadlab.site import Answer, Site, picture
from testing.threadlab.test_models import MODELS

ALL = [Model.parse(text) for text in MODELS]


def check(lab: Scenario, expected: dict[str, str], timeout: float = 20.0) -> list[Record]:
    """Runs it under all models: these commands fail with errors that begin so, and no others."""
    records = run_all(lab, ALL, timeout=timeout)
    for record in records:
        assert record.errors.keys() == expected.keys(), record.model
        for name, begin in expected.items():
            assert record.errors[name].startswith(begin), record.model
    return records


def test_urls_that_fail(site: Site) -> None:
    site.answers |= {
        "/short": Answer(b"x" * 10, says=20),
        "/gone": Answer(b"", 410),
        "/round": Answer(b"", 302, location="/round"),
        "/away": Answer(b"", 302, location="file:///etc/passwd"),
        "/large": Answer(b"x" * 5000),
        "/stalls": Answer(b"", stall=True),
        "/fine": Answer(b"fine"),
    }
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}/"
    lab = Scenario("fail")
    for name, url in {
        "short": "/short",
        "gone": "/gone",
        "round": "/round",
        "away": "/away",
        "stalls": "/stalls",
        "fine": "/fine",
    }.items():
        with lab.group(name):
            lab.load_url(site.url + url, lab.memory(f"{name} bytes"), name=name, timeout=0.5)
    lab.load_url(site.url + "/large", lab.memory("large bytes"), name="large", most=1000)
    lab.load_url(nobody, lab.memory("nobody bytes"), name="nobody")
    lab.load_url("file:///etc/passwd", lab.memory("local bytes"), name="local")
    lab.load_url("no url", lab.memory("no bytes"), name="no")
    check(
        lab,
        {
            "short": "cut_short:",
            "gone": "http_status: 410",
            "round": "redirects:",
            "away": "bad_url:",
            "stalls": "timeout:",
            "large": "too_large:",
            "nobody": "no_connection:",
            "local": "bad_url:",
            "no": "bad_url:",
        },
    )


def test_what_depends_on_a_failure_says_so_and_ends(site: Site) -> None:
    lab = Scenario("chain")
    window = lab.canvas("window", 50, 50)
    page, tree = lab.memory("page"), lab.tree("tree")
    lab.load_url(site.url + "/no", page, name="load")
    lab.parse_html(page, tree, name="parse")
    lab.paint_all_images(tree, window, site.url, name="paint")
    check(lab, {"load": "http_status: 404", "parse": "no_input: load: http_status", "paint": "no_input: parse:"})


def test_images_of_a_page_that_fail_leave_the_others_alone(site: Site) -> None:
    url = site.page("/", 4)
    site.answers["/1.jpg"] = Answer(b"", 500)
    site.answers["/2.jpg"] = Answer(b"no picture at all")
    lab = Scenario("images")
    page, tree = lab.memory("page"), lab.tree("tree")
    lab.load_url(url, page)
    lab.parse_html(page, tree)
    lab.paint_all_images(tree, lab.canvas("window", 80, 80), url, name="all")
    check(
        lab,
        {
            "all/1 load": "http_status: 500",
            "all/1 decode": "no_input:",
            "all/1 paint": "no_input:",
            "all/2 decode": "bad_jpeg:",
            "all/2 paint": "no_input:",
        },
    )


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b"<html><body><p>fine<main>too</main></body></html>", None),
        (b"<html><body><p>an <b>open</i> tag", "broken_html:"),
        (b"", "empty:"),
        (b"\0\1\2\xff\xfe" * 3000, "broken_html:"),
        (b"<b>" * 100_000, "broken_html:"),
    ],
)
def test_html_that_is_broken(text: bytes, error: str | None) -> None:
    lab = Scenario("html")
    lab.parse_html(lab.memory("memory", text), lab.tree("tree"), name="parse")
    check(lab, {"parse": error} if error else {})


def entities() -> bytes:
    """Each is twice the one before: the last would have 2^60 bytes."""
    doubled = (f'<!ENTITY x{n} "&x{n - 1};&x{n - 1};">' for n in range(1, 60))
    return ('<!ENTITY x0 "xx">' + "".join(doubled)).encode()


@pytest.mark.parametrize(
    "text",
    [
        b"<a><b></a>",
        b"<!DOCTYPE a [" + entities() + b"]><a>&x59;</a>",
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&y;</a>',
        b"<a>" * 5000,
    ],
)
def test_xml_that_is_broken_or_hostile(text: bytes) -> None:
    lab = Scenario("xml")
    lab.parse_xml(lab.memory("memory", text), lab.tree("tree"), name="parse")
    check(lab, {"parse": "broken_xml:"})


def jpeg(kind: str) -> bytes:
    whole = picture(4, size=(120, 90), progressive=kind == "scans")
    at = whole.index(b"\xff\xc2" if kind == "scans" else b"\xff\xc0")
    huge = b"\x80\x00\x80\x00"
    match kind:
        case "cut":
            return whole[: len(whole) // 2]
        case "head":
            return whole[: at + 5]
        case "noise":
            return whole[: len(whole) // 2] + b"\xff\xd9" + whole[len(whole) // 2 :]
        case "huge":
            return whole[: at + 5] + huge + whole[at + 9 :]
        case "scans":
            scan = whole.index(b"\xff\xda")
            end = scan + 2 + int.from_bytes(whole[scan + 2 : scan + 4], "big")
            return whole[:scan] + (whole[scan:end] + b"\0" * 40) * 2000 + b"\xff\xd9"
    raise AssertionError(kind)


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("cut", "cut_short:"),
        ("head", "bad_jpeg:"),
        ("noise", "damaged_jpeg:"),
        ("huge", "too_large:"),
        ("scans", "too_many_scans:"),
    ],
)
def test_jpegs_that_are_cut_short_or_hostile(kind: str, error: str) -> None:
    lab = Scenario("jpeg")
    image = lab.image("image")
    lab.decode_jpeg(lab.memory("memory", jpeg(kind)), image, name="decode")
    lab.paint_image(image, lab.canvas("window", 100, 100), 0, 0, name="paint")
    lab.compute(0, 100, name="primes")
    start = time.monotonic()
    for record in run_all(lab, ALL):
        assert record.errors["decode"].startswith(error)
        assert record.results["primes"] == 25
    assert time.monotonic() - start < 20


def test_files_that_cannot_be_read_or_written(site: Site, tmp_path: Path) -> None:
    site.answers["/"] = Answer(b"x")
    os.mkfifo(tmp_path / "fifo")
    lab = Scenario("files")
    lab.load_file(tmp_path / "none", lab.memory(), name="none")
    lab.load_file(tmp_path, lab.memory(), name="folder")
    lab.load_file(tmp_path / "fifo", lab.memory(), name="fifo")
    lab.load_url(site.url + "/", lab.file(tmp_path / "no" / "folder"), name="write")
    check(lab, {"none": "file:", "folder": "file:", "fifo": "file:", "write": "file:"})


def test_a_run_ends_in_time_whatever_its_commands_wait_for(site: Site) -> None:
    site.answers["/stalls"] = Answer(b"", stall=True)
    lab = Scenario("late")
    page, tree = lab.memory("page"), lab.tree("tree")
    lab.load_url(site.url + "/stalls", page, timeout=1000, name="load")
    lab.parse_html(page, tree, name="parse")
    with lab.group("sleeps"):
        lab.sleep(1000, name="sleep")
    with lab.group("computes"):
        lab.compute(0, 10**9, batch=1000, name="compute")
    for model in ALL:
        start = time.monotonic()
        record = run(lab, model, timeout=0.5)
        assert time.monotonic() - start < 3, model
        assert record.errors["load"].startswith("time_limit:"), model
        assert record.errors["sleep"].startswith("time_limit:"), model
        assert record.errors["compute"].startswith("time_limit:"), model
        assert record.errors["parse"].startswith(("time_limit:", "no_input:")), model


def test_a_model_that_gets_too_few_threads_runs_nothing_and_says_so() -> None:
    program = (
        "import resource\n"
        "from heddle.errors import BadInputError\n"
        "from heddle.lab import *\n"
        "lab = Scenario('many')\n"
        "for number in range(40):\n"
        "    with lab.group():\n"
        "        lab.sleep(0)\n"
        "run(lab, Model.threads())\n"
        "used = int(next(line for line in open('/proc/self/status') if line.startswith('VmSize')).split()[1])\n"
        "resource.setrlimit(resource.RLIMIT_AS, ((used << 10) + (100 << 20), resource.RLIM_INFINITY))\n"
        "for model in (Model.threads(), Model.cooperative(per_group=True), Model.composed()):\n"
        "    try:\n"
        "        run(lab, model)\n"
        "    except BadInputError as error:\n"
        "        print(model.name, error)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    ).stdout
    assert said.count("pthread_create: Resource temporarily unavailable): use fewer groups or workers") == 3


@pytest.mark.parametrize("text", MODELS)
def test_an_interrupt_leaves_what_was_done(text: str) -> None:
    program = (
        "import signal\n"
        "from heddle.lab import *\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it\n"
        "lab = Scenario('interrupted')\n"
        "lab.compute(0, 100, name='primes')\n"
        "lab.sleep(100, name='sleep')\n"
        "print('begins', flush=True)\n"
        "try:\n"
        f"    run(lab, Model.parse('{text}'))\n"
        "except KeyboardInterrupt as error:\n"
        "    record = error.args[0]\n"
        "    print(record.results, record.errors)\n"
    )
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    running.stdout.readline()
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    said, _ = running.communicate(timeout=10)
    assert said == "{'primes': 25} {'sleep': 'interrupted: the run was stopped from outside'}\n"
