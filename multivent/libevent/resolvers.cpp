// Names and addresses: libevent's own functions, seen on their way.
//
// An answer is handed to the program by a call of the loop, whose argument is the program's own and tells nothing. So
// libevent gets a record of ours with it, and a function that calls the program's: the record is the owner of that call
// (owners/owners.hpp). The two questions that a getaddrinfo may consist of, and its timeout, work on the same memory
// without a lock. So they have one strand: that of the bufferevent which asked, if one did.
//
// What the resolver does with its servers, packets and timeouts runs alone: those calls are not told apart from others
// of libevent.
#include "multivent/libevent/resolvers.hpp"

#include <event2/dns.h>
#include <event2/util.h>

#include <atomic>
#include <mutex>

#include "multivent/libevent/abi.hpp"
#include "multivent/libevent/next.hpp"
#include "multivent/owners/owners.hpp"

using namespace heddle::multivent;

extern "C" [[gnu::weak]] void evutil_adjust_hints_for_addrconfig_(evutil_addrinfo* hints);

namespace {

// libevent looks once whether this machine has addresses of each family, when somebody first asks for such only, and
// notes that it has looked before it does. Whoever asks meanwhile would be told that there are none: here he waits.
void look_at_interfaces(const evutil_addrinfo* hints) {
  static std::once_flag looked;
  if (hints == nullptr || (hints->ai_flags & EVUTIL_AI_ADDRCONFIG) == 0 || hints->ai_family != PF_UNSPEC) return;
  if ((hints->ai_flags & EVUTIL_AI_NUMERICHOST) != 0 || evutil_adjust_hints_for_addrconfig_ == nullptr) return;
  evutil_addrinfo same = *hints;
  std::call_once(looked, [&same] { evutil_adjust_hints_for_addrconfig_(&same); });
}

// One evdns_getaddrinfo(). Lives until the program has its answer and both questions have theirs. give_back() is
// acq_rel: the last user, who deletes the query, sees what the earlier ones did to it, `timeout` included.
struct Query {
  evdns_getaddrinfo_cb callback;
  void* argument;
  std::uintptr_t strand;
  std::atomic<int> users{1};
  std::atomic<const void*> timeout{nullptr};  // the argument of its timeout event

  void take() { users.fetch_add(1, std::memory_order_relaxed); }
  void give_back() {
    if (users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (const void* argument_of_event = timeout.load(std::memory_order_relaxed))
      Owners::get().forget(argument_of_event, strand);
    delete this;
  }
};

struct Question {
  evdns_callback_type callback;
  void* argument;
  Query* query;  // null if the program itself asked this question
};

// The query for which this thread is in evdns_getaddrinfo().
thread_local Query* making = nullptr;

void answered(int result, char type, int count, int ttl, void* addresses, void* argument) {
  const Question question = *static_cast<Question*>(argument);
  question.callback(result, type, count, ttl, addresses, question.argument);
  Owners::get().forget(argument);
  delete static_cast<Question*>(argument);
  if (question.query != nullptr) question.query->give_back();
}

void found(int error, evutil_addrinfo* addresses, void* argument) {
  auto* const query = static_cast<Query*>(argument);
  Query* const outer = std::exchange(making, nullptr);  // evdns_getaddrinfo() may answer before it returns
  query->callback(error, addresses, query->argument);
  making = outer;
  query->give_back();
}

template <class Next, class Asked>
evdns_request* ask(Next next, evdns_base* base, Asked asked, int flags, evdns_callback_type callback, void* argument) {
  Query* const query = std::exchange(making, nullptr);
  const bool of_program = followed() && !Owners::get().libevents(address_of(callback));
  if (!of_program && query == nullptr) return next(base, asked, flags, callback, argument);
  auto* const question = new Question{callback, argument, query};
  if (query != nullptr) {
    query->take();
    Owners::get().made(question, address_of(query->callback), query->argument, query->strand);
  } else {
    Owners::get().made(question, address_of(callback), argument, 0);
  }
  evdns_request* const made = next(base, asked, flags, answered, question);
  if (made == nullptr) {  // it will never be answered
    Owners::get().forget(question);
    delete question;
    if (query != nullptr) query->give_back();
  }
  making = query;
  return made;
}

}  // namespace

void resolvers::assigned(const void* function, const void* argument) {
  if (making == nullptr || !Owners::get().libevents(function)) return;
  making->timeout.store(argument, std::memory_order_relaxed);
  Owners::get().made(argument, address_of(making->callback), making->argument, making->strand);
}

evdns_request* evdns_base_resolve_ipv4(evdns_base* base, const char* name, int flags, evdns_callback_type callback,
                                       void* argument) {
  return ask(HEDDLE_NEXT(evdns_base_resolve_ipv4), base, name, flags, callback, argument);
}

evdns_request* evdns_base_resolve_ipv6(evdns_base* base, const char* name, int flags, evdns_callback_type callback,
                                       void* argument) {
  return ask(HEDDLE_NEXT(evdns_base_resolve_ipv6), base, name, flags, callback, argument);
}

evdns_request* evdns_base_resolve_reverse(evdns_base* base, const in_addr* host, int flags,
                                          evdns_callback_type callback, void* argument) {
  return ask(HEDDLE_NEXT(evdns_base_resolve_reverse), base, host, flags, callback, argument);
}

evdns_request* evdns_base_resolve_reverse_ipv6(evdns_base* base, const in6_addr* host, int flags,
                                               evdns_callback_type callback, void* argument) {
  return ask(HEDDLE_NEXT(evdns_base_resolve_reverse_ipv6), base, host, flags, callback, argument);
}

// The callback is called in any case, maybe before this returns.
evdns_getaddrinfo_request* evdns_getaddrinfo(evdns_base* base, const char* host, const char* service,
                                             const evutil_addrinfo* hints, evdns_getaddrinfo_cb callback,
                                             void* argument) {
  auto* const next = HEDDLE_NEXT(evdns_getaddrinfo);
  if (!followed()) return next(base, host, service, hints, callback, argument);
  if (Runtime::get().parallel()) look_at_interfaces(hints);
  // If libevent itself asks, it asks for a bufferevent.
  const bool for_owner = Owners::get().libevents(address_of(callback));
  const std::uintptr_t strand = for_owner ? Owners::get().strand_of(argument) : 0;
  if (for_owner && strand == 0) return next(base, host, service, hints, callback, argument);
  auto* const query = new Query{.callback = callback, .argument = argument, .strand = strand};
  if (!for_owner) query->strand = reinterpret_cast<std::uintptr_t>(query);
  Query* const outer = std::exchange(making, query);
  evdns_getaddrinfo_request* const made = next(base, host, service, hints, found, query);
  making = outer;
  return made;
}

evdns_server_port* evdns_add_server_port_with_base(event_base* base, evutil_socket_t socket, int flags,
                                                   evdns_request_callback_fn_type callback, void* argument) {
  evdns_server_port* const made = HEDDLE_NEXT(evdns_add_server_port_with_base)(base, socket, flags, callback, argument);
  if (made != nullptr && followed())
    Owners::get().made(made, address_of(callback), argument, reinterpret_cast<std::uintptr_t>(made));
  return made;
}

// libevent keeps the port until all of its requests are answered.
void evdns_close_server_port(evdns_server_port* port) {
  if (followed()) Owners::get().forget(port);
  HEDDLE_NEXT(evdns_close_server_port)(port);
}
