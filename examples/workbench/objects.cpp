#include "objects.hpp"

#include <algorithm>
#include <cstring>

namespace workbench {
namespace {

constexpr std::array kFileSlots = {SlotForm{"path", Holds::kText, May::kRead},
                                   SlotForm{"mode", Holds::kInteger, May::kRead}};
constexpr std::array kSectionSlots = {
    SlotForm{"file", Holds::kObject, May::kCreate},   SlotForm{"place", Holds::kReal, May::kCreate},
    SlotForm{"name", Holds::kText, May::kWrite},      SlotForm{"source", Holds::kText, May::kWrite},
    SlotForm{"lines", Holds::kInteger, May::kRead},   SlotForm{"parent", Holds::kObject, May::kRead},
    SlotForm{"hidden", Holds::kInteger, May::kWrite}, SlotForm{"readonly", Holds::kInteger, May::kWrite},
};
constexpr std::array kNoteSlots = {
    SlotForm{"on", Holds::kObject, May::kCreate}, SlotForm{"text", Holds::kText, May::kWrite},
    SlotForm{"rule", Holds::kText, May::kRead},   SlotForm{"about", Holds::kObject, May::kRead},
    SlotForm{"name", Holds::kText, May::kRead},
};
constexpr std::array kLinkSlots = {
    SlotForm{"from", Holds::kObject, May::kCreate}, SlotForm{"to", Holds::kObject, May::kCreate},
    SlotForm{"name", Holds::kText, May::kWrite},    SlotForm{"rule", Holds::kText, May::kRead},
    SlotForm{"state", Holds::kText, May::kRead},
};
constexpr std::array kRulesSlots = {SlotForm{"path", Holds::kText, May::kRead},
                                    SlotForm{"count", Holds::kInteger, May::kRead},
                                    SlotForm{"error", Holds::kText, May::kRead}};

constexpr std::array kForms = {
    ClassForm{Kind::kFile, "File", kFileSlots, false, false},
    ClassForm{Kind::kFunction, "Function", kSectionSlots, true, true},
    ClassForm{Kind::kClass, "Class", kSectionSlots, true, true},
    ClassForm{Kind::kText, "Text", kSectionSlots, true, true},
    ClassForm{Kind::kNote, "Note", kNoteSlots, true, true},
    ClassForm{Kind::kLink, "Link", kLinkSlots, true, true},
    ClassForm{Kind::kRules, "Rules", kRulesSlots, false, false},
};

static_assert(std::all_of(kForms.begin(), kForms.end(), [](auto& each) { return each.slots.size() <= kMostSlots; }));

}  // namespace

std::span<const ClassForm> class_forms() { return kForms; }

const ClassForm& form_of(Kind kind) { return kForms[static_cast<std::size_t>(kind)]; }

const ClassForm* form_named(std::string_view name) {
  const auto* found = std::find_if(kForms.begin(), kForms.end(), [&](const auto& each) { return each.name == name; });
  return found == kForms.end() ? nullptr : found;
}

Kinds::Kinds(const Store& store) {
  for (const ClassForm& form : kForms) {
    const auto type = store.find(form.name);
    const auto same = [](const std::string& slot, const SlotForm& other) { return slot == other.name; };
    if (!type || !std::equal(type->slots().begin(), type->slots().end(), form.slots.begin(), form.slots.end(), same))
      throw Error("the store is no workbench's: its class " + std::string(form.name) + " is missing or another one");
    if (kinds_.size() <= type->number()) kinds_.resize(type->number() + 1);
    kinds_[type->number()] = form.kind;
  }
}

void define_classes(Store& store) {
  for (const ClassForm& form : kForms) {
    std::vector<std::string_view> names;
    for (const SlotForm& slot : form.slots) names.push_back(slot.name);
    store.define(form.name, names);
  }
}

bool is_text(std::string_view bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  for (std::size_t i = 0; i < bytes.size();) {
    // Eight bytes of ASCII, none of which is 0.
    std::uint64_t eight = 0;
    if (bytes.size() - i >= sizeof eight) std::memcpy(&eight, bytes.data() + i, sizeof eight);
    if (((eight | (eight - kOnes)) & kOnes << 7) == 0) {
      i += sizeof eight;
      continue;
    }
    const auto at = [&](std::size_t place) { return static_cast<unsigned char>(bytes[place]); };
    const unsigned first = at(i++);
    if (first == 0) return false;
    if (first < 0x80) continue;
    // By the first byte: how many follow, and between what the first of these lies.
    unsigned follow = 0;
    unsigned low = 0x80;
    unsigned high = 0xbf;
    if (first >= 0xc2 && first <= 0xdf) {
      follow = 1;
    } else if (first >= 0xe0 && first <= 0xef) {
      follow = 2;
      if (first == 0xe0) low = 0xa0;
      if (first == 0xed) high = 0x9f;
    } else if (first >= 0xf0 && first <= 0xf4) {
      follow = 3;
      if (first == 0xf0) low = 0x90;
      if (first == 0xf4) high = 0x8f;
    } else {
      return false;
    }
    for (; follow != 0; --follow, low = 0x80, high = 0xbf)
      if (i == bytes.size() || at(i) < low || at(i++) > high) return false;
  }
  return true;
}

LineEnds line_ends(std::string_view text) {
  if (text.find('\r') == std::string_view::npos) return LineEnds::kUnix;
  std::size_t returns = 0;
  std::size_t pairs = 0;
  std::size_t feeds = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') ++returns;
    if (text[i] != '\n') continue;
    ++feeds;
    if (i != 0 && text[i - 1] == '\r') ++pairs;
  }
  return returns == pairs && feeds == pairs ? LineEnds::kDos : LineEnds::kMixed;
}

std::int64_t count_lines(std::string_view text) {
  std::int64_t lines = !text.empty() && text.back() != '\n' ? 1 : 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) ++lines;
  return lines;
}

}  // namespace workbench
