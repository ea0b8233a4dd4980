// Sockets, files and helpers, over loopback.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

#include "pico/pico.hpp"

namespace heddle::pico {
namespace {

using std::chrono::milliseconds;

int error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::system_error& error) {
    return error.code().value();
  }
  return 0;
}

// The same tests of two presets may run at once.
std::string name_for(const std::string& purpose) {
  return ::testing::TempDir() + std::to_string(getpid()) + "." + purpose;
}

void echo(Socket peer) {
  char bytes[777];
  while (const std::size_t count = peer.read(bytes)) peer.write({bytes, count});
}

class PicoIo : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Workers, PicoIo, ::testing::Values(1, 3));

TEST_P(PicoIo, ManyConnectionsEachGetTheirOwnBytesBack) {
  pico::run({.workers = GetParam()}, [] {
    Socket listening = listen(Endpoint::of_ip("127.0.0.1", 0));
    const Endpoint at = listening.local();
    Scope server({.spread = true});
    server.spawn([&] {
      for (;;) server.spawn([peer = listening.accept()]() mutable { echo(std::move(peer)); });
    });
    Scope clients({.spread = true});
    for (int i = 0; i < 100; ++i)
      clients.spawn([&, i] {
        Socket socket = connect(at);
        const std::string sent(static_cast<std::size_t>(i) * 997 + 1, static_cast<char>('a' + i % 26));
        auto writer = spawn([&] {
          socket.write(sent);
          socket.shutdown_write();
        });
        EXPECT_EQ(socket.read_all(1 << 20), sent);
        writer.join();
      });
    clients.join();
    server.cancel();
    server.join();
  });
}

TEST(PicoIo, OverAUnixSocketToo) {
  const std::string path = name_for("pico_io_test.sock");
  std::filesystem::remove(path);
  pico::run([&] {
    Socket listening = listen(Endpoint::of_path(path));
    auto server = spawn([&] { echo(listening.accept()); });
    {
      Socket socket = connect(Endpoint::of_path(path));
      socket.write("hello");
      char bytes[5];
      EXPECT_EQ(socket.read(bytes), 5U);
    }
    server.join();
  });
  std::filesystem::remove(path);
}

TEST(PicoIo, ARefusedConnectionSaysSo) {
  pico::run([] {
    Endpoint at;
    {
      Socket listening = listen(Endpoint::of_ip("127.0.0.1", 0));
      at = listening.local();
    }
    EXPECT_EQ(error_of([&] { connect(at); }), ECONNREFUSED);
  });
}

TEST(PicoIo, ADeadlineEndsARead) {
  pico::run([] {
    Socket listening = listen(Endpoint::of_ip("::1", 0));
    Socket socket = connect(listening.local());
    socket.set_deadline(Clock::now() + milliseconds(5));
    char byte;
    EXPECT_EQ(error_of([&] { socket.read({&byte, 1}); }), ETIMEDOUT);
  });
}

TEST(PicoIo, ACancelledThreadLeavesItsRead) {
  pico::run([] {
    Socket listening = listen(Endpoint::of_ip("127.0.0.1", 0));
    auto thread = spawn([&] { listening.accept(); });
    yield();
    thread.cancel();
    EXPECT_THROW(thread.join(), Cancelled);
    EXPECT_TRUE(listening.is_open());
  });
}

TEST(PicoIo, ClosingASocketWakesWhoWaitsForIt) {
  pico::run([] {
    Socket listening = listen(Endpoint::of_ip("127.0.0.1", 0));
    auto thread = spawn([&] { return error_of([&] { listening.accept(); }); });
    yield();
    listening.close();
    EXPECT_EQ(thread.join(), EBADF);
  });
}

// Two sockets that are connected to each other, on one worker: what is written to one is there for the other at once.
struct Pair {
  Pair() {
    Socket listening = listen(Endpoint::of_ip("127.0.0.1", 0));
    client = connect(listening.local());
    served = listening.accept();
  }
  Socket client;
  Socket served;
};

TEST(PicoIo, ADeadlineHoldsThoughThereAreData) {
  pico::run([] {
    Pair pair;
    pair.client.write("data");
    char bytes[2];
    EXPECT_EQ(pair.served.read(bytes), 2U);
    pair.served.set_deadline(Clock::now());
    sleep_for(milliseconds(20));
    EXPECT_EQ(error_of([&] { pair.served.read(bytes); }), ETIMEDOUT);
    EXPECT_EQ(error_of([&] { pair.served.write("x"); }), ETIMEDOUT);
    EXPECT_EQ(error_of([] { connect(Endpoint::of_ip("127.0.0.1", 1), Clock::now() - milliseconds(20)); }), ETIMEDOUT);
  });
}

