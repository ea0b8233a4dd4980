// HTTP servers and clients: libevent's own functions, seen on their way.
//
// A connection and its requests are used by one thread at a time: they have one strand (owners/owners.hpp). What the
// connections of a server share is the list of them. libevent has no lock for it, so this file locks a mutex while
// libevent accepts a connection and while it frees one. The program's code never runs under that mutex: callbacks that
// it has set for these two are called by functions of ours, which release the mutex meanwhile. They may, because
// libevent calls them, and frees requests, before it touches the list.
#include "multivent/libevent/http.hpp"

#include <event2/http_compat.h>
#include <event2/http_struct.h>
#include <pthread.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "multivent/libevent/abi.hpp"
#include "multivent/libevent/next.hpp"
#include "multivent/loop/base.hpp"
#include "multivent/owners/owners.hpp"
#include "multivent/process/runtime.hpp"

using namespace heddle::multivent;

namespace {

// Held while libevent changes the list of a server's connections. Locked before any base's mutex.
std::mutex lists_mutex;
// How many objects of type Held this thread has; the first of them locks lists_mutex.
thread_local int held = 0;
// libevent accepts a connection for a server on this thread.
thread_local bool accepts = false;
// This thread is in evhttp_start(), whose server nobody knows yet.
thread_local bool starts = false;

// The bufferevent of the connection that this thread is freeing in evhttp_connection_free(), else null.
thread_local const bufferevent* freed_with_connection = nullptr;
// The last request that libevent has made for itself on this thread, until it belongs to a connection.
thread_local evhttp_request* newest = nullptr;

// Is it followed what a server's connections work on? Only who lets calls overlap needs to know.
bool follows_servers() { return Owners::get().crew_came() && Runtime::get().parallel(); }

// Holds lists_mutex, if that is needed; a serial run never needs it.
class Held {
 public:
  explicit Held(bool needed) : held_(needed && Runtime::get().parallel()) {
    if (held_ && held++ == 0) lists_mutex.lock();
  }
  ~Held() {
    if (held_ && --held == 0) lists_mutex.unlock();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  const bool held_;
};

class Released {
 public:
  Released() : held_(std::exchange(held, 0)) {
    if (held_ != 0) lists_mutex.unlock();
  }
  ~Released() {
    if (held_ != 0) lists_mutex.lock();
    held = held_;
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  const int held_;
};

std::atomic<evconnlistener_cb> libevent_accepts{nullptr};

void accept_guarded(evconnlistener* listener, evutil_socket_t fd, sockaddr* from, int size, void* server) {
  const Held guard(true);
  const bool outer = std::exchange(accepts, true);
  libevent_accepts.load(std::memory_order_relaxed)(listener, fd, from, size, server);
  accepts = outer;
}

void close_released(evhttp_connection* connection, void*) {
  const Released released;
  const auto [callback, argument] = Owners::get().close_of(connection);
  if (callback != nullptr) callback(connection, argument);
}

// fork() must not copy a list that is half changed, so the thread that forks holds the mutex.
void lock_lists() {
  if (held == 0) lists_mutex.lock();
}
void unlock_lists() {
  if (held == 0) lists_mutex.unlock();
}

void follow_server(const evhttp* server) {
  // Registered after the runtime's, and so called before them: the lists' mutex is the first in the order.
  static const int registered = pthread_atfork(lock_lists, unlock_lists, unlock_lists);
  static_cast<void>(registered);
  Owners::get().made(server, /*apart=*/Runtime::get().parallel());
}

// A function of the program that a server calls, and its argument. libevent is given the address of this record instead
// of the argument, and a function below instead of the program's.
struct Maker {
  bufferevent* (*callback)(event_base*, void*);
  void* argument;
};
struct Route {
  void (*callback)(evhttp_request*, void*);
  void* argument;
};

// The records that libevent has, by server; each until another one takes its place, or the server is freed. Whoever
// does that conflicts with the callbacks of the server, so none is on its way to a record.
class Records {
 public:
  // For requests of that path, or where no other route is for them.
  void keep(const evhttp* server, const char* path, std::unique_ptr<const Route> route) {
    const std::lock_guard guard(mutex_);
    Server& records = servers_[server];
    if (path == nullptr) {
      records.other.swap(route);
    } else {
      records.routes[path].swap(route);
    }
  }
  void keep(const evhttp* server, std::unique_ptr<const Maker> maker) {
    const std::lock_guard guard(mutex_);
    servers_[server].maker.swap(maker);
  }
  void drop(const evhttp* server, const char* path) {
    const std::lock_guard guard(mutex_);
    const auto found = servers_.find(server);
    if (found != servers_.end()) found->second.routes.erase(path);
  }
  // They are there as long as what is returned.
  auto take(const evhttp* server) {
    const std::lock_guard guard(mutex_);
    return servers_.extract(server);
  }

