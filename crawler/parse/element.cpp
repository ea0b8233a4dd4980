#include "crawler/parse/element.hpp"

#include <array>
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

constexpr std::size_t kSlots = 512;
constexpr std::size_t slot_of(std::uint64_t key) { return key * 0x9E3779B97F4A7C15U >> 55; }

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
  for (std::size_t slot = slot_of(key_of(name)); kTable[slot] != 0xFF; slot = (slot + 1) % kSlots) {
    const ElementName& known = kNames[kTable[slot]];
    if (any_case ? equals_lower(name, known.name) : name == known.name) return known;
  }
  return kUnknown;
}

}  // namespace heddle::crawler
