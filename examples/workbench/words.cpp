#include "words.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

namespace workbench {
namespace {

constexpr std::array kBraces = {"c",  "h",    "cc", "cpp", "cxx", "hh", "hpp",  "hxx",
                                "cs", "java", "js", "ts",  "go",  "rs", "swift"};
constexpr std::array kIndents = {"py", "pyi"};

// What a byte may be; of ASCII alone, whatever the locale.
enum Part : std::uint8_t { kBlank = 1, kBegin = 2, kInside = 4, kHex = 8, kMayBeSkipped = 16 };
constexpr std::array<std::uint8_t, 256> kParts = [] {
  std::array<std::uint8_t, 256> parts{};
  for (const unsigned char c : std::string_view(" \t\n\v\f\r")) parts[c] = kBlank;
  for (unsigned c = 'a'; c <= 'z'; ++c) parts[c] = parts[c - 'a' + 'A'] = kBegin | kInside;
  for (unsigned c = '0'; c <= '9'; ++c) parts[c] = kInside | kHex;
  for (unsigned c = 'a'; c <= 'f'; ++c) {
    parts[c] |= kHex;
    parts[c - 'a' + 'A'] |= kHex;
  }
  parts['_'] = kBegin | kInside;
  for (const unsigned char c : std::string_view("/#R\"'")) parts[c] |= kMayBeSkipped;
  return parts;
}();
bool is(char c, Part part) { return (kParts[static_cast<unsigned char>(c)] & part) != 0; }

std::uint64_t mixed(std::uint64_t sum, std::uint64_t more) {
  sum = (sum ^ more) * 0x9e3779b97f4a7c15;
  return sum ^ sum >> 32;
}
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t sum = text.size();
  for (; text.size() > sizeof sum; text.remove_prefix(sizeof sum)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    sum = mixed(sum, word);
  }
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < text.size(); ++i) rest |= std::uint64_t{static_cast<unsigned char>(text[i])} << 8 * i;
  return mixed(sum, rest);
}

// Goes through the tokens of a source: words, and single characters that are neither blank nor in a comment or string.
class Scanner {
 public:
  Scanner(std::string_view source, Style style) : source_(source), style_(style) {}

  template <class Seen>
  void each(const Seen& seen) {
    for (std::size_t at = 0; at < source_.size();) {
      const std::uint8_t part = kParts[static_cast<unsigned char>(source_[at])];
      if ((part & kBlank) != 0) {
        ++at;
        continue;
      }
      at_ = at;
      if ((part & kMayBeSkipped) != 0 && skip()) {
        at = at_;
        continue;
      }
      const std::size_t start = at++;
      if ((part & kInside) != 0)
        while (at < source_.size() && is(source_[at], kInside)) ++at;
      at_ = at;
      seen(source_.substr(start, at - start));
    }
  }
  // Of the token that comes: no two of up to 8 bytes and the same length have the same.
  std::uint64_t hash(std::string_view token) const {
    const auto behind = static_cast<std::size_t>(source_.data() + source_.size() - token.data());
    if (token.size() > sizeof(std::uint64_t) || behind < sizeof(std::uint64_t)) return hash_of(token);
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, token.data(), sizeof bytes);
    return mixed(token.size(), bytes & ~std::uint64_t{0} >> (64 - 8 * token.size()));
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
    switch (source_[at_]) {
      case '/':
        return style_ == Style::kBraces && (skip_from("//", "\n") || skip_from("/*", "*/"));
      case '#':
        return style_ == Style::kIndents && skip_from("#", "\n");
      case 'R':
        return style_ == Style::kBraces && comes("R\"") && skip_raw_string();
      case '"':
        if (style_ != Style::kIndents || !skip_from("\"\"\"", "\"\"\"")) skip_string();
        return true;
      case '\'':
        if (style_ == Style::kOther || separates_digits()) return false;
        if (style_ != Style::kIndents || !skip_from("'''", "'''")) skip_string();
        return true;
      default:
        return false;
    }
  }
  bool skip_from(std::string_view begin, std::string_view end) {
    if (!comes(begin)) return false;
    at_ += begin.size();
    skip_to(end);
    return true;
  }
  bool skip_raw_string() {
    const std::size_t open = source_.find('(', at_);
    if (open == std::string_view::npos) return false;
    const std::string end = ")" + std::string(source_.substr(at_ + 2, open - at_ - 2)) + "\"";
    at_ = open;
    skip_to(end);
    return true;
  }
  bool separates_digits() const { return style_ == Style::kBraces && at_ > 0 && is(source_[at_ - 1], kHex); }
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

