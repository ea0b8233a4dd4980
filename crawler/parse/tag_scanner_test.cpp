// Which tags are tags: by the HTML standard's tokenizer (section 13.2.5) and tree construction (section 13.2.6).
#include "crawler/parse/tag_scanner.hpp"

#include <gtest/gtest.h>

#include "crawler/parse/page_testing.hpp"

namespace heddle::crawler {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kXhtml = "application/xhtml+xml; charset=utf-8";

TEST(TagScanner, TagsAreReadHoweverTheyAreWritten) {
  EXPECT_EQ("123456", seen("<a href=\"1\"><A HREF='2'><a\nhref=3><a/href=4 /><a href = \t'5'x=y><a href\f=\r6>"));
  EXPECT_EQ("1", seen("<a title='>' href=1>"));
  EXPECT_EQ("12", seen("<a title=\"a'b\" href=1><a title=a\"b href=2>"));
  EXPECT_EQ("1", seen("<a =x href=1>"));
  EXPECT_EQ("1", seen("<a x=\"y\"href=1>"));
  EXPECT_EQ("page", seen("<a href= >x</a>"));
  EXPECT_EQ("page", seen("<a href>x</a>"));
  EXPECT_EQ("", seen("<a><a hrefs=1><a data-href=1><aa href=1><abbr href=1>"));
}

// Section 13.2.5.6: a tag's name starts with an ASCII letter right after `<`.
TEST(TagScanner, ALessThanSignAloneIsText) {
  EXPECT_EQ("1", seen("a < b <1 <= << <a href=1>"));
  EXPECT_EQ("1", seen("< a href=0><a href=1>"));
  EXPECT_EQ("1", seen("<<a href=1>"));
  EXPECT_EQ("", seen("<äa href=0>"));
}

// "eof-in-tag": what the text ends in is no tag.
TEST(TagScanner, AnUnfinishedTagIsNone) {
  for (const char* body : {"<a href=1", "<a href='1", "<a href='1'", "<a href=1 ", "<a href='1>", "<", "<a", "</",
                           "</a", "<!", "<a href"}) {
    EXPECT_EQ("", seen(body)) << body;
  }
}

// Section 13.2.5.33: "duplicate-attribute".
TEST(TagScanner, OfEqualAttributesTheFirstCounts) { EXPECT_EQ("1", seen("<a href=1 HREF=2 href=3>")); }

// Sections 13.2.5.43 to 13.2.5.52.
TEST(TagScanner, CommentsEndWhereTheStandardSays) {
  EXPECT_EQ("2", seen("<!-- <a href=1> --><a href=2>"));
  EXPECT_EQ("2", seen("<!-- <a href=1> --!><a href=2>"));
  EXPECT_EQ("12", seen("<!--><a href=1><!---><a href=2>"));
  EXPECT_EQ("2", seen("<!--a--b<a href=1>----><a href=2>"));
  EXPECT_EQ("2", seen("<!-- <!-- <a href=1> --><a href=2>-->"));
  EXPECT_EQ("2", seen("<!----!><a href=2>"));
  EXPECT_EQ("", seen("<!---!><a href=1>"));
  EXPECT_EQ("", seen("<!-- -- > <a href=1>"));
  EXPECT_EQ("", seen("<!-- --!- ><a href=1>"));
  EXPECT_EQ("", seen("<!--<a href=1>"));
  EXPECT_EQ("2", seen("<!-- ->--><a href=2>"));
}

// Sections 13.2.5.41 and 13.2.5.42.
TEST(TagScanner, BogusCommentsEndAtTheFirstGreaterThanSign) {
  EXPECT_EQ("12", seen("<!x '><a href=1><?php echo '><a href=2>"));
  EXPECT_EQ("12", seen("</ x><a href=1></><a href=2>"));
  EXPECT_EQ("1", seen("<![CDATA[ <b> <a href=1> ]]>"));
  EXPECT_EQ("2", seen("<![CDATA[ <a href=1> ]]><a href=2>"));
  EXPECT_EQ("1", seen("<!DOCTYPE html PUBLIC \"a>\"><a href=1>"));
  EXPECT_EQ("2", seen("<!- <a href=1><a href=2>"));
}

TEST(TagScanner, EndTagsHaveAttributesToo) {
  EXPECT_EQ("2", seen("</b title='<a href=1>'><a href=2>"));
  EXPECT_EQ("2", seen("</b title=\"> <a href=1>\"><a href=2>"));
}

// Section 13.2.6.4.7 and "generic raw text element parsing algorithm".
TEST(TagScanner, RawTextHoldsNoLinks) {
  for (const std::string name : {"script", "style", "xmp", "iframe", "noembed", "noframes", "textarea", "title"}) {
    const std::string open = "<" + name + ">";
    EXPECT_EQ("2", seen(open + "<a href=1></" + name + "><a href=2>")) << name;
    EXPECT_EQ("2", seen(open + "<!-- <a href=1></" + name + "\n x='>'><a href=2>")) << name;
    EXPECT_EQ("3", seen(open + "</" + name + "x><a href=1></ " + name + "> <a href=2></" + name + " ><a href=3>"))
        << name;
    EXPECT_EQ("", seen(open + "<a href=1>")) << name;
    EXPECT_EQ("2", seen("<" + name + "/><a href=1></" + name + "/><a href=2>")) << name;
  }
  EXPECT_EQ("0", seen("<a href=0><plaintext><a href=1></plaintext><a href=2>"));
}

// Scripting is off.
TEST(TagScanner, NoscriptIsRead) {
  EXPECT_EQ("12", seen("<head><noscript><a href=1></noscript></head><noscript><a href=2></noscript>"));
}

// Sections 13.2.5.15 to 13.2.5.31.
TEST(TagScanner, ScriptsHideTheirEndTagInComments) {
  EXPECT_EQ("2", seen("<script><!-- <script> </script> <a href=1> --></script><a href=2>"));
  EXPECT_EQ("2", seen("<script><!-- <script> </script> </script><a href=2>"));
  EXPECT_EQ("1", seen("<script><!-- </script><a href=1>"));
  EXPECT_EQ("1", seen("<script> <script> </script><a href=1>"));
  EXPECT_EQ("1", seen("<script><!--><script></script><a href=1>"));
  EXPECT_EQ("1", seen("<script><!---><script></script><a href=1>"));
  EXPECT_EQ("", seen("<script><!-- <script> </script> <a href=1>"));
  EXPECT_EQ("1", seen("<script><!-- <script> --></script><a href=1>"));
  EXPECT_EQ("1", seen("<script><!-- <scripts> </script><a href=1>"));
  EXPECT_EQ("1", seen("<script><!-- <SCRIPT/> </script >x</script><a href=1>"));
  EXPECT_EQ("1", seen("<script><!- <script> </script><a href=1>"));
}

// Section 4.12.3: what is in a template is no part of the document.
TEST(TagScanner, TemplatesAreNotFollowed) {
  EXPECT_EQ("2", seen("<template><a href=1></template><a href=2>"));
  EXPECT_EQ("3", seen("<template><template><a href=1></template><a href=2></template></template><a href=3>"));
  EXPECT_EQ("2", seen("<template/><a href=1></template><a href=2>"));
  EXPECT_EQ("", seen("<template><a href=1>"));
  EXPECT_EQ("1", seen("</template><a href=1>"));
  EXPECT_EQ("2", seen("<template><svg><g></template><a href=2>"));
  EXPECT_EQ("2", seen("<template><script></template></script><a href=1></template><a href=2>"));
}

// Section 13.2.6.5: in SVG and MathML, no element has raw text, a template is none, and CDATA is.
TEST(TagScanner, ForeignContentHasRulesOfItsOwn) {
  EXPECT_EQ("12", seen("<svg><style><a href=1></style></svg><a href=2>"));
  EXPECT_EQ("12", seen("<svg><title/><a href=1><template><a href=2></template></svg>"));
  EXPECT_EQ("2", seen("<svg><![CDATA[ <b> <a href=1> ]]><a href=2></svg>"));
  EXPECT_EQ("2", seen("<svg></svg><![CDATA[ <a href=1> ]]><a href=2>"));
  EXPECT_EQ("2", seen("<svg/><![CDATA[ <a href=1> ]]><a href=2>"));
  EXPECT_EQ("2", seen("<math><mi><![CDATA[ > <a href=1> ]]></mi></math><a href=2>"));
  EXPECT_EQ("2", seen("<svg><title><style><a href=1></style></title></svg><a href=2>"));
  EXPECT_EQ(
      "3",
      seen("<svg><foreignObject><title><a href=1></title></foreignObject></svg><title><a href=2></title><a href=3>"));
  EXPECT_EQ("2", seen("<math><annotation-xml encoding='TEXT/html'><style><a href=1></style></math><a href=2>"));
  EXPECT_EQ("12", seen("<math><annotation-xml><style><a href=1></style></math><a href=2>"));
  EXPECT_EQ("12", seen("<math><annotation-xml><svg><style><a href=1></style></svg></math><a href=2>"));
}

TEST(TagScanner, HtmlTagsEndForeignContent) {
  EXPECT_EQ("2", seen("<svg><g><div><style><a href=1></style><a href=2>"));
  EXPECT_EQ("2", seen("<svg></p><style><a href=1></style><a href=2>"));
  EXPECT_EQ("2", seen("<svg><font color=x><style><a href=1></style><a href=2>"));
  EXPECT_EQ("12", seen("<svg><font><style><a href=1></style><a href=2>"));
  EXPECT_EQ("2", seen("<svg><foreignObject></svg><style><a href=1></style><a href=2>"));
  EXPECT_EQ("2", seen("<div><svg><g></div><style><a href=1></style><a href=2>"));
  EXPECT_EQ("12", seen("<div></div><svg><g></div><style><a href=1></style><a href=2>"));
  // </svg> closes nothing while a <div> within foreignObject is open.
  EXPECT_EQ("2", seen("<svg><foreignObject><div></svg><style><a href=1></style></div><a href=2>"));
}

TEST(TagScanner, NulIsPartOfNamesAndValues) {
  EXPECT_EQ("", seen("<a\0 href=1>"sv));
  EXPECT_EQ("%EF%BF%BDx", seen("<a href=\0x>"sv));
}

// XML 1.0: empty elements, case, CDATA, comments, instructions; no raw text.
TEST(TagScanner, XhtmlIsReadAsXml) {
  EXPECT_EQ("1", seen("<script src='x'/><a href='1'/>", kXhtml));
  EXPECT_EQ("1", seen("<title/><textarea/><a href='1'/>", kXhtml));
  EXPECT_EQ("2", seen("<A href='0'/><a HREF='1'/><a href='2'/>", kXhtml));
  EXPECT_EQ("2", seen("<![CDATA[ <a href='1'/> > ]] > ]]><a href='2'/>", kXhtml));
  EXPECT_EQ("2", seen("<script><![CDATA[ </script><a href='1'/> ]]></script><a href='2'/>", kXhtml));
  EXPECT_EQ("2", seen("<!--> <a href='1'/> --!> --><a href='2'/>", kXhtml));
  EXPECT_EQ("2", seen("<?x > <a href='1'/> ?><a href='2'/>", kXhtml));
  EXPECT_EQ("2",
            seen("<!DOCTYPE html [ <!ENTITY x '<a href=\"1\"/>'> <!-- ]> ' --> <?y ]> ?> ]><a href='2'/>", kXhtml));
  EXPECT_EQ("2", seen("<template/><template><a href='1'/></template><a href='2'/>", kXhtml));
  EXPECT_EQ("&?a=1&b", seen("<a href='&amp;?a=1&amp;b'/>", kXhtml));
}

// Namespaces in XML 1.0.
TEST(TagScanner, PrefixesOfXhtmlAreResolved) {
  const auto in = [](std::string_view root, std::string_view body) {
    return seen("<" + std::string(root) + ">" + std::string(body) + "</x>", kXhtml);
  };
  constexpr std::string_view kH = "h:html xmlns:h='http://www.w3.org/1999/xhtml'";
  EXPECT_EQ("12", in(kH, "<h:a href='1'/><h:p><h:a href='2'>x</h:a></h:p>"));
  EXPECT_EQ("2", in(kH, "<g:a href='1'/><h:a href='2'/>"));
  EXPECT_EQ("1", in(kH, "<h:area href='1'/><h:A href='2'/><a:h href='3'/><h:a h:href='4'/>"));
  EXPECT_EQ("2", in(kH, "<h:template><h:a href='1'/></h:template><h:a href='2'/>"));
  EXPECT_EQ("1", in("html xmlns:h='http://www.w3.org/1999/xht&#x6d;l'", "<h:a href='1'/>"));
  // A declaration holds for its element and what is in it.
  EXPECT_EQ("12",
            seen("<h:a href='1' xmlns:h='http://www.w3.org/1999/xhtml'><h:a href='2'/></h:a><h:a href='3'/>", kXhtml));
  EXPECT_EQ("13", in(kH, "<h:a href='1'/><x xmlns:h='urn:x'><h:a href='2'/></x><h:a href='3'/>"));
  EXPECT_EQ("2", in(kH, "<h:a href='1' xmlns:h='urn:x'/><h:a href='2'/>"));
}

TEST(TagScanner, ElementsOfOtherNamespacesAreNoLinks) {
  EXPECT_EQ("2",
            seen("<html xmlns='http://www.w3.org/1999/xhtml'><x xmlns='urn:x'><a href='1'/></x><a href='2'/></html>",
                 kXhtml));
  EXPECT_EQ("12", seen("<html><a href='1'/><x:a href='3'/><a href='2'/></html>", kXhtml));
  EXPECT_EQ("12",
            seen("<html xmlns='http://www.w3.org/1999/xhtml'><svg xmlns='http://www.w3.org/2000/svg'><a href='1'/>"
                 "<area href='3'/></svg><a href='2'/></html>",
                 kXhtml));
}

TEST(TagScanner, DeclarationsWithoutEndEndInTime) {
  std::string page;
  for (int i = 0; i < 100'000; ++i) page += "<x xmlns:p" + std::to_string(i) + "='http://www.w3.org/1999/xhtml'>";
  EXPECT_EQ("1", seen(page + "<p7:a href='1'/><q:a href='2'/>", kXhtml));
}

// SVG 2, section 12.3.1; HTML standard, section 13.2.6.1, "adjust foreign attributes".
TEST(TagScanner, LinksOfDrawingsMayHaveTheirOlderName) {
  EXPECT_EQ("12", seen("<svg><a xlink:href=1 /><g><a XLINK:HREF=2></a></g></svg>"));
  EXPECT_EQ("1", seen("<svg><a xlink:href=2 href=1></a></svg>"));
  EXPECT_EQ("", seen("<a xlink:href=1></a><math><a xlink:href=2></a></math><svg><use xlink:href=3></svg>"));
  EXPECT_EQ("", seen("<svg><foreignObject><a xlink:href=1></a></foreignObject></svg>"));
  // Not a sum: GCC 12 takes the move of a temporary for a copy beyond its end.
  const auto in_svg = [](std::string_view content) {
    std::string text = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:l='http://www.w3.org/1999/xlink'>";
    return text.append(content);
  };
  EXPECT_EQ("12", seen(in_svg("<a l:href='1'/><a href='2' l:href='3'/><a xlink:href='4'/></svg>"), kXhtml));
  EXPECT_EQ("",
            seen(in_svg("<image l:href='1'/></svg><a xmlns:l='http://www.w3.org/1999/xlink' l:href='2'/>"), kXhtml));
}

}  // namespace
}  // namespace heddle::crawler
