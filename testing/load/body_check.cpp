#include "testing/load/body_check.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <sstream>

#include "testing/load/mix.hpp"

namespace heddle::testing::load {

Fingerprints parse_fingerprints(std::string_view text, const std::string& name) {
  Fingerprints result;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    Fingerprint fingerprint;
    std::string path;
    words >> std::hex >> fingerprint.hash >> std::dec >> fingerprint.size >> fingerprint.status >> path;
    if (words.fail()) {
      throw BadInput(name + ":" + std::to_string(number) + ": not a line of --save-hashes: record the file again");
    }
    result[path] = fingerprint;
  }
  return result;
}

std::string format_fingerprints(const Fingerprints& fingerprints) {
  std::vector<std::string> lines;
  for (const auto& [path, fingerprint] : fingerprints) {
    char start[80];
    std::snprintf(start, sizeof start, "%016" PRIx64 " %zu %d ", fingerprint.hash, fingerprint.size,
                  fingerprint.status);
    lines.push_back(start + path + "\n");
  }
  std::sort(lines.begin(), lines.end(),
            [](const std::string& a, const std::string& b) { return a.substr(a.rfind(' ')) < b.substr(b.rfind(' ')); });
  std::string text;
  for (const auto& line : lines) text += line;
  return text;
}

BodyCheck::BodyCheck(const std::vector<std::string>& paths, const Fingerprints& expected,
                     const std::vector<std::string>& varying) {
  for (const auto& path : paths) {
    Entry entry;
    entry.path = path;
    entry.varies = std::find(varying.begin(), varying.end(), route_of(path)) != varying.end();
    if (const auto found = expected.find(path); found != expected.end()) {
      entry.first = found->second;
      entry.known = true;
    }
    entries_.push_back(std::move(entry));
  }
}

bool BodyCheck::accept(std::size_t path, const Fingerprint& seen) {
  Entry& entry = entries_[path];
  if (entry.varies) return true;
  if (!entry.known) {
    entry.known = true;
    entry.first = seen;
    return true;
  }
  entry.compared = true;
  return entry.first == seen;
}

Fingerprints BodyCheck::known() const {
  Fingerprints result;
  for (const auto& entry : entries_) {
    if (entry.known && !entry.varies) result[entry.path] = entry.first;
  }
  return result;
}

std::size_t BodyCheck::checked() const {
  return static_cast<std::size_t>(
      std::count_if(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.compared; }));
}

}  // namespace heddle::testing::load
