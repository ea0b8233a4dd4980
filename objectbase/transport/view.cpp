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

const Pinned& Mapping::found(ObjectId id) const {
  if (id != last_id_) {
    last_ = seen_ ? seen_->get(id) : Pinned{};
    last_id_ = id;
  }
  return last_;
}

std::uint32_t Mapping::type(ObjectId id) const {
  const Pinned& object = found(id);
  return object ? object.type() : 0;
}

Value Mapping::get(ObjectId id, unsigned slot) const {
  const Pinned& object = found(id);
  return object ? object.get(slot) : Value{};
}

void Mapping::each(const std::function<void(ObjectId)>& call) const {
  if (!seen_) return;
  std::vector<ObjectId> all;
  seen_->each([&](const Pinned& each) { all.push_back(each.id()); });
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
  told_ = std::max(told_, group.end.commit);
  for (const Message& each : group.messages) {
    if (each.kind() == MessageKind::kWelcome) {
      if (watch_) look();
      look_at_all();
    }
    if (each.kind() == MessageKind::kChanged) noted_.objects.push_back({each.head.object});
  }
}

// A writer tells of a commit when the commit has its number, and before the next one begins: so all are told but the
// newest, which may not be.
void Mapping::look() {
  const std::uint64_t newest = store_.commit();
  Changes changes = watch_->take();
  if (newest != 0) told_ = std::max(told_, newest - 1);
  noted_.all = noted_.all || changes.all;
  noted_.objects.insert(noted_.objects.end(), changes.objects.begin(), changes.objects.end());
}

std::vector<ObjectId> Mapping::changed() {
  Changes noted = std::exchange(noted_, {});
  std::vector<ObjectId>& objects = noted.objects;
  if (!noted.all && objects.empty()) return {};
  Snapshot now = store_.snapshot();
  if (noted.all) {
    objects.clear();
    const auto add = [&](const Pinned& each) { objects.push_back(each.id()); };
    now.each(add);
    if (seen_) seen_->each(add);
    if (before_) before_->each(add);
  }
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  std::erase_if(objects, [&](ObjectId id) { return !is_news(id, now); });
  std::erase_if(reported_, [&](const auto& each) { return each.second.seen <= told_; });
  reported_until_ = told_;
  before_.reset();
  last_id_ = {};
  last_ = {};
  if (seen_ && now.commit() > told_) before_.emplace(std::move(*seen_));
  seen_.emplace(std::move(now));
  return std::move(noted.objects);
}

bool Mapping::is_news(ObjectId id, const Snapshot& now) {
  const Pinned newer = now.get(id);
  const std::uint64_t version = newer ? newer.commit() : 0;
  const auto found = reported_.find(id);
  if (found != reported_.end()) {
    if (found->second.version == version) return false;
  } else if (newer) {
    if (version <= reported_until_) return false;
  } else {
    const bool was = (seen_ && seen_->get(id)) || (before_ && before_->get(id));
    if (!was) return false;  // it came and went
  }
  if (now.commit() > told_) reported_[id] = {version, now.commit()};
  return true;
}

}  // namespace heddle::objectbase
