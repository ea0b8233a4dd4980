// objectbase.h, by objectbase.hpp: handles for objects, and for exceptions what ob_error() says.
#include "objectbase/objectbase.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "objectbase/objectbase.hpp"

using heddle::objectbase::Bytes;
using heddle::objectbase::Class;
using heddle::objectbase::ObjectId;
using heddle::objectbase::Pinned;
using heddle::objectbase::Store;
using heddle::objectbase::Value;

struct ob_store {
  Store store;
};
struct ob_transaction {
  heddle::objectbase::Transaction change;
  const Store& store;
  std::map<std::uint32_t, Class> classes;  // of which it has made objects: nobody changes them meanwhile
};
struct ob_snapshot {
  heddle::objectbase::Snapshot snapshot;
};
struct ob_version {
  Pinned pinned;
};
struct ob_watch {
  heddle::objectbase::Watch watch;
  std::vector<std::uint64_t> objects;
};

namespace {

thread_local std::string last_error;  // of its thread alone

// What `call` returns, or `failed` if it throws.
template <class Call, class Result>
Result guarded(Result failed, Call&& call) {
  try {
    last_error.clear();
    return call();
  } catch (const std::exception& error) {
    last_error = error.what();
  } catch (...) {
    last_error = "objectbase: failed, and it is not known why";
  }
  return failed;
}

template <class Found, class Result>
int give(const Found& found, Result* result) {
  if (!found) return 0;
  *result = *found;
  return 1;
}

void give(const Value& value, ob_value& result) {
  result = {};
  result.type = static_cast<int>(value.index());
  const auto bytes = [&](std::string_view text) {
    result.bytes = text.data() == nullptr ? "" : text.data();
    result.length = text.size();
  };
  if (const auto* integer = std::get_if<std::int64_t>(&value)) result.integer = *integer;
  if (const auto* number = std::get_if<double>(&value)) result.number = *number;
  if (const auto* object = std::get_if<ObjectId>(&value)) result.object = object->number;
  if (const auto* text = std::get_if<std::string_view>(&value)) bytes(*text);
  if (const auto* raw = std::get_if<Bytes>(&value)) bytes(raw->bytes);
}
// The alternatives of Value stand in the order of ob_type.
static_assert(std::is_same_v<std::variant_alternative_t<OB_BYTES, Value>, Bytes>);
static_assert(std::is_same_v<std::variant_alternative_t<OB_REFERENCE, Value>, ObjectId>);

std::string_view view(const void* bytes, std::size_t length) {
  return length == 0 ? std::string_view() : std::string_view(static_cast<const char*>(bytes), length);
}

int set(ob_transaction* change, std::uint64_t object, unsigned slot, const Value& value) {
  return guarded(-1, [&] {
    change->change.set({object}, slot, value);
    return 0;
  });
}

std::size_t copy_name(const std::string& name, char* to, std::size_t size) {
  if (size != 0) {
    const std::size_t length = std::min(name.size(), size - 1);
    std::memcpy(to, name.data(), length);
    to[length] = '\0';
  }
  return name.size();
}

ob_version* hold(Pinned pinned) { return pinned ? new ob_version{std::move(pinned)} : nullptr; }

}  // namespace

const char* ob_error() { return last_error.c_str(); }

// --- The store ---

ob_store* ob_create(const char* path, std::uint64_t limit, unsigned mode) {
  return guarded(static_cast<ob_store*>(nullptr), [&] {
    heddle::objectbase::Options options;
    if (limit != 0) options.limit = limit;
    if (mode != 0) options.mode = mode;
    return new ob_store{Store::create(path, options)};
  });
}

ob_store* ob_open(const char* path, int write) {
  using heddle::objectbase::Access;
  return guarded(static_cast<ob_store*>(nullptr),
                 [&] { return new ob_store{Store::open(path, write != 0 ? Access::kWrite : Access::kRead)}; });
}

void ob_close(ob_store* store) { delete store; }
std::uint64_t ob_newest_commit(const ob_store* store) { return store->store.commit(); }
int ob_wait_until_kept(const ob_store* store, std::uint64_t commit, unsigned milliseconds) {
  return store->store.wait_until_kept(commit, std::chrono::milliseconds(milliseconds)) ? 1 : 0;
}

// --- Classes ---

std::uint32_t ob_define(ob_store* store, const char* name, const char* const* slots, std::size_t count) {
  return guarded(std::uint32_t{0}, [&] {
    const std::vector<std::string_view> names(slots, slots + count);
    return store->store.define(name, names).number();
  });
}

std::uint32_t ob_find_class(const ob_store* store, const char* name) {
  return guarded(std::uint32_t{0}, [&] {
    const auto found = store->store.find(name);
    return found ? found->number() : 0;
  });
}

std::uint32_t ob_classes(const ob_store* store) { return store->store.types(); }

int ob_slot(const ob_store* store, std::uint32_t type, const char* name) {
  return guarded(-1, [&] { return static_cast<int>(store->store.type(type).slot(name)); });
}

std::size_t ob_class_name(const ob_store* store, std::uint32_t type, char* name, std::size_t size) {
  return guarded(std::size_t{0}, [&] { return copy_name(store->store.type(type).name(), name, size); });
}

std::size_t ob_slot_name(const ob_store* store, std::uint32_t type, unsigned slot, char* name, std::size_t size) {
  return guarded(std::size_t{0}, [&] {
    const Class found = store->store.type(type);
    return copy_name(slot < found.slots().size() ? found.slots()[slot] : "", name, size);
  });
}

// --- Changes ---

