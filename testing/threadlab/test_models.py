"""Every model makes the same of a scenario, in its own way."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from heddle.documents import schemas
from heddle.errors import BadInputError
from heddle.lab import Model, Record, ResultsDifferError, Scenario, run, run_all
from heddle.lab.runner import check_same
from testing.threadlab.site import Answer, Site, picture

MODELS = [
    "cooperative",
    "cooperative:busy",
    "cooperative:per-group",
    "threads",
    "pool:1",
    "pool:4",
    "pico:1",
    "pico:2",
    "constrained:1",
    "constrained:3",
    "composed:2",
    "speculative:1",
    "speculative:3",
    "pool:3@1",
    "threads@1",
]


def pages(site: Site, count: int = 2, images: int = 6, wait: float = 0.0) -> Scenario:
    lab = Scenario("pages")
    window = lab.canvas("window", 300, 200)
    for number in range(count):
        url = site.page(f"/{number}/", images, wait=wait)
        with lab.group(f"site {number}"):
            page, tree = lab.memory(f"page {number}"), lab.tree(f"tree {number}")
            lab.load_url(url, page)
            lab.parse_html(page, tree)
            lab.paint_all_images(tree, window, url)
    return lab


def commands(record: Record, kind: str) -> list[dict[str, object]]:
    return [command for command in record.document["commands"] if command["kind"] == kind]


def test_every_model_paints_and_computes_the_same(site: Site, tmp_path: Path) -> None:
    lab = pages(site)
    site.answers["/file"] = Answer(bytes(range(256)) * 500)
    (tmp_path / "read").write_bytes(b"<a><b/></a>" * 1)
    with lab.group("more"):
        lab.load_url(site.url + "/file", lab.file(tmp_path / "written"))
        text, tree = lab.memory("text"), lab.tree("xml")
        lab.load_file(tmp_path / "read", text)
        lab.parse_xml(text, tree)
        lab.compute(0, 1000, batch=77, name="primes")
        cells = lab.cells("cells", 4)
        lab.touch(cells, 0, 4, 50)
        lab.sleep(0.01)
    with lab.group("still more"):
        lab.touch(cells, 1, 2, 50, batch=7)
    records = run_all(lab, [Model.parse(text) for text in MODELS], timeout=60)
    for record in records:
        assert record.errors == {}
        assert schemas.problems(record.document, "lab") == []
        assert record.results["primes"] == 168
        assert record.results["cells"] == 4 * 50 + 2 * 50
        assert len(commands(record, "paint_image")) == 12
    assert (tmp_path / "written").read_bytes() == site.answers["/file"].body


def test_what_is_painted_is_the_picture() -> None:
    lab = Scenario("picture")
    window = lab.canvas("window", 60, 40)
    for number, at in enumerate([(0, 0), (20, 10)]):
        bytes_of, image = lab.memory(f"bytes {number}", picture(1, size=(40, 30))), lab.image(f"image {number}")
        lab.decode_jpeg(bytes_of, image)
        lab.paint_image(image, window, *at)
    import io

    from PIL import Image

    records = run_all(lab, [Model.cooperative(), Model.pool(4), Model.threads()])
    shown = Image.open(io.BytesIO(records[0].pixels or b"")).convert("RGB")
    expected = Image.open(io.BytesIO(picture(1, size=(40, 30)))).convert("RGB")
    for x, y in [(0, 0), (19, 9), (39, 29)]:
        assert all(
            abs(a - b) <= 8 for a, b in zip(shown.getpixel((20 + x, 10 + y)), expected.getpixel((x, y)), strict=True)
        )
    assert shown.getpixel((5, 35)) == (255, 255, 255)


def test_the_later_one_is_on_top_whoever_is_faster(site: Site) -> None:
    lab = Scenario("overlap")
    window = lab.canvas("window", 50, 50)
    site.answers["/slow.jpg"] = Answer(picture(1, size=(50, 50)), wait=0.1)
    site.answers["/fast.jpg"] = Answer(picture(2, size=(50, 50)))
    for name in ("slow", "fast"):
        with lab.group(name):
            bytes_of, image = lab.memory(f"{name} bytes"), lab.image(name)
            lab.load_url(f"{site.url}/{name}.jpg", bytes_of)
            lab.decode_jpeg(bytes_of, image)
            lab.paint_image(image, window, 0, 0, name=f"paint {name}")
    for record in run_all(lab, [Model.parse(text) for text in MODELS]):
        by_name = {command["name"]: command for command in record.document["commands"]}
        assert by_name["paint slow"]["id"] in by_name["paint fast"]["after"]
        assert by_name["paint fast"]["start"] >= by_name["paint slow"]["end"]


def test_a_command_is_behind_all_that_another_one_has_added(site: Site) -> None:
    lab = pages(site, count=1)
    lab.sleep(0, name="last", after=lab.commands[:3])
    for record in run_all(lab, [Model.parse(text) for text in MODELS]):
        last = record.document["commands"][3]
        assert last["start"] >= max(command["end"] for command in record.document["commands"] if command is not last)


def test_what_has_come_is_decoded_while_the_rest_is_loaded(site: Site) -> None:
    lab = Scenario("pipeline")
    window = lab.canvas("window", 200, 200)
    site.answers["/big.jpg"] = Answer(picture(1, size=(400, 400)), pause=0.3)
    bytes_of, image = lab.memory("bytes"), lab.image("image")
    lab.load_url(site.url + "/big.jpg", bytes_of)
    lab.decode_jpeg(bytes_of, image)
    lab.paint_image(image, window, 0, 0)
    load, decode, paint = run(lab, Model.cooperative()).document["commands"]
    assert sum(part["start"] < load["end"] - 0.2 for part in decode["parts"]) > 1
    assert sum(part["then"] == "ready" and part["start"] < load["end"] - 0.2 for part in paint["parts"]) > 0


@pytest.mark.parametrize("connections", [1, 3])
def test_there_are_no_more_transfers_than_connections(site: Site, connections: int) -> None:
    lab = pages(site, count=3, images=8, wait=0.01)
    for name in ("cooperative", "threads", "pool:8", "pico", "constrained:2"):
        site.most_at_once = 0
        record = run(lab, Model.parse(f"{name}@{connections}"))
        assert record.errors == {}
        assert site.most_at_once <= connections, name


def test_a_loop_that_is_busy_uses_the_processor_while_it_waits(site: Site) -> None:
    site.answers["/"] = Answer(b"x", wait=0.3)
    lab = Scenario("wait")
    lab.load_url(site.url + "/", lab.memory())
    polling, busy = run(lab, Model.cooperative()), run(lab, Model.cooperative(busy=True))
    used = [record.document["threads"][0]["cpu_seconds"] for record in (polling, busy)]
    assert used[1] > 4 * used[0]


def test_threads_run_commands_in_order_and_the_others_do_not() -> None:
    lab = Scenario("order")
    lab.sleep(0.05)
    lab.sleep(0.05)
    first, second = run(lab, Model.threads()).document["commands"]
    assert second["start"] >= first["end"]
    for model in (Model.cooperative(), Model.pool(2), Model.pico(), Model.constrained(2)):
        first, second = run(lab, model).document["commands"]
        assert second["start"] < first["end"], model


def test_a_difference_is_found(site: Site) -> None:
    lab = pages(site, count=1)
    record = run(lab, Model.cooperative())
    other = Record({**record.document, "canvas": "0" * 64})
    with pytest.raises(ResultsDifferError, match="the canvas"):
        check_same(record, other)


def test_a_record_is_kept(tmp_path: Path) -> None:
    lab = Scenario("kept")
    lab.sleep(0)
    record = run(lab, Model.pool(2))
    record.save(tmp_path / "record.json")
    assert Record.load(tmp_path / "record.json").document == record.document


@pytest.mark.parametrize("text", ["fibers", "pool:x", "pool:0", "threads:2", "pool:busy", "pool@0", "pool@x"])
def test_what_is_no_model_is_refused(text: str) -> None:
    with pytest.raises(BadInputError):
        Model.parse(text)


@pytest.mark.parametrize("text", MODELS)
def test_a_model_is_what_its_text_says(text: str) -> None:
    assert str(Model.parse(text)) == text


def test_a_piece_of_data_has_one_writer() -> None:
    lab = Scenario("twice")
    memory = lab.memory("memory")
    lab.load_file("/dev/null", memory)
    lab.load_file("/dev/null", memory)
    with pytest.raises(BadInputError, match="has a writer already"):
        run(lab, Model.pool(2))


def test_names_are_given_once() -> None:
    lab = Scenario("names")
    lab.memory("a")
    with pytest.raises(BadInputError):
        lab.image("a")


def test_commands_are_of_one_scenario() -> None:
    one, other = Scenario("one"), Scenario("other")
    stranger = other.sleep(0)
    with pytest.raises(BadInputError):
        one.sleep(0, after=[stranger])
    one.parse_html(other.memory("m"), one.tree())
    with pytest.raises(BadInputError, match="another scenario"):
        run(one, Model.cooperative())


def test_a_composed_model_keeps_pages_files_and_images_apart_and_helps_a_page_that_is_stuck(
    site: Site, tmp_path: Path
) -> None:
    lab = pages(site, count=1)
    site.answers["/file"] = Answer(b"x")
    with lab.group("downloads"):
        lab.load_url(site.url + "/file", lab.file(tmp_path / "file"), name="file")
    with lab.group("stuck"):
        lab.call(lambda: time.sleep(0.4), name="stuck")
        lab.compute(0, 10, name="beside it")
    record = run(lab, Model.composed(2))
    threads = {thread["id"]: thread["name"] for thread in record.document["threads"]}
    by_name = {command["name"]: command for command in record.document["commands"]}
    assert threads[by_name["file"]["thread"]] == "lab files"
    assert all(threads[command["thread"]].startswith("lab worker") for command in commands(record, "decode_jpeg"))
    assert by_name["beside it"]["end"] < by_name["stuck"]["end"] - 0.2
