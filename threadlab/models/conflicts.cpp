#include "threadlab/models/conflicts.hpp"

#include <algorithm>
#include <typeinfo>

namespace heddle::threadlab {
namespace {

std::set<std::type_index> types_of(const Command::DataList& list) {
  std::set<std::type_index> types;
  for (const auto& data : list) {
    const Data& object = *data;
    types.insert(typeid(object));
  }
  return types;
}

bool share(const std::set<std::type_index>& a, const std::set<std::type_index>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::type_index& type) { return b.contains(type); });
}

}  // namespace

Conflicts::Conflicts() : free_(constraints_.add_class("any")) {
  constraints_.set(free_, free_, scheduler::Verdict::kNever);
}

Conflicts::Signature Conflicts::signature_of(const Command& command) {
  return {command.kind(), types_of(command.reads()), types_of(command.writes())};
}

bool Conflicts::touches(const Signature& writer, const Signature& other) {
  return share(writer.writes, other.writes) || share(writer.writes, other.reads);
}

scheduler::ClassId Conflicts::class_of(const Command& command) {
  const Signature signature = signature_of(command);
  const auto known = classes_.find(signature);
  if (known != classes_.end()) return known->second;
  const scheduler::ClassId added = constraints_.add_class(command.kind());
  classes_.emplace(signature, added);
  for (const auto& [other, its_class] : classes_) {
    const bool conflict = touches(signature, other) || touches(other, signature);
    constraints_.set(added, its_class, conflict ? scheduler::Verdict::kSession : scheduler::Verdict::kNever);
  }
  return added;
}

Conflicts::Session Conflicts::find(Session session) {
  while (joined_to_[session] != session) session = joined_to_[session] = joined_to_[joined_to_[session]];
  return session;
}

Conflicts::Session Conflicts::session_of(const Command& command, bool& several) {
  Session found = 0;
  for (const auto* const list : {&command.reads(), &command.writes()}) {
    for (const auto& data : *list) {
      const auto known = sessions_.find(data.get());
      if (known == sessions_.end()) continue;
      const Session session = find(known->second);
      several = several || (found != 0 && found != session);
      if (found == 0) found = session;
    }
  }
  for (const auto* const list : {&command.reads(), &command.writes()}) {
    for (const auto& data : *list) {
      if (sessions_.contains(data.get())) continue;
      if (found == 0) {
        found = joined_to_.size();
        joined_to_.push_back(found);
      }
      sessions_.emplace(data.get(), found);
    }
  }
  return found;
}

void Conflicts::connect(const std::vector<const Task*>& tasks) {
  for (const Task* const task : tasks) {
    bool several = false;
    const Session session = session_of(*task->command, several);
    if (!several) continue;
    for (const auto* const list : {&task->command->reads(), &task->command->writes()})
      for (const auto& data : *list) joined_to_[find(sessions_.at(data.get()))] = session;
  }
}

void Conflicts::classify(Task& task) {
  if (task.klass != scheduler::kUnknownClass || task.session != 0) return;
  bool several = false;
  task.session = session_of(*task.command, several);
  // `several` now and not in connect(): the sessions were in use before this task came.
  if (!several) task.klass = class_of(*task.command);
}

}  // namespace heddle::threadlab
