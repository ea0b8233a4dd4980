#include "multivent/owners/owners.hpp"

#include <dlfcn.h>
#include <event2/http_struct.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "multivent/calls/task.hpp"
#include "multivent/program/own_functions.hpp"

namespace heddle::multivent {

namespace {

// Filters stand on filters, connections on those, hosts in servers; no program stacks more.
constexpr int kDeepest = 12;

// So many elements of connections that are gone are kept.
constexpr std::size_t kMostSpare = 1024;

// The program may store into the field on another thread meanwhile. The call that does so conflicts with the one that
// the field is read for, so the field is read once more when that one is about to start.
template <class T>
const void* peek(T* const& field) {
  return reinterpret_cast<const void*>(__atomic_load_n(&field, __ATOMIC_RELAXED));
}

constexpr std::size_t kLongestLine = 1024;

// The path of a request, from its first line; nothing if there is no whole line yet, or one that libevent may read in
// another way (http.c: evhttp_parse_request_line, evhttp_dispatch_callback).
std::optional<std::string_view> path_of(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view line = text.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t first = line.find(' ');
  const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos || line.find(' ', second + 1) != std::string_view::npos) return std::nullopt;
  std::string_view path = line.substr(first + 1, second - first - 1);
  path = path.substr(0, path.find_first_of("?#"));
  const bool plain = std::all_of(path.begin(), path.end(), [](char c) { return c > ' ' && c < 0x7f && c != '%'; });
  if (!path.starts_with('/') || path.starts_with("//") || !plain) return std::nullopt;
  return path;
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

void Owners::Owner::clear() {
  Owner fresh;
  fresh.others.swap(others);
  fresh.last.swap(last);
  fresh.others.clear();
  fresh.last.clear();
  *this = std::move(fresh);
}

Owners::Owner& Owners::add(const void* object) {
  if (!spare_.empty()) {
    spare_.back().key() = object;
    Table::insert_return_type result = owners_.insert(std::move(spare_.back()));
    if (result.inserted) {
      spare_.pop_back();
    } else {
      spare_.back() = std::move(result.node);
      result.position->second.clear();
    }
    return begin(result.position->second, object);
  }
  const auto [position, inserted] = owners_.try_emplace(object);
  if (!inserted) position->second.clear();
  return begin(position->second, object);
}

Owners::Owner& Owners::begin(Owner& owner, const void* object) {
  owner.strand = reinterpret_cast<std::uintptr_t>(object);
  if (const Task* maker = current_task()) {
    owner.maker = maker->run_id;
    owner.maker_base = maker->base;
  }
  return owner;
}

void Owners::erase(Table::iterator found) {
  if (spare_.size() == kMostSpare) {
    owners_.erase(found);
    return;
  }
  found->second.clear();
  spare_.push_back(owners_.extract(found));
}

// Null if nothing is known of the connection.
Owners::Connection* Owners::http_of(const void* connection) {
  if (connection == nullptr) return nullptr;
  const auto found = owners_.find(connection);
  return found == owners_.end() ? nullptr : found->second.http.get();
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
  Owner& owner = found->second;
  now_.clear();
  if (!collect_fields(owner, nullptr, now_, 0)) {
    owner.alone = true;
  } else if (!now_.empty()) {
    owner.last.swap(now_);
  }
  if (owner.connection == nullptr) return;
  const auto connection = owners_.find(owner.connection);
  if (connection != owners_.end() && connection->second.http != nullptr && !connection->second.http->ends) return;
  owner.connection = nullptr;
  if (connection == owners_.end() || connection->second.http == nullptr) return;
  forget_requests(*connection->second.http);
  erase(connection);
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

void Owners::made(const evhttp* server, bool apart) {
  const std::lock_guard guard(mutex_);
  Owner& owner = add(server);
  owner.server = std::make_unique<Server>();
  owner.server->apart = apart;
}

const void* Owners::connection_of_server() { return connections_of_evhttp(); }

void Owners::also_routes(const evhttp* server, const char* path, const void* function, const void* argument) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(server);
  if (found == owners_.end() || found->second.server == nullptr) return;
  std::vector<Route>& routes = found->second.server->routes;
  if (function == nullptr) {
    if (path != nullptr)
      forget_routes(found->second, [path](const Route& route) { return !route.any && route.path == path; });
    return;
  }
  if (path == nullptr) forget_routes(found->second, [](const Route& route) { return route.any; });
  routes.push_back({path != nullptr ? path : "", path == nullptr, {function, argument}});
  add_once(found->second.others, {function, argument});
}

// No request is on its way to it: whoever deletes a route, or puts another in its place, conflicts with the callbacks
// of its server.
template <class Predicate>
void Owners::forget_routes(Owner& server, Predicate is_gone) {
  std::vector<Route>& routes = server.server->routes;
  std::vector<Callback> gone;
  std::erase_if(routes, [&](const Route& route) {
    if (!is_gone(route)) return false;
    gone.push_back(route.callback);
    return true;
  });
  for (const Callback& callback : gone)
    if (std::none_of(routes.begin(), routes.end(), [&](const Route& route) { return route.callback == callback; }))
      std::erase(server.others, callback);
}

void Owners::serves(const evhttp_request* request, const Callback& route) {
  const std::lock_guard guard(mutex_);
  const auto on = works_on_.find(request);
  Connection* const connection = on == works_on_.end() ? nullptr : http_of(on->second);
  if (connection == nullptr) return;
  connection->serving = request;
  connection->route = route;
  add_once(connection->past, route);
}

void Owners::also_serves(const evhttp* server, const evhttp* host) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(server);
  if (found != owners_.end()) add_once(found->second.others, {nullptr, host});
}

void Owners::also_carries(const evhttp* server, const void* function, const void* argument) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(server);
  if (found != owners_.end() && found->second.server != nullptr)
    add_once(found->second.server->carriers, {function, argument});
}

