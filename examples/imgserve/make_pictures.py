"""Makes a folder of JPEG files that cost what photographs cost: smooth light, edges and sensor noise.

The same seed gives the same pictures with the same version of Pillow. Their sizes are chosen so that a thumbnail of
160 pixels takes about 5 ms to make on one core of a small server (see README.md for the measured spread).

    python make_pictures.py pictures --count 300 --mix mix.txt
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

# Width and height; every size is as likely as another.
SIZES = ((1500, 1125), (1125, 1500), (1600, 1066), (1600, 1200), (1800, 1012), (1440, 1440), (1280, 960))
GREY_SHARE = 0.08
PROGRESSIVE_SHARE = 0.08


@dataclass(frozen=True)
class Order:
    """One picture to make; everything about it follows from seed and index."""

    folder: Path
    seed: int
    index: int

    @property
    def name(self) -> str:
        return f"picture-{self.index:04d}.jpg"


def _light(random: np.random.Generator, width: int, height: int) -> Image.Image:
    """Smooth changes of colour, as sky, walls and shadows give: a few random samples, enlarged."""
    samples = random.integers(20, 236, size=(5, 7, 3), dtype=np.uint8)
    return Image.fromarray(samples).resize((width, height), Image.Resampling.BICUBIC)


def _shapes(random: np.random.Generator, picture: Image.Image) -> None:
    draw = ImageDraw.Draw(picture)
    width, height = picture.size
    for _ in range(int(random.integers(15, 40))):
        x, y = int(random.integers(0, width)), int(random.integers(0, height))
        w, h = int(random.integers(8, width // 3)), int(random.integers(8, height // 3))
        colour = tuple(int(c) for c in random.integers(0, 256, size=3))
        if random.random() < 0.5:
            draw.ellipse((x, y, x + w, y + h), fill=colour)
        else:
            draw.polygon([(x, y), (x + w, y + h // 3), (x + w // 2, y + h)], fill=colour)


def encode(order: Order) -> bytes:
    """The bytes of one picture."""
    random = np.random.default_rng((order.seed, order.index))
    width, height = SIZES[int(random.integers(len(SIZES)))]
    picture = _light(random, width, height)
    _shapes(random, picture)
    grain = float(random.uniform(3.5, 6.5))
    noise = random.standard_normal((height, width, 1), dtype=np.float32) * grain
    pixels = np.clip(np.asarray(picture, dtype=np.float32) + noise, 0, 255).astype(np.uint8)
    picture = Image.fromarray(pixels)
    if random.random() < GREY_SHARE:
        picture = picture.convert("L")
    out = io.BytesIO()
    picture.save(
        out,
        "JPEG",
        quality=int(random.integers(80, 91)),
        progressive=bool(random.random() < PROGRESSIVE_SHARE),
    )
    return out.getvalue()


def _write(order: Order) -> int:
    data = encode(order)
    (order.folder / order.name).write_bytes(data)
    return len(data)


def broken_pictures(seed: int) -> dict[str, bytes]:
    """Files called .jpg that a server meets sooner or later."""
    random = np.random.default_rng((seed, 1 << 20))
    good = encode(Order(Path(), seed, 0))
    flipped = bytearray(good)
    for at in random.integers(len(good) // 3, len(good), size=200):
        flipped[int(at)] ^= 1 << int(random.integers(8))
    cmyk = io.BytesIO()
    Image.new("CMYK", (320, 240), (10, 200, 30, 0)).save(cmyk, "JPEG")
    return {
        "broken-empty.jpg": b"",
        "broken-text.jpg": b"This is not a picture.\n" * 50,
        "broken-random.jpg": random.bytes(20_000),
        "broken-marker.jpg": b"\xff\xd8\xff",
        "broken-header.jpg": good[:200],
        "broken-half.jpg": good[: len(good) // 2],
        "broken-bits.jpg": bytes(flipped),
        "broken-cmyk.jpg": cmyk.getvalue(),
    }


def make(
    folder: Path, count: int, seed: int = 1, broken: bool = False, jobs: int | None = None
) -> tuple[list[str], int]:
    """Writes the pictures; returns the names of the good ones, in order, and their bytes together."""
    folder.mkdir(parents=True, exist_ok=True)
    orders = [Order(folder, seed, index) for index in range(count)]
    with ProcessPoolExecutor(jobs) as pool:
        size = sum(pool.map(_write, orders, chunksize=8))
    if broken:
        for name, data in broken_pictures(seed).items():
            (folder / name).write_bytes(data)
    return [order.name for order in orders], size


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make a folder of photo-like JPEG files.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=300, help="how many (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other pictures (default 1)")
    parser.add_argument("--broken", action="store_true", help="add damaged files too, called broken-*.jpg")
    parser.add_argument("--jobs", type=int, default=None, help="processes (default: one per core)")
    parser.add_argument(
        "--mix", type=Path, help="write a list of thumbnail URLs, one 'WEIGHT PATH' a line, to this file"
    )
    parser.add_argument("--width", type=int, default=160, help="width that --mix asks for (default 160)")
    options = parser.parse_args(arguments)
    if options.count < 1:
        print("make_pictures: --count must be 1 or more", file=sys.stderr)
        return 2
    try:
        names, size = make(options.folder, options.count, options.seed, options.broken, options.jobs)
        if options.mix is not None:
            options.mix.write_text("".join(f"1 /thumb/{name}?w={options.width}\n" for name in names))
    except OSError as error:
        print(
            f"make_pictures: cannot write '{error.filename}' ({error.strerror}): name another folder", file=sys.stderr
        )
        return 2
    print(f"{len(names)} pictures, {size / len(names) / 1024:.0f} KiB on average, in {options.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
