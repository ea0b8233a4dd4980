// Servers for tests: each connection is handed to a function of the test, which does to it whatever it wants to.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "crawler/fetch/client.hpp"
#include "pico/pico.hpp"

namespace heddle::crawler::testing {

// A request's head; what has come of it if the peer closes before its end.
inline std::string read_request(pico::Socket& peer) {
  std::string text;
  char byte = 0;
  while (!text.ends_with("\r\n\r\n") && peer.read({&byte, 1}) == 1) text += byte;
  return text;
}

// The next connection, even if descriptors run short meanwhile.
inline pico::Socket accept_from(pico::Socket& listening) {
  for (;;) try {
      return listening.accept();
    } catch (const std::system_error&) {
      pico::sleep_for(std::chrono::milliseconds(5));
    }
}

// Calls body(port) while serve(socket) is called for each connection to that port of 127.0.0.1, in a thread of its own.
template <class Serve, class Body>
void with_server(Serve serve, Body body) {
  pico::run([&] {
    pico::Socket listening = pico::listen(pico::Endpoint::of_ip("127.0.0.1", 0));
    const std::uint16_t port = listening.local().port();
    pico::Scope scope;
    scope.spawn([&] {
      for (;;)
        scope.spawn([peer = accept_from(listening), &serve]() mutable {
          try {
            serve(peer);
          } catch (const std::system_error&) {
            // The client has left.
          }
        });
    });
    body(port);
  });
}

inline Request request_to(std::uint16_t port, std::string target = "/") {
  Request request;
  request.host = "127.0.0.1";
  request.port = port;
  request.target = std::move(target);
  return request;
}

// The answer to one request, from a server that reads it, sends `bytes` and closes.
inline Answer fetch_from(std::string_view bytes, Request request = {}) {
  Answer answer;
  with_server(
      [bytes](pico::Socket& peer) {
        read_request(peer);
        peer.write(bytes);
      },
      [&](std::uint16_t port) {
        request.host = "127.0.0.1";
        request.port = port;
        Client client(ClientOptions{});
        answer = client.fetch(request);
      });
  return answer;
}

}  // namespace heddle::crawler::testing
