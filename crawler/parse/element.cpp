#include "crawler/parse/element.hpp"

#include <array>
#include <cstring>
#include <iterator>

#include "crawler/parse/ascii.hpp"

namespace heddle::crawler {
namespace {

using enum Element;

constexpr ElementName kListed[] = {
    {"a", a},
    {"area", area, false, true},
    {"audio", audio},
    {"base", base, false, true},
    {"embed", embed, true, true},
    {"frame", frame, false, true},
    {"iframe", iframe},
    {"img", img, true, true},
    {"input", input, false, true},
    {"link", link, false, true},
    {"meta", meta, true, true},
    {"object", object},
    {"script", script},
    {"source", source, false, true},
    {"style", style},
    {"track", track, false, true},
    {"video", video},
    {"image", image, false, true},
    {"noembed", noembed},
    {"noframes", noframes},
    {"plaintext", plaintext},
    {"textarea", textarea},
    {"title", title},
    {"xmp", xmp},
    {"template", template_},
    {"annotation-xml", annotation_xml},
    {"desc", desc},
    {"foreignobject", foreign_object},
    {"malignmark", malignmark},
    {"math", math},
    {"mglyph", mglyph},
    {"mi", mi},
    {"mn", mn},
    {"mo", mo},
    {"ms", ms},
    {"mtext", mtext},
    {"svg", svg},
    {"br", br, true, true},
    {"p", p, true},
    {"font", font},
    {"b", other, true},
    {"big", other, true},
    {"blockquote", other, true},
    {"body", other, true},
    {"center", other, true},
    {"code", other, true},
    {"dd", other, true},
    {"div", other, true},
    {"dl", other, true},
    {"dt", other, true},
    {"em", other, true},
    {"h1", other, true},
    {"h2", other, true},
    {"h3", other, true},
    {"h4", other, true},
    {"h5", other, true},
    {"h6", other, true},
    {"head", other, true},
    {"hr", other, true, true},
    {"i", other, true},
    {"li", other, true},
    {"listing", other, true},
    {"menu", other, true},
    {"nobr", other, true},
    {"ol", other, true},
    {"pre", other, true},
    {"ruby", other, true},
    {"s", other, true},
    {"small", other, true},
    {"span", other, true},
    {"strong", other, true},
    {"strike", other, true},
    {"sub", other, true},
    {"sup", other, true},
    {"table", other, true},
    {"tt", other, true},
    {"u", other, true},
    {"ul", other, true},
    {"var", other, true},
    {"basefont", other, false, true},
    {"bgsound", other, false, true},
    {"col", other, false, true},
    {"keygen", other, false, true},
    {"param", other, false, true},
    {"wbr", other, false, true},
    // What svg and math stand in: their end tags close these, too.
    {"address", other},
    {"article", other},
    {"aside", other},
    {"button", other},
    {"caption", other},
    {"details", other},
    {"dialog", other},
    {"fieldset", other},
    {"figcaption", other},
    {"figure", other},
    {"footer", other},
    {"form", other},
    {"header", other},
    {"label", other},
    {"legend", other},
    {"main", other},
    {"nav", other},
    {"picture", other},
    {"search", other},
    {"section", other},
    {"summary", other},
    {"tbody", other},
    {"td", other},
    {"tfoot", other},
    {"th", other},
    {"thead", other},
    {"tr", other},
};

constexpr auto kNames = [] {
  std::array<ElementName, std::size(kListed)> names{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = kListed[i];
    names[i].number = i + 1;
  }
  return names;
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