void Owners::made(const evhttp_connection* connection, const bufferevent* carrier, bool of_server, bool followed) {
  const std::lock_guard guard(mutex_);
  Owner& owner = add(connection);
  owner.http = std::make_unique<Connection>();
  owner.http->of_server = of_server;
  owner.http->followed = followed;
  const auto below = owners_.find(carrier);
  if (below == owners_.end()) {
    owner.alone = true;
    return;
  }
  owner.http->carrier = carrier;
  owner.strand = below->second.strand;
  below->second.connection = connection;
}

void Owners::works_on(const evhttp_connection* connection, const evhttp_request* request, bool by_itself) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(connection);
  Connection* const http = found == owners_.end() ? nullptr : found->second.http.get();
  if (http == nullptr) return;
  if (is_unfollowed(http)) {
    // A program that makes requests on a server's connection gives it several at once.
    if (!by_itself) found->second.alone = true;
    if (!by_itself || !crew_came()) return;
    http->followed = true;
    http->past_is_known = false;
  }
  if (!works_on_.try_emplace(request, connection).second) return;
  count_requests();
  http->requests.push_back(request);
  http->reading = http->guess = {};
}

void Owners::done_with(const evhttp_request* request) {
  const std::lock_guard guard(mutex_);
  const auto found = works_on_.find(request);
  if (found == works_on_.end()) return;
  if (Connection* const connection = http_of(found->second)) {
    std::erase(connection->requests, request);
    if (connection->serving == request) connection->serving = nullptr;
  }
  works_on_.erase(found);
  count_requests();
}

void Owners::forget_requests(const Connection& connection) {
  if (connection.requests.empty()) return;
  for (const evhttp_request* request : connection.requests) works_on_.erase(request);
  count_requests();
}

void Owners::crew_comes() {
  const std::lock_guard guard(mutex_);
  crew_came_.store(true, std::memory_order_relaxed);
}

void Owners::count_requests() { requests_.store(works_on_.size(), std::memory_order_relaxed); }

void Owners::sends(const evhttp_connection* connection, const void* function, const void* argument) {
  const std::lock_guard guard(mutex_);
  if (Connection* const http = http_of(connection)) http->sent = {function, argument};
}

bool Owners::set_close(const evhttp_connection* connection, evhttp_close_callback callback, void* argument) {
  const std::lock_guard guard(mutex_);
  Connection* const http = http_of(connection);
  if (http == nullptr) return false;
  http->close = {callback, argument};
  return true;
}

std::pair<evhttp_close_callback, void*> Owners::close_of(const evhttp_connection* connection) {
  const std::lock_guard guard(mutex_);
  const Connection* const http = http_of(connection);
  return http == nullptr ? std::pair<evhttp_close_callback, void*>() : http->close;
}

bool Owners::ends(const evhttp_connection* connection) {
  const std::lock_guard guard(mutex_);
  Connection* const http = http_of(connection);
  if (http == nullptr) return false;
  http->ends = true;
  return http->of_server;
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
  const auto found = owners_.find(object);
  if (found != owners_.end()) erase(found);
}

