// Which classes of handlers may run at once.
//
// A class stands for handlers with equal constraints. Two classes are related by a verdict: they may always overlap
// (`never` a conflict), only in different sessions (`session`), or not at all (`always`). What nobody has said is
// `always`: a missing fact costs speed, never correctness.
//
// Beside its verdict a pair has a weaker one for each direction: what must hold for an invocation of `a` to start while
// one of `b` runs, if `a` touches the rest of what they share only behind a late point. It waits there for `b` to end
// (admission.hpp). What nobody has said is the verdict itself.
//
// Invariants: the relation is symmetric, and `starts` is never stronger than it; class 0 stands for every handler
// nothing is known of and is `always` with all classes, itself included. The object is filled by one thread and then
// only read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scheduler/bit_row.hpp"

namespace heddle::scheduler {

using ClassId = std::uint16_t;
inline constexpr ClassId kUnknownClass = 0;

enum class Verdict : std::uint8_t { kNever, kSession, kAlways };

class Constraints {
 public:
  Constraints();

  // The new class is `always` with every class, itself included.
  ClassId add_class(std::string name);

  // Says it for (b, a) too, and that either starts by it. Neither may be the unknown class.
  void set(ClassId a, ClassId b, Verdict verdict);
  // That `a` may start by a weaker verdict while `b` runs. Nothing is said about the other direction.
  void set_starts(ClassId a, ClassId b, Verdict verdict);

  Verdict verdict(ClassId a, ClassId b) const;
  Verdict starts(ClassId a, ClassId b) const;

  // True if nothing at all may run beside an invocation of this class, whichever of the two started first.
  bool exclusive(ClassId c) const {
    return blocked_by(c).always.count() == size() && blocks(c).always.count() == size();
  }
  // An invocation of this class may have to wait at a late point.
  bool waits_late(ClassId c) const { return classes_[c].waits_late; }

  std::size_t size() const { return classes_.size(); }
  const std::string& name(ClassId c) const { return classes_[c].name; }

  // Classes by a verdict: those with which it is `always`, and those with which it is `session`.
  struct Rows {
    BitRow always;
    BitRow session;
    Verdict at(ClassId other) const {
      if (always.test(other)) return Verdict::kAlways;
      return session.test(other) ? Verdict::kSession : Verdict::kNever;
    }
    void set(ClassId other, Verdict verdict);
    friend bool operator==(const Rows&, const Rows&) = default;
  };
  // Who keeps an invocation of `c` from starting while it runs; whom one of `c` keeps from starting.
  const Rows& blocked_by(ClassId c) const { return classes_[c].blocked_by; }
  const Rows& blocks(ClassId c) const { return classes_[c].blocks; }

 private:
  struct Class {
    std::string name;
    Rows verdicts;
    Rows blocked_by;
    Rows blocks;
    bool waits_late = false;
  };

  std::vector<Class> classes_;
};

}  // namespace heddle::scheduler
