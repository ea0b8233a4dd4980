#include "crawler/fetch/client.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "crawler/fetch/testing/encoders.hpp"
#include "crawler/fetch/testing/servers.hpp"

namespace heddle::crawler {
namespace {

using namespace std::chrono_literals;
using testing::fetch_from;
using testing::read_request;
using testing::request_to;
using testing::with_server;

const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// The peer's close is a reset.
void reset(pico::Socket& peer) {
  const linger at_once{1, 0};
  setsockopt(peer.descriptor(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  peer.close();
}

std::string chunk(std::string_view bytes) {
  char size[20];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + std::string(bytes) + "\r\n";
}

TEST(Client, SendsARequestAndGivesTheAnswer) {
  std::string sent;
  with_server(
      [&](pico::Socket& peer) {
        sent = read_request(peer);
        peer.write(
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nLocation: /b\r\nRetry-After: 7\r\n"
            "Content-Length: 4\r\n\r\nnone");
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        Request request = request_to(port, "/a?b=c");
        request.headers = {{"Accept-Language", "de"}, {"accept", "text/html"}};
        request.keep_raw = true;
        const Answer answer = client.fetch(request);
        EXPECT_EQ(answer.status, 404);
        EXPECT_EQ(answer.error, FetchError::kNone) << answer.detail;
        EXPECT_EQ(answer.body, "none");
        EXPECT_EQ(answer.media_type, "text/plain");
        EXPECT_EQ(answer.location, "/b");
        EXPECT_EQ(answer.retry_after, 7s);
        EXPECT_EQ(answer.remote, "127.0.0.1:" + std::to_string(port));
        EXPECT_EQ(answer.raw_request, sent);
        EXPECT_EQ(answer.payload(), "none");
        EXPECT_EQ(sent, "GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                            "\r\nUser-Agent: heddle\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n"
                            "Accept-Language: de\r\naccept: text/html\r\n\r\n");
      });
}

TEST(Client, KeepsCookiesIfAskedTo) {
  std::vector<std::string> said;
  with_server(
      [&](pico::Socket& peer) {
        for (std::string request; !(request = read_request(peer)).empty();) {
          said.push_back(request.find("Cookie: a=1\r\n\r\n") == std::string::npos ? "" : "a=1");
          peer.write("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\n\r\n");
        }
      },
      [&](std::uint16_t port) {
        for (const bool kept : {false, true}) {
          Client client(ClientOptions{.cookies = kept});
          said.clear();
          client.fetch(request_to(port));
          client.fetch(request_to(port));
          EXPECT_EQ(said, (std::vector<std::string>{"", kept ? "a=1" : ""}));
        }
      });
}

TEST(Client, RefusesARequestWithLineBreaks) {
  pico::run([] {
    Client client(ClientOptions{});
    for (const char* target : {"", "/a b", "/a\r\nX: y", "/\n", "/\x7f"})
      EXPECT_THROW(client.fetch(request_to(1, target)), std::invalid_argument) << target;
    Request request = request_to(1);
    request.headers = {{"X", "a\r\nY: b"}};
    EXPECT_THROW(client.fetch(request), std::invalid_argument);
    request.headers = {{"X:", "a"}};
    EXPECT_THROW(client.fetch(request), std::invalid_argument);
  });
}

TEST(Client, UsesAConnectionForOneRequestAfterTheOther) {
  int connections = 0;
  with_server(
      [&](pico::Socket& peer) {
        ++connections;
        while (!read_request(peer).empty()) peer.write(kOk);
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        for (int i = 0; i < 20; ++i) {
          const Answer answer = client.fetch(request_to(port));
          EXPECT_EQ(answer.body, "ok");
          EXPECT_EQ(answer.reused_connection, i > 0);
        }
        EXPECT_EQ(connections, 1);
        EXPECT_EQ(client.statistics().reused, 19U);
        EXPECT_EQ(client.statistics().connections, 1U);
      });
}

TEST(Client, HasAConnectionForEachRequestThatIsUnderWay) {
  int connections = 0;
  with_server(
      [&](pico::Socket& peer) {
        ++connections;
        while (!read_request(peer).empty()) {
          pico::sleep_for(20ms);
          peer.write(kOk);
        }
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        pico::Scope scope;
        int good = 0;
        for (int i = 0; i < 10; ++i)
          scope.spawn([&] {
            if (client.fetch(request_to(port)).body == "ok") ++good;
          });
        scope.join();
        EXPECT_EQ(good, 10);
        EXPECT_EQ(connections, 10);
      });
}

TEST(Client, TriesAgainWhenAConnectionThatWasOpenIsClosedBeforeTheFirstByte) {
  int connections = 0;
  with_server(
      [&](pico::Socket& peer) {
        const bool first = ++connections == 1;
        read_request(peer);
        peer.write(kOk);
        read_request(peer);  // the second one has come, and is not answered
        if (!first) peer.write(kOk);
        reset(peer);
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        EXPECT_EQ(client.fetch(request_to(port)).body, "ok");
        const Answer second = client.fetch(request_to(port));
        EXPECT_EQ(second.body, "ok");
        EXPECT_FALSE(second.reused_connection);
        EXPECT_EQ(connections, 2);
      });
}

TEST(Client, DoesNotTryAgainWhenTheAnswerHasBegun) {
  int requests = 0;
  with_server(
      [&](pico::Socket& peer) {
        while (!read_request(peer).empty()) {
          if (++requests == 2) {
            peer.write("HTTP/1.1 200 OK\r\nContent-Le");
            return;
          }
          peer.write(kOk);
        }
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        client.fetch(request_to(port));
        const Answer second = client.fetch(request_to(port));
        EXPECT_EQ(second.error, FetchError::kReset);
        EXPECT_EQ(second.status, 200);
        EXPECT_TRUE(second.broke_off);
        EXPECT_EQ(requests, 2);
      });
}

TEST(Client, TakesNoAnswerThatCameBeforeItsRequest) {
  int connections = 0;
  with_server(
      [&](pico::Socket& peer) {
        const bool first = ++connections == 1;
        read_request(peer);
        peer.write(kOk);
        if (first) pico::sleep_for(20ms);
        if (first) peer.write("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n");
        read_request(peer);
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        EXPECT_EQ(client.fetch(request_to(port)).status, 200);
        pico::sleep_for(60ms);
        EXPECT_EQ(client.fetch(request_to(port)).status, 200);
        EXPECT_EQ(connections, 2);
      });
}

TEST(Client, ClosesConnectionsThatAreIdleForTooLong) {
  int connections = 0;
  with_server(
      [&](pico::Socket& peer) {
        ++connections;
        while (!read_request(peer).empty()) peer.write(kOk);
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{.idle_time = 20ms});
        client.fetch(request_to(port));
        pico::sleep_for(50ms);
        client.fetch(request_to(port));
        EXPECT_EQ(connections, 2);
      });
}

TEST(Client, HeadHasNoBody) {
  with_server(
      [&](pico::Socket& peer) {
        while (!read_request(peer).empty()) peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        for (int i = 0; i < 2; ++i) {
          Request request = request_to(port);
          request.method = Method::kHead;
          const Answer answer = client.fetch(request);
          EXPECT_EQ(answer.status, 200);
          EXPECT_EQ(answer.error, FetchError::kNone) << answer.detail;
          EXPECT_EQ(answer.raw_request.substr(0, 5), "HEAD ");
          EXPECT_EQ(answer.reused_connection, i > 0);
        }
      });
}

TEST(Client, ReadsAnswersOfOldServers) {
  EXPECT_EQ(fetch_from("HTTP/1.0 200 OK\r\n\r\nold").body, "old");
  EXPECT_EQ(fetch_from("HTTP/1.1 200 OK\n\nolder").body, "older");
}

TEST(Client, AnEncodedBodyThatIsLargerThanTheLimitIsTooLarge) {
  const std::string bomb = testing::gzip(std::string(std::size_t{20} << 20, 'a'));
  Request request;
  request.limits.body = 1 << 20;
  const Answer answer = fetch_from("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + bomb, request);
  EXPECT_EQ(answer.error, FetchError::kTooLarge);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body.size(), std::size_t{1} << 20);
  EXPECT_TRUE(answer.broke_off);
}

TEST(Client, ABodyWithoutEndIsTooLarge) {
  with_server(
      [&](pico::Socket& peer) {
        read_request(peer);
        peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        const std::string piece = chunk(std::string(10'000, 'x'));
        for (;;) peer.write(piece);
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        Request request = request_to(port);
        request.limits.body = 3'000'000;
        const Answer answer = client.fetch(request);
        EXPECT_EQ(answer.error, FetchError::kTooLarge);
        EXPECT_EQ(answer.body.size(), 3'000'000U);
      });
}

TEST(Client, HeadersWithoutEndAreAProtocolError) {
  with_server(
      [&](pico::Socket& peer) {
        read_request(peer);
        peer.write("HTTP/1.1 200 OK\r\n");
        for (;;) peer.write("X-Endless: more and more and more\r\n");
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        const Answer answer = client.fetch(request_to(port));
        EXPECT_EQ(answer.error, FetchError::kProtocol);
        EXPECT_EQ(answer.status, 200);
      });
}

TEST(Client, AServerThatDripsMeetsTheTimeLimit) {
  with_server(
      [&](pico::Socket& peer) {
        read_request(peer);
        peer.write("HTTP/1.1 200 OK\r\n\r\n");
        for (;;) {
          peer.write("x");
          pico::sleep_for(5ms);
        }
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        Request request = request_to(port);
        request.limits.timeout = 100ms;
        const pico::Time start = pico::Clock::now();
        const Answer answer = client.fetch(request);
        EXPECT_EQ(answer.error, FetchError::kTimeout);
        EXPECT_EQ(answer.status, 200);
        EXPECT_TRUE(answer.broke_off);
        EXPECT_FALSE(answer.body.empty());
        EXPECT_LT(pico::Clock::now() - start, 2s);
      });
}

TEST(Client, AServerWhoseBytesNeverPauseMeetsTheTimeLimit) {
  with_server(
      [&](pico::Socket& peer) {
        read_request(peer);
        peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        const std::string piece = chunk(std::string(1'000'000, 'x'));
        for (;;) peer.write(piece);
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        Request request = request_to(port);
        request.limits.body = std::size_t{1} << 40;
        request.limits.timeout = 200ms;
        EXPECT_EQ(client.fetch(request).error, FetchError::kTimeout);
      });
}

TEST(Client, AServerThatSaysNothingMeetsTheTimeLimit) {
  with_server([&](pico::Socket& peer) { read_request(peer), pico::sleep_for(10s); },
              [&](std::uint16_t port) {
                Client client(ClientOptions{});
                Request request = request_to(port);
                request.limits.timeout = 50ms;
                const Answer answer = client.fetch(request);
                EXPECT_EQ(answer.error, FetchError::kTimeout);
                EXPECT_EQ(answer.status, 0);
                EXPECT_FALSE(answer.broke_off);
                request.limits.timeout = 10s;
                request.deadline = pico::Clock::now() + 50ms;
                EXPECT_EQ(client.fetch(request).error, FetchError::kTimeout);
              });
}

TEST(Client, AListenerThatAcceptsNobodyMeetsTheConnectTimeLimit) {
  pico::run([] {
    pico::Socket listening = pico::listen(pico::Endpoint::of_ip("127.0.0.1", 0), 0);
    const std::uint16_t port = listening.local().port();
    std::vector<pico::Socket> full;
    Client client(ClientOptions{});
    Request request = request_to(port);
    request.limits.connect_timeout = 100ms;
    try {
      for (int i = 0; i < 16; ++i)
        full.push_back(pico::connect(pico::Endpoint::of_ip("127.0.0.1", port), pico::Clock::now() + 50ms));
    } catch (const std::system_error&) {
      // Nobody else comes in.
    }
    const Answer answer = client.fetch(request);
    EXPECT_EQ(answer.error, FetchError::kTimeout) << answer.detail;
    EXPECT_EQ(answer.status, 0);
  });
}

TEST(Client, NobodyThereIsAConnectError) {
  pico::run([] {
    const std::uint16_t port = pico::listen(pico::Endpoint::of_ip("127.0.0.1", 0)).local().port();
    Client client(ClientOptions{});
    const Answer answer = client.fetch(request_to(port));
    EXPECT_EQ(answer.error, FetchError::kConnect);
    EXPECT_EQ(answer.status, 0);
    EXPECT_NE(answer.detail, "");
  });
}

TEST(Client, ACloseBeforeTheFirstByteIsAReset) {
  EXPECT_EQ(fetch_from("").error, FetchError::kReset);
  with_server([&](pico::Socket& peer) { read_request(peer), reset(peer); },
              [&](std::uint16_t port) {
                Client client(ClientOptions{});
                EXPECT_EQ(client.fetch(request_to(port)).error, FetchError::kReset);
              });
}

TEST(Client, AResetIsNotTheEndOfAnAnswerWithoutLength) {
  with_server(
      [&](pico::Socket& peer) {
        read_request(peer);
        peer.write("HTTP/1.1 200 OK\r\n\r\nsome");
        pico::sleep_for(20ms);
        reset(peer);
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        const Answer answer = client.fetch(request_to(port));
        EXPECT_EQ(answer.error, FetchError::kReset);
        EXPECT_EQ(answer.body, "some");
        EXPECT_TRUE(answer.broke_off);
      });
}

TEST(Client, AnAnswerThatBreaksOffKeepsItsStatusAndBody) {
  for (const char* bytes : {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome",
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\nsome"}) {
    const Answer answer = fetch_from(bytes);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.error, FetchError::kReset);
    EXPECT_EQ(answer.body, "some");
    EXPECT_TRUE(answer.broke_off);
  }
}

TEST(Client, KnowsHttpAndHttpsOnly) {
  pico::run([] {
    Client client(ClientOptions{});
    Request request = request_to(21);
    request.scheme = "ftp";
    EXPECT_EQ(client.fetch(request).error, FetchError::kScheme);
  });
}

TEST(Client, AsksThePolicyBeforeItConnects) {
  int connections = 0;
  with_server([&](pico::Socket& peer) { ++connections, read_request(peer), peer.write(kOk); },
              [&](std::uint16_t port) {
                Client closed(ClientOptions{.policy = std::make_shared<PublicAddresses>()});
                Request request = request_to(port);
                for (const char* host : {"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "sub.localhost", "0.0.0.0"}) {
                  request.host = host;
                  EXPECT_EQ(closed.fetch(request).error, FetchError::kRefusedAddress) << host;
                }
                EXPECT_EQ(connections, 0);
                const std::set<Origin> exempt = {{"http", "localhost", port}};
                Client open(ClientOptions{.policy = std::make_shared<PublicAddresses>(exempt)});
                request.host = "localhost";
                EXPECT_EQ(open.fetch(request).body, "ok");
                request.host = "127.0.0.1";
                EXPECT_EQ(open.fetch(request).error, FetchError::kRefusedAddress);
              });
}

TEST(Client, CancelledItThrows) {
  with_server([&](pico::Socket& peer) { read_request(peer), pico::sleep_for(10s); },
              [&](std::uint16_t port) {
                Client client(ClientOptions{});
                auto thread = pico::spawn([&] { return client.fetch(request_to(port)).status; });
                pico::sleep_for(20ms);
                thread.cancel();
                EXPECT_THROW(thread.join(), pico::Cancelled);
              });
}

TEST(Client, GivesIdleConnectionsUpWhenDescriptorsRunShort) {
  with_server(
      [&](pico::Socket& peer) {
        while (!read_request(peer).empty()) peer.write(kOk);
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        Request request = request_to(port);
        client.fetch(request);
        rlimit before{};
        getrlimit(RLIMIT_NOFILE, &before);
        // The lowest free number is the limit: there is none. The server's side closes with the client's, and gives
        // the second one back.
        const int free = ::dup(0);
        ::close(free);
        const rlimit none{static_cast<rlim_t>(free), before.rlim_max};
        setrlimit(RLIMIT_NOFILE, &none);
        request.host = "localhost";
        const Answer answer = client.fetch(request);
        setrlimit(RLIMIT_NOFILE, &before);
        EXPECT_EQ(answer.body, "ok") << answer.detail;
      });
}

TEST(Client, ServesThreadsOfSeveralWorkers) {
  pico::run(pico::Options{.workers = 3}, [] {
    pico::Socket listening = pico::listen(pico::Endpoint::of_ip("127.0.0.1", 0));
    const std::uint16_t port = listening.local().port();
    Client client(ClientOptions{});
    pico::Scope servers({.spread = true});
    servers.spawn([&] {
      for (;;)
        servers.spawn([peer = listening.accept()]() mutable {
          try {
            while (!read_request(peer).empty()) peer.write(kOk);
          } catch (const std::system_error&) {
            // The client has left.
          }
        });
    });
    std::atomic<int> good{0};
    pico::Scope scope({.spread = true});
    for (int i = 0; i < 30; ++i)
      scope.spawn([&] {
        for (int n = 0; n < 50; ++n)
          if (client.fetch(request_to(port)).body == "ok") ++good;
      });
    scope.join();
    EXPECT_EQ(good, 1500);
    EXPECT_GT(client.statistics().reused, 1000U);
  });
}

// --- Proxies ---

TEST(Proxy, GetsTheWholeUrlAndResolvesItsName) {
  std::vector<std::string> sent;
  with_server(
      [&](pico::Socket& peer) {
        for (std::string text = read_request(peer); !text.empty(); text = read_request(peer)) {
          sent.push_back(text);
          peer.write(kOk);
        }
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{.policy = std::make_shared<PublicAddresses>(),
                                    .proxy = ClientOptions::Proxy{"127.0.0.1", port}});
        Request request;
        for (const char* host : {"no.such.name.invalid", "10.1.2.3"}) {
          request.host = host;
          EXPECT_EQ(client.fetch(request).body, "ok");
        }
        ASSERT_EQ(sent.size(), 2U);
        EXPECT_EQ(sent[0].substr(0, sent[0].find("User-Agent")),
                  "GET http://no.such.name.invalid/ HTTP/1.1\r\nHost: no.such.name.invalid\r\n");
        EXPECT_EQ(client.statistics().connections, 1U);
      });
}

// The example of RFC 7617, section 2.
TEST(Proxy, IsToldItsCredentialsAndNobodyElseIs) {
  std::vector<std::string> sent;
  with_server(
      [&](pico::Socket& peer) {
        for (std::string text = read_request(peer); !text.empty(); text = read_request(peer)) {
          sent.push_back(text);
          peer.write(text.starts_with("CONNECT") ? "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n" : kOk);
        }
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{.proxy = ClientOptions::Proxy{"127.0.0.1", port, "Aladdin:open sesame"}});
        const std::string line = "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n";
        Request request;
        request.host = "example.invalid";
        const Answer answer = client.fetch(request);
        EXPECT_EQ(answer.body, "ok");
        EXPECT_EQ(answer.raw_request.find("roxy"), std::string::npos);
        request.scheme = "https";
        request.port = 443;
        const Answer refused = client.fetch(request);
        EXPECT_EQ(refused.error, FetchError::kConnect);
        EXPECT_EQ(refused.raw_request.find("roxy"), std::string::npos);
        ASSERT_EQ(sent.size(), 2U);
        for (const std::string& text : sent) EXPECT_TRUE(text.ends_with(line + "\r\n")) << text;
      });
}

TEST(Proxy, ThatRefusesATunnelIsAConnectError) {
  std::string sent;
  with_server(
      [&](pico::Socket& peer) {
        sent = read_request(peer);
        peer.write("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{.proxy = ClientOptions::Proxy{"127.0.0.1", port}});
        Request request;
        request.scheme = "https";
        request.host = "example.invalid";
        request.port = 443;
        const Answer answer = client.fetch(request);
        EXPECT_EQ(answer.error, FetchError::kConnect);
        EXPECT_EQ(answer.status, 0);
        EXPECT_EQ(answer.detail, "the proxy answers 407");
        EXPECT_EQ(sent,
                  "CONNECT example.invalid:443 HTTP/1.1\r\nHost: example.invalid:443\r\nUser-Agent: heddle\r\n\r\n");
      });
}

}  // namespace
}  // namespace heddle::crawler
