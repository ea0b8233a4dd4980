// Which parts may run at once, as constraints of the runtime's scheduler, derived from what commands declare.
//
// A class stands for commands of one kind that read and write the same types of data. Two classes conflict if one
// writes a type that the other reads or writes; within a session only, where a session is a set of data that commands
// connect: a page, its tree and what is painted of it are one, each image is another. What has no data has no session,
// and conflicts with nothing. A command that connects data of several sessions that are in use already is of the
// unknown class, which runs alone: what is queued cannot change its session.
//
// Guarded by the mutex of the loop.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "scheduler/admission/constraints.hpp"
#include "threadlab/models/task.hpp"

namespace heddle::threadlab {

class Conflicts {
 public:
  Conflicts();

  // The tasks of the scenario, before any of them is queued: connected data become one session.
  void connect(const std::vector<const Task*>& tasks);
  // Gives a task, before it is queued for the first time, its class and session.
  void classify(Task& task);

  // Conflicts with nothing: for models that lock the data instead.
  scheduler::ClassId free_class() const { return free_; }
  const scheduler::Constraints& constraints() const { return constraints_; }

 private:
  struct Signature {
    std::string kind;
    std::set<std::type_index> reads;
    std::set<std::type_index> writes;
    auto operator<=>(const Signature&) const = default;
  };
  using Session = std::uintptr_t;  // from 1

  static Signature signature_of(const Command& command);
  static bool touches(const Signature& writer, const Signature& other);
  scheduler::ClassId class_of(const Command& command);
  Session find(Session session);
  // 0: it has no data. `several`: it has data of more than one session.
  Session session_of(const Command& command, bool& several);

  scheduler::Constraints constraints_;
  scheduler::ClassId free_;
  std::map<Signature, scheduler::ClassId> classes_;
  std::unordered_map<const Data*, Session> sessions_;
  std::vector<Session> joined_to_{0};  // union-find; 0 is no session
};

}  // namespace heddle::threadlab
