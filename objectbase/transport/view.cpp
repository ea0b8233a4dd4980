#include "objectbase/transport/view.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heddle::objectbase {
namespace {

Form form_of(const Class& type) { return {type.number(), type.name(), type.slots()}; }

}  // namespace

// --- A copy ---

std::uint32_t Copy::type(ObjectId id) const {
  const auto found = objects_.find(id.number);
  return found == objects_.end() ? 0 : found->second.type;
}

Value Copy::get(ObjectId id, unsigned slot) const {
  const auto found = objects_.find(id.number);
  if (found == objects_.end() || slot >= found->second.slots.size()) return {};
  const auto& [head, bytes] = found->second.slots[slot];
  return value_in({head, bytes});
}

void Copy::each(const std::function<void(ObjectId)>& call) const {
  for (const auto& [number, object] : objects_) call({number});
}

std::optional<Form> Copy::form(std::string_view name) const {
  for (const auto& [number, each] : forms_)
    if (each.name == name) return each;
  return std::nullopt;
}

std::optional<Form> Copy::form(std::uint32_t number) const {
  const auto found = forms_.find(number);
  return found == forms_.end() ? std::nullopt : std::optional(found->second);
}

void Copy::touch(std::uint64_t object) { touched_.try_emplace(object, objects_.contains(object)); }

void Copy::take(const Group& group) {
  for (const Message& each : group.messages) {
    switch (each.kind()) {
      case MessageKind::kClass:
        learn(each);
        break;
      case MessageKind::kCreate:
        make(each);
        break;
      case MessageKind::kSet:
        set(each);
        break;
      case MessageKind::kErase:
        touch(each.head.object);
        objects_.erase(each.head.object);
        break;
      default:
        break;
    }
  }
  commit_ = std::max(commit_, group.end.commit);
}

void Copy::make(const Message& message) {
  std::uint32_t type = 0;
  if (message.value.size() != sizeof type) throw Malformed("an object of no class");
  std::memcpy(&type, message.value.data(), sizeof type);
  touch(message.head.object);
  objects_[message.head.object] = {type, {}};
}

void Copy::set(const Message& message) {
  const auto found = objects_.find(message.head.object);
  if (found == objects_.end()) throw Malformed("a slot of an object that was not told of");
  touch(message.head.object);
  auto& slots = found->second.slots;
  if (slots.size() <= message.head.slot) slots.resize(message.head.slot + 1U);
  auto& [head, bytes] = slots[message.head.slot];
  head = message.head;
  bytes.assign(message.value);
}

void Copy::learn(const Message& message) {
  Form form{static_cast<std::uint32_t>(message.head.object), {}, {}};
  std::string_view rest = message.value;
  for (bool first = true; !rest.empty(); first = false) {
    std::uint16_t length = 0;
    if (rest.size() < sizeof length) throw Malformed("names of a class that end too early");
    std::memcpy(&length, rest.data(), sizeof length);
    rest.remove_prefix(sizeof length);
    if (rest.size() < length) throw Malformed("names of a class that end too early");
    (first ? form.name : form.slots.emplace_back()).assign(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  forms_[form.number] = std::move(form);
}

std::vector<ObjectId> Copy::changed() {
  std::vector<ObjectId> objects;
  for (const auto& [number, before] : std::exchange(touched_, {}))
    if (before || objects_.contains(number)) objects.push_back({number});
  return objects;
}

// --- The store itself ---

Mapping::Mapping(const std::filesystem::path& store, bool watches) : store_(Store::open(store, Access::kRead)) {
  if (watches) watch_.emplace(store_.watch());
}

std::uint32_t Mapping::type(ObjectId id) const {
  const Pinned found = snapshot_ ? snapshot_->get(id) : Pinned{};
  return found ? found.type() : 0;
}

Value Mapping::get(ObjectId id, unsigned slot) const {
  const Pinned found = snapshot_ ? snapshot_->get(id) : Pinned{};
  return found ? found.get(slot) : Value{};
}

void Mapping::each(const std::function<void(ObjectId)>& call) const {
  if (!snapshot_) return;
  std::vector<ObjectId> all;
  snapshot_->each([&](const Pinned& each) { all.push_back(each.id()); });
  std::sort(all.begin(), all.end());
  for (const ObjectId id : all) call(id);
}

std::optional<Form> Mapping::form(std::string_view name) const {
  const std::optional<Class> found = store_.find(name);
  return found ? std::optional(form_of(*found)) : std::nullopt;
}

std::optional<Form> Mapping::form(std::uint32_t number) const {
  const Class found = store_.type(number);
  return found.number() != 0 ? std::optional(form_of(found)) : std::nullopt;
}

void Mapping::take(const Group& group) {
  for (const Message& each : group.messages) {
    if (each.kind() == MessageKind::kWelcome) {
      if (watch_) look();
      look_at_all();
    }
    if (each.kind() == MessageKind::kChanged) noted_.objects.push_back({each.head.object});
  }
}

void Mapping::look() {
  Changes changes = watch_->take();
  noted_.all = noted_.all || changes.all;
  noted_.objects.insert(noted_.objects.end(), changes.objects.begin(), changes.objects.end());
}

// A commit has its number before anybody is told of it; so what is noted is in a snapshot that is taken now. This may
// have newer changes, too: of these it will be noted once more, which is left out then.
std::vector<ObjectId> Mapping::changed() {
  Changes noted = std::exchange(noted_, {});
  std::vector<ObjectId>& objects = noted.objects;
  if (!noted.all && objects.empty()) return {};
  Snapshot now = store_.snapshot();
  if (noted.all) {
    objects.clear();
    const auto add = [&](const Pinned& each) { objects.push_back(each.id()); };
    now.each(add);
    if (snapshot_) snapshot_->each(add);
  }
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  std::erase_if(objects, [&](ObjectId id) {
    const Pinned newer = now.get(id);
    const Pinned older = snapshot_ ? snapshot_->get(id) : Pinned{};
    return newer ? older && older.commit() == newer.commit() : !older;
  });
  snapshot_.emplace(std::move(now));
  return std::move(noted.objects);
}

}  // namespace heddle::objectbase
