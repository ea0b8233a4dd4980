// What a linked program says of its handlers by hand (multivent/multivent.h), joined with the analyser's document.
//
// There are two ways to say it, because only one of them cannot do harm. A requirement keeps handlers further apart
// than the document does, and never less. A promise takes the document's place, also where it allows more: the program
// vouches for it. Requirements are applied after promises, so that they always hold.
//
// The outcome is an ordinary document: everything after it, such as handlers that cannot be told apart and pairs that
// nobody mentions, is treated as if the analyser had written it.
#pragma once

#include <cstdint>
#include <vector>

#include "multivent/program/constraints_file.hpp"
#include "multivent/program/symbols.hpp"
#include "scheduler/admission/constraints.hpp"

namespace heddle::multivent {

class Declarations {
 public:
  using Address = std::uintptr_t;  // of a handler's function

  void require(Address a, Address b, scheduler::Verdict verdict) { required_.push_back({a, b, verdict}); }
  void promise(Address a, Address b, scheduler::Verdict verdict) { promised_.push_back({a, b, verdict}); }
  // The argument of `handler` lies that many bytes from the start of its session.
  void promise_session(Address handler, std::intptr_t offset) { sessions_.push_back({handler, offset}); }

  // True if no more can run at once than the document allows.
  bool only_requirements() const { return promised_.empty() && sessions_.empty(); }
  bool empty() const { return only_requirements() && required_.empty(); }

  // Changes `document`, which may be without handlers. UserError if a function is not known to `symbols` by a name of
  // its own, or if the document knows another session of it.
  void apply_to(ConstraintsFile& document, const Symbols& symbols) const;

 private:
  struct Pair {
    Address a;
    Address b;
    scheduler::Verdict verdict;
  };
  struct Session {
    Address handler;
    std::intptr_t offset;
  };

  std::vector<Pair> required_;
  std::vector<Pair> promised_;
  std::vector<Session> sessions_;
};

}  // namespace heddle::multivent
