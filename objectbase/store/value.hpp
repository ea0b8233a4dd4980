// How a value lies in a slot: its type and length in one word; itself in the other, or the block where it is. And what
// of an object's number is the place of its entry.
#pragma once

#include <bit>
#include <cstring>
#include <string_view>

#include "objectbase/objectbase.hpp"
#include "objectbase/store/space.hpp"

namespace heddle::objectbase {

inline constexpr std::uint64_t kAny = ~std::uint64_t{0};  // no object's

constexpr std::uint32_t index_of(ObjectId id) { return static_cast<std::uint32_t>(id.number) - 1; }
// What Version::object of its versions is.
constexpr std::uint64_t object_of(ObjectId id) { return id.number - 1; }

inline bool is_block(const Slot& slot) {
  const std::uint64_t meta = slot.meta.load(std::memory_order_relaxed);
  return meta >> 8 > kInPlace;
}

// Does the version, which may be null, have the block in that slot? Mostly the word says no.
inline bool has_block(const Version* version, unsigned slot, Offset block) {
  return version != nullptr && slot < version->slots.load(std::memory_order_relaxed) &&
         version->begin()[slot].word.load(std::memory_order_relaxed) == block && is_block(version->begin()[slot]);
}

inline void store_slot(Slot& slot, std::uint64_t meta, std::uint64_t word) {
  slot.meta.store(meta, std::memory_order_relaxed);
  slot.word.store(word, std::memory_order_relaxed);
}

// A value as its slot has it; with more bytes than go into it, those that need a block, which `word` leads to then.
struct Word {
  std::uint64_t meta = 0;
  std::uint64_t word = 0;
  std::string_view bytes;
};
inline Word word_of(const Value& value) {
  Word word;
  const auto text = [&](std::string_view bytes) {
    word.meta = std::uint64_t{bytes.size()} << 8;
    if (bytes.size() > kInPlace)
      word.bytes = bytes;
    else if (!bytes.empty())
      std::memcpy(&word.word, bytes.data(), bytes.size());
  };
  if (const auto* string = std::get_if<std::string_view>(&value))
    text(*string);
  else if (const auto* raw = std::get_if<Bytes>(&value))
    text(raw->bytes);
  else if (const auto* integer = std::get_if<std::int64_t>(&value))
    word.word = static_cast<std::uint64_t>(*integer);
  else if (const auto* number = std::get_if<double>(&value))
    word.word = std::bit_cast<std::uint64_t>(*number);
  else if (const auto* id = std::get_if<ObjectId>(&value))
    word.word = id->number;
  word.meta |= value.index();  // the alternatives of Value stand in the order of Type
  return word;
}

// The slot of a version that stays.
inline Value value_of(Space& space, const Slot& slot) {
  const std::uint64_t meta = slot.meta.load(std::memory_order_relaxed);
  const std::uint64_t word = slot.word.load(std::memory_order_relaxed);
  const auto bytes = [&]() -> std::string_view {
    const std::uint64_t length = meta >> 8;
    const char* start = length <= kInPlace ? reinterpret_cast<const char*>(&slot.word) : space.at<char>(word, length);
    return start == nullptr ? std::string_view{} : std::string_view{start, length};
  };
  switch (static_cast<Type>(meta & 0xff)) {
    case Type::kInteger:
      return static_cast<std::int64_t>(word);
    case Type::kDouble:
      return std::bit_cast<double>(word);
    case Type::kReference:
      return ObjectId{word};
    case Type::kString:
      return bytes();
    case Type::kBytes:
      return Bytes{bytes()};
    case Type::kNone:
      break;
  }
  return {};
}

}  // namespace heddle::objectbase
