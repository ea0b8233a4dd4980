// Whose memory an access touches. A verdict rests on that, since one graph node may stand for the objects of all
// sessions.
#pragma once

#include <cstdint>

namespace heddle::elyze {

// The invocation's own session; a block that the library gave to this invocation alone, though others may know it; a
// global; anybody's; the other end of a pipe, of which one end is the own session's.
enum class Anchor : std::uint8_t { kSession, kInvocation, kGlobal, kOther, kOtherEnd };
inline constexpr int kAnchors = 5;

// True if accesses with these anchors never meet: each invocation has a block of its own.
inline bool apart(Anchor a, Anchor b) { return a == Anchor::kInvocation && b == Anchor::kInvocation; }

// True if accesses with these anchors meet in one session only. Whoever has the other end of a pipe uses it directly.
inline bool in_own_sessions(Anchor a, Anchor b) { return a == b && (a == Anchor::kSession || a == Anchor::kOtherEnd); }

}  // namespace heddle::elyze
