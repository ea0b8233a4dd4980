// Which functions of the program an internal call of libevent may go on to, and on what it works.
//
// A bufferevent's events and deferred callbacks are libevent's own. To the loop they look alike, whatever the program
// does in its callbacks. This table knows the objects that libevent makes such calls for (owners), told by the public
// functions that make and change them (libevent/bufferevents.cpp, libevent/listeners.cpp). No private layout is
// assumed: the fields of struct bufferevent are public (event2/bufferevent_struct.h), and programs store into them.
//
// What is not found here stays unknown: the call runs alone. docs/internals/multivent.md has the argument why the rest
// may run beside others.
//
// One mutex over all of it, which is the last in the order: nothing else is locked under it. Any thread may call.
#pragma once

#include <event2/bufferevent.h>
#include <event2/bufferevent_struct.h>
#include <event2/event_struct.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

struct evconnlistener;

namespace heddle::multivent {

class Owners {
 public:
  struct Callback {
    const void* function = nullptr;
    const void* argument = nullptr;
    friend bool operator==(const Callback&, const Callback&) = default;
  };

  // What one call of libevent may do.
  struct Duty {
    std::vector<Callback> callbacks;  // the likeliest first; never empty
    std::uintptr_t strand = 0;        // what it works on without a lock
    std::uint64_t maker = 0;          // run id of the call that made the owner, if that was a call of `maker_base`
    const event_base* maker_base = nullptr;
  };

  static Owners& get();

  // --- Told by libevent's public functions ---
  void made(const bufferevent& object, const bufferevent* underlying = nullptr);
  void made_pair(const bufferevent& one, const bufferevent& other);
  // Calls `function` beside its callbacks; null is none.
  void also_calls(const void* object, const void* function, const void* argument);
  // Its callbacks are about to be taken away; what still comes of it goes by those that it had.
  void remember(const bufferevent& object);
  // It shares with others what cannot be said: its calls stay unknown for good.
  void keep_alone(const void* object);

  void made(const evconnlistener* object, const void* callback, const void* argument);
  void changed(const evconnlistener* object, const void* callback, const void* argument);
  void changed_error(const evconnlistener* object, const void* callback);

  // Its memory is about to be freed.
  void forget(const void* object);

  // False if the call is none of libevent for an owner, or nothing is known about what it may do. `duty` is only
  // written.
  bool find(const event_callback& callback, Duty& duty);

 private:
  struct Owner {
    std::uintptr_t strand = 0;
    std::uint64_t maker = 0;
    const event_base* maker_base = nullptr;
    const bufferevent* fields = nullptr;  // null for a listener
    const void* partner = nullptr;        // the other end of a pair
    bool alone = false;
    std::vector<Callback> others;  // beside those in the fields
    std::vector<Callback> last;    // what was found the last time that there was something
  };

  Owner& add(const void* object);
  bool collect(Owner& owner, const event* ev, std::vector<Callback>& found, int depth);
  bool collect_fields(const Owner& owner, const event* ev, std::vector<Callback>& found, int depth);
  bool is_libevents(const void* function);

  std::mutex mutex_;  // guards the rest
  std::unordered_map<const void*, Owner> owners_;
  std::unordered_map<const void*, bool> libevents_;  // functions that were asked about
};

}  // namespace heddle::multivent
