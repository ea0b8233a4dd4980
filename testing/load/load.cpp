#include "testing/load/load.hpp"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <limits>
#include <memory>
#include <system_error>

#include "base/clock.hpp"
#include "testing/load/connection.hpp"

namespace heddle::testing::load {
namespace {

using base::Nanoseconds;

constexpr std::uint64_t kMaxErrors = 1000;
constexpr std::size_t kMaxExamples = 5;
constexpr std::uint64_t kTimerTag = std::numeric_limits<std::uint64_t>::max();
constexpr Nanoseconds kForever = std::numeric_limits<Nanoseconds>::max();

Nanoseconds from_seconds(double seconds) { return static_cast<Nanoseconds>(seconds * 1e9); }

class Load {
 public:
  explicit Load(const Settings& settings)
      : settings_(settings),
        mix_(settings.paths, settings.seed),
        paths_(path_names(settings)),
        check_(paths_, settings.expected, settings.varying),
        remaining_(settings.requests.value_or(std::numeric_limits<std::uint64_t>::max())) {
    requests_.reserve(paths_.size());
    for (const auto& path : paths_) {
      requests_.push_back("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: heddle-load\r\n\r\n");
    }
    for (const auto& entry : settings.paths) route_index_.push_back(route_slot(route_of(entry.path)));
    if (settings.probe_path) {
      has_probe_ = true;
      probe_.name = *settings.probe_path;
    }
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  ~Load() {
    if (epoll_ >= 0) ::close(epoll_);
    if (timer_ >= 0) ::close(timer_);
  }

  Outcome run();

 private:
  static std::vector<std::string> path_names(const Settings& settings) {
    std::vector<std::string> names;
    names.reserve(settings.paths.size() + 1);
    for (const auto& entry : settings.paths) names.push_back(entry.path);
    if (settings.probe_path) names.push_back(*settings.probe_path);
    return names;
  }

  std::size_t route_slot(const std::string& name);
  bool is_probe(std::size_t index) const { return index == settings_.connections; }
  std::size_t probe_path_index() const { return paths_.size() - 1; }

  void open(std::size_t index);
  void ask(std::size_t index);
  void ask_or_end(std::size_t index);
  void arm_probe();
  void on_readable(std::size_t index);
  void on_answer(std::size_t index);
  void count(std::size_t index, Nanoseconds latency);
  void check_answer(std::size_t index);
  void fail(std::size_t index, std::uint64_t& counter, const std::string& what);
  void expire(Nanoseconds now);
  double cpu_s(clockid_t clock) const { return static_cast<double>(base::clock_now_ns(clock)) / 1e9; }
  void start_counting();
  bool finished(Nanoseconds now) const;

  const Settings& settings_;
  Mix mix_;
  std::vector<std::string> paths_;        // those of the mix, then the probe's
  std::vector<std::string> requests_;     // by path
  std::vector<std::size_t> route_index_;  // by path, the probe's excepted
  BodyCheck check_;
  std::uint64_t remaining_;
  std::vector<Route> routes_;
  bool has_probe_ = false;
  Route probe_;
  std::vector<std::unique_ptr<Connection>> connections_;  // the last one is the probe's, if there is one
  Figures figures_;
  int epoll_ = -1;
  int timer_ = -1;
  bool counting_ = false;
  Nanoseconds counting_since_ = 0;
  Nanoseconds last_answer_ = 0;
  double client_cpu_start_s_ = 0, server_cpu_start_s_ = 0;
  std::optional<clockid_t> server_clock_;
};

std::size_t Load::route_slot(const std::string& name) {
  const auto found = std::find_if(routes_.begin(), routes_.end(), [&](const Route& r) { return r.name == name; });
  if (found != routes_.end()) return static_cast<std::size_t>(found - routes_.begin());
  routes_.emplace_back().name = name;
  return routes_.size() - 1;
}

void Load::open(std::size_t index) {
  Connection& connection = *connections_[index];
  if (!connection.connect(settings_.port)) {
    throw BadInput("cannot connect to 127.0.0.1:" + std::to_string(settings_.port) + " (" +
                   std::generic_category().message(errno) + "): start the server first, or give its --port");
  }
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = index;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.fd(), &event);
}

void Load::ask(std::size_t index) {
  const std::size_t path = is_probe(index) ? probe_path_index() : mix_.next();
  if (!is_probe(index)) --remaining_;
  if (!connections_[index]->ask(path, requests_[path], base::monotonic_ns())) {
    fail(index, figures_.errors.cut, "the connection broke while asking");
  }
}

void Load::ask_or_end(std::size_t index) {
  if (remaining_ > 0) ask(index);
}

// The next question is due one interval after the last one, at once if that has passed.
void Load::arm_probe() {
  const Connection& connection = *connections_[settings_.connections];
  const Nanoseconds due = connection.asked_ns() + static_cast<Nanoseconds>(settings_.probe_interval_ms * 1e6);
  const Nanoseconds at = std::max(due, base::monotonic_ns() + 1);
  itimerspec spec{};
  spec.it_value.tv_sec = at / 1'000'000'000;
  spec.it_value.tv_nsec = at % 1'000'000'000;
  ::timerfd_settime(timer_, TFD_TIMER_ABSTIME, &spec, nullptr);
}

// Forgets the connection's request and goes on with a new connection.
void Load::fail(std::size_t index, std::uint64_t& counter, const std::string& what) {
  ++counter;
  Connection& connection = *connections_[index];
  if (figures_.examples.size() < kMaxExamples) figures_.examples.push_back(paths_[connection.path()] + ": " + what);
  if (figures_.errors.total() >= kMaxErrors) {
    figures_.gave_up = true;
    return;
  }
  try {
    open(index);
  } catch (const BadInput& error) {
    ++figures_.errors.connect;
    figures_.examples.push_back(error.what());
    figures_.gave_up = true;
    return;
  }
  if (is_probe(index)) {
    arm_probe();
  } else {
    ask_or_end(index);
  }
}

void Load::count(std::size_t index, Nanoseconds latency) {
  const Connection& connection = *connections_[index];
  Route& route = is_probe(index) ? probe_ : routes_[route_index_[connection.path()]];
  const Nanoseconds limit = std::numeric_limits<std::uint32_t>::max();
  route.latencies_us.push_back(static_cast<std::uint32_t>(std::min(latency / 1000, limit)));
  route.bytes += connection.head().body_bytes;
  ++route.statuses[connection.head().status];
}

void Load::check_answer(std::size_t index) {
  const Connection& connection = *connections_[index];
  const ResponseHead& head = connection.head();
  std::string what;
  if (head.status != 200 && !settings_.any_status) {
    ++figures_.errors.status;
    what = "status " + std::to_string(head.status);
  } else if (!check_.accept(connection.path(), {hash_body(connection.body()), head.body_bytes, head.status})) {
    ++figures_.errors.body;
    what = "another answer than before (" + std::to_string(head.body_bytes) + " bytes)";
  } else {
    return;
  }
  if (figures_.examples.size() < kMaxExamples) figures_.examples.push_back(paths_[connection.path()] + ": " + what);
  if (figures_.errors.total() >= kMaxErrors) figures_.gave_up = true;
}

void Load::on_answer(std::size_t index) {
  Connection& connection = *connections_[index];
  last_answer_ = base::monotonic_ns();
  if (counting_) count(index, last_answer_ - connection.asked_ns());
  check_answer(index);
  if (!connection.head().keep_alive) {
    ++figures_.reconnects;
    open(index);
  }
  if (is_probe(index)) {
    arm_probe();
  } else {
    ask_or_end(index);
  }
}

void Load::on_readable(std::size_t index) {
  Errors& errors = figures_.errors;
  switch (connections_[index]->receive()) {
    case Connection::Progress::kWaiting:
      return;
    case Connection::Progress::kComplete:
      return on_answer(index);
    case Connection::Progress::kClosed:
      ++figures_.reconnects;
      open(index);
      return;
    case Connection::Progress::kCut:
      return fail(index, errors.cut, "the connection ended before the answer did");
    case Connection::Progress::kBad:
      return fail(index, errors.protocol, "not a proper HTTP answer, or bytes after its end");
  }
}

void Load::expire(Nanoseconds now) {
  for (std::size_t index = 0; index < connections_.size(); ++index) {
    const Connection& connection = *connections_[index];
    if (connection.busy() && now - connection.asked_ns() > from_seconds(settings_.timeout_s)) {
      fail(index, figures_.errors.timeout, "no answer in time");
    }
  }
}

void Load::start_counting() {
  counting_ = true;
  counting_since_ = base::monotonic_ns();
  client_cpu_start_s_ = cpu_s(CLOCK_PROCESS_CPUTIME_ID);
  if (server_clock_) server_cpu_start_s_ = cpu_s(*server_clock_);
}

bool Load::finished(Nanoseconds now) const {
  if (figures_.gave_up) return true;
  if (!settings_.requests) return counting_ && now >= counting_since_ + from_seconds(settings_.duration_s);
  if (remaining_ > 0) return false;
  return std::none_of(connections_.begin(), connections_.begin() + static_cast<std::ptrdiff_t>(settings_.connections),
                      [](const auto& connection) { return connection->busy(); });
}

Outcome Load::run() {
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  timer_ = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (settings_.server_pid) {
    clockid_t clock{};
    if (::clock_getcpuclockid(*settings_.server_pid, &clock) != 0) {
      throw BadInput("there is no process " + std::to_string(*settings_.server_pid) + ": give the server's --pid");
    }
    server_clock_ = clock;
  }
  epoll_event timer_event{};
  timer_event.events = EPOLLIN;
  timer_event.data.u64 = kTimerTag;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, timer_, &timer_event);

