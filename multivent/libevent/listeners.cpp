// Making and changing listeners: libevent's own functions, seen on their way.
#include <event2/listener.h>

#include "multivent/libevent/abi.hpp"
#include "multivent/libevent/http.hpp"
#include "multivent/libevent/next.hpp"
#include "multivent/owners/owners.hpp"

using namespace heddle::multivent;

// evconnlistener_new_bind() calls it too.
evconnlistener* evconnlistener_new(event_base* base, evconnlistener_cb callback, void* argument, unsigned flags,
                                   int backlog, evutil_socket_t fd) {
  evconnlistener* const made = HEDDLE_NEXT(evconnlistener_new)(base, callback, argument, flags, backlog, fd);
  if (made != nullptr && followed()) Owners::get().made(made, address_of(callback), argument);
  return made;
}

void evconnlistener_set_cb(evconnlistener* listener, evconnlistener_cb callback, void* argument) {
  if (followed()) {
    Owners& owners = Owners::get();
    const auto* const function = address_of(callback);
    owners.changed(listener, function, argument);
    if (callback != nullptr && owners.libevents(function)) {
      http::listens_for(argument);
      if (owners.strand_of(argument) != 0) callback = http::guarded(callback);
    }
  }
  HEDDLE_NEXT(evconnlistener_set_cb)(listener, callback, argument);
}

void evconnlistener_set_error_cb(evconnlistener* listener, evconnlistener_errorcb callback) {
  if (followed()) Owners::get().changed_error(listener, address_of(callback));
  HEDDLE_NEXT(evconnlistener_set_error_cb)(listener, callback);
}

void evconnlistener_free(evconnlistener* listener) {
  if (followed()) Owners::get().forget(listener);
  HEDDLE_NEXT(evconnlistener_free)(listener);
}
