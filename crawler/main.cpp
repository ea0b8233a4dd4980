// heddle-crawl: the program behind `heddle crawl`.
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <system_error>

#include "base/user_error.hpp"
#include "crawler/crawl/crawl.hpp"
#include "crawler/crawl/options.hpp"
#include "crawler/crawl/progress.hpp"
#include "pico/pico.hpp"

namespace {

using heddle::base::UserError;
using heddle::crawler::Crawl;
using heddle::crawler::CrawlEnd;
using heddle::crawler::CrawlOptions;

constexpr int kDone = 0;
constexpr int kBroken = 1;
constexpr int kBadInput = 2;
constexpr int kInterrupted = 130;

// Written by signal handlers; the other end is read by a pico thread.
int signal_socket = -1;

void on_signal(int signal) {
  const char byte = 0;
  static_cast<void>(send(signal_socket, &byte, 1, MSG_DONTWAIT | MSG_NOSIGNAL));
  std::signal(signal, SIG_DFL);  // the second one ends the process
}

// A socket that can be read when SIGINT or SIGTERM has come.
pico::Socket catch_signals() {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    throw UserError("no socket pair: " + heddle::base::errno_text());
  signal_socket = pair[1];
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);
  return pico::Socket(pair[0]);
}

// As many descriptors as the system allows; no more connections at once than these suffice for. A request has a
// connection or looks up its host's name; other connections are open and idle.
void fit_descriptors(CrawlOptions& options) {
  constexpr rlim_t kOthers = 48;  // files, pollers, standard streams, the resolver's
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  const std::size_t free = limit.rlim_cur > kOthers ? limit.rlim_cur - kOthers : 0;
  const std::size_t most = std::max<std::size_t>(free / 3 * 2, 1);
  if (most < options.connections) {
    std::fprintf(stderr, "heddle crawl: %zu connections, not %zu: more descriptors are not allowed (ulimit -n)\n", most,
                 options.connections);
    options.connections = options.limits.in_flight = most;
  }
  const std::size_t rest = free - std::min(free, options.connections);
  options.client.most_idle = std::min(options.client.most_idle, rest / 2);
  options.client.most_lookups = std::clamp<std::size_t>(rest / 4, 1, options.client.most_lookups);
}

CrawlEnd run(Crawl& crawl, const CrawlOptions& options) {
  pico::Scope beside;
  beside.spawn([&crawl, signals = catch_signals()]() mutable {
    char byte;
    signals.read({&byte, 1});
    crawl.interrupt();
  });
  if (options.metrics_port)
    beside.spawn([&crawl, listening = heddle::crawler::listen_for_metrics(*options.metrics_port)]() mutable {
      heddle::crawler::serve_metrics(std::move(listening), crawl);
    });
  if (isatty(STDERR_FILENO) != 0) beside.spawn([&crawl] { heddle::crawler::show_progress(crawl); });
  return crawl.run();  // what runs beside it is cancelled then
}

int crawl_and_report(const CrawlOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Crawl crawl(options);
  const CrawlEnd end = run(crawl, options);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  if (isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);  // the line of progress
  std::fputs(heddle::crawler::summary(crawl, end, time.count()).c_str(), stderr);
  // Results may have the standard output for themselves.
  std::ostream& out = options.results == "-" ? std::cerr : std::cout;
  const std::size_t broken = options.check ? crawl.print_broken(out) : 0;
  if (end == CrawlEnd::kInterrupted) return kInterrupted;
  return broken > 0 ? kBroken : kDone;
}

}  // namespace

int main(int count, char** words) {
  try {
    std::optional<CrawlOptions> options = heddle::crawler::parse_command_line(count, words);
    if (!options) return kDone;
    fit_descriptors(*options);
    pico::Options runtime;
    runtime.workers = options->workers;
    return pico::run(runtime, [&] { return crawl_and_report(*options); });
  } catch (const std::exception& error) {  // mostly a UserError, whose text says what to do
    std::fprintf(stderr, "heddle crawl: %s\n", error.what());
  }
  return kBadInput;
}
