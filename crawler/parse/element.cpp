#include "crawler/parse/element.hpp"

#include <bit>
#include <cstring>

#include "crawler/parse/ascii.hpp"

namespace heddle::crawler {
namespace {

constexpr ElementName kUnknown;

// The first eight characters, lower-cased, and the length: equal for equal names. Setting the bit 0x20 lower-cases
// letters and leaves digits and `-` as they are; what it makes of other bytes is told apart by comparing the names.
constexpr std::uint64_t key_of(std::string_view name) {
  std::uint64_t key = 0;
  const std::size_t size = name.size() < 8 ? name.size() : 8;
  for (std::size_t i = 0; i < size; ++i) key |= std::uint64_t{static_cast<unsigned char>(name[i] | 0x20)} << (8 * i);
  return key + name.size();
}

// The same at run time: by one load of eight bytes where the text has as many behind the name's begin, else by two of
// four, two or one byte each, which may overlap.
std::uint64_t fast_key_of(std::string_view name, const char* text_end) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t kCase = 0x2020202020202020U;
  if (name.empty()) return 0;
  const std::size_t size = name.size() < 8 ? name.size() : 8;
  const std::uint64_t mask = ~std::uint64_t{0} >> (8 * (8 - size));
  if (text_end - name.data() >= 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, name.data(), sizeof bytes);
    return ((bytes | kCase) & mask) + name.size();
  }
  const auto both_ends = [&]<class Word>(Word first) {
    Word last = 0;
    std::memcpy(&first, name.data(), sizeof first);
    std::memcpy(&last, name.data() + size - sizeof last, sizeof last);
    return std::uint64_t{first} | std::uint64_t{last} << (8 * (size - sizeof last));
  };
  const std::uint64_t bytes = size >= 4   ? both_ends(std::uint32_t{})
                              : size >= 2 ? both_ends(std::uint16_t{})
                                          : both_ends(std::uint8_t{});
  return (bytes | (kCase & mask)) + name.size();
}

constexpr std::size_t kSlots = 512;
constexpr std::size_t slot_of(std::uint64_t key) { return key * 0x9E3779B97F4A7C15U >> 55; }

struct Slot {
  std::uint64_t key = 0;
  std::uint32_t size = 0;  // of the name; 0: an empty slot
  std::uint16_t index = 0;
  bool whole = false;  // a name of no more than eight letters: no other of its length has this key
};

// Open addressing.
constexpr std::array<Slot, kSlots> kTable = [] {
  std::array<Slot, kSlots> table{};
  for (std::size_t i = 0; i < kKnownElements.size(); ++i) {
    const std::string_view name = kKnownElements[i].name;
    std::size_t slot = slot_of(key_of(name));
    while (table[slot].size != 0) slot = (slot + 1) % kSlots;
    table[slot] = {key_of(name), static_cast<std::uint32_t>(name.size()), static_cast<std::uint16_t>(i),
                   name.size() <= 8};
    for (const char c : name) table[slot].whole = table[slot].whole && is_letter(c);
  }
  return table;
}();

}  // namespace

const ElementName& find_element(std::string_view name, const char* text_end, bool any_case) {
  const std::uint64_t key = fast_key_of(name, text_end);
  for (std::size_t place = slot_of(key); kTable[place].size != 0; place = (place + 1) % kSlots) {
    const Slot& slot = kTable[place];
    if (slot.key != key || slot.size != name.size()) continue;
    const ElementName& known = kKnownElements[slot.index];
    if (any_case ? slot.whole || equals_lower(name, known.name) : name == known.name) return known;
  }
  return kUnknown;
}

}  // namespace heddle::crawler
