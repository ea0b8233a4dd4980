#include "crawler/parse/srcset.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "crawler/parse/ascii.hpp"

namespace heddle::crawler {
namespace {

bool all_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

bool is_zero(std::string_view digits) { return digits.find_first_not_of('0') == std::string_view::npos; }

// Section 2.3.4.3, "valid floating-point number"; negative ones are no density, but for -0.
bool is_density(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::string_view mantissa = text.substr(0, text.find_first_of("eE"));
  if (mantissa.size() < text.size()) {
    std::string_view exponent = text.substr(mantissa.size() + 1);
    if (exponent.starts_with('+') || exponent.starts_with('-')) exponent.remove_prefix(1);
    if (!all_digits(exponent)) return false;
  }
  const std::size_t point = mantissa.find('.');
  const std::string_view whole = mantissa.substr(0, point);
  if (point == std::string_view::npos ? !all_digits(whole) : !whole.empty() && !all_digits(whole)) return false;
  if (point != std::string_view::npos && !all_digits(mantissa.substr(point + 1))) return false;
  return !negative || mantissa.find_first_not_of("0.") == std::string_view::npos;
}

// Steps 9 to 14 of the algorithm: at most one width and one height, or one density.
bool are_valid(const std::vector<std::string_view>& descriptors) {
  bool width = false;
  bool density = false;
  bool height = false;
  for (const std::string_view descriptor : descriptors) {
    const std::string_view number = descriptor.substr(0, descriptor.size() - 1);
    switch (descriptor.back()) {
      case 'w':
        if (!all_digits(number) || width || density || is_zero(number)) return false;
        width = true;
        break;
      case 'h':
        if (!all_digits(number) || height || density || is_zero(number)) return false;
        height = true;
        break;
      case 'x':
        if (!is_density(number) || width || density || height) return false;
        density = true;
        break;
      default:
        return false;
    }
  }
  return !height || width;
}

// Takes descriptors from the front of rest, up to the comma that ends the candidate; one in parentheses does not.
std::vector<std::string_view> take_descriptors(std::string_view& rest) {
  std::vector<std::string_view> descriptors;
  std::size_t begin = 0;
  std::size_t i = 0;
  bool in_parentheses = false;
  const auto close = [&] {
    if (i > begin) descriptors.push_back(rest.substr(begin, i - begin));
    begin = i + 1;
  };
  for (; i < rest.size(); ++i) {
    const char c = rest[i];
    if (in_parentheses) {
      in_parentheses = c != ')';
    } else if (c == ',') {
      break;
    } else if (is_space(c)) {
      close();
    } else {
      in_parentheses = c == '(';
    }
  }
  close();
  rest.remove_prefix(std::min(i + 1, rest.size()));
  return descriptors;
}

}  // namespace

void read_srcset(std::string_view value, const std::function<void(std::string_view)>& found) {
  while (true) {
    while (!value.empty() && (is_space(value.front()) || value.front() == ',')) value.remove_prefix(1);
    if (value.empty()) return;
    const auto end = std::find_if(value.begin(), value.end(), is_space);
    std::string_view url = value.substr(0, static_cast<std::size_t>(end - value.begin()));
    value.remove_prefix(url.size());
    if (url.ends_with(',')) {
      url = url.substr(0, url.find_last_not_of(',') + 1);
      found(url);
    } else if (are_valid(take_descriptors(value))) {
      found(url);
    }
  }
}

}  // namespace heddle::crawler
