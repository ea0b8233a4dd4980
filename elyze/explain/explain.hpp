// Translates results about LLVM's values and graph nodes into what a reader of the source understands: names, places,
// call paths, and what would remove a conflict.
#pragma once

#include "elyze/conflicts/conflicts.hpp"
#include "elyze/conflicts/pinned.hpp"
#include "elyze/explain/findings.hpp"

namespace heddle::elyze {

Findings explain(const Analysis& analysis, const World& world, const Conflicts& conflicts, const Pinned& pinned);

}  // namespace heddle::elyze
