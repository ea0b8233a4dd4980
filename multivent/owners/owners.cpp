#include "multivent/owners/owners.hpp"

#include <dlfcn.h>
#include <event2/http_struct.h>

#include <algorithm>
#include <string_view>

#include "multivent/calls/task.hpp"

namespace heddle::multivent {

namespace {

// Filters stand on filters, connections on those, hosts in servers; no program stacks more.
constexpr int kDeepest = 12;

// The program may store into the field on another thread meanwhile. The call that does so conflicts with the one that
// the field is read for, so the field is read once more when that one is about to start.
template <class T>
const void* peek(T* const& field) {
  return reinterpret_cast<const void*>(__atomic_load_n(&field, __ATOMIC_RELAXED));
}

void add_once(std::vector<Owners::Callback>& found, const Owners::Callback& callback) {
  if (std::find(found.begin(), found.end(), callback) == found.end()) found.push_back(callback);
}

}  // namespace

Owners& Owners::get() {
  static Owners& owners = *new Owners;  // exit handlers of the program may still use it
  return owners;
}

// --- Told ---

Owners::Owner& Owners::add(const void* object) {
  Owner& owner = owners_[object];
  owner = Owner();
  owner.strand = reinterpret_cast<std::uintptr_t>(object);
  if (const Task* maker = current_task()) {
    owner.maker = maker->run_id;
    owner.maker_base = maker->base;
  }
  return owner;
}

void Owners::made(const bufferevent& object, const bufferevent* underlying) {
  const std::lock_guard guard(mutex_);
  Owner& owner = add(&object);
  owner.fields = &object;
  if (underlying == nullptr) return;
  const auto below = owners_.find(underlying);
  if (below == owners_.end()) {
    owner.alone = true;
    return;
  }
  owner.strand = below->second.strand;
  owner.alone = below->second.alone;
}

void Owners::made_pair(const bufferevent& one, const bufferevent& other) {
  made(one);
  made(other, &one);
  const std::lock_guard guard(mutex_);
  owners_[&one].partner = &other;
  owners_[&other].partner = &one;
}

void Owners::also_calls(const void* object, const void* function, const void* argument) {
  if (function == nullptr) return;
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(object);
  if (found != owners_.end()) add_once(found->second.others, {function, argument});
}

void Owners::remember(const bufferevent& object) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(&object);
  if (found == owners_.end()) return;
  std::vector<Callback> now;
  if (!collect_fields(found->second, nullptr, now, 0)) {
    found->second.alone = true;
  } else if (!now.empty()) {
    found->second.last = std::move(now);
  }
  const auto connection = owners_.find(std::exchange(found->second.connection, nullptr));
  if (connection == owners_.end()) return;
  if (connection->second.ends) {
    forget_requests(connection->second);
    owners_.erase(connection);
  } else {
    found->second.connection = connection->first;
  }
}

void Owners::keep_alone(const void* object) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(object);
  if (found != owners_.end()) found->second.alone = true;
}

void Owners::made(const evconnlistener* object, const void* callback, const void* argument) {
  const std::lock_guard guard(mutex_);
  Owner& owner = add(object);
  if (callback != nullptr) owner.others.push_back({callback, argument});
}

void Owners::changed(const evconnlistener* object, const void* callback, const void* argument) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(object);
  if (found == owners_.end()) return;
  Owner& owner = found->second;
  // The error callback gets the new argument too.
  for (Callback& other : owner.others) other.argument = argument;
  if (callback != nullptr) add_once(owner.others, {callback, argument});
}

void Owners::changed_error(const evconnlistener* object, const void* callback) {
  if (callback == nullptr) return;
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(object);
  if (found == owners_.end()) return;
  Owner& owner = found->second;
  add_once(owner.others, {callback, owner.others.empty() ? nullptr : owner.others.front().argument});
}

// --- HTTP ---

void Owners::made(const evhttp* server) {
  const std::lock_guard guard(mutex_);
  add(server);
}

void Owners::also_serves(const evhttp* server, const evhttp* host) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(server);
  if (found != owners_.end()) add_once(found->second.others, {nullptr, host});
}

void Owners::also_carries(const evhttp* server, const void* function, const void* argument) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(server);
  if (found != owners_.end()) add_once(found->second.carriers, {function, argument});
}

void Owners::made(const evhttp_connection* connection, const bufferevent* carrier, bool of_server) {
  const std::lock_guard guard(mutex_);
  Owner& owner = add(connection);
  owner.of_server = of_server;
  const auto below = owners_.find(carrier);
  if (below == owners_.end()) {
    owner.alone = true;
    return;
  }
  owner.carrier = carrier;
  owner.strand = below->second.strand;
  below->second.connection = connection;
}

void Owners::works_on(const evhttp_connection* connection, const evhttp_request* request) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(connection);
  if (found == owners_.end()) return;
  if (works_on_.try_emplace(request, connection).second) found->second.requests.push_back(request);
}

void Owners::done_with(const evhttp_request* request) {
  const std::lock_guard guard(mutex_);
  const auto found = works_on_.find(request);
  if (found == works_on_.end()) return;
  const auto connection = owners_.find(found->second);
  if (connection != owners_.end()) std::erase(connection->second.requests, request);
  works_on_.erase(found);
}

void Owners::forget_requests(const Owner& connection) {
  for (const evhttp_request* request : connection.requests) works_on_.erase(request);
}

void Owners::sends(const evhttp_connection* connection, const void* function, const void* argument) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(connection);
  if (found != owners_.end()) found->second.sent = {function, argument};
}

bool Owners::set_close(const evhttp_connection* connection, evhttp_close_callback callback, void* argument) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(connection);
  if (found == owners_.end()) return false;
  found->second.close = {callback, argument};
  return true;
}

