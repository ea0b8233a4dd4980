#include "words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

namespace workbench {
namespace {

constexpr std::array kBraces = {"c",  "h",    "cc", "cpp", "cxx", "hh", "hpp",  "hxx",
                                "cs", "java", "js", "ts",  "go",  "rs", "swift"};
constexpr std::array kIndents = {"py", "pyi"};

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_word(char c) { return begins_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Goes through the tokens of a source: words, and single characters that are neither blank nor in a comment or string.
class Scanner {
 public:
  Scanner(std::string_view source, Style style) : source_(source), style_(style) {}

  // Empty at the end.
  std::string_view next() {
    for (;;) {
      while (at_ < source_.size() && std::isspace(static_cast<unsigned char>(source_[at_])) != 0) ++at_;
      if (at_ == source_.size()) return {};
      if (!skip()) break;
    }
    const std::size_t start = at_++;
    if (in_word(source_[start]))
      while (at_ < source_.size() && in_word(source_[at_])) ++at_;
    return source_.substr(start, at_ - start);
  }
  // Does the token that came last begin its line?
  bool begins_line(std::string_view token) const {
    auto start = static_cast<std::size_t>(token.data() - source_.data());
    while (start > 0 && (source_[start - 1] == ' ' || source_[start - 1] == '\t')) --start;
    return start == 0 || source_[start - 1] == '\n';
  }
  std::string_view rest_of_line() const {
    return source_.substr(at_, std::min(source_.find('\n', at_), source_.size()) - at_);
  }

 private:
  bool comes(std::string_view text) const { return source_.substr(at_, text.size()) == text; }
  void skip_to(std::string_view end) {
    const std::size_t found = source_.find(end, at_);
    at_ = found == std::string_view::npos ? source_.size() : found + end.size();
  }

  // A comment or a string; false if there is none.
  bool skip() {
    if (style_ == Style::kBraces && comes("//")) {
      skip_to("\n");
    } else if (style_ == Style::kBraces && comes("/*")) {
      at_ += 2;
      skip_to("*/");
    } else if (style_ == Style::kIndents && comes("#")) {
      skip_to("\n");
    } else if (style_ == Style::kIndents && (comes("\"\"\"") || comes("'''"))) {
      const std::string_view quotes = source_.substr(at_, 3);
      at_ += 3;
      skip_to(quotes);
    } else if (style_ == Style::kBraces && comes("R\"")) {
      const std::size_t open = source_.find('(', at_);
      if (open == std::string_view::npos) return false;
      const std::string end = ")" + std::string(source_.substr(at_ + 2, open - at_ - 2)) + "\"";
      at_ = open;
      skip_to(end);
    } else if (comes("\"") || (comes("'") && style_ != Style::kOther && !separates_digits())) {
      skip_string();
    } else {
      return false;
    }
    return true;
  }
  bool separates_digits() const {
    return style_ == Style::kBraces && at_ > 0 && std::isxdigit(static_cast<unsigned char>(source_[at_ - 1])) != 0;
  }
  // Up to its end, or that of the line.
  void skip_string() {
    const char quote = source_[at_++];
    while (at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n') at_ += source_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, source_.size());
  }

  std::string_view source_;
  Style style_;
  std::size_t at_ = 0;
};

}  // namespace

Style style_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.rfind('.');
  const std::string_view extension = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  if (std::find(kBraces.begin(), kBraces.end(), extension) != kBraces.end()) return Style::kBraces;
  if (std::find(kIndents.begin(), kIndents.end(), extension) != kIndents.end()) return Style::kIndents;
  return Style::kOther;
}

Words read_words(std::string_view source, Style style) {
  Words words;
  std::string frame;
  Scanner scanner(source, style);
  std::size_t depth = 0;
  auto last = words.names.end();
  for (std::string_view token = scanner.next(); !token.empty(); token = scanner.next()) {
    if (token == "(" && last != words.names.end()) last->second = true;
    last = words.names.end();
    if (begins_word(token.front())) {
      last = words.names.lower_bound(token);
      if (last == words.names.end() || last->first != token) last = words.names.emplace_hint(last, token, false);
    }
    if (style == Style::kBraces) {
      if (token == "}" && depth > 0) --depth;
      if (depth == 0) frame.append(token) += ' ';
      if (token == "{") ++depth;
    } else if (style == Style::kIndents && scanner.begins_line(token) &&
               (token == "def" || token == "class" || token == "async" || token == "@")) {
      frame.append(token).append(scanner.rest_of_line()) += '\n';
    }
  }
  words.frame = std::hash<std::string_view>{}(style == Style::kOther ? source : std::string_view(frame));
  return words;
}

}  // namespace workbench
