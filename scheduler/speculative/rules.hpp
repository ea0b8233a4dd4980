// The rules by which speculative execution is right, each of which a test can switch off to see that it is missed.
//
// What ships has all of them. A test derives a type from its Sync and specialises RulesOf for that.
#pragma once

namespace heddle::speculative {

struct AllRules {
  // Who commits stops all others that have read what it writes.
  static constexpr bool kInvalidates = true;
  // Nobody reads while a commit writes: a transaction sees all of a commit, or nothing.
  static constexpr bool kReadsExcludeCommits = true;
  // One that has to stop does so at its next read.
  static constexpr bool kStopsAtNextRead = true;
  // One that has to stop does not commit.
  static constexpr bool kChecksAtEnd = true;
  // In event order, each event commits when all before it have.
  static constexpr bool kWaitsForTurn = true;
  // The next one's turn comes when deferred effects are over.
  static constexpr bool kTurnAfterEffects = true;
  // What an event that has to stop wanted to start and to do is forgotten.
  static constexpr bool kForgetsSpawned = true;
  // An event with exclusive effects does not begin before its turn.
  static constexpr bool kExclusiveWaits = true;
  // In any order: who has a turn, for it was stopped too often or has effects, is stopped by nobody.
  static constexpr bool kTurnExcludesCommits = true;
  // An event behind one that threw has not run.
  static constexpr bool kExceptionStopsLater = true;
  // While an event runs without a transaction nobody else runs, and what had run beside it is forgotten.
  static constexpr bool kAloneIsAlone = true;
};

template <class Sync>
struct RulesOf : AllRules {};

}  // namespace heddle::speculative