std::pair<evhttp_close_callback, void*> Owners::close_of(const evhttp_connection* connection) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(connection);
  return found == owners_.end() ? std::pair<evhttp_close_callback, void*>() : found->second.close;
}

bool Owners::ends(const evhttp_connection* connection) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(connection);
  if (found == owners_.end()) return false;
  found->second.ends = true;
  return found->second.of_server;
}

// --- Anything ---

void Owners::made(const void* object, const void* callback, const void* argument, std::uintptr_t strand) {
  const std::lock_guard guard(mutex_);
  Owner& owner = add(object);
  owner.strand = strand;
  owner.others.push_back({callback, argument});
}

std::uintptr_t Owners::strand_of(const void* object) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(object);
  return found == owners_.end() ? 0 : found->second.strand;
}

void Owners::forget(const void* object) {
  const std::lock_guard guard(mutex_);
  owners_.erase(object);
}

void Owners::forget(const void* object, std::uintptr_t if_on_strand) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(object);
  if (found != owners_.end() && found->second.strand == if_on_strand) owners_.erase(found);
}

bool Owners::libevents(const void* function) {
  const std::lock_guard guard(mutex_);
  return is_libevents(function);
}

// --- Asked ---

bool Owners::find(const event_callback& callback, Duty& duty) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(callback.evcb_arg);
  if (found == owners_.end()) return false;
  // A program may give its own events a bufferevent as their argument.
  const bool is_bare = callback.evcb_closure == kSelf || callback.evcb_closure == kCallbackFinalize;
  if (!is_bare && !is_libevents(reinterpret_cast<const void*>(callback.evcb_cb_union.evcb_callback))) return false;
  Owner& owner = found->second;
  duty.callbacks.clear();
  const auto* ev = reinterpret_cast<const event*>(&callback);
  if (!collect(owner, ev, duty.callbacks, 0)) return false;
  if (owner.partner != nullptr) {
    const auto partner = owners_.find(owner.partner);
    if (partner != owners_.end() && !collect(partner->second, nullptr, duty.callbacks, 1)) return false;
  }
  duty.strand = owner.strand;
  duty.maker = owner.maker;
  duty.maker_base = owner.maker_base;
  return true;
}

// Appends to `found` what `owner` may call; false if that is not known.
bool Owners::collect(Owner& owner, const event* ev, std::vector<Callback>& found, int depth) {
  if (owner.alone || depth > kDeepest) return false;
  if (owner.carrier != nullptr) {
    const auto carrier = owners_.find(owner.carrier);
    if (carrier == owners_.end() || carrier->second.alone) return false;
  }
  std::vector<Callback> now;
  if (!collect_fields(owner, ev, now, depth) || !collect_requests(owner, now, depth)) return false;
  if (now.empty()) {
    now = owner.last;
  } else if (owner.last.size() != now.size() || !std::is_permutation(now.begin(), now.end(), owner.last.begin())) {
    owner.last = now;
  }
  for (const Callback& each : now) add_once(found, each);
  for (const Callback& other : owner.others)
    if (!collect_callback(other, found, depth)) return false;
  for (const Callback& carrier : owner.carriers) add_once(found, carrier);
  if (owner.sent.function != nullptr) add_once(found, owner.sent);
  if (owner.close.first != nullptr)
    add_once(found, {reinterpret_cast<const void*>(owner.close.first), owner.close.second});
  return true;
}

// A function of libevent goes on to what its argument calls.
bool Owners::collect_callback(const Callback& callback, std::vector<Callback>& found, int depth) {
  if (callback.function != nullptr && !is_libevents(callback.function)) {
    add_once(found, callback);
    return true;
  }
  const auto called = owners_.find(callback.argument);
  return called != owners_.end() && collect(called->second, nullptr, found, depth + 1);
}

bool Owners::collect_requests(const Owner& owner, std::vector<Callback>& found, int depth) {
  for (const evhttp_request* request : owner.requests) {
    const void* const argument = peek(request->cb_arg);
    for (const void* function :
         {peek(request->cb), peek(request->chunk_cb), peek(request->header_cb), peek(request->error_cb)})
      if (function != nullptr && !collect_callback({function, argument}, found, depth)) return false;
    const void* const completed = peek(request->on_complete_cb);
    if (completed != nullptr && !collect_callback({completed, peek(request->on_complete_cb_arg)}, found, depth))
      return false;
  }
  return true;
}

bool Owners::collect_fields(const Owner& owner, const event* ev, std::vector<Callback>& found, int depth) {
  if (owner.fields == nullptr) return true;
  const bufferevent& fields = *owner.fields;
  const void* const read = peek(fields.readcb);
  const void* const write = peek(fields.writecb);
  const bool writes = ev == &fields.ev_write;
  const void* const argument = peek(fields.cbarg);
  bool looked_above = false;
  for (const void* function : {writes ? write : read, peek(fields.errorcb), writes ? read : write}) {
    if (function == nullptr) continue;
    if (!is_libevents(function)) {
      add_once(found, {function, argument});
      continue;
    }
    // A filter stands above: these are libevent's functions for it, and the filter is their argument.
    if (looked_above) continue;
    looked_above = true;
    const auto above = owners_.find(argument);
    if (above == owners_.end() || !collect(above->second, nullptr, found, depth + 1)) return false;
  }
  return true;
}

bool Owners::is_libevents(const void* function) {
  const auto [entry, fresh] = libevents_.try_emplace(function, false);
  if (!fresh) return entry->second;
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return false;
  std::string_view file = info.dli_fname;
  file.remove_prefix(file.rfind('/') + 1);
  return entry->second = file.starts_with("libevent");
}

}  // namespace heddle::multivent
