// Which functions of the program an internal call of libevent may go on to, and on what it works.
//
// A bufferevent's events and deferred callbacks are libevent's own. To the loop they look alike, whatever the program
// does in its callbacks. This table knows the objects that libevent makes such calls for (owners), told by the public
// functions that make and change them (libevent/bufferevents.cpp, listeners.cpp, http.cpp, resolvers.cpp). No private
// layout is assumed: the fields of struct bufferevent and struct evhttp_request are public; programs store into them.
//
// Owners lead to owners: where a callback is itself a function of libevent, its argument is looked up in turn. So the
// event of a bufferevent leads to the HTTP connection that uses it, from there to the requests and to the server that
// they are for, and from the server to the functions that the program has set for it.
//
// Which of a server's callbacks (routes) a request is for shows in its first line. Of a connection whose next bytes are
// the beginning of a request, that line is looked at in the socket before the call is made: then the call stands for
// the routes that the line may mean, not for all. A call that reads no request stands for the route of the request that
// the connection is still busy with.
//
// What is not found here stays unknown: the call runs alone. docs/internals/multivent.md has the argument why the rest
// may run beside others.
//
// One mutex guards all of it, and is the last in the order: under it we lock no other. Any thread may call.
#pragma once

#include <event2/bufferevent.h>
#include <event2/bufferevent_struct.h>
#include <event2/event_struct.h>
#include <event2/http.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/quick_mutex.hpp"

struct evconnlistener;

namespace heddle::multivent {

using evhttp_close_callback = void (*)(evhttp_connection*, void*);

class Owners {
 public:
  struct Callback {
    const void* function = nullptr;
    const void* argument = nullptr;
    friend bool operator==(const Callback&, const Callback&) = default;
  };

  // What one call of libevent itself may go on to.
  struct Duty {
    std::vector<Callback> callbacks;  // the likeliest first
    // One of these as well, whichever: none of them follows, but what libevent itself does is part of each.
    std::vector<Callback> one_of;
    std::uintptr_t strand = 0;  // what it works on without a lock
    std::uint64_t maker = 0;    // run id of the call that made the owner, if that was a call of `maker_base`
    const event_base* maker_base = nullptr;
    bool served = false;       // a connection of a server: what is called shows while the call is made (serves())
    bool only_served = false;  // and nothing else is known of it, because nobody asks for more: there are no callbacks
  };

  static Owners& get();
  // What calls for connections of servers are counted as, while they have not gone on to a route.
  static const void* connection_of_server();

  // --- Told by libevent's public functions ---
  void made(const bufferevent& object, const bufferevent* underlying = nullptr);
  void made_pair(const bufferevent& one, const bufferevent& other);
  // `object` calls `function` beside its callbacks; null: nothing.
  void also_calls(const void* object, const void* function, const void* argument);
  // The callbacks of `object` are about to be taken away. Calls that still come are judged by those that it has now.
  void remember(const bufferevent& object);
  // What `object` shares with others cannot be told: its calls stay unknown for good.
  void keep_alone(const void* object);

  void made(const evconnlistener* object, const void* callback, const void* argument);
  void changed(const evconnlistener* object, const void* callback, const void* argument);
  void changed_error(const evconnlistener* object, const void* callback);

  // A server calls what it is told by also_calls(), and what its virtual hosts call. `apart`: which of its routes a
  // call is for is looked for.
  void made(const evhttp* server, bool apart);
  // For requests of this path, which no longer has a route if the function is null. Without a path: for those that no
  // other route is for.
  void also_routes(const evhttp* server, const char* path, const void* function, const void* argument);
  // The request is being handed to this route.
  void serves(const evhttp_request* request, const Callback& route);
  void also_serves(const evhttp* server, const evhttp* host);
  // What makes bufferevents for its connections. Those are the connections' own, so it counts for all of their calls.
  void also_carries(const evhttp* server, const void* function, const void* argument);
  // The connection works on `carrier`. `of_server`: its server made it, in a call of its own. While nobody needs to
  // know what a server's connection works on (`followed` is false), that is not said: figures see which route is
  // called.
  void made(const evhttp_connection* connection, const bufferevent* carrier, bool of_server, bool followed);
  // `by_itself`: libevent has made the request for a connection of a server. It works on one at a time, so from here on
  // the connection is followed, if it was not.
  void works_on(const evhttp_connection* connection, const evhttp_request* request, bool by_itself);
  void done_with(const evhttp_request* request);
  // Whether any connection works on anything. Relaxed: who is done with a request knows of works_on() for it.
  bool any_requests() const { return requests_.load(std::memory_order_relaxed) != 0; }
  // The connection calls `function` once what it sends now is on its way; null: nothing.
  void sends(const evhttp_connection* connection, const void* function, const void* argument);
  // False if nothing is known of the connection.
  bool set_close(const evhttp_connection* connection, evhttp_close_callback callback, void* argument);
  std::pair<evhttp_close_callback, void*> close_of(const evhttp_connection* connection);
  // The connection is about to be freed; it is forgotten when its bufferevent is. True if it is a server's.
  bool ends(const evhttp_connection* connection);

  // Anything else that calls `callback` with `argument`. Without a strand its calls are its own.
  void made(const void* object, const void* callback, const void* argument, std::uintptr_t strand);
  // The strand of `object`, 0 if it is no owner.
  std::uintptr_t strand_of(const void* object);

