#include "elyze/effects/summary.hpp"

namespace heddle::elyze {

const Witness& innermost(const Witness& witness) {
  const Witness* last = &witness;
  while (last->callee != nullptr) last = last->callee;
  return *last;
}

namespace {

const llvm::Instruction* place_that_counts(const Access& access) {
  return counted(access.mode) && access.witness != nullptr ? innermost(*access.witness).at : nullptr;
}

}  // namespace

std::vector<Range> entries_behind(const PointsTo& points_to, const Access& access) {
  if (!writes(access.mode)) {
    if (points_to.graph.may_connect_to_a_path(access.cell, access.if_any)) return {kEverything};
    return {};
  }
  std::vector<Range> found;
  for (const FileName file : points_to.graph.files_behind(access.cell, access.if_any)) {
    if (file == kNoFile) continue;
    const auto bytes = points_to.files.bytes(file);
    found.insert(found.end(), bytes.begin(), bytes.end());
  }
  return found;
}

// A socket takes a port of its own choice, or gives its address up, in whatever order others do so. Connected from an
// address that it was given before, it may be refused for another connection between the two (tcp(7), connect(2)).
std::optional<Mode> mode_of_address(const PointsTo& points_to, const Access& access) {
  if (!points_to.graph.may_be_a_socket(access.cell, access.if_any)) return std::nullopt;
  const bool bound =
      (points_to.graph.node(access.cell).flags & kBound) || points_to.graph.of_unknown_origin(access.cell, false);
  return access.address == Access::Address::kTaken && bound ? Mode::kWrite : Mode::kPart;
}

bool same_access(const Access& a, const Access& b) {
  return a.cell == b.cell && a.size == b.size && a.extent == b.extent && a.mode == b.mode && a.root == b.root &&
         a.late == b.late && a.child == b.child && a.behind == b.behind && a.closes == b.closes &&
         a.if_any == b.if_any && a.contents == b.contents && a.entry == b.entry && a.address == b.address &&
         a.descriptor == b.descriptor && a.file == b.file && place_that_counts(a) == place_that_counts(b);
}

std::size_t hash_access(const Access& access) {
  std::size_t hash = access.cell.node;
  const auto mix = [&hash](std::size_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
  };
  mix(static_cast<std::size_t>(access.cell.offset));
  mix(static_cast<std::size_t>(access.size));
  mix((static_cast<std::size_t>(access.extent) << 8U) | (static_cast<std::size_t>(access.mode) << 1U) | access.late);
  mix((static_cast<std::size_t>(access.root) << 4U) | (access.behind ? 8U : 0U) | (access.if_any ? 4U : 0U) |
      (access.child ? 2U : 0U) | (access.closes ? 1U : 0U));
  mix(static_cast<std::size_t>(access.address));
  mix((static_cast<std::size_t>(access.file) << 3U) | (access.entry ? 4U : 0U) | (access.descriptor ? 2U : 0U) |
      (access.contents ? 1U : 0U));
  mix(reinterpret_cast<std::size_t>(place_that_counts(access)));
  return hash;
}

}  // namespace heddle::elyze
