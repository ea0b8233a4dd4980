// Which classes of handlers may run at once.
//
// A class stands for handlers with equal constraints. Two classes are related by a verdict: they may always overlap
// (`never` a conflict), only in different sessions (`session`), or not at all (`always`). What nobody has said is
// `always`: a missing fact costs speed, never correctness.
//
// Invariants: the relation is symmetric; class 0 stands for every handler nothing is known of and is `always` with all
// classes, itself included. The object is filled by one thread and then only read.
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

  // Says it for (b, a) too. Neither may be the unknown class.
  void set(ClassId a, ClassId b, Verdict verdict);

  Verdict verdict(ClassId a, ClassId b) const;

  // True if nothing at all may run beside an invocation of this class.
  bool exclusive(ClassId c) const { return always_row(c).count() == size(); }

  std::size_t size() const { return classes_.size(); }
  const std::string& name(ClassId c) const { return classes_[c].name; }

  // The classes whose verdict with `c` is `always`, and those with which it is `session`.
  const BitRow& always_row(ClassId c) const { return classes_[c].always; }
  const BitRow& session_row(ClassId c) const { return classes_[c].session; }

 private:
  struct Class {
    std::string name;
    BitRow always;
    BitRow session;
  };

  void set_one_way(ClassId a, ClassId b, Verdict verdict);

  std::vector<Class> classes_;
};

}  // namespace heddle::scheduler
