#include "testing/load/mix.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <random>

namespace heddle::testing::load {
namespace {

constexpr std::size_t kMaxRound = 10'000'000;

bool parse_weight(std::string_view text, std::uint32_t& weight) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  return error == std::errc{} && end == text.data() + text.size() && weight > 0;
}

void check_path(std::string_view path, const std::string& where) {
  const bool printable = std::all_of(path.begin(), path.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (path.empty() || path.front() != '/' || !printable) {
    throw BadInput(where + ": '" + std::string(path) + "' is no path: start it with '/' and write blanks as %20");
  }
}

}  // namespace

WeightedPath parse_weighted_path(std::string_view text) {
  WeightedPath result{std::string(text), 1};
  const auto equals = text.rfind('=');
  const auto parameter = text.find_last_of("?&");
  const bool in_query = parameter != std::string_view::npos && text.find('=', parameter) == equals;
  if (equals != std::string_view::npos && !in_query) {
    result.path = text.substr(0, equals);
    if (!parse_weight(text.substr(equals + 1), result.weight)) {
      throw BadInput("--path " + std::string(text) + ": a weight is a whole number from 1 on");
    }
  }
  check_path(result.path, "--path");
  return result;
}

std::vector<WeightedPath> parse_mix(std::string_view text, const std::string& name) {
  std::vector<WeightedPath> paths;
  int line_number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
    if (line.empty() || line.front() == '#') continue;
    const std::string where = name + ":" + std::to_string(line_number);
    const auto blank = line.find(' ');
    WeightedPath entry;
    if (blank == std::string_view::npos || !parse_weight(line.substr(0, blank), entry.weight)) {
      throw BadInput(where + ": write 'WEIGHT PATH', such as '1 /hello'");
    }
    entry.path = line.substr(blank + 1);
    check_path(entry.path, where);
    paths.push_back(std::move(entry));
  }
  if (paths.empty()) throw BadInput(name + ": names no URL: write lines 'WEIGHT PATH'");
  return paths;
}

Mix::Mix(std::vector<WeightedPath> paths, std::uint64_t seed) : paths_(std::move(paths)) {
  std::uint32_t divisor = 0;
  for (const auto& entry : paths_) divisor = std::gcd(divisor, entry.weight);
  for (std::uint32_t index = 0; index < paths_.size(); ++index) {
    const std::uint32_t times = paths_[index].weight / std::max(divisor, 1u);
    if (round_.size() + times > kMaxRound) throw BadInput("the weights add up to too much: divide them all");
    round_.insert(round_.end(), times, index);
  }
  std::mt19937_64 random(seed);
  std::shuffle(round_.begin(), round_.end(), random);
}

std::size_t Mix::next() {
  const std::size_t index = round_[position_];
  position_ = position_ + 1 == round_.size() ? 0 : position_ + 1;
  return index;
}

std::string route_of(std::string_view path) {
  const auto end = path.find_first_of("/?", 1);
  return std::string(path.substr(0, end));
}

}  // namespace heddle::testing::load