const Mention* Words::find(std::uint32_t name) const {
  const auto found = std::find_if(names.begin(), names.end(), [&](const Mention& each) { return each.name == name; });
  return found == names.end() ? nullptr : &*found;
}

void Words::leave_out(std::uint32_t name) {
  std::erase_if(names, [&](const Mention& each) { return each.name == name; });
}

Difference difference(const Words& before, const Words& after) {
  // Mostly they are alike at both ends, and so are the names there: each is there once.
  auto was = std::span(before.names);
  auto now = std::span(after.names);
  while (!was.empty() && !now.empty() && was.front() == now.front()) {
    was = was.subspan(1);
    now = now.subspan(1);
  }
  while (!was.empty() && !now.empty() && was.back() == now.back()) {
    was = was.first(was.size() - 1);
    now = now.first(now.size() - 1);
  }
  const auto sorted = [](std::span<const Mention> names) {
    std::vector<Mention> all(names.begin(), names.end());
    std::sort(all.begin(), all.end(), [](const Mention& a, const Mention& b) { return a.name < b.name; });
    return all;
  };
  const std::vector<Mention> old = sorted(was);
  const std::vector<Mention> fresh = sorted(now);
  Difference found;
  auto each = old.begin();
  for (const Mention& other : fresh) {
    while (each != old.end() && each->name < other.name) found.gone.push_back(*each++);
    const bool there = each != old.end() && each->name == other.name;
    if (!there || each->call != other.call) found.come.push_back(other);
    if (there) ++each;
  }
  found.gone.insert(found.gone.end(), each, old.end());
  return found;
}

std::uint32_t Names::number(std::string_view name) { return number(name, hash_of(name)); }

std::uint32_t Names::number(std::string_view name, std::uint64_t hash) {
  if (known_.size() * 2 >= places_.size()) grow();
  const std::size_t mask = places_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    std::uint32_t& place = places_[at];
    if (place == 0) {
      known_.push_back({std::string(name), hash, 0, 0});
      place = count();
      return place - 1;
    }
    const Known& known = known_[place - 1];
    if (known.hash == hash && known.text.size() == name.size() && (name.size() <= 8 || known.text == name))
      return place - 1;
  }
}

void Names::grow() {
  places_.assign(std::max<std::size_t>(1024, places_.size() * 2), 0);
  const std::size_t mask = places_.size() - 1;
  for (std::uint32_t each = 0; each < count(); ++each) {
    std::size_t at = known_[each].hash & mask;
    while (places_[at] != 0) at = (at + 1) & mask;
    places_[at] = each + 1;
  }
}

Words Names::read(std::string_view source, Style style) {
  Words words;
  ++readings_;
  Scanner scanner(source, style);
  std::size_t depth = 0;
  Mention* last = nullptr;
  scanner.each([&](std::string_view token) {
    const char first = token.front();
    Mention* before = std::exchange(last, nullptr);
    if (is(first, kBegin)) {
      const std::uint64_t hash = scanner.hash(token);
      const std::uint32_t name = number(token, hash);
      Known& known = known_[name];
      if (known.reading != readings_) {
        known.reading = readings_;
        known.place = words.names.size();
        words.names.push_back({name, false});
      }
      last = &words.names[known.place];
      if (style == Style::kBraces && depth == 0) words.frame = mixed(words.frame, hash);
    } else {
      if (first == '(' && before != nullptr) before->call = true;
      if (style == Style::kBraces) {
        if (first == '}' && depth > 0) --depth;
        if (depth == 0) words.frame = mixed(words.frame, hash_of(token));
        if (first == '{') ++depth;
      }
    }
    if (style == Style::kIndents && (token == "def" || token == "class" || token == "async" || token == "@") &&
        scanner.begins_line(token))
      words.frame = mixed(mixed(words.frame, hash_of(token)), hash_of(scanner.rest_of_line()));
  });
  if (style == Style::kOther) words.frame = hash_of(source);
  return words;
}

}  // namespace workbench
