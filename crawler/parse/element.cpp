#include "crawler/parse/element.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <iterator>

#include "crawler/parse/ascii.hpp"

namespace heddle::crawler {
namespace {

constexpr auto kNames = [] {
  using enum Element;
  std::array listed = std::to_array<ElementName>({
#include "crawler/parse/element_names.inc"
  });
  for (std::size_t i = 0; i < listed.size(); ++i) listed[i].number = i + 1;
  return listed;
}();
static_assert(std::size(kNames) < kElementNames);
constexpr ElementName kUnknown;

// The first eight characters, lower-cased, and the length: equal for equal names. Setting the bit 0x20 lower-cases
// letters and leaves digits and `-` as they are; what it makes of other bytes is told apart by comparing the names.
constexpr std::uint64_t key_of(std::string_view name) {
  std::uint64_t key = 0;
  const std::size_t size = name.size() < 8 ? name.size() : 8;
  for (std::size_t i = 0; i < size; ++i) key |= std::uint64_t{static_cast<unsigned char>(name[i] | 0x20)} << (8 * i);
  return key + name.size();
}

// The same at run time, by two loads of four, two or one byte each, which may overlap.
std::uint64_t fast_key_of(std::string_view name) {
  static_assert(std::endian::native == std::endian::little);
  const std::size_t size = name.size() < 8 ? name.size() : 8;
  const auto both_ends = [&]<class Word>(Word first) {
    Word last = 0;
    std::memcpy(&first, name.data(), sizeof first);
    std::memcpy(&last, name.data() + size - sizeof last, sizeof last);
    return std::uint64_t{first} | std::uint64_t{last} << (8 * (size - sizeof last));
  };
  if (size == 0) return 0;
  const std::uint64_t bytes = size >= 4   ? both_ends(std::uint32_t{})
                              : size >= 2 ? both_ends(std::uint16_t{})
                                          : both_ends(std::uint8_t{});
  return (bytes | 0x2020202020202020U >> (8 * (8 - size))) + name.size();
}

constexpr std::size_t kSlots = 512;
constexpr std::size_t slot_of(std::uint64_t key) { return key * 0x9E3779B97F4A7C15U >> 55; }

struct Key {
  std::uint64_t key = 0;
  bool whole = false;  // a name of no more than eight letters: no other of its length has this key
};
constexpr auto kKeys = [] {
  std::array<Key, std::size(kNames)> keys{};
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    keys[i] = {key_of(kNames[i].name), kNames[i].name.size() <= 8};
    for (const char c : kNames[i].name) keys[i].whole = keys[i].whole && is_letter(c);
  }
  return keys;
}();

// Open addressing; 0xFF is an empty slot.
constexpr std::array<std::uint8_t, kSlots> kTable = [] {
  std::array<std::uint8_t, kSlots> table{};
  table.fill(0xFF);
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    std::size_t slot = slot_of(key_of(kNames[i].name));
    while (table[slot] != 0xFF) slot = (slot + 1) % kSlots;
    table[slot] = static_cast<std::uint8_t>(i);
  }
  return table;
}();

}  // namespace

const ElementName& find_element(std::string_view name, bool any_case) {
  const std::uint64_t key = fast_key_of(name);
  for (std::size_t slot = slot_of(key); kTable[slot] != 0xFF; slot = (slot + 1) % kSlots) {
    const Key& found = kKeys[kTable[slot]];
    if (found.key != key) continue;
    const ElementName& known = kNames[kTable[slot]];
    if (known.name.size() != name.size()) continue;
    if (any_case ? found.whole || equals_lower(name, known.name) : name == known.name) return known;
  }
  return kUnknown;
}

}  // namespace heddle::crawler