ob_transaction* ob_begin(ob_store* store) {
  return guarded(static_cast<ob_transaction*>(nullptr),
                 [&] { return new ob_transaction{store->store.begin(), store->store, {}}; });
}

std::uint64_t ob_new(ob_transaction* change, std::uint32_t type) {
  return guarded(std::uint64_t{0}, [&] {
    auto known = change->classes.find(type);
    if (known == change->classes.end()) {
      const Class found = change->store.type(type);
      if (found.number() == 0) throw std::runtime_error("objectbase: there is no class " + std::to_string(type));
      known = change->classes.emplace(type, found).first;
    }
    return change->change.create(known->second).number;
  });
}

int ob_clear(ob_transaction* change, std::uint64_t object, unsigned slot) { return set(change, object, slot, {}); }
int ob_set_integer(ob_transaction* change, std::uint64_t object, unsigned slot, std::int64_t value) {
  return set(change, object, slot, value);
}
int ob_set_double(ob_transaction* change, std::uint64_t object, unsigned slot, double value) {
  return set(change, object, slot, value);
}
int ob_set_reference(ob_transaction* change, std::uint64_t object, unsigned slot, std::uint64_t value) {
  return set(change, object, slot, ObjectId{value});
}
int ob_set_string(ob_transaction* change, std::uint64_t object, unsigned slot, const char* text, std::size_t length) {
  return set(change, object, slot, view(text, length));
}
int ob_set_bytes(ob_transaction* change, std::uint64_t object, unsigned slot, const void* bytes, std::size_t length) {
  return set(change, object, slot, Bytes{view(bytes, length)});
}

int ob_erase(ob_transaction* change, std::uint64_t object) {
  return guarded(-1, [&] {
    change->change.erase({object});
    return 0;
  });
}

int ob_get_changed(const ob_transaction* change, std::uint64_t object, unsigned slot, ob_value* value) {
  return guarded(-1, [&] {
    give(change->change.get({object}, slot), *value);
    return 0;
  });
}

std::uint64_t ob_commit(ob_transaction* change) {
  const std::unique_ptr<ob_transaction> ended(change);
  return guarded(std::uint64_t{0}, [&] { return change->change.commit(); });
}

void ob_abort(ob_transaction* change) { delete change; }

// --- What is read ---

int ob_integer(const ob_store* store, std::uint64_t object, unsigned slot, std::int64_t* value) {
  return give(store->store.integer({object}, slot), value);
}

int ob_double(const ob_store* store, std::uint64_t object, unsigned slot, double* value) {
  return give(store->store.number({object}, slot), value);
}

int ob_reference(const ob_store* store, std::uint64_t object, unsigned slot, std::uint64_t* value) {
  const auto found = store->store.reference({object}, slot);
  if (found) *value = found->number;
  return found ? 1 : 0;
}

ob_version* ob_read(const ob_store* store, std::uint64_t object) {
  return guarded(static_cast<ob_version*>(nullptr), [&] { return hold(store->store.pin({object})); });
}

void ob_release(ob_version* version) { delete version; }
std::uint64_t ob_version_object(const ob_version* version) { return version->pinned.id().number; }
std::uint32_t ob_version_class(const ob_version* version) { return version->pinned.type(); }
std::uint64_t ob_version_commit(const ob_version* version) { return version->pinned.commit(); }
unsigned ob_version_slots(const ob_version* version) { return version->pinned.slots(); }
void ob_get(const ob_version* version, unsigned slot, ob_value* value) { give(version->pinned.get(slot), *value); }

ob_snapshot* ob_take_snapshot(const ob_store* store) {
  return guarded(static_cast<ob_snapshot*>(nullptr), [&] { return new ob_snapshot{store->store.snapshot()}; });
}

void ob_drop_snapshot(ob_snapshot* snapshot) { delete snapshot; }
std::uint64_t ob_snapshot_commit(const ob_snapshot* snapshot) { return snapshot->snapshot.commit(); }

ob_version* ob_snapshot_read(const ob_snapshot* snapshot, std::uint64_t object) {
  return guarded(static_cast<ob_version*>(nullptr), [&] { return hold(snapshot->snapshot.get({object})); });
}

ob_version* ob_snapshot_next(const ob_snapshot* snapshot, std::uint32_t* place) {
  return guarded(static_cast<ob_version*>(nullptr), [&] { return hold(snapshot->snapshot.next(*place)); });
}

// --- Changes that others make ---

ob_watch* ob_watch_all(const ob_store* store) {
  return guarded(static_cast<ob_watch*>(nullptr), [&] { return new ob_watch{store->store.watch(), {}}; });
}

ob_watch* ob_watch_class(const ob_store* store, std::uint32_t type) {
  return guarded(static_cast<ob_watch*>(nullptr),
                 [&] { return new ob_watch{store->store.watch(store->store.type(type)), {}}; });
}

ob_watch* ob_watch_object(const ob_store* store, std::uint64_t object) {
  return guarded(static_cast<ob_watch*>(nullptr),
                 [&] { return new ob_watch{store->store.watch(ObjectId{object}), {}}; });
}

int ob_watch_descriptor(const ob_watch* watch) { return watch->watch.descriptor(); }

int ob_take_changes(ob_watch* watch, const std::uint64_t** objects, std::size_t* count) {
  return guarded(-1, [&] {
    const heddle::objectbase::Changes changes = watch->watch.take();
    watch->objects.clear();
    for (const ObjectId& each : changes.objects) watch->objects.push_back(each.number);
    *objects = watch->objects.data();
    *count = watch->objects.size();
    return changes.all ? 1 : 0;
  });
}

void ob_unwatch(ob_watch* watch) { delete watch; }
