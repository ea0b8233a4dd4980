// What our other functions have to tell the part for evhttp (http.cpp).
#pragma once

#include <event2/http.h>
#include <event2/listener.h>

struct bufferevent;

namespace heddle::multivent::http {

// libevent has just pointed the callbacks of a bufferevent at `argument`. If that is a connection for which it made a
// request right before, the request is the connection's.
void pointed_at(void* argument);

// The callbacks of a bufferevent are about to be taken away: the events of one that belongs to a connection that is
// being freed leave the loop with them.
void let_go(bufferevent& object);

// libevent has just told a listener to accept for this server.
void listens_for(const void* server);

// The function of ours that takes the place of `accepts`, by which libevent accepts connections for a server.
evconnlistener_cb guarded(evconnlistener_cb accepts);

}  // namespace heddle::multivent::http