  // A crew is about to run a loop, the first or one more. What a server's connections work on matters from here on:
  // their calls may overlap. Of one that is open already it is not known, so its calls count as unknown, and run alone,
  // until libevent makes its next request.
  void crew_comes();
  // Whether one has come. Relaxed: of a connection everything happens in one thread after another, which the mutex of
  // its base orders. So who sees that a crew came, when it says what the connection works on, is followed by those
  // that see it, too.
  bool crew_came() const { return crew_came_.load(std::memory_order_relaxed); }

  // Its memory is about to be freed.
  void forget(const void* object);
  void forget(const void* object, std::uintptr_t if_on_strand);

  // True for a function of libevent's, but not for those that the program gets from us.
  bool libevents(const void* function);

  // Around fork().
  void lock() { locked_for_fork_ = mutex_.lock_unless_mine(); }
  void unlock() {
    if (locked_for_fork_) mutex_.unlock();
  }

  // False if the call is not one that libevent makes for an owner, or if it cannot be told what it may do. `duty` is
  // only written. It has no callbacks if nobody has said yet what the owner is for. What is found while another call on
  // the strand runs is a guess, good for a place in the queue: who makes the call asks again, and then says begins().
  bool find(const event_callback& callback, Duty& duty);
  void begins(const event_callback& callback);
  // Calls have been made without begins(): what connections of servers may have read of their requests is not known.
  void lose_sight();

 private:
  struct Route {
    std::string path;
    bool any = false;  // for what no path is for
    Callback callback;
  };
  // Of the request that a server's connection reads next, or is busy with.
  struct Reading {
    bool begun = false;  // some of it may have been read
    bool known = false;  // `routes` are what its first line may mean
    std::vector<Callback> routes;
  };
  struct Server {
    std::vector<Callback> carriers;
    std::vector<Route> routes;
    bool apart = false;
  };
  struct Connection {
    const void* carrier = nullptr;                // its bufferevent
    std::vector<const evhttp_request*> requests;  // until they are freed
    std::pair<evhttp_close_callback, void*> close;
    Callback sent;
    bool of_server = false;
    bool followed = true;  // of a server's connection
    bool ends = false;
    // Of a server's connection: see find() for what is a guess.
    const void* server = nullptr;
    Reading reading;
    Reading guess;
    const evhttp_request* serving = nullptr;  // the request that a route was called for last, until it is freed
    Callback route;
    std::vector<Callback> past;  // the routes that it has had
    bool past_is_known = true;   // these are all of them
  };
  // Every bufferevent has one, so it is small: what only HTTP needs lies elsewhere.
  struct Owner {
    std::uintptr_t strand = 0;
    const bufferevent* fields = nullptr;  // of a bufferevent
    const void* connection = nullptr;     // the HTTP connection on this bufferevent
    std::uint64_t maker = 0;
    const event_base* maker_base = nullptr;
    const void* partner = nullptr;  // the other end of a pair
    bool alone = false;
    std::vector<Callback> others;      // beside those in the fields; without a function: all that the argument calls
    std::vector<Callback> last;        // what was found the last time that there was something
    std::unique_ptr<Server> server;    // of an HTTP server
    std::unique_ptr<Connection> http;  // of an HTTP connection

    // As new, with the memory of its lists.
    void clear();
  };
  using Table = std::unordered_map<const void*, Owner>;

  Owner& add(const void* object);
  Owner& begin(Owner& owner, const void* object);
  void erase(Table::iterator found);
  Connection* http_of(const void* connection);
  bool collect(Owner& owner, const event* ev, std::vector<Callback>& found, int depth);
  bool collect_fields(const Owner& owner, const event* ev, std::vector<Callback>& found, int depth);
  bool collect_requests(Owner& owner, std::vector<Callback>& found, int depth);
  bool collect_callback(const Callback& callback, std::vector<Callback>& found, int depth);
  bool collect_server(Connection& connection, const evhttp_request* request, const void* server,
                      std::vector<Callback>& found, int depth);
  bool look_ahead(Connection& connection, const evhttp_request& request, const Owner& server);
  bool routes_for(const Owner& server, std::string_view path, std::vector<Callback>& found, int depth);
  void forget_requests(const Connection& connection);
  template <class Predicate>
  static void forget_routes(Owner& server, Predicate is_gone);
  void count_requests();
  const Owner* server_behind(const Callback& callback);
  static bool is_unfollowed(const Connection* connection);
  bool is_only_served(const Owner& owner);
  bool is_libevents(const void* function);
  bool lies_in_libevent(const void* function);

  bool locked_for_fork_ = false;
  base::QuickMutex mutex_;  // guards the rest
  Table owners_;
  // Elements that were taken out, to be used again: connections come and go.
  std::vector<Table::node_type> spare_;
  std::unordered_map<const evhttp_request*, const void*> works_on_;
  std::atomic<std::size_t> requests_{0};             // the size of works_on_, for any_requests()
  std::atomic<bool> crew_came_{false};               // set under the mutex, and never cleared
  std::unordered_map<const void*, bool> libevents_;  // functions that were asked about
  struct Asked {
    const void* function = nullptr;
    bool libevents = false;
  };
  std::array<Asked, 32> recent_;  // of these, by the lower part of their address
  std::vector<Callback> now_;     // only used within remember(), kept for its memory
  // In find(): the event of a bufferevent that it was asked about; where to put what one will do of.
  const event* asked_ = nullptr;
  std::vector<Callback>* one_of_ = nullptr;
};

}  // namespace heddle::multivent
