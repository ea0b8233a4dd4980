"""Thumbnails: right, the same whoever asks and however often, and refused when there is no picture."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from imgserve_stats import stats
from PIL import Image, ImageChops, ImageStat

from testing.servers.generators import generator
from testing.servers.server_process import Server, StartServer

make_pictures = generator(Path(__file__).resolve().parents[1] / "make_pictures.py")


def opened(data: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(data))
    picture.load()
    return picture


def test_a_thumbnail_is_the_picture_made_smaller(server: Server, pictures: Path) -> None:
    for index in range(20):
        name = f"picture-{index:04d}.jpg"
        answer = server.get(f"/thumb/{name}?w=160")
        assert (answer.status, answer.headers["content-type"]) == (200, "image/jpeg")
        small, original = opened(answer.body), opened((pictures / name).read_bytes())
        assert small.mode == original.mode
        assert small.size == (160, round(original.height * 160 / original.width))
        reference = io.BytesIO()
        original.resize(small.size, Image.Resampling.BOX).save(reference, "JPEG", quality=82)
        difference = ImageChops.difference(small, opened(reference.getvalue()))
        assert max(ImageStat.Stat(difference).mean) < 8


def test_the_pictures_have_grey_and_progressive_ones_among_them(tmp_path: Path) -> None:
    names, _ = make_pictures.make(tmp_path, 60)
    made = [Image.open(tmp_path / name) for name in names]
    assert {picture.mode for picture in made} == {"L", "RGB"}
    assert {bool(picture.info.get("progressive")) for picture in made} == {True, False}
    assert len({picture.size for picture in made}) >= 5


def test_the_same_seed_makes_the_same_pictures(tmp_path: Path) -> None:
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        make_pictures.make(tmp_path / folder, 3, seed)
    a, b, c = ([path.read_bytes() for path in sorted((tmp_path / f).iterdir())] for f in "abc")
    assert a == b
    assert a != c


def test_the_list_of_urls_names_every_picture(tmp_path: Path) -> None:
    mix = tmp_path / "mix.txt"
    assert make_pictures.main([str(tmp_path / "p"), "--count", "2", "--mix", str(mix), "--width", "99"]) == 0
    assert mix.read_text() == "1 /thumb/picture-0000.jpg?w=99\n1 /thumb/picture-0001.jpg?w=99\n"


def test_a_picture_is_never_enlarged(server: Server, pictures: Path) -> None:
    original = opened((pictures / "picture-0003.jpg").read_bytes())
    assert opened(server.get("/thumb/picture-0003.jpg?w=4096").body).size == original.size


@pytest.mark.parametrize("width", [8, 9, 31, 160, 333, 1023])
def test_any_width_works(server: Server, width: int) -> None:
    assert opened(server.get(f"/thumb/picture-0004.jpg?w={width}").body).width == width


def test_an_answer_depends_on_the_picture_and_the_width_only(start: StartServer) -> None:
    targets = [f"/thumb/picture-{i % 20:04d}.jpg?w={w}" for i in range(40) for w in (80, 81)]
    with start("-c", "0") as server:
        without_cache = [server.get(target).body for target in targets]
        assert stats(server)["hits"] == 0
    with start() as server, ThreadPoolExecutor(8) as pool:
        with_cache = [answer.body for answer in pool.map(server.get, targets)]
        assert stats(server)["hits"] > 0
    assert with_cache == without_cache


def test_the_cache_keeps_its_limit(start: StartServer) -> None:
    with start("-c", "1") as server:
        for width in range(200, 500, 10):
            for index in range(5):
                assert server.get(f"/thumb/picture-{index:04d}.jpg?w={width}").status == 200
        counted = stats(server)
        assert counted["cache_bytes"] <= 1 << 20
        assert counted["cache_evicted"] > 0
        assert counted["cache_entries"] + counted["cache_evicted"] == 150


def test_the_least_recently_used_result_makes_room(start: StartServer) -> None:
    with start("-c", "1") as server:
        for index in range(20):
            for width in (640, 641, 642):
                server.get(f"/thumb/picture-{index:04d}.jpg?w={width}")
                server.get("/thumb/picture-0000.jpg?w=640")
        counted = stats(server)
        while counted["hits"] + counted["rendered"] < 120:  # what is answered may not be counted yet
            counted = stats(server)
        assert counted["cache_evicted"] > 0
        assert counted["hits"] == 60


BROKEN = ["empty", "text", "random", "marker", "header", "bits", "cmyk"]


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_picture_is_refused_with_a_reason(server: Server, kind: str) -> None:
    connection = server.connect()
    for _ in range(2):
        answer = connection.get(f"/thumb/broken-{kind}.jpg")
        assert answer.status == 422
        assert answer.body.startswith(b"422 Unprocessable Content: ")
    assert connection.get("/hello").status == 200


def test_of_half_a_picture_that_half_is_shown(server: Server) -> None:
    assert opened(server.get("/thumb/broken-half.jpg?w=100").body).width == 100


@pytest.mark.parametrize("name", ["none.jpg", "folder.jpg", "picture-0000.jpeg"])
def test_what_is_no_picture_is_not_found(server: Server, name: str) -> None:
    answer = server.get(f"/thumb/{name}")
    assert answer.status == 404
    assert answer.body == b"404 Not Found: no such picture\n"