TEST(PicoIo, ACancelledThreadGetsNoMoreData) {
  pico::run([] {
    Pair pair;
    pair.client.write("data");
    const auto ends_cancelled = [](auto call) {
      auto thread = spawn([call] {
        {
          const Shield shield;
          yield();
        }
        call();
      });
      yield();
      thread.cancel();
      EXPECT_THROW(thread.join(), Cancelled);
    };
    char bytes[2];
    Socket listening = listen(Endpoint::of_ip("127.0.0.1", 0));
    const Socket waits = connect(listening.local());
    ends_cancelled([&] { pair.served.read(bytes); });
    ends_cancelled([&] { pair.client.write("more"); });
    ends_cancelled([&] { listening.accept(); });
    ends_cancelled([&] { connect(listening.local()); });
    ends_cancelled([&] { pair.client.wait(Direction::kWrite); });
    ends_cancelled([&] { Select().readable(pair.served, [] {}).wait(); });
    ends_cancelled([] { on_helper([] {}); });
    EXPECT_EQ(pair.served.read(bytes), 2U);
  });
}

TEST(PicoIo, OthersRunBesideOneWhoseDataKeepComing) {
  pico::run([] {
    Pair pair;
    bool ready = false;
    bool timed = false;
    spawn([&] { ready = true; });
    spawn([&] {
      sleep_for(milliseconds(1));
      timed = true;
    });
    char byte = 'x';
    for (int i = 0; i < 1'000'000 && !(ready && timed); ++i) {
      pair.client.write({&byte, 1});
      pair.served.read({&byte, 1});
    }
    EXPECT_TRUE(ready);
    EXPECT_TRUE(timed);
  });
}

TEST(PicoIo, SelectOnASocketThatIsClosedSaysSo) {
  pico::run([] {
    Pair pair;
    bool read = false;
    auto selects = spawn([&] {
      return error_of([&] { Select().readable(pair.served, [] { FAIL() << "it acts for another one"; }).wait(); });
    });
    yield();
    pair.served.close();
    // Opened at once, this is a use of what stood for the other one.
    Pair again;
    again.client.write("x");
    auto reads = spawn([&] {
      char byte;
      read = again.served.read({&byte, 1}) == 1;
    });
    EXPECT_EQ(selects.join(), EBADF);
    reads.join();
    EXPECT_TRUE(read);
    EXPECT_EQ(error_of([&] { Select().readable(pair.served, [] {}).wait(); }), EBADF);
  });
}

TEST_P(PicoIo, ASocketOutlivesARun) {
  Socket served;
  Socket client;
  pico::run([&] {
    Pair pair;
    served = std::move(pair.served);
    client = std::move(pair.client);
  });
  for (int i = 0; i < 5; ++i) {
    pico::run({.workers = GetParam()}, [&] {
      served.set_deadline(Clock::now() + std::chrono::seconds(20));
      auto reads = spawn([&] {
        char byte;
        return served.read({&byte, 1});
      });
      sleep_for(milliseconds(1));
      client.write("x");
      EXPECT_EQ(reads.join(), 1U);
    });
  }
}

TEST(PicoIo, AReaderGetsNothingOfTheConnectionThatTakesThePlaceOfItsOwn) {
  pico::run([] {
    Pair old;
    Pair next;
    auto reads = spawn([&] {
      char bytes[8];
      return error_of([&] { old.served.read(bytes); });
    });
    yield();
    old.served = std::move(next.served);
    next.client.write("new");
    EXPECT_EQ(reads.join(), EBADF);
  });
}

TEST(PicoIo, EveryCallOnAClosedSocketSaysSo) {
  pico::run([] {
    Socket closed;
    EXPECT_EQ(error_of([&] { closed.descriptor(); }), EBADF);
    EXPECT_EQ(error_of([&] { closed.wait(Direction::kRead); }), EBADF);
    EXPECT_EQ(error_of([&] { closed.write("x"); }), EBADF);
    EXPECT_EQ(error_of([&] { closed.shutdown_write(); }), EBADF);
    EXPECT_EQ(error_of([&] { closed.accept(); }), EBADF);
    EXPECT_EQ(error_of([&] { closed.local(); }), EBADF);
    EXPECT_EQ(error_of([&] { closed.peer(); }), EBADF);
  });
}

