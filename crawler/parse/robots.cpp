#include "crawler/parse/robots.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "crawler/parse/ascii.hpp"

namespace heddle::crawler {
namespace {

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char letter = lower(c);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// The octet of a "%XX" at i, or nothing.
std::optional<char> encoded_octet(std::string_view text, std::size_t i) {
  if (text[i] != '%' || i + 2 >= text.size()) return std::nullopt;
  const int high = hex_value(text[i + 1]);
  const int low = hex_value(text[i + 2]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

// Octets that are the same percent-encoded and not, are (section 2.2.2). Which of the two forms both get makes no
// difference to what matches, so it is the short one. Where an octet parts the URL, its encoded form is another one:
// `/` and `?` of the path, and `%` anywhere. In the query they are the same (the section's example), for a pattern that
// has a query; another one may reach into it by `*`, and does not know that (query_too: false).
std::string normalised(std::string_view text, bool& in_query, bool query_too = true) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto octet = encoded_octet(text, i);
    if (octet) i += 2;
    const char c = octet.value_or(text[i]);
    if (c == '%' || (octet && !(in_query && query_too) && (c == '/' || c == '?'))) {
      out.append(c == '%' ? "%25" : c == '/' ? "%2F" : "%3F");
    } else {
      if (c == '?') in_query = true;
      out.push_back(c);
    }
  }
  return out;
}

std::size_t octets_of(std::string_view pattern) {
  // Octets that are not ASCII count as the three that their encoded form has.
  const auto others = std::count_if(pattern.begin(), pattern.end(), [](char c) { return (c & 0x80) != 0; });
  return pattern.size() + 2 * static_cast<std::size_t>(others);
}

// The product token that a user-agent line names (section 2.2.1): what comes after it, such as a version, is not of it.
std::string_view product_token(std::string_view value) {
  const auto end =
      std::find_if_not(value.begin(), value.end(), [](char c) { return is_letter(c) || c == '-' || c == '_'; });
  return value.substr(0, static_cast<std::size_t>(end - value.begin()));
}

bool is_anyone(std::string_view value) {
  return value == "*" || (value.size() > 1 && value[0] == '*' && is_space(value[1]));
}

}  // namespace

// Reads the lines one by one; a group is user-agent lines and the rules after them.
class RobotsParser {
 public:
  void line(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view key = trim(line.substr(0, colon));
    const std::string_view value = trim(line.substr(colon + 1));
    if (equals_lower(key, "user-agent")) {
      user_agent(value);
    } else if (equals_lower(key, "allow")) {
      rule(value, true);
    } else if (equals_lower(key, "disallow")) {
      rule(value, false);
    } else if (equals_lower(key, "sitemap") && !value.empty()) {
      sitemaps_.emplace_back(value);
    }
    // Other lines belong to nobody, and part nothing (section 2.2.4).
  }

  Robots finish() && {
    Robots robots;
    robots.rules_ = std::move(names_us_ ? ours_ : everyones_);
    robots.sitemaps_ = std::move(sitemaps_);
    std::sort(robots.rules_.begin(), robots.rules_.end(), [](const Robots::Rule& a, const Robots::Rule& b) {
      return a.octets != b.octets ? a.octets > b.octets : a.allow > b.allow;
    });
    return robots;
  }

 private:
  void user_agent(std::string_view value) {
    if (in_rules_) in_ours_ = in_everyones_ = in_rules_ = false;
    if (is_anyone(value)) in_everyones_ = true;
    if (equals_lower(product_token(value), "heddle")) in_ours_ = names_us_ = true;
  }

  void rule(std::string_view pattern, bool allow) {
    in_rules_ = true;
    if (pattern.empty() || (!in_ours_ && !in_everyones_)) return;
    Robots::Rule rule;
    rule.octets = octets_of(pattern);
    rule.allow = allow;
    rule.anchored = pattern.ends_with('$');
    if (rule.anchored) pattern.remove_suffix(1);
    bool in_query = false;
    for (std::size_t begin = 0; begin <= pattern.size();) {
      const std::size_t end = std::min(pattern.find('*', begin), pattern.size());
      rule.parts.push_back(normalised(pattern.substr(begin, end - begin), in_query));
      begin = end + 1;
    }
    rule.has_query = in_query;
    if (in_everyones_) everyones_.push_back(rule);
    if (in_ours_) ours_.push_back(std::move(rule));
  }

  std::vector<Robots::Rule> ours_;
  std::vector<Robots::Rule> everyones_;
  std::vector<std::string> sitemaps_;
  bool names_us_ = false;
  // The group that is being read is for us, for everyone; its rules have begun.
  bool in_ours_ = false;
  bool in_everyones_ = false;
  bool in_rules_ = false;
};

Robots Robots::parse(std::string_view body) {
  const bool cut = body.size() > kMostBytes;
  body = body.substr(0, kMostBytes);
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  RobotsParser parser;
  while (!body.empty()) {
    const std::size_t end = body.find_first_of("\r\n");
    // Half a line may say the opposite of the whole.
    if (end == std::string_view::npos && cut) break;
    parser.line(body.substr(0, end));
    body.remove_prefix(end == std::string_view::npos ? body.size() : end + 1);
  }
  return std::move(parser).finish();
}

// Each part is looked for where the last one ended, and taken where it is first found: if that does not lead to a
// match, no later place does. memmem takes time linear in both texts.
bool Robots::matches(const Rule& rule, std::string_view path) {
  if (!path.starts_with(rule.parts.front())) return false;
  if (rule.anchored && rule.parts.size() == 1) return path.size() == rule.parts.front().size();
  path.remove_prefix(rule.parts.front().size());
  for (std::size_t i = 1; i < rule.parts.size(); ++i) {
    const std::string& part = rule.parts[i];
    if (rule.anchored && i + 1 == rule.parts.size()) return path.ends_with(part);
    if (part.empty()) continue;
    const void* found = memmem(path.data(), path.size(), part.data(), part.size());
    if (!found) return false;
    path.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(found) - path.data()) + part.size());
  }
  return true;
}

bool Robots::allows(std::string_view path_and_query) const {
  if (path_and_query == "/robots.txt") return true;
  bool in_query = false;
  const std::string same_in_query = normalised(path_and_query, in_query);
  in_query = false;
  const std::string path = normalised(path_and_query, in_query, false);
  for (const Rule& rule : rules_) {
    if (matches(rule, rule.has_query ? same_in_query : path)) return rule.allow;
  }
  return true;
}

}  // namespace heddle::crawler
