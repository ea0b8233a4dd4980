// What the verdicts rest on without showing it: unknown code, calls whose targets are guessed, limits that were
// reached, places that depend on the thread, and functions that no constraint can keep apart from handlers.
#pragma once

#include <vector>

#include "elyze/conflicts/conflicts.hpp"
#include "elyze/explain/findings.hpp"
#include "elyze/explain/reached.hpp"

namespace heddle::elyze {

std::vector<Findings::Assumption> assumptions(const Analysis& analysis, const World& world, const Conflicts& conflicts,
                                              const Reached& reached);

// The function of the library that registers the handler, or the program's own event loop.
std::string registered_by(const Registration& registration);

}  // namespace heddle::elyze
