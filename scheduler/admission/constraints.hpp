// Which classes of handlers may run at once.
//
// A class stands for handlers with equal constraints. Two classes are related by a verdict: they never conflict and may
// always overlap (`never`), they conflict within a session and may overlap in different ones (`session`), or they
// always conflict and may not overlap at all (`always`). A pair without a verdict is `always`: a missing fact costs
// speed, never correctness.
//
// Beside its verdict a pair has a weaker one for each direction, which decides whether an invocation of `a` may start
// while one of `b` runs. The two differ if `a` touches the rest of what they share only behind a late point, where it
// waits for `b` to end (admission.hpp). Unless set_starts() said otherwise, it is the verdict itself.
//
// Invariants: verdicts are symmetric, and a verdict for starting is never the stronger one; class 0 stands for every
// handler of which nothing is known, and is `always` with all classes, itself included.
//
// Not thread-safe: one thread fills the object before others read it; a base that adds classes to a copy of its own
// does so under its mutex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scheduler/admission/bit_row.hpp"

namespace heddle::scheduler {

using ClassId = std::uint16_t;
inline constexpr ClassId kUnknownClass = 0;

enum class Verdict : std::uint8_t { kNever, kSession, kAlways };

class Constraints {
 public:
  Constraints();

  // The new class is `always` with every class, itself included.
  ClassId add_class(std::string name);

  // The verdict of the pair, in either order, which then also decides about starting. Neither may be the unknown class.
  void set(ClassId a, ClassId b, Verdict verdict);
  // A weaker verdict for `a` to start while `b` runs. The other direction stays as it is.
  void set_starts(ClassId a, ClassId b, Verdict verdict);

  Verdict verdict(ClassId a, ClassId b) const;
  Verdict starts(ClassId a, ClassId b) const;

  // Nothing at all may run beside an invocation of this class, whichever of the two started first.
  bool exclusive(ClassId c) const {
    return blocked_by(c).always.count() == size() && blocks(c).always.count() == size();
  }
  // An invocation of this class may have to wait at a late point.
  bool waits_late(ClassId c) const { return classes_[c].waits_late; }

  std::size_t size() const { return classes_.size(); }
  const std::string& name(ClassId c) const { return classes_[c].name; }

  // The verdicts of one class: the classes with which it is `always`, and those with which it is `session`.
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
  // By the verdicts for starting: the classes that block an invocation of `c` while they run; those that `c` blocks.
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
