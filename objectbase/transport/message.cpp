#include "objectbase/transport/message.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/user_error.hpp"

namespace heddle::objectbase {
namespace {

constexpr std::size_t kWorthMoving = 65'536;

Head head_at(std::string_view bytes) {
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  return head;
}

bool is_last(const Head& head) { return (head.kind & kLast) != 0; }

std::size_t length_of(const Head& head) { return sizeof(Head) + head.bytes + (is_last(head) ? sizeof(End) : 0); }

template <class Number>
std::string_view as_bytes(const Number& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

std::uint64_t number_in(const Message& message) {
  std::uint64_t number = 0;
  if (message.value.size() != sizeof number) throw Malformed("a number that has not 8 bytes");
  std::memcpy(&number, message.value.data(), sizeof number);
  return number;
}

}  // namespace

// --- Out ---

void Outgoing::add(MessageKind kind, std::uint64_t object, unsigned slot, std::string_view value, std::uint8_t type) {
  if (value.size() > kMostValue) throw base::UserError("objectbase: a value of more than 1 GiB cannot be sent");
  const Head head{static_cast<std::uint32_t>(value.size()), static_cast<std::uint16_t>(slot),
                  static_cast<std::uint8_t>(kind), type, object};
  starts_.push_back(bytes_.size());
  bytes_.append(as_bytes(head)).append(value);
}

void Outgoing::add_value(std::uint64_t object, unsigned slot, const Value& value) {
  const auto type = static_cast<std::uint8_t>(value.index());  // the alternatives stand in the order of Type
  std::string_view bytes;
  std::uint64_t word = 0;
  if (const auto* text = std::get_if<std::string_view>(&value)) {
    bytes = *text;
  } else if (const auto* raw = std::get_if<Bytes>(&value)) {
    bytes = raw->bytes;
  } else if (value.index() != 0) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) word = static_cast<std::uint64_t>(*integer);
    if (const auto* real = std::get_if<double>(&value)) word = std::bit_cast<std::uint64_t>(*real);
    if (const auto* id = std::get_if<ObjectId>(&value)) word = id->number;
    bytes = as_bytes(word);
  }
  add(MessageKind::kSet, object, slot, bytes, type);
}

void Outgoing::finish(const End& end) {
  if (starts_.empty()) add(MessageKind::kSilent, 0);
  char& kind = bytes_[starts_.back() + offsetof(Head, kind)];
  kind = static_cast<char>(static_cast<unsigned char>(kind) | kLast);
  bytes_.append(as_bytes(end));
}

void Outgoing::change_end(const End& end) { std::memcpy(bytes_.data() + bytes_.size() - sizeof end, &end, sizeof end); }

std::string_view Outgoing::message(std::size_t index) const {
  const std::size_t next = index + 1 < starts_.size() ? starts_[index + 1] : bytes_.size();
  return from(index).substr(0, next - starts_[index]);
}

Head Outgoing::head(std::size_t index) const { return head_at(from(index)); }

// --- In ---

char* Inbox::room(std::size_t bytes) {
  if (taken_ == size_) {
    size_ = scanned_ = taken_ = 0;
  } else if (taken_ > kWorthMoving && taken_ > size_ / 2) {
    std::memmove(bytes_.data(), bytes_.data() + taken_, size_ - taken_);
    size_ -= taken_;
    scanned_ -= taken_;
    taken_ = 0;
  }
  if (bytes_.size() < size_ + bytes) bytes_.resize(std::max(size_ + bytes, bytes_.size() * 2));
  return bytes_.data() + size_;
}

void Inbox::add(std::size_t bytes) { size_ += bytes; }

std::size_t Inbox::free_bytes() const {
  // One byte more than is allowed, so that take() sees that a group is too large.
  const std::size_t waiting = size_ - taken_;
  return waiting > most_bytes_ ? 0 : most_bytes_ + 1 - waiting;
}

std::optional<Group> Inbox::take() {
  const std::string_view all(bytes_.data(), size_);
  bool complete = false;
  while (!complete && size_ - scanned_ >= sizeof(Head)) {
    const Head head = head_at(all.substr(scanned_));
    const unsigned kind = head.kind & static_cast<std::uint8_t>(~kLast);
    if (kind < static_cast<unsigned>(MessageKind::kHello) || kind > static_cast<unsigned>(MessageKind::kSilent))
      throw Malformed("a message of no known kind");
    const std::size_t length = length_of(head);
    if (scanned_ - taken_ + length > most_bytes_) throw Malformed("more at once than is allowed");
    if (size_ - scanned_ < length) break;
    scanned_ += length;
    complete = is_last(head);
  }
  if (!complete) {
    if (size_ - taken_ > most_bytes_) throw Malformed("more at once than is allowed");
    return std::nullopt;
  }
  Group group;
  while (taken_ < scanned_) {
    const Head head = head_at(all.substr(taken_));
    group.messages.push_back({head, all.substr(taken_ + sizeof head, head.bytes)});
    taken_ += length_of(head);
  }
  std::memcpy(&group.end, all.data() + taken_ - sizeof group.end, sizeof group.end);
  return group;
}

Value value_in(const Message& message) {
  switch (static_cast<Type>(message.head.type)) {
    case Type::kNone:
      if (!message.value.empty()) throw Malformed("nothing, with bytes");
      return {};
    case Type::kInteger:
      return static_cast<std::int64_t>(number_in(message));
    case Type::kDouble:
      return std::bit_cast<double>(number_in(message));
    case Type::kReference:
      return ObjectId{number_in(message)};
    case Type::kString:
      return message.value;
    case Type::kBytes:
      return Bytes{message.value};
  }
  throw Malformed("a value of no known type");
}

std::string encoded_names(const Class& type) {
  std::string names;
  const auto add = [&](const std::string& name) {
    names.append(as_bytes(static_cast<std::uint16_t>(name.size()))).append(name);
  };
  add(type.name());
  for (const std::string& slot : type.slots()) add(slot);
  return names;
}

}  // namespace heddle::objectbase
