"""Five sites with hundreds of JPEGs that look like sites of people, the same on every machine.

The page-load experiment of the 2007 paper copied real sites, which nobody can fetch again. These are made: their sizes
follow what the paper names (a photo album, a travel diary, a newspaper, jokes, a computer magazine) and what the HTTP
Archive has long reported of pages: many small pictures, few large ones. Pictures are drawn, with gradients, shapes and
noise, so that a decoder has as much to do as with photographs of their size; sizes are log-normal. The same seed gives
the same bytes with the same version of Pillow, whose version is part of the stamp that says whether a folder is fresh.
"""

import html
import random
from dataclasses import dataclass
from pathlib import Path

MADE = "made"  # holds what the folder was made from


@dataclass(frozen=True)
class Site:
    name: str
    title: str
    pictures: int
    width: int  # of a middling picture
    spread: float  # sigma of the log-normal distribution of widths
    shape: float  # height / width
    words: int  # of text between two pictures


SITES = (
    Site("album", "A wedding, 240 photographs", 90, 220, 0.15, 0.75, 0),
    Site("berlin", "Four days in Berlin", 60, 380, 0.35, 0.75, 40),
    Site("news", "The Daily Loom", 80, 180, 0.6, 0.65, 60),
    Site("jokes", "Pictures people send each other", 50, 330, 0.5, 1.0, 8),
    Site("computers", "Warp & Weft: the computer magazine", 70, 160, 0.7, 0.8, 45),
)
_WORDS = (
    "thread loom weft warp shuttle heddle cloth spindle yarn pattern machine page window river bridge morning street "
    "market the a of and in with before after under over between while every other small large quiet"
).split()
_QUALITY = 82


def make(folder: Path, scale: float = 1.0, seed: int = 2007) -> Path:
    """The folder with a site in each of its folders; `scale` cuts the number of pictures."""
    stamp = _stamp(scale, seed)
    if (folder / MADE).is_file() and (folder / MADE).read_text() == stamp:
        return folder
    for number, site in enumerate(SITES):
        _make(site, folder / site.name, max(1, round(site.pictures * scale)), seed + number)
    (folder / MADE).write_text(stamp)
    return folder


def files(folder: Path, count: int, size: int, seed: int = 2007) -> list[Path]:
    """Large files that cannot be compressed, for downloads."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for number in range(count):
        file = folder / f"download_{number + 1}"
        if not file.is_file() or file.stat().st_size != size:
            file.write_bytes(random.Random(seed * 1000 + number).randbytes(size))
        found.append(file)
    return found


def _stamp(scale: float, seed: int) -> str:
    import PIL

    return f"sites {SITES!r} scale {scale:g} seed {seed} quality {_QUALITY} by Pillow {PIL.__version__}\n"


def _make(site: Site, folder: Path, pictures: int, seed: int) -> None:
    chance = random.Random(seed)
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    for old in images.iterdir():
        old.unlink()
    blocks = []
    for number in range(pictures):
        width = max(16, min(1600, round(site.width * chance.lognormvariate(0, site.spread))))
        height = max(16, round(width * site.shape * chance.uniform(0.9, 1.1)))
        name = f"images/{number:03d}.jpg"
        (folder / name).write_bytes(_picture(width, height, chance))
        text = " ".join(chance.choice(_WORDS) for _ in range(site.words))
        blocks.append(
            f'<div class="item"><a href="#{number}"><img src="{name}" width="{width}" height="{height}" '
            f'alt="picture {number}"></a><p>{text}</p></div>'
        )
    (folder / "index.html").write_text(
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(site.title)}</title></head>'
        f"\n<body><h1>{html.escape(site.title)}</h1>\n" + "\n".join(blocks) + "\n</body></html>\n"
    )


def _picture(width: int, height: int, chance: random.Random) -> bytes:
    import io

    import numpy as np
    from PIL import Image, ImageDraw, ImageFilter

    noise = np.random.default_rng(chance.getrandbits(32))
    sky, ground = (noise.integers(40, 230, 3) for _ in range(2))
    down = np.linspace(0, 1, height)[:, None, None]
    pixels = (1 - down) * sky + down * ground + np.zeros((height, width, 3))
    image = Image.fromarray(pixels.astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for _ in range(12):
        x, y = chance.randrange(width), chance.randrange(height)
        reach = max(2, round(chance.uniform(0.05, 0.35) * min(width, height)))
        colour = tuple(chance.randrange(256) for _ in range(3))
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)
    image = image.filter(ImageFilter.GaussianBlur(1.2))
    grain = noise.normal(0, 6, (height, width, 1))
    grained = np.clip(np.asarray(image, dtype=np.float64) + grain, 0, 255).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(grained).save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()
