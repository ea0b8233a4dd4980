// Work: a transaction of the owner, and what an edit becomes in one.
#include <algorithm>
#include <cstring>

#include "base/user_error.hpp"
#include "objectbase/transport/apply.hpp"
#include "objectbase/transport/owner.hpp"

namespace heddle::objectbase {

// --- Work ---

Work::Work(Owner& owner, unsigned editor) : owner_(&owner), editor_(editor), transaction_(owner.store_.begin()) {}

ObjectId Work::create(const Class& type) {
  const ObjectId id = transaction_.create(type);
  touched_.push_back({id, What::kCreated});
  created_.emplace(id, type.number());
  return id;
}

void Work::set_value(ObjectId id, unsigned slot, const Value& value) {
  const auto* text = std::get_if<std::string_view>(&value);
  const auto* bytes = std::get_if<Bytes>(&value);
  if ((text != nullptr && text->size() > kMostValue) || (bytes != nullptr && bytes->bytes.size() > kMostValue))
    throw base::UserError("objectbase: a value that editors are told of has at most 1 GiB");
  transaction_.set(id, slot, value);
  touched_.push_back({id, What::kSet, slot});
}

void Work::erase(ObjectId id) {
  transaction_.erase(id);
  touched_.push_back({id, What::kErased});
}

std::uint32_t Work::type(ObjectId id) const {
  if (const auto found = created_.find(id); found != created_.end()) return found->second;
  const Pinned pinned = owner_->store_.pin(id);
  return pinned ? pinned.type() : 0;
}

std::uint64_t Work::commit() { return owner_->commit(*this, nullptr, 0, {}); }

// --- An edit ---

ObjectId Applied::real(std::uint64_t number) const {
  if (number < kProposed) return {number};
  const std::uint64_t place = number - kProposed;
  if (place == 0 || place > made_.size()) throw base::UserError("it names an object that it has not created");
  return made_[place - 1];
}

// The slots of an object's class: one set beyond would make the object larger than any of its class.
void Applied::check_slot(ObjectId id, unsigned slot) {
  const std::uint32_t type = work_.type(id);
  if (type == 0) throw base::UserError("there is no object " + std::to_string(id.number));
  if (slot >= store_.slots(type))
    throw base::UserError("class " + store_.type(type).name() + " has no slot " + std::to_string(slot));
}

void Applied::expect(const Message& message) {
  const Value value = value_in(message);
  const auto* commit = std::get_if<std::int64_t>(&value);
  if (commit == nullptr) throw Malformed("an expectation without a commit");
  const ObjectId id = real(message.head.object);
  const Pinned now = store_.pin(id);
  if (!now) throw base::UserError("there is no object " + std::to_string(id.number) + " any more");
  if (now.commit() > static_cast<std::uint64_t>(*commit))
    throw base::UserError("object " + std::to_string(id.number) + " has been changed meanwhile");
}

void Applied::apply(const Message& message) {
  switch (message.kind()) {
    case MessageKind::kCreate: {
      const std::optional<Class> type = store_.find(message.value);
      if (!type) throw base::UserError("there is no class " + std::string(message.value));
      if (message.head.object != kProposed + made_.size() + 1) throw Malformed("objects that are not in their order");
      made_.push_back(work_.create(*type));
      break;
    }
    case MessageKind::kSet: {
      const ObjectId id = real(message.head.object);
      check_slot(id, message.head.slot);
      Value value = value_in(message);
      if (auto* reference = std::get_if<ObjectId>(&value)) *reference = real(reference->number);
      work_.set(id, message.head.slot, value);
      break;
    }
    case MessageKind::kErase:
      work_.erase(real(message.head.object));
      break;
    case MessageKind::kExpect:
      expect(message);
      break;
    case MessageKind::kSilent:
      break;
    default:
      throw Malformed("a message that no editor sends");
  }
}

}  // namespace heddle::objectbase