  const std::size_t total = settings_.connections + (has_probe_ ? 1 : 0);
  for (std::size_t index = 0; index < total; ++index) connections_.push_back(std::make_unique<Connection>());
  // The probe's first: a server that is busy may take long to accept them all.
  for (std::size_t index = total; index-- > 0;) open(index);
  const Nanoseconds begin = base::monotonic_ns();
  const Nanoseconds warm = begin + from_seconds(settings_.warmup_s);
  if (settings_.warmup_s <= 0) start_counting();
  for (std::size_t index = 0; index < settings_.connections; ++index) ask_or_end(index);
  if (has_probe_) ask(settings_.connections);

  Nanoseconds next_expire = begin + 200'000'000;
  std::array<epoll_event, 64> events{};
  for (Nanoseconds now = begin; !finished(now); now = base::monotonic_ns()) {
    if (!counting_ && now >= warm) start_counting();
    if (now >= next_expire) {
      expire(now);
      next_expire = now + 200'000'000;
    }
    const Nanoseconds change =
        counting_ ? (settings_.requests ? kForever : counting_since_ + from_seconds(settings_.duration_s)) : warm;
    const Nanoseconds wait = std::min(change, next_expire) - now;
    const int timeout_ms = static_cast<int>(std::clamp<Nanoseconds>(wait / 1'000'000 + 1, 1, 200));
    const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout_ms);
    for (int i = 0; i < count && !figures_.gave_up; ++i) {
      const std::uint64_t tag = events[static_cast<std::size_t>(i)].data.u64;
      if (tag != kTimerTag) {
        on_readable(tag);
        continue;
      }
      std::uint64_t expirations = 0;
      if (::read(timer_, &expirations, sizeof expirations) > 0 && !connections_[settings_.connections]->busy()) {
        ask(settings_.connections);
      }
    }
  }

  figures_.connections = settings_.connections;
  const Nanoseconds end = settings_.requests && last_answer_ > 0 ? last_answer_ : base::monotonic_ns();
  if (counting_) figures_.seconds = static_cast<double>(end - counting_since_) / 1e9;
  figures_.client_cpu_s = cpu_s(CLOCK_PROCESS_CPUTIME_ID) - client_cpu_start_s_;
  if (server_clock_) figures_.server_cpu_s = cpu_s(*server_clock_) - server_cpu_start_s_;
  figures_.routes = std::move(routes_);
  if (has_probe_) figures_.probe = std::move(probe_);
  figures_.checked_urls = check_.checked();
  return {std::move(figures_), check_.known()};
}

}  // namespace

Outcome run_load(const Settings& settings) { return Load(settings).run(); }

}  // namespace heddle::testing::load
