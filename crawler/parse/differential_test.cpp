// The same pages read by other people's parsers: the targets of a, area and iframe must be the same.
//
// gumbo builds the tree of the HTML standard, as of 2015, so it is given everything that the tokenizer turns on. Left
// out is what differs for a reason:
// - select, frameset: the tree has no links in them, by rules that the standard has since given up or that no page
// uses;
//   the crawler promises the tokenizer's view.
// - </p> and </br> in SVG and MathML: since 2015 they end it.
// - elements without a meaning in end tags (</g> for <h>): gumbo takes all unknown elements for one. <script<svg> has
// an
//   unknown name, so "<script" is followed by white space or the end of a tag here.
// - foreign.hpp knows of HTML elements around and within drawings only which are open, not what hides them: <tr>
// without
//   a table, a <table> that an end tag is not heard through. Such pages may differ, but no more than few.
//
// Prefixes of XHTML are read by libxml2, too, of random trees of elements.
//
// libxml2 knows HTML 4: no templates, SVG or raw text but script and style, no odd comments, other ends of broken tags.
// It is given well-formed pages, whose links it and we read alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <gumbo.h>
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>

#include <memory>
#include <optional>
#include <set>

#include "crawler/parse/generated_pages.hpp"
#include "crawler/parse/page_testing.hpp"

