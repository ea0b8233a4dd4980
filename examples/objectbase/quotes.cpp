// Two processes, a feed of prices and a view of them: first with messages, then with all messages of a change at once,
// then with shared objects. docs/guides/objectbase.md goes from one to the next.
//
// quotes messages|batched|objects COUNT PER_SECOND: makes so many changes of 20 prices each; prints what the view has
// at the end, and on standard error the processor time of both.
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <objectbase/objectbase.hpp>
#include <string>
#include <thread>
#include <vector>

using namespace objectbase;

constexpr unsigned kShares = 100;
constexpr unsigned kPrices = 20;  // of a share, all of which a change changes

using Prices = std::vector<std::int64_t>;
using Table = std::vector<Prices>;

struct Message {
  std::uint32_t share;  // kShares: the change is complete
  std::uint32_t price;
  std::int64_t value;
};

// What the feed changes: share and prices of each change, at a steady pace.
void feed(unsigned count, unsigned per_second, const std::function<void(unsigned, const Prices&)>& tell) {
  auto next = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < count; ++i) {
    std::this_thread::sleep_until(next += std::chrono::nanoseconds(1'000'000'000 / per_second));
    Prices prices(kPrices);
    for (unsigned price = 0; price < kPrices; ++price) prices[price] = 1000 + (i * 7919 + price * 104729) % 5000;
    tell(i % kShares, prices);
  }
}

void show(const Table& table) {
  for (unsigned share = 0; share < kShares; ++share) {
    std::printf("share %u:", share);
    for (const std::int64_t price : table[share]) std::printf(" %lld", static_cast<long long>(price));
    std::printf("\n");
  }
}

// --- With messages over a socket: one for each price, or all of a change in one write ---

void feed_messages(int socket, bool batched, unsigned count, unsigned per_second) {
  feed(count, per_second, [&](unsigned share, const Prices& prices) {
    std::vector<Message> messages;
    for (unsigned price = 0; price < kPrices; ++price) messages.push_back({share, price, prices[price]});
    messages.push_back({kShares, 0, 0});
    const std::size_t at_once = batched ? messages.size() : 1;
    for (std::size_t i = 0; i < messages.size(); i += at_once)
      if (write(socket, &messages[i], at_once * sizeof(Message)) < 0) _exit(1);
  });
}

void view_messages(int socket, bool batched) {
  Table table(kShares, Prices(kPrices));
  std::vector<Message> messages(batched ? 1024 : 1);
  std::size_t have = 0;  // bytes of a message that has not come whole
  for (;;) {
    auto* start = reinterpret_cast<char*>(messages.data());
    const ssize_t more = read(socket, start + have, messages.size() * sizeof(Message) - have);
    if (more <= 0) break;
    have += static_cast<std::size_t>(more);
    const std::size_t whole = have / sizeof(Message);
    for (std::size_t i = 0; i < whole; ++i)
      if (messages[i].share < kShares) table[messages[i].share][messages[i].price] = messages[i].value;
    have %= sizeof(Message);
    std::memmove(start, start + whole * sizeof(Message), have);
  }
  show(table);
}

// --- With shared objects ---

void feed_objects(const std::filesystem::path& path, unsigned count, unsigned per_second) {
  Store store = Store::open(path, Access::kWrite);
  const Class share_class = store.find("Share").value();
  std::vector<ObjectId> shares;
  store.snapshot().each([&](const Pinned& each) {
    if (each.type() == share_class.number()) shares.push_back(each.id());
  });
  feed(count, per_second, [&](unsigned share, const Prices& prices) {
    Transaction change = store.begin();
    for (unsigned price = 0; price < kPrices; ++price) change.set(shares[share], price, Value(prices[price]));
    change.commit();
  });
  Transaction end = store.begin();
  end.create(store.find("End").value());
  end.commit();
}

void view_objects(const std::filesystem::path& path) {
  const Store store = Store::open(path, Access::kRead);
  const std::uint32_t end_class = store.find("End").value().number();
  std::map<ObjectId, Prices> table;
  bool ended = false;
  const auto look = [&](const Pinned& object) {
    if (object.type() == end_class) {
      ended = true;
      return;
    }
    Prices& prices = table[object.id()];
    prices.resize(kPrices);
    for (unsigned price = 0; price < object.slots(); ++price)
      if (const Value value = object.get(price); value.index() != 0) prices[price] = std::get<std::int64_t>(value);
  };
  Watch watch = store.watch();
  watch.take();
  store.snapshot().each(look);
  while (!ended) {
    pollfd descriptor{watch.descriptor(), POLLIN, 0};
    poll(&descriptor, 1, -1);
    const Changes changes = watch.take();  // of any number of transactions
    if (changes.all) store.snapshot().each(look);
    for (const ObjectId id : changes.objects)
      if (const Pinned object = store.pin(id)) look(object);
  }
  Table rows;
  for (const auto& [id, prices] : table) rows.push_back(prices);
  show(rows);
}

void make(const std::filesystem::path& path) {
  Store store = Store::create(path, {.limit = 16 << 20});
  std::vector<std::string> names;
  for (unsigned price = 0; price < kPrices; ++price) names.push_back("price " + std::to_string(price));
  const std::vector<std::string_view> slots(names.begin(), names.end());
  const Class share = store.define("Share", slots);
  store.define("End", {});
  Transaction change = store.begin();
  for (unsigned i = 0; i < kShares; ++i) change.create(share);
  change.commit();
}

double seconds_of(pid_t process) {
  rusage usage{};
  int status = 0;
  if (wait4(process, &status, 0, &usage) != process || status != 0) std::exit(1);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

int main(int words, char** texts) try {
  const std::string how = words == 4 ? texts[1] : "";
  if (how != "messages" && how != "batched" && how != "objects") {
    std::fputs("quotes messages|batched|objects COUNT PER_SECOND\n", stderr);
    return 2;
  }
  const auto count = static_cast<unsigned>(std::stoul(texts[2]));
  const auto per_second = static_cast<unsigned>(std::stoul(texts[3]));
  std::string folder = std::filesystem::exists("/dev/shm") ? "/dev/shm/quotes-XXXXXX" : "/tmp/quotes-XXXXXX";
  int sockets[2];
  if (mkdtemp(folder.data()) == nullptr || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 1;
  const std::filesystem::path path = folder + "/store";
  if (how == "objects") make(path);
  const auto start = [&](const std::function<void()>& work) {
    std::fflush(stdout);
    const pid_t process = fork();
    if (process != 0) return process;
    work();
    std::fflush(stdout);
    _exit(0);
  };
  const pid_t view = start([&] {
    close(sockets[0]);
    how == "objects" ? view_objects(path) : view_messages(sockets[1], how == "batched");
  });
  close(sockets[1]);
  const pid_t source = start([&] {
    how == "objects" ? feed_objects(path, count, per_second)
                     : feed_messages(sockets[0], how == "batched", count, per_second);
  });
  close(sockets[0]);
  const double feed_s = seconds_of(source);
  const double view_s = seconds_of(view);
  std::filesystem::remove_all(folder);
  std::fprintf(stderr, "%s: %.3f s of processor time, feed %.3f, view %.3f\n", how.c_str(), feed_s + view_s, feed_s,
               view_s);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "quotes: %s\n", error.what());
  return 2;
}
