// Makes what an edit says in a transaction of the owner, checking each of its words: they are an editor's.
#pragma once

#include <cstdint>
#include <vector>

#include "objectbase/transport/edit.hpp"
#include "objectbase/transport/message.hpp"
#include "objectbase/transport/owner.hpp"

namespace heddle::objectbase {

class Applied {
 public:
  Applied(const Store& store, Work& work) : store_(store), work_(work) {}

  // Throws base::UserError if the edit cannot be made, Malformed if no editor would send it.
  void apply(const Message& message);
  // The objects that it has created.
  const std::vector<ObjectId>& made() const { return made_; }

 private:
  ObjectId real(std::uint64_t number) const;
  void check_slot(ObjectId id, unsigned slot);
  void expect(const Message& message);

  const Store& store_;
  Work& work_;
  std::vector<ObjectId> made_;
};

}  // namespace heddle::objectbase