namespace heddle::crawler {
namespace {

using Targets = std::set<std::string>;

const Url& address() {
  static const Url url = url_of("https://host/dir/page");
  return url;
}

void add(std::string_view text, Targets& targets) {
  const auto url = Url::parse(text, &address());
  if (url && url->is_web()) targets.insert(url->text());
}

Targets our_targets(std::string_view body) {
  Targets targets;
  for (const Link& link : page_of(body).links) targets.insert(link.target.text());
  return targets;
}

void collect(const GumboNode& node, Targets& targets) {
  if (node.type != GUMBO_NODE_DOCUMENT && node.type != GUMBO_NODE_ELEMENT) return;
  if (node.type == GUMBO_NODE_ELEMENT) {
    const GumboElement& element = node.v.element;
    const bool is_html = element.tag_namespace == GUMBO_NAMESPACE_HTML;
    const bool has_href = element.tag == GUMBO_TAG_A || (is_html && element.tag == GUMBO_TAG_AREA);
    const bool has_src = is_html && element.tag == GUMBO_TAG_IFRAME;
    const GumboAttribute* attribute = gumbo_get_attribute(&element.attributes, has_src ? "src" : "href");
    if ((has_href || has_src) && attribute && (has_href || *attribute->value != '\0')) add(attribute->value, targets);
  }
  const GumboVector& children = node.type == GUMBO_NODE_DOCUMENT ? node.v.document.children : node.v.element.children;
  for (unsigned i = 0; i < children.length; ++i) collect(*static_cast<const GumboNode*>(children.data[i]), targets);
}

// What gumbo allocates for one page: it forgets some of it.
using Memory = std::vector<std::unique_ptr<char[]>>;

Targets gumbo_targets(std::string_view body) {
  Memory memory;
  GumboOptions options = kGumboDefaultOptions;
  options.userdata = &memory;
  options.allocator = [](void* userdata, std::size_t size) -> void* {
    return static_cast<Memory*>(userdata)->emplace_back(new char[size]).get();
  };
  options.deallocator = [](void*, void*) {};
  Targets targets;
  collect(*gumbo_parse_with_options(&options, body.data(), body.size())->document, targets);
  return targets;
}

Targets libxml_targets(const std::string& body) {
  htmlSAXHandler handler{};
  handler.startElement = [](void* context, const xmlChar* name, const xmlChar** attributes) {
    const std::string element = reinterpret_cast<const char*>(name);
    const std::string wanted = element == "a" || element == "area" ? "href" : element == "iframe" ? "src" : "";
    for (const xmlChar** i = attributes; i && *i; i += 2) {
      if (wanted != reinterpret_cast<const char*>(i[0])) continue;
      add(i[1] ? reinterpret_cast<const char*>(i[1]) : "", *static_cast<Targets*>(context));
    }
  };
  Targets targets;
  htmlParserCtxtPtr parser = htmlCreatePushParserCtxt(&handler, &targets, nullptr, 0, nullptr, XML_CHAR_ENCODING_UTF8);
  htmlParseChunk(parser, body.data(), static_cast<int>(body.size()), 0);
  htmlParseChunk(parser, nullptr, 0, 1);
  htmlFreeParserCtxt(parser);
  return targets;
}

std::string_view view(const xmlChar* text) { return text ? reinterpret_cast<const char*>(text) : ""; }

// By libxml2's resolution of prefixes: the targets of a and area in XHTML and in no namespace, and of a in SVG.
void collect_xml(void* context, const xmlChar* local, const xmlChar* prefix, const xmlChar* uri, int, const xmlChar**,
                 int count, int, const xmlChar** attributes) {
  const std::string_view element = view(local);
  const bool html = view(uri) == "http://www.w3.org/1999/xhtml" || (uri == nullptr && prefix == nullptr);
  const bool svg = view(uri) == "http://www.w3.org/2000/svg";
  if (!(element == "a" && (html || svg)) && !(element == "area" && html)) return;
  std::optional<std::string> href;
  std::optional<std::string> older;
  for (int i = 0; i < count; ++i) {  // local name, prefix, namespace, value, end of the value
    const xmlChar** part = attributes + std::ptrdiff_t{5} * i;
    const std::string value(view(part[3]).substr(0, static_cast<std::size_t>(part[4] - part[3])));
    if (view(part[0]) == "href" && part[1] == nullptr) href = value;
    if (view(part[0]) == "href" && view(part[2]) == "http://www.w3.org/1999/xlink" && svg) older = value;
  }
  if (href || older) add(href ? *href : *older, *static_cast<Targets*>(context));
}

Targets libxml_xhtml_targets(const std::string& body) {
  xmlSAXHandler handler{};
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = collect_xml;
  Targets targets;
  xmlSAXUserParseMemory(&handler, &targets, body.data(), static_cast<int>(body.size()));
  return targets;
}

// Elements in elements, with declarations at random.
void add_xml(PageGenerator& random, std::size_t depth, std::string& page) {
  constexpr std::string_view kPrefixes[] = {"", "", "h:", "s:", "x:"};
  constexpr std::string_view kNames[] = {"a", "a", "area", "p", "A"};
  constexpr std::string_view kSpaces[] = {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg",
                                          "http://www.w3.org/1999/xlink", "urn:other"};
  const std::string name = std::string(kPrefixes[random.below(5)]) + std::string(kNames[random.below(5)]);
  page += "<" + name;
  for (const std::string_view prefix : {"xmlns", "xmlns:h", "xmlns:s", "xmlns:x"})
    if (random.below(4) == 0) page.append(" ").append(prefix).append("='").append(kSpaces[random.below(4)]).append("'");
  if (random.below(3) > 0) page += " href='" + std::to_string(page.size()) + "'";
  if (random.below(3) == 0) page += " x:href='" + std::to_string(page.size()) + "'";
  if (random.below(4) == 0) {
    page += "/>";
    return;
  }
  page += ">";
  for (std::size_t left = depth == 0 ? 0 : random.below(4); left > 0; --left) add_xml(random, depth - 1, page);
  page += "</" + name + ">";
}

TEST(Differential, Libxml2SeesTheSameLinksOfXhtmlWithPrefixes) {
  PageGenerator random(3, {});
  std::size_t links = 0;
  constexpr int kPages = 5'000;
  for (int i = 0; i < kPages; ++i) {
    std::string page = "<html>";
    add_xml(random, 6, page);
    page += "</html>";
    Targets ours;
    for (const Link& link : page_of(page, "application/xhtml+xml").links) ours.insert(link.target.text());
    ASSERT_EQ(libxml_xhtml_targets(page), ours) << page;
    links += ours.size();
  }
  EXPECT_GT(links, std::size_t{kPages});
}

TEST(Differential, GumboSeesTheSameLinks) {
  std::vector<std::string_view> pieces = html_pieces();
  std::replace(pieces.begin(), pieces.end(), std::string_view("<script"), std::string_view("<script "));
  std::erase(pieces, "</g>");
  PageGenerator generator(1, pieces);
  std::vector<std::string> different;
  std::size_t links = 0;
  constexpr std::size_t kPages = 20'000;
  for (std::size_t i = 0; i < kPages; ++i) {
    const std::string page = generator.page(i % 4 == 0 ? 40 : 12);
    const Targets ours = our_targets(page);
    links += ours.size();
    if (ours != gumbo_targets(page)) different.push_back(page);
  }
  EXPECT_GT(links, kPages / 4);
  EXPECT_LE(different.size(), kPages / 2000) << ::testing::PrintToString(different);
}

TEST(Differential, Libxml2SeesTheSameLinksOfWellFormedPages) {
  PageGenerator generator(2, {"<a href='%'>x</a>",
                              "<a class=\"y\" href=\"%?a=1&amp;b=2\">x &lt; y</a>",
                              "<A HREF=%>x</A>",
                              "<area href='&#47;%'>",
                              "<iframe src='%'></iframe>",
                              "<p>",
                              "</p>",
                              "<div title='a > b'>",
                              "</div>",
                              "<!-- <a href=no> -->",
                              "<script>if (a < b) f('<a href=no>')</script>",
                              "<style>p { color: red } /* <a href=no> */</style>",
                              "<br/>",
                              "<table><tr><td>x</td></tr></table>",
                              "<a href='%#&eacute;' rel=x>",
                              "</a>",
                              "<a title='href=no' href='ä%'>",
                              "text\n",
                              "&amp; <b>c</b>",
                              "<a href='%' href='no'></a>"});
  for (int i = 0; i < 5'000; ++i) {
    const std::string page = "<!DOCTYPE html><html><body>" + generator.page(30) + "</body></html>";
    ASSERT_EQ(libxml_targets(page), our_targets(page)) << page;
  }
}

}  // namespace
}  // namespace heddle::crawler
