#include "crawler/fetch/answer.hpp"

#include <algorithm>

#include "crawler/parse/ascii.hpp"

namespace heddle::crawler {
std::string_view name_of(FetchError error) {
  switch (error) {
    case FetchError::kNone:
      return "";
    case FetchError::kDns:
      return "dns";
    case FetchError::kConnect:
      return "connect";
    case FetchError::kTls:
      return "tls";
    case FetchError::kTimeout:
      return "timeout";
    case FetchError::kReset:
      return "reset";
    case FetchError::kProtocol:
      return "protocol";
    case FetchError::kTooLarge:
      return "too_large";
    case FetchError::kDecode:
      return "decode";
    case FetchError::kRefusedAddress:
      return "refused_address";
    case FetchError::kScheme:
      return "scheme";
  }
  return "";
}

std::optional<std::string_view> Headers::find(std::string_view lower_case) const {
  for (const Field& field : fields_)
    if (piece(field.name) == lower_case) return piece(field.value);
  return std::nullopt;
}

std::string Headers::joined(std::string_view lower_case) const {
  std::string all;
  bool first = true;
  for (const Field& field : fields_) {
    if (piece(field.name) != lower_case) continue;
    if (!first) all += ", ";
    first = false;
    all += piece(field.value);
  }
  return all;
}

void Headers::expect(std::size_t bytes) {
  constexpr std::size_t kMostReserved = 1024;
  constexpr std::size_t kUsualBytes = 32;  // of one header
  bytes = std::min(bytes, kMostReserved);
  text_.reserve(bytes);
  fields_.reserve(bytes / kUsualBytes);
}

void Headers::add_to_name(std::string_view bytes) {
  if (!open_) {
    open_ = true;
    fields_.push_back({{static_cast<std::uint32_t>(text_.size()), 0}, {}});
  }
  const std::size_t at = text_.size();
  text_ += bytes;
  for (char* c = &text_[at]; c != text_.data() + text_.size(); ++c) *c = lower(*c);
}

void Headers::end_of_name() {
  if (!open_) add_to_name({});
  Field& field = fields_.back();
  field.name.size = static_cast<std::uint32_t>(text_.size()) - field.name.at;
  field.value.at = static_cast<std::uint32_t>(text_.size());
}

void Headers::add_to_value(std::string_view bytes) { text_ += bytes; }

void Headers::end_of_value() {
  Piece& value = fields_.back().value;
  while (text_.size() > value.at && (text_.back() == ' ' || text_.back() == '\t')) text_.pop_back();
  value.size = static_cast<std::uint32_t>(text_.size()) - value.at;
  open_ = false;
}

void Headers::clear() {
  text_.clear();
  fields_.clear();
  open_ = false;
}

}  // namespace heddle::crawler
