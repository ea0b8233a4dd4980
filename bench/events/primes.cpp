// Counts the primes below LAST, a batch of numbers in every event: appendix A.1 of Sheremetyev, Event-Driven
// Concurrency in JavaScript (Oxford, 2011), in C++.
//
//   primes serial BATCH LAST                         a queue of functions, plain variables
//   primes loop BATCH LAST WORKERS WAY ORDER SHARED  events as transactions
//     WAY     measured, parallel
//     ORDER   events: they commit in event order; any: as in the thesis
//     SHARED  read: every event reads both counters, as in the thesis; add: it only adds, and a last event reads
//
// Prints how many primes, seconds, processor seconds, and of the loop: events, those without a transaction, commits,
// transactions that ran again, and reads that waited for their turn.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <functional>
#include <string>

#include "scheduler/speculative/speculative.hpp"

namespace {

namespace speculative = heddle::speculative;

constexpr int kFirst = 2;

bool is_prime(int number) {
  for (int i = 2; i * i <= number; ++i)
    if (number % i == 0) return false;
  return true;
}

int count(int first, int last) {
  int found = 0;
  for (int number = first; number < last; ++number) found += is_prime(number) ? 1 : 0;
  return found;
}

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count(); }
  double cpu_seconds() const { return cpu() - cpu_; }

 private:
  static double cpu() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
  }
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double cpu_ = cpu();
};

void print(int primes, const Stopwatch& watch, const speculative::Figures& figures) {
  std::printf("%d %.6f %.6f %lu %lu %lu %lu %lu\n", primes, watch.seconds(), watch.cpu_seconds(), figures.events,
              figures.direct, figures.commits, figures.stopped, figures.waited);
}

void run_serially(int batch, int last) {
  const Stopwatch watch;
  std::deque<std::function<void()>> queue;
  int primes = 0;
  int processed = 0;
  int result = 0;
  for (int i = kFirst; i < last; i += batch) {
    queue.emplace_back([&, i, end = std::min(i + batch, last), last] {
      const int found = count(i, end);
      primes += found;
      processed += end - i;
      if (processed == last - kFirst) result = primes;
    });
  }
  for (; !queue.empty(); queue.pop_front()) queue.front()();
  print(result, watch, {});
}

void run_in_loop(int batch, int last, const speculative::Options& options, bool reads) {
  using speculative::Transaction;
  const Stopwatch watch;
  speculative::Cell<int> primes(0);
  speculative::Cell<int> processed(0);
  int result = 0;
  speculative::Loop loop(options);
  for (int i = kFirst; i < last; i += batch) {
    const int end = std::min(i + batch, last);
    if (reads) {
      loop.post([&, i, end, last](Transaction& transaction) {
        const int found = count(i, end);
        primes.set(transaction, primes.get(transaction) + found);
        processed.set(transaction, processed.get(transaction) + end - i);
        if (processed.get(transaction) != last - kFirst) return;
        transaction.at_commit([&result, all = primes.get(transaction)] { result = all; });
      });
    } else {
      loop.post([&, i, end](Transaction& transaction) {
        primes.update(transaction, [found = count(i, end)](int& sum) { sum += found; });
        processed.update(transaction, [inspected = end - i](int& sum) { sum += inspected; });
      });
    }
  }
  if (!reads) {
    loop.post([&, last](Transaction& transaction) {
      if (processed.get(transaction) != last - kFirst) return;
      transaction.at_commit([&result, all = primes.get(transaction)] { result = all; });
    });
  }
  loop.run();
  print(result, watch, loop.figures());
}

}  // namespace

int main(int words, char** word) {
  const std::string what = words > 3 ? word[1] : "";
  const int batch = words > 3 ? std::atoi(word[2]) : 0;
  const int last = words > 3 ? std::atoi(word[3]) : 0;
  if (batch < 1 || last <= kFirst || last > 2'000'000'000 - batch) return 2;
  if (what == "serial" && words == 4) {
    run_serially(batch, last);
  } else if (what == "loop" && words == 8) {
    const speculative::Options options{
        .workers = static_cast<unsigned>(std::atoi(word[4])),
        .order = std::string(word[6]) == "any" ? speculative::Order::kAny : speculative::Order::kEvents,
        .way = std::string(word[5]) == "parallel" ? speculative::Way::kParallel : speculative::Way::kMeasured,
        .events_at_once = std::string(word[6]) == "any" ? 1U : 0U,
    };
    run_in_loop(batch, last, options, std::string(word[7]) == "read");
  } else {
    return 2;
  }
  return 0;
}