TEST(PicoIo, AUnixSocketWaitsForRoomInTheBacklog) {
  const std::string path = name_for("pico_backlog_test.sock");
  std::filesystem::remove(path);
  pico::run([&] {
    Socket listening = listen(Endpoint::of_path(path), 0);
    const Time soon = Clock::now() + milliseconds(20);
    EXPECT_EQ(error_of([&] {
                std::vector<Socket> all;
                for (;;) all.push_back(connect(Endpoint::of_path(path), soon));
              }),
              ETIMEDOUT);
    Scope scope;
    scope.spawn([&] {
      sleep_for(milliseconds(5));
      for (;;) listening.accept();
    });
    for (int i = 0; i < 4; ++i) connect(Endpoint::of_path(path), Clock::now() + std::chrono::seconds(20));
    scope.cancel();
    scope.join();
  });
  std::filesystem::remove(path);
}

TEST(PicoIo, TwoReadersOfOneSocketAreAnError) {
  pico::run([] {
    Socket listening = listen(Endpoint::of_ip("127.0.0.1", 0));
    auto thread = spawn([&] { listening.accept(); });
    yield();
    EXPECT_THROW(listening.accept(), std::logic_error);
    thread.cancel();
    EXPECT_THROW(thread.join(), Cancelled);
  });
}

TEST(PicoIo, SelectWaitsForASocketOrAChannel) {
  pico::run([] {
    Socket listening = listen(Endpoint::of_ip("127.0.0.1", 0));
    Socket client = connect(listening.local());
    Socket served = listening.accept();
    Channel<int> stop(1);
    int reads = 0;
    bool stopped = false;
    auto reader = spawn([&] {
      while (!stopped)
        Select()
            .readable(served,
                      [&] {
                        char bytes[8];
                        served.read(bytes);
                        ++reads;
                      })
            .receive(stop, [&](std::optional<int>) { stopped = true; })
            .wait();
    });
    for (int i = 1; i <= 3; ++i) {
      client.write("x");
      while (reads < i) sleep_for(milliseconds(1));
    }
    stop.send(1);
    reader.join();
    EXPECT_EQ(reads, 3);
  });
}

TEST(PicoIo, AMessageLongerThanAllowedIsRefused) {
  pico::run([] {
    Socket listening = listen(Endpoint::of_ip("127.0.0.1", 0));
    Socket client = connect(listening.local());
    Socket served = listening.accept();
    client.write(std::string(1000, 'x'));
    client.close();
    EXPECT_THROW(served.read_all(999), std::length_error);
  });
}

TEST(PicoHelpers, OthersRunWhileAHelperWaits) {
  pico::run([] {
    int turns = 0;
    auto waiting = spawn([] {
      return on_helper([] {
        std::this_thread::sleep_for(milliseconds(20));
        return 7;
      });
    });
    while (turns < 3) {
      sleep_for(milliseconds(1));
      ++turns;
    }
    EXPECT_EQ(waiting.join(), 7);
    EXPECT_THROW(on_helper([]() -> int { throw std::runtime_error("broken"); }), std::runtime_error);
  });
}

TEST(PicoHelpers, MoreCallsThanHelpersAllReturn) {
  std::atomic<int> returned{0};
  pico::run({.workers = 2}, [&] {
    Scope scope({.spread = true});
    for (std::size_t i = 0; i < 4 * Helpers::kMost; ++i)
      scope.spawn([&] {
        on_helper([] { std::this_thread::sleep_for(std::chrono::microseconds(100)); });
        ++returned;
      });
    scope.join();
  });
  EXPECT_EQ(returned.load(), 4 * static_cast<int>(Helpers::kMost));
}

TEST(PicoHelpers, ResolvesNames) {
  pico::run([] {
    const std::vector<Endpoint> found = resolve("127.0.0.1", 80);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().to_string(), "127.0.0.1:80");
    EXPECT_THROW(resolve("no.such.host.invalid", 80), std::runtime_error);
  });
}

TEST(PicoFile, WhatWasWrittenIsRead) {
  const std::string path = name_for("pico_io_test.txt");
  pico::run([&] {
    {
      File file = File::open(path, O_WRONLY | O_CREAT | O_TRUNC);
      file.write("some text");
      file.sync();
    }
    EXPECT_EQ(File::open(path, O_RDONLY).read_all(), "some text");
    EXPECT_EQ(error_of([] { File::open("no/such/file", O_RDONLY); }), ENOENT);
  });
  std::filesystem::remove(path);
}

TEST(PicoEndpoint, WhatIsNoAddressIsRefused) {
  EXPECT_THROW(Endpoint::of_ip("localhost", 80), std::invalid_argument);
  EXPECT_THROW(Endpoint::of_path(std::string(200, 'x')), std::invalid_argument);
  EXPECT_EQ(Endpoint::of_ip("::1", 80).to_string(), "[::1]:80");
}

}  // namespace
}  // namespace heddle::pico