void Owners::forget(const void* object, std::uintptr_t if_on_strand) {
  const std::lock_guard guard(mutex_);
  const auto found = owners_.find(object);
  if (found != owners_.end() && found->second.strand == if_on_strand) erase(found);
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
  duty.one_of.clear();
  duty.only_served = is_only_served(owner);
  if (duty.only_served) return duty.served = true;
  const auto* ev = reinterpret_cast<const event*>(&callback);
  const bool of_carrier = !is_bare && owner.fields != nullptr && owner.connection != nullptr &&
                          (ev == &owner.fields->ev_read || ev == &owner.fields->ev_write);
  // libevent goes on with a request that has been read already.
  if (owner.http != nullptr && owner.http->of_server && owner.http->carrier != nullptr)
    owner.http->reading.begun = true;
  const Connection* const connection = owner.http != nullptr ? owner.http.get() : http_of(owner.connection);
  duty.served = (connection != nullptr && connection->of_server) ||
                std::any_of(owner.others.begin(), owner.others.end(),
                            [&](const Callback& other) { return server_behind(other) != nullptr; });
  one_of_ = &duty.one_of;
  asked_ = of_carrier ? ev : nullptr;
  const bool known = collect(owner, ev, duty.callbacks, 0);
  asked_ = nullptr;
  if (!known) return false;
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
  Connection* const http = owner.http.get();
  if (is_unfollowed(http)) return false;
  if (http != nullptr && http->carrier != nullptr) {
    const auto carrier = owners_.find(http->carrier);
    if (carrier == owners_.end() || carrier->second.alone) return false;
  }
  std::vector<Callback> now;
  if (!collect_fields(owner, ev, now, depth) || !collect_requests(owner, now, depth)) return false;
  if (now.empty() && owner.last.empty() && http != nullptr && http->server != nullptr) {
    if (!collect_callback({nullptr, http->server}, now, depth)) return false;
  } else if (now.empty()) {
    now = owner.last;
  } else if (asked_ == nullptr &&
             (owner.last.size() != now.size() || !std::is_permutation(now.begin(), now.end(), owner.last.begin()))) {
    owner.last = now;
  }
  for (const Callback& each : now) add_once(found, each);
  for (const Callback& other : owner.others) {
    const Owner* const server = depth == 0 ? server_behind(other) : nullptr;
    // To accept a connection is to make its carrier, and no more.
    const bool accepts = server != nullptr && server->server->apart && server->server->carriers.empty();
    if (!collect_callback(other, accepts ? *one_of_ : found, depth)) return false;
  }
  if (owner.server != nullptr)
    for (const Callback& carrier : owner.server->carriers) add_once(found, carrier);
  if (http == nullptr) return true;
  if (http->sent.function != nullptr) add_once(found, http->sent);
  if (http->close.first != nullptr)
    add_once(found, {reinterpret_cast<const void*>(http->close.first), http->close.second});
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

bool Owners::collect_requests(Owner& owner, std::vector<Callback>& found, int depth) {
  if (owner.http == nullptr) return true;
  Connection& http = *owner.http;
  for (const evhttp_request* request : http.requests) {
    const void* const argument = peek(request->cb_arg);
    const void* const called = peek(request->cb);
    const bool by_server = http.of_server && called != nullptr && is_libevents(called);
    if (by_server && !collect_server(http, request, argument, found, depth)) return false;
    for (const void* function :
         {by_server ? nullptr : called, peek(request->chunk_cb), peek(request->header_cb), peek(request->error_cb)})
      if (function != nullptr && !collect_callback({function, argument}, found, depth)) return false;
    const void* const completed = peek(request->on_complete_cb);
    if (completed != nullptr && !collect_callback({completed, peek(request->on_complete_cb_arg)}, found, depth))
      return false;
  }
  return true;
}

// What the server of the connection may call for this request in the call that is asked about.
bool Owners::collect_server(Connection& connection, const evhttp_request* request, const void* server,
                            std::vector<Callback>& found, int depth) {
  connection.server = server;
  connection.guess = {};
  const Callback all{nullptr, server};
  const auto of = owners_.find(server);
  const auto carrier = owners_.find(connection.carrier);
  if (of == owners_.end() || of->second.server == nullptr || carrier == owners_.end() || asked_ == nullptr ||
      asked_->ev_evcallback.evcb_arg != carrier->first)
    return collect_callback(all, found, depth);
  // A carrier that the program has made reads and writes in its own way.
  if (!of->second.server->apart || of->second.others.size() < 2 || !of->second.server->carriers.empty() ||
      connection.requests.size() != 1)
    return collect_callback(all, found, depth);
  const bufferevent* const fields = carrier->second.fields;
  // Only reading goes on to a request, and not the end of the time that it may take.
  const bool reads = asked_ != &fields->ev_write && (asked_->ev_res & EV_READ) != 0;
  if (reads && !look_ahead(connection, *request, of->second)) return collect_callback(all, found, depth);
  const std::size_t before = found.size();
  if (reads)
    for (const Callback& route : connection.guess.routes) add_once(found, route);
  if (connection.serving != nullptr) add_once(found, connection.route);
  if (found.size() == before && !connection.past_is_known) return collect_callback(all, found, depth);
  if (found.size() == before)
    for (const Callback& route : connection.past) add_once(found, route);
  return found.size() != before || collect_callback(all, *one_of_, depth);
}

// Finds out what the next read may go on to, into `guess`; false if that can be anything.
bool Owners::look_ahead(Connection& connection, const evhttp_request& request, const Owner& server) {
  connection.guess = {};
  if (peek(request.uri) != nullptr) {
    connection.guess = connection.reading;
    return connection.reading.known;
  }
  if (connection.reading.begun) return false;
  std::array<char, kLongestLine> text;
  // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): with MSG_DONTWAIT it does not wait
  const ssize_t size = recv(asked_->ev_fd, text.data(), text.size(), MSG_PEEK | MSG_DONTWAIT);
  if (size < 0) return false;
  connection.guess.known = true;
  if (size == 0) return true;  // the peer has ended: nothing more is read
  const auto path = path_of({text.data(), static_cast<std::size_t>(size)});
  connection.guess.known = path && routes_for(server, *path, connection.guess.routes, 0);
  return connection.guess.known;
}

bool Owners::routes_for(const Owner& server, std::string_view path, std::vector<Callback>& found, int depth) {
  if (depth > kDeepest || server.server == nullptr) return false;
  bool exact = false;
  for (const Route& route : server.server->routes) {
    if (route.any || route.path != path) continue;
    exact = true;
    add_once(found, route.callback);
  }
  for (const Route& route : server.server->routes)
    if (route.any && !exact) add_once(found, route.callback);
  for (const Callback& other : server.others) {
    if (other.function != nullptr) continue;
    const auto host = owners_.find(other.argument);
    if (host == owners_.end() || !routes_for(host->second, path, found, depth + 1)) return false;
  }
  return true;
}

// What was found last for the call is now sure: nothing else is made on its strand.
void Owners::begins(const event_callback& callback) {
  const std::lock_guard guard(mutex_);
  const auto carrier = owners_.find(callback.evcb_arg);
  if (carrier == owners_.end() || carrier->second.fields == nullptr) return;
  if (reinterpret_cast<const event*>(&callback) != &carrier->second.fields->ev_read) return;
  Connection* const connection = http_of(carrier->second.connection);
  if (connection == nullptr || !connection->of_server) return;
  if (!connection->reading.begun) connection->reading = connection->guess;
  connection->reading.begun = true;
}

void Owners::lose_sight() {
  const std::lock_guard guard(mutex_);
  for (auto& [object, owner] : owners_)
    if (owner.http != nullptr && owner.http->of_server && !owner.http->reading.begun)
      owner.http->reading = {.begun = true, .known = false, .routes = {}};
}

// The server that libevent accepts connections for, by this function of its own; null: the callback is another one.
const Owners::Owner* Owners::server_behind(const Callback& callback) {
  const auto found = owners_.find(callback.argument);
  const bool accepts = found != owners_.end() && found->second.server != nullptr && callback.function != nullptr &&
                       is_libevents(callback.function);
  return accepts ? &found->second : nullptr;
}

bool Owners::is_unfollowed(const Connection* connection) {
  return connection != nullptr && connection->of_server && !connection->followed;
}

bool Owners::is_only_served(const Owner& owner) {
  return is_unfollowed(owner.http != nullptr ? owner.http.get() : http_of(owner.connection));
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
  Asked& recent = recent_[reinterpret_cast<std::uintptr_t>(function) / 16 % recent_.size()];
  if (recent.function != function) recent = {function, lies_in_libevent(function)};
  return recent.libevents;
}

bool Owners::lies_in_libevent(const void* function) {
  const auto [entry, fresh] = libevents_.try_emplace(function, false);
  if (!fresh) return entry->second;
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return false;
  std::string_view file = info.dli_fname;
  file.remove_prefix(file.rfind('/') + 1);
  return entry->second = file.starts_with("libevent");
}

}  // namespace heddle::multivent
