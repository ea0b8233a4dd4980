"""How links stand in documents: each way of writing one, with who may follow it.

The classes are those of the crawler's contract. What a browser's tokenizer would not see as a link is `none`, however
much it looks like one; what looks broken and is a link to the tokenizer of the HTML standard is `page`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# page: followed. nofollow: only looked at by --check. resource: fetched with --resources. none: no link.
Kind = Literal["page", "nofollow", "resource", "none"]


@dataclass(frozen=True)
class Way:
    """A way to write a link. `{}` stands where the reference goes."""

    name: str
    kind: Kind
    markup: str
    xhtml: bool = False  # it is well-formed, and means the same in XHTML
    head: bool = False  # it belongs into the head
    quote: str = '"'  # what the reference must not hold; empty: no blanks, quotes or > either

    @property
    def is_last(self) -> bool:
        """It ends the document for whoever reads it as a browser does."""
        return self.name == "a cut off by the end"

    @property
    def refreshes(self) -> bool:
        return self.kind == "page" and self.name.startswith("meta refresh")

    def write(self, reference: str) -> str:
        return self.markup.replace("{}", escape(reference))


XLINK = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def escape(reference: str) -> str:
    return reference.replace("&", "&amp;").replace('"', "&quot;").replace("'", "&#39;").replace("<", "&lt;")


PAGES = (
    Way("a", "page", '<a href="{}">text</a>', xhtml=True),
    Way("a in single quotes", "page", "<a href='{}'>text</a>", xhtml=True),
    Way("a without quotes", "page", "<a href={}>text</a>", quote=""),
    Way("a without quotes before more", "page", "<a href={} class=x>text</a>", quote=""),
    Way("A in capitals", "page", '<A HREF="{}">text</A>'),
    Way("a with blanks around =", "page", '<a href \n=\t"{}">text</a>', xhtml=True),
    Way("a over lines", "page", '<a\n  class="x"\n  href="{}"\n>text</a\n>', xhtml=True),
    Way("a behind a slash", "page", '<a/href="{}">text</a>'),
    Way("a without blanks between attributes", "page", '<a title="t"href="{}"rel="x">text</a>'),
    Way("a behind > in an attribute", "page", '<a title="1 > 0" href="{}">text</a>', xhtml=True),
    Way("a behind an end tag in an attribute", "page", '<p title="</p><!-- <a">x</p><a href="{}">text</a>'),
    Way("a with blanks in the value", "page", '<a href=" \n{}\t ">text</a>', xhtml=True),
    Way("a behind <", "page", '<<a href="{}">text</a>'),
    Way("a that is not closed", "page", '<p><a href="{}"><p>'),
    Way("a with a stray quote", "page", '<a x"y href="{}">text</a>'),
    Way("a whose first href counts", "page", '<a href="{}" href="/second-href-of-one-tag">text</a>'),
    Way("a behind an abruptly closed comment", "page", '<!--><a href="{}">text</a><!-- -->'),
    Way("a behind another abruptly closed comment", "page", '<!---><a href="{}">text</a><!-- -->'),
    Way("a behind a comment closed by --!>", "page", '<!-- x --!><a href="{}">text</a><!-- -->'),
    Way("a behind a comment", "page", '<!-- x - -- > y --><a href="{}">text</a>'),
    Way("a behind a comment with a comment's start", "page", '<!-- x <!-- y --><a href="{}">text</a>'),
    Way("a behind a processing instruction", "page", '<?x y?><a href="{}">text</a>', xhtml=True),
    Way("a behind a bogus end tag", "page", '</ x><a href="{}">text</a>'),
    Way("a behind a closed script", "page", '<script>if (a < b) x = "<!-- "</script ><a href="{}">text</a>'),
    Way("a behind a closed style", "page", '<style>p > a { }</STYLE\n><a href="{}">text</a>'),
    Way("a behind a title", "page", '<title>1 <!-- 2</title><a href="{}">text</a>'),
    Way("a in noscript", "page", '<noscript><a href="{}">text</a></noscript>'),
    Way("a in a table without rows", "page", '<table><a href="{}">text</a></table>'),
    Way("a in an unknown element", "page", '<x-y.z><a href="{}">text</a></x-y.z>'),
    Way("a with rel noopener", "page", '<a rel="noopener external" href="{}">text</a>', xhtml=True),
    Way("a in SVG", "page", '<svg xmlns="http://www.w3.org/2000/svg"><a href="{}"/></svg>', xhtml=True),
    Way(
        "a in SVG, by its older name", "page", f'<svg {XLINK}><a xlink:href="{{}}"><text>x</text></a></svg>', xhtml=True
    ),
    Way("area", "page", '<map name="m"><area shape="default" href="{}"/></map>', xhtml=True),
    Way("iframe", "page", '<iframe src="{}"></iframe>', xhtml=True),
    Way("frame", "page", '<frameset><frame src="{}"/></frameset>'),
    Way("meta refresh", "page", '<meta http-equiv="refresh" content="60; url={}"/>', xhtml=True, head=True, quote=""),
    Way("meta refresh in quotes", "page", "<meta content=\"5;URL='{}'\" http-equiv=Refresh>", head=True, quote=""),
    Way("meta refresh with a comma", "page", '<meta http-equiv="REFRESH" content="0,{}">', head=True, quote=""),
    Way("link next", "page", '<link rel="next" href="{}"/>', xhtml=True, head=True),
    Way("link prev", "page", '<link href="{}" rel=PREV>', head=True),
    Way("link alternate", "page", '<link rel="alternate" hreflang="eo" href="{}"/>', xhtml=True, head=True),
    Way("link canonical", "page", '<link rel="x canonical" href="{}"/>', xhtml=True, head=True),
)

NOFOLLOW = (
    Way("a nofollow", "nofollow", '<a rel="nofollow" href="{}">text</a>', xhtml=True),
    Way("a nofollow among others", "nofollow", '<a href="{}" rel="ugc\n NoFollow external">text</a>', xhtml=True),
    Way("a nofollow without quotes", "nofollow", "<a rel=nofollow href={}>text</a>", quote=""),
    Way("area nofollow", "nofollow", '<map name="m"><area rel="nofollow" href="{}"/></map>', xhtml=True),
)

RESOURCES = (
    Way("img", "resource", '<img src="{}" alt=""/>', xhtml=True),
    Way("img without quotes", "resource", "<img src={}>", quote=""),
    Way("img srcset", "resource", '<img srcset="{} 2x" alt=""/>', xhtml=True, quote=""),
    Way("img srcset of two", "resource", '<img srcset="{} 100w,\n {} 200w" alt=""/>', xhtml=True, quote=""),
    Way("img srcset without descriptor", "resource", '<img srcset="{}" alt="">', quote=""),
    Way("source src", "resource", '<audio><source src="{}"/></audio>', xhtml=True),
    Way("source srcset", "resource", '<picture><source srcset="{} 1.5x"/></picture>', xhtml=True, quote=""),
    Way("video", "resource", '<video src="{}"></video>', xhtml=True),
    Way("video poster", "resource", '<video poster="{}"></video>', xhtml=True),
    Way("audio", "resource", '<audio src="{}"></audio>', xhtml=True),
    Way("track", "resource", '<video><track src="{}"/></video>', xhtml=True),
    Way("embed", "resource", '<embed src="{}"/>', xhtml=True),
    Way("object", "resource", '<object data="{}"></object>', xhtml=True),
    Way("input image", "resource", '<input type="IMAGE" src="{}"/>'),
    Way("script src", "resource", '<script src="{}"></script>', xhtml=True),
    Way("link stylesheet", "resource", '<link rel="stylesheet" href="{}"/>', xhtml=True, head=True),
    Way("link icon", "resource", '<link href="{}" rel="shortcut icon"/>', xhtml=True, head=True),
    Way("link preload", "resource", '<link rel="preload" as="font" href="{}"/>', xhtml=True, head=True),
    Way("link manifest", "resource", '<link rel="manifest" href="{}"/>', xhtml=True, head=True),
    Way("style url", "resource", "<style>p { background: URL( '{}' ) }</style>", head=True, quote=""),
    Way("style url without quotes", "resource", "<style>p{background:url({})}</style>", head=True, quote=""),
    Way("style import", "resource", "<style>@import '{}' screen;</style>", head=True, quote=""),
    Way("style import of url", "resource", "<style>@IMPORT url({});</style>", head=True, quote=""),
)

NONE = (
    Way("a in a comment", "none", '<!-- <a href="{}">text</a> -->', xhtml=True),
    Way("a in a comment with blanks at its end", "none", '<!-- -- > <a href="{}">text</a> -->'),
    Way("a in a bogus comment", "none", '<! <a href="{}" >'),
    Way("a in a bogus end tag", "none", '</ <a href="{}" >'),
    Way("href of an end tag", "none", '</a href="{}">'),
    Way("a in a doctype", "none", "<!DOCTYPE x <a href={}>", quote=""),
    Way("a in an attribute", "none", "<p title='<a href=\"{}\">'>x</p>"),
    Way("a in script text", "none", "<script>document.write('<a href=\"{}\">x</a>')</script>"),
    Way("a in script text of a comment", "none", '<script><!-- <script> x </script> <a href="{}"> --></script>'),
    Way("a in style text", "none", '<style>/* <a href="{}"> */</style>', head=True),
    Way("a in a title", "none", '<title><a href="{}">text</a></title>', head=True),
    Way("a in textarea", "none", '<textarea><a href="{}">text</a></textarea>'),
    Way("a in xmp", "none", '<xmp><a href="{}">text</a></xmp>'),
    Way("a in iframe", "none", '<iframe><a href="{}">text</a></iframe>'),
    Way("a in noembed", "none", '<noembed><a href="{}">text</a></noembed>'),
    Way("a in noframes", "none", '<noframes><a href="{}">text</a></noframes>'),
    Way("a in template", "none", '<template><p><a href="{}">text</a></p></template>'),
    Way("a in template in template", "none", '<template><template></template><a href="{}">x</a></template>'),
    Way("form", "none", '<form action="{}"><button>x</button></form>', xhtml=True),
    Way("formaction", "none", '<form><button formaction="{}">x</button></form>', xhtml=True),
    Way("onclick", "none", "<a onclick=\"location='{}'\">text</a>", quote=""),
    Way("data-href", "none", '<a data-href="{}">text</a>', xhtml=True),
    Way("name", "none", '<a name="{}">text</a>', xhtml=True),
    Way("href of p", "none", '<p href="{}">text</p>'),
    Way("src of a", "none", '<a src="{}">text</a>'),
    Way("xlink:href of a outside of SVG", "none", '<a xlink:href="{}">text</a>'),
    Way("use of SVG", "none", f'<svg {XLINK}><use xlink:href="{{}}"/></svg>', xhtml=True),
    Way("second href", "none", '<a href="http://[" href="{}">text</a>'),
    Way("cite", "none", '<blockquote cite="{}">text</blockquote>', xhtml=True),
    Way("ping", "none", '<a ping="{}">text</a>', xhtml=True),
    Way("entity for <", "none", '&lt;a href="{}">text', xhtml=True),
    Way("a cut off by the end", "none", '<p>x</p><a href="{}"'),
    Way("meta that is no refresh", "none", '<meta name="refresh" content="0; url={}"/>', head=True, quote=""),
    Way("meta refresh without number", "none", '<meta http-equiv="refresh" content="url={}">', head=True, quote=""),
    Way("link without rel", "none", '<link href="{}"/>', xhtml=True, head=True),
    Way("input of another type", "none", '<input type="text" src="{}">'),
    Way("a behind what only begins like a script's end", "none", '<script>x</SCRIPTX><a href="{}"></script>'),
)

CDATA = Way("a in CDATA", "none", '<p><![CDATA[ x > <a href="{}">text</a> ]]></p>', xhtml=True)
# The same in HTML: a bogus comment up to the first >.
CDATA_IN_HTML = Way("a in CDATA, in HTML", "page", '<p><![CDATA[ x > <a href="{}">text</a> ]]></p>')


def fits(way: Way, reference: str) -> bool:
    """Whether the reference can be written in this way."""
    return bool(way.quote) or not any(mark in reference for mark in " \"'`=<>(),;&")
