"""Documents in every charset: their links are found, and URLs are percent-encoded as UTF-8, the query too."""

from __future__ import annotations

import codecs
from urllib.parse import quote

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web.answer import Answer
from testing.crawl.web.server import Site

# Label of the Encoding standard: Python's codec, and a word that it can say.
CHARSETS = {
    "utf-8": ("utf-8", "grüße"),
    "UTF8": ("utf-8", "привет"),
    "windows-1252": ("cp1252", "grüße€"),
    "iso-8859-1": ("cp1252", "grüße€"),
    "latin1": ("cp1252", "œuvre"),
    "us-ascii": ("cp1252", "grüße"),
    "windows-1251": ("cp1251", "страница"),
    "x-cp1251": ("cp1251", "страница"),
    "koi8-r": ("koi8-r", "страница"),
    "koi8-u": ("koi8-u", "сторінка"),
    "iso-8859-2": ("iso-8859-2", "žluťoučký"),
    "iso-8859-7": ("iso-8859-7", "σελίδα"),
    "windows-1253": ("cp1253", "σελίδα"),
    "iso-8859-9": ("cp1254", "ığş"),
    "ibm866": ("cp866", "страница"),
    "macintosh": ("mac-roman", "grüße"),
    "x-mac-cyrillic": ("mac-cyrillic", "страница"),
    "tis-620": ("cp874", "หน้า"),
    "shift_jis": ("cp932", "表ソ能―"),
    "windows-31j": ("cp932", "表ソ能"),
    "euc-jp": ("euc-jp", "日本語"),
    "iso-2022-jp": ("iso-2022-jp", "日本語"),
    "gb2312": ("gbk", "中文"),
    "gbk": ("gbk", "中文漢字"),
    "gb18030": ("gb18030", "中文𠀀"),
    "big5": ("big5", "中文功許"),
    "euc-kr": ("cp949", "한국어똠"),
}


def document(word: str, head: str = "") -> str:
    return f"<!doctype html><head>{head}<title>{word}</title></head><a href='/{word}?q={word}'>{word}</a>"


def target(site: Site, word: str) -> str:
    return site.url(f"/{quote(word)}?q={quote(word)}")


def assert_found(crawl: Crawler, site: Site, body: bytes, content_type: str, word: str) -> None:
    site.put("/", Answer(body, content_type))
    assert crawl(site.url()).urls == {site.url(), target(site, word)}


@pytest.mark.parametrize("label", CHARSETS)
def test_the_header_says_the_charset(crawl: Crawler, site: Site, label: str) -> None:
    codec, word = CHARSETS[label]
    assert_found(crawl, site, document(word).encode(codec), f"text/html; charset={label}", word)


@pytest.mark.parametrize("label", CHARSETS)
def test_meta_charset_says_it(crawl: Crawler, site: Site, label: str) -> None:
    codec, word = CHARSETS[label]
    assert_found(crawl, site, document(word, f"<meta charset='{label}'>").encode(codec), "text/html", word)


def test_meta_content_type_says_it(crawl: Crawler, site: Site) -> None:
    meta = "<META content=\"text/html; Charset = 'koi8-r'\" HTTP-EQUIV=Content-Type>"
    assert_found(crawl, site, document("слово", meta).encode("koi8-r"), "text/html", "слово")


@pytest.mark.parametrize(
    ("mark", "codec"),
    [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")],
)
def test_a_byte_order_mark_wins_over_header_and_meta(crawl: Crawler, site: Site, mark: bytes, codec: str) -> None:
    body = mark + document("слово", "<meta charset=koi8-r>").encode(codec)
    assert_found(crawl, site, body, "text/html; charset=windows-1252", "слово")


def test_the_header_wins_over_meta(crawl: Crawler, site: Site) -> None:
    body = document("слово", "<meta charset=windows-1252>").encode("koi8-r")
    assert_found(crawl, site, body, 'text/html; charset="koi8-r"', "слово")


@pytest.mark.parametrize(
    ("label", "codec"), [("utf-16", "utf-16-le"), ("utf-16le", "utf-16-le"), ("utf-16be", "utf-16-be")]
)
def test_the_header_says_utf_16_without_a_mark(crawl: Crawler, site: Site, label: str, codec: str) -> None:
    assert_found(crawl, site, document("слово").encode(codec), f"text/html; charset={label}", "слово")


def test_without_any_word_it_is_windows_1252(crawl: Crawler, site: Site) -> None:
    assert_found(crawl, site, document("grüße€").encode("cp1252"), "text/html", "grüße€")


def test_an_unknown_label_is_none(crawl: Crawler, site: Site) -> None:
    body = document("grüße", "<meta charset=klingon>").encode("cp1252")
    assert_found(crawl, site, body, "text/html; charset=x-unheard-of", "grüße")


def test_a_label_may_stand_in_blanks(crawl: Crawler, site: Site) -> None:
    assert_found(crawl, site, document("слово", "<meta charset=' KOI8-R\n'>").encode("koi8-r"), "text/html", "слово")


def test_a_late_meta_charset_counts(crawl: Crawler, site: Site) -> None:
    late = f"<!-- {'x' * 5000} --><meta charset=windows-1251>"
    assert_found(crawl, site, document("слово", late).encode("cp1251"), "text/html", "слово")


def test_a_late_meta_charset_counts_for_links_before_it(crawl: Crawler, site: Site) -> None:
    text = f"<p>{'x' * 5000}<a href='/слово?q=слово'>x</a><meta charset=windows-1251>"
    assert_found(crawl, site, text.encode("cp1251"), "text/html", "слово")


def test_a_meta_charset_in_a_comment_does_not_count(crawl: Crawler, site: Site) -> None:
    body = document("слово", "<!-- <meta charset=windows-1252> --><meta charset=koi8-r>").encode("koi8-r")
    assert_found(crawl, site, body, "text/html", "слово")


def test_a_meta_charset_of_utf_16_means_utf_8(crawl: Crawler, site: Site) -> None:
    assert_found(crawl, site, document("слово", "<meta charset=utf-16>").encode(), "text/html", "слово")


@pytest.mark.parametrize("label", ["iso-2022-kr", "hz-gb-2312", "iso-2022-cn"])
def test_charsets_that_the_standard_replaces_hold_no_links(crawl: Crawler, site: Site, label: str) -> None:
    site.put("/", Answer(b"<a href=/a>x</a>", f"text/html; charset={label}"))
    assert crawl(site.url()).urls == {site.url()}


def test_xhtml_is_utf_8_unless_it_says_otherwise(crawl: Crawler, site: Site) -> None:
    text = "<html xmlns='http://www.w3.org/1999/xhtml'><body><a href='/слово?q=слово'>x</a></body></html>"
    site.put("/", Answer(text.encode(), "application/xhtml+xml; charset=utf-8"))
    assert crawl(site.url()).urls == {site.url(), target(site, "слово")}


def test_bytes_that_are_no_characters_hide_no_links(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"<p>\xff\xfe\xc3<a href='/a\xff'>x</a>\xe4\xb8<a href=/b>", "text/html; charset=utf-8"))
    assert crawl(site.url()).urls == {site.url(), site.url("/a%EF%BF%BD"), site.url("/b")}


def test_entities_are_decoded_in_references(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"<a href='/a?x=1&amp;y=2&copy=3&lt;&#228;&euro;&not;it;&#x80;'>x</a>"))
    # &copy before = stays in an attribute; &#x80; is the euro sign.
    word = "x=1&y=2&copy=3%3C" + quote("ä€¬it;€", safe=";")
    assert crawl(site.url()).urls == {site.url(), site.url(f"/a?{word}")}
