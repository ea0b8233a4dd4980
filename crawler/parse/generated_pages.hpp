// For tests: texts put together at random of the pieces that parsers disagree on. A seed gives the same texts always.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::crawler {

class PageGenerator {
 public:
  // In each piece a `%` becomes an address of its own.
  PageGenerator(std::uint32_t seed, std::vector<std::string_view> pieces) : random_(seed), pieces_(std::move(pieces)) {}

  std::string page(std::size_t most_pieces) {
    std::string text;
    for (std::size_t left = 1 + below(most_pieces); left > 0; --left) {
      for (const char c : pieces_[below(pieces_.size())]) {
        if (c == '%') {
          text += "u" + std::to_string(left);
        } else {
          text += c;
        }
      }
    }
    return text;
  }

  // A few of its bytes changed, left out, doubled.
  std::string mutated(std::string text) {
    for (std::size_t left = below(6); left > 0 && !text.empty(); --left) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, 1 + below(4));
          break;
        case 2:
          text.insert(at, text.substr(below(text.size()), below(8)));
          break;
        default:
          text.resize(at);
          break;
      }
    }
    return text;
  }

  std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_); }

 private:
  std::mt19937 random_;
  std::vector<std::string_view> pieces_;
};

// What HTML's tokenizer turns on.
inline std::vector<std::string_view> html_pieces() {
  return {"<a href=%>",
          "<a href='%'>",
          "<a href=\"%\">",
          "</a>",
          "<area href=%>",
          "<A HREF=%>",
          "<a\nhref = %>",
          "href=%",
          "<iframe src=%>",
          "</iframe>",
          "<img src=%>",
          "<image href=%>",
          "<a title='",
          "<a title=\"",
          "<a/",
          "<b ",
          "<!--",
          "-->",
          "--!>",
          "<!-->",
          "<!--->",
          "--",
          "-",
          ">",
          "<",
          "</",
          "<!",
          "<?",
          "/",
          "=",
          "\"",
          "'",
          " ",
          "\n",
          "\t",
          "x",
          "<script>",
          "</script>",
          "<script",
          "<script/>",
          "<style>",
          "</style>",
          "<style/>",
          "<title>",
          "</title>",
          "<textarea>",
          "</textarea>",
          "<xmp>",
          "</xmp>",
          "<noembed>",
          "</noembed>",
          "<noframes>",
          "</noframes>",
          "<plaintext>",
          "<noscript>",
          "</noscript>",
          "<template>",
          "</template>",
          "<![CDATA[",
          "]]>",
          "&amp;",
          "&copy=",
          "&#47;",
          "&not",
          "<!doctype html>",
          "<svg>",
          "</svg>",
          "<svg/>",
          "<math>",
          "</math>",
          "<foreignObject>",
          "</foreignObject>",
          "<desc>",
          "</desc>",
          "<g>",
          "</g>",
          "<mi>",
          "</mi>",
          "<annotation-xml encoding='text/html'>",
          "<annotation-xml>",
          "</annotation-xml>",
          "<mglyph>",
          "<font color=x>",
          "<font>",
          "<div>",
          "</div>",
          "<b>",
          "</b>",
          "<br>",
          "<table>",
          "</table>",
          "<body>",
          "</body>",
          "<html>",
          "<head>",
          "<ul>",
          "<li>",
          "<h1>",
          "</h1>",
          "<input>",
          "<form>",
          "<object>",
          "</object>"};
}

}  // namespace heddle::crawler