 private:
  struct Server {
    std::unique_ptr<const Route> other;
    std::unique_ptr<const Maker> maker;
    std::unordered_map<std::string, std::unique_ptr<const Route>> routes;
  };
  std::mutex mutex_;  // guards the rest
  std::unordered_map<const evhttp*, Server> servers_;
};
// Never destroyed: exit handlers of the program may use servers.
Records& records = *new Records;

bufferevent* make_released(event_base* base, void* maker) {
  const Released released;
  const Maker own = *static_cast<const Maker*>(maker);
  return own.callback(base, own.argument);
}

void call_route(evhttp_request* request, void* record) {
  const Route route = *static_cast<const Route*>(record);
  if (follows_servers()) Owners::get().serves(request, {address_of(route.callback), route.argument});
  if (Task* const task = current_task()) {
    const BaseLock lock(*task->base);
    task->base->goes_on_to(*task, address_of(route.callback));
  }
  route.callback(request, route.argument);
}

}  // namespace

// libevent may close the descriptor of a connection while the events of its bufferevent are still added, if the call is
// made by one of them: with one thread nobody looks meanwhile. Here a poller would find them, or a new connection whose
// descriptor has the same number.
void http::let_go(bufferevent& object) {
  if (&object == freed_with_connection) HEDDLE_NEXT(bufferevent_disable)(&object, EV_READ | EV_WRITE);
}

void http::pointed_at(void* argument) {
  if (newest == nullptr) return;
  if (newest->evcon == argument) Owners::get().works_on(newest->evcon, newest, /*by_itself=*/true);
  newest = nullptr;
}

void http::listens_for(const void* server) {
  if (std::exchange(starts, false)) follow_server(static_cast<const evhttp*>(server));
}

evconnlistener_cb http::guarded(evconnlistener_cb accepts_for_server) {
  // libevent has one such function, so every store writes the same value: relaxed.
  libevent_accepts.store(accepts_for_server, std::memory_order_relaxed);
  return accept_guarded;
}

// --- Servers ---

evhttp* evhttp_new(event_base* base) {
  evhttp* const made = HEDDLE_NEXT(evhttp_new)(base);
  if (made != nullptr && followed()) follow_server(made);
  return made;
}

// The server begins to listen before libevent returns it; http::listens_for() sees it then.
evhttp* evhttp_start(const char* address, ev_uint16_t port) {
  starts = followed();
  evhttp* const made = HEDDLE_NEXT(evhttp_start)(address, port);
  starts = false;
  return made;
}

void evhttp_free(evhttp* server) {
  if (followed()) Owners::get().forget(server);
  const auto freed_with_it = records.take(server);
  HEDDLE_NEXT(evhttp_free)(server);
}

int evhttp_set_cb(evhttp* server, const char* path, void (*callback)(evhttp_request*, void*), void* argument) {
  if (callback == nullptr || !followed()) return HEDDLE_NEXT(evhttp_set_cb)(server, path, callback, argument);
  auto route = std::make_unique<Route>(Route{callback, argument});
  const int result = HEDDLE_NEXT(evhttp_set_cb)(server, path, call_route, route.get());
  if (result != 0) return result;
  records.keep(server, path, std::move(route));
  Owners::get().also_routes(server, path, address_of(callback), argument);
  return 0;
}

int evhttp_del_cb(evhttp* server, const char* path) {
  if (followed()) Owners::get().also_routes(server, path, nullptr, nullptr);
  const int result = HEDDLE_NEXT(evhttp_del_cb)(server, path);
  if (result == 0) records.drop(server, path);
  return result;
}

void evhttp_set_gencb(evhttp* server, void (*callback)(evhttp_request*, void*), void* argument) {
  if (callback == nullptr || !followed()) return HEDDLE_NEXT(evhttp_set_gencb)(server, callback, argument);
  Owners::get().also_routes(server, nullptr, address_of(callback), argument);
  auto route = std::make_unique<Route>(Route{callback, argument});
  HEDDLE_NEXT(evhttp_set_gencb)(server, call_route, route.get());
  records.keep(server, nullptr, std::move(route));
}

void evhttp_set_bevcb(evhttp* server, bufferevent* (*callback)(event_base*, void*), void* argument) {
  if (callback == nullptr || !followed()) return HEDDLE_NEXT(evhttp_set_bevcb)(server, callback, argument);
  Owners::get().also_carries(server, address_of(callback), argument);
  auto maker = std::make_unique<Maker>(Maker{callback, argument});
  HEDDLE_NEXT(evhttp_set_bevcb)(server, make_released, maker.get());
  records.keep(server, std::move(maker));
}

int evhttp_add_virtual_host(evhttp* server, const char* pattern, evhttp* host) {
  const int result = HEDDLE_NEXT(evhttp_add_virtual_host)(server, pattern, host);
  if (result == 0 && followed()) Owners::get().also_serves(server, host);
  return result;
}

// --- Connections ---

evhttp_connection* evhttp_connection_base_bufferevent_new(event_base* base, evdns_base* resolver, bufferevent* given,
                                                          const char* host, ev_uint16_t port) {
  evhttp_connection* const made =
      HEDDLE_NEXT(evhttp_connection_base_bufferevent_new)(base, resolver, given, host, port);
  if (made == nullptr || !followed()) return made;
  Owners::get().made(made, HEDDLE_NEXT(evhttp_connection_get_bufferevent)(made), accepts, follows_servers());
  // A client may go on to use the bufferevent's buffers by itself, which its constraints do not say.
  if (given != nullptr && !accepts) Owners::get().keep_alone(made);
  return made;
}

void evhttp_connection_set_closecb(evhttp_connection* connection, void (*callback)(evhttp_connection*, void*),
                                   void* argument) {
  const bool known = followed() && Owners::get().set_close(connection, callback, argument);
  if (known && callback != nullptr) callback = close_released;
  HEDDLE_NEXT(evhttp_connection_set_closecb)(connection, callback, argument);
}

void evhttp_connection_free(evhttp_connection* connection) {
  const Held guard(followed() && Owners::get().ends(connection));
  const bufferevent* const outer =
      std::exchange(freed_with_connection, HEDDLE_NEXT(evhttp_connection_get_bufferevent)(connection));
  HEDDLE_NEXT(evhttp_connection_free)(connection);
  freed_with_connection = outer;
}

// --- Requests ---

evhttp_request* evhttp_request_new(void (*callback)(evhttp_request*, void*), void* argument) {
  evhttp_request* const made = HEDDLE_NEXT(evhttp_request_new)(callback, argument);
  if (made != nullptr && followed() && follows_servers() && Owners::get().libevents(address_of(callback)))
    newest = made;
  return made;
}

void evhttp_request_free(evhttp_request* request) {
  if (newest == request) newest = nullptr;
  // With this flag libevent still uses the request, and calls this function again.
  if (Owners::get().any_requests() && !(request->flags & EVHTTP_REQ_DEFER_FREE)) Owners::get().done_with(request);
  const Released released;  // the request's buffers may have callbacks of the program
  HEDDLE_NEXT(evhttp_request_free)(request);
}

int evhttp_make_request(evhttp_connection* connection, evhttp_request* request, evhttp_cmd_type type, const char* uri) {
  if (followed()) Owners::get().works_on(connection, request, /*by_itself=*/false);
  return HEDDLE_NEXT(evhttp_make_request)(connection, request, type, uri);
}

void evhttp_send_reply_chunk_with_cb(evhttp_request* request, evbuffer* data,
                                     void (*callback)(evhttp_connection*, void*), void* argument) {
  if (followed() && request->evcon != nullptr) Owners::get().sends(request->evcon, address_of(callback), argument);
  HEDDLE_NEXT(evhttp_send_reply_chunk_with_cb)(request, data, callback, argument);
}
