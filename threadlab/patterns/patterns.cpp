// What ways to protect shared data cost: the patterns that the 2007 paper describes, and times for some of them.
//
//   heddle-lab-patterns PATTERN THREADS OPERATIONS
//
// So many threads share so many operations; each locks, changes and unlocks one data structure. One line of JSON says
// how long that took and how often an optimistic change was made in vain. The data are checked at the end: a pattern
// that lost a change ends with exit code 1. Sources: Karlsson (2007), chapter 6 and section 7.3; Schmidt,
// Strategized Locking, Thread-safe Decorator, and Scoped Locking (1999).
#include <pthread.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

namespace {

// Changed under protection: after n changes `count` is n and `sum` is n, whatever the order was.
struct Data {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;

  void change() {
    ++count;
    sum += 1;
    asm volatile("" : : : "memory");  // each change reaches memory, as in a structure that others read
  }
};

struct Mutex {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

  void lock() { pthread_mutex_lock(&mutex); }
  void unlock() { pthread_mutex_unlock(&mutex); }
};

// Scoped locking: the lock is given back by whatever way the scope is left.
template <class Lock>
class Guard {
 public:
  explicit Guard(Lock& lock) : lock_(lock) { lock_.lock(); }
  ~Guard() { lock_.unlock(); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  Lock& lock_;
};

// Strategised locking: which lock it is, is decided at run time.
class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;
  virtual void lock() = 0;
  virtual void unlock() = 0;
};

class MutexStrategy : public Strategy {
 public:
  void lock() override { mutex_.lock(); }
  void unlock() override { mutex_.unlock(); }

 private:
  Mutex mutex_;
};

class NullStrategy : public Strategy {
 public:
  void lock() override {}
  void unlock() override {}
};

// Optimistic: read and compute without a lock, and begin again if somebody else has committed meanwhile. `version` is
// odd while a change is written; the acquire loads pair with the release store that ends a commit, so that a copy taken
// between two equal even versions is one that was committed (a sequence lock; Lameter 2005).
class Optimistic {
 public:
  // Returns how often it was in vain.
  std::uint64_t change() {
    for (std::uint64_t in_vain = 0;;) {
      std::uint64_t seen = version_.load(std::memory_order_acquire);
      if (seen % 2 != 0) {
        std::this_thread::yield();
        continue;
      }
      Data copy{count_.load(std::memory_order_relaxed), sum_.load(std::memory_order_relaxed)};
      copy.change();
      // From here on the copy is known to be whole: nobody has committed since `seen`.
      if (version_.compare_exchange_strong(seen, seen + 1, std::memory_order_acquire, std::memory_order_relaxed)) {
        count_.store(copy.count, std::memory_order_relaxed);
        sum_.store(copy.sum, std::memory_order_relaxed);
        version_.store(seen + 2, std::memory_order_release);
        return in_vain;
      }
      ++in_vain;
    }
  }

  Data data() const { return {count_.load(), sum_.load()}; }

 private:
  std::atomic<std::uint64_t> version_ = 0;
  std::atomic<std::uint64_t> count_ = 0;
  std::atomic<std::uint64_t> sum_ = 0;
};

struct Result {
  double seconds = 0;
  Data data;
  std::uint64_t in_vain = 0;
};

// Runs `work(thread, operations)` on so many threads, which share the operations; timed from when all are there.
template <class Work>
double timed(unsigned threads, std::uint64_t operations, const Work& work) {
  std::latch all(threads + 1);
  std::vector<std::thread> running;
  for (unsigned thread = 0; thread < threads; ++thread) {
    const std::uint64_t own = operations / threads + (thread < operations % threads ? 1 : 0);
    running.emplace_back([&all, &work, thread, own] {
      all.arrive_and_wait();
      work(thread, own);
    });
  }
  all.arrive_and_wait();
  const auto begin = std::chrono::steady_clock::now();
  for (auto& each : running) {
    each.join();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class Lock>
Result scoped(Lock& lock, unsigned threads, std::uint64_t operations) {
  Result result;
  result.seconds = timed(threads, operations, [&](unsigned /*thread*/, std::uint64_t own) {
    for (std::uint64_t n = 0; n < own; ++n) {
      const Guard guard(lock);
      result.data.change();
    }
  });
  return result;
}

// Bare calls, as `pessimistic` is in the paper's words: the lock first, then the change.
Result bare(unsigned threads, std::uint64_t operations) {
  Mutex mutex;
  Result result;
  result.seconds = timed(threads, operations, [&](unsigned /*thread*/, std::uint64_t own) {
    for (std::uint64_t n = 0; n < own; ++n) {
      mutex.lock();
      result.data.change();
      mutex.unlock();
    }
  });
  return result;
}

struct alignas(64) Own {
  Data data;
  std::uint64_t in_vain = 0;
};

// Each thread has data of its own, which are put together at the end; `locks` are taken for nothing, or not at all.
template <class Change>
Result apart(unsigned threads, std::uint64_t operations, const Change& change) {
  std::vector<Own> owns(threads);
  Result result;
  result.seconds = timed(threads, operations, [&](unsigned thread, std::uint64_t own) {
    for (std::uint64_t n = 0; n < own; ++n) {
      change(owns[thread]);
    }
  });
  for (const auto& own : owns) {
    result.data.count += own.data.count;
    result.data.sum += own.data.sum;
    result.in_vain += own.in_vain;
  }
  return result;
}

thread_local Data specific;

Result thread_specific(unsigned threads, std::uint64_t operations) {
  std::vector<Own> owns(threads);
  Result result;
  result.seconds = timed(threads, operations, [&](unsigned thread, std::uint64_t own) {
    for (std::uint64_t n = 0; n < own; ++n) {
      specific.change();
    }
    owns[thread].data = specific;
  });
  for (const auto& own : owns) {
    result.data.count += own.data.count;
    result.data.sum += own.data.sum;
  }
  return result;
}

bool run(std::string_view pattern, unsigned threads, std::uint64_t operations, Result& result) {
  if (pattern == "mutex") {
    result = bare(threads, operations);
  } else if (pattern == "scoped") {
    Mutex mutex;
    result = scoped(mutex, threads, operations);
  } else if (pattern == "strategised") {
    const std::unique_ptr<Strategy> lock = std::make_unique<MutexStrategy>();
    result = scoped(*lock, threads, operations);
  } else if (pattern == "null") {
    // A null lock is for data that one thread has: here each has its own.
    const std::unique_ptr<Strategy> lock = std::make_unique<NullStrategy>();
    result = apart(threads, operations, [&lock](Own& own) {
      const Guard guard(*lock);
      own.data.change();
    });
  } else if (pattern == "thread-specific") {
    result = thread_specific(threads, operations);
  } else if (pattern == "optimistic") {
    Optimistic shared;
    result = apart(threads, operations, [&shared](Own& own) { own.in_vain += shared.change(); });
    result.data = shared.data();
  } else {
    return false;
  }
  return true;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long threads = argc == 4 ? std::strtoul(argv[2], nullptr, 10) : 0;
  const unsigned long long operations = argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 0;
  Result result;
  if (threads == 0 || threads > 1024 || operations == 0 ||
      !run(argv[1], static_cast<unsigned>(threads), operations, result)) {
    std::fputs(
        "usage: heddle-lab-patterns mutex|scoped|strategised|null|thread-specific|optimistic THREADS OPERATIONS\n",
        stderr);
    return 2;
  }
  std::printf(R"({"seconds": %.6f, "cpu_seconds": %.6f, "in_vain": %llu})"
              "\n",
              result.seconds, cpu_seconds(), static_cast<unsigned long long>(result.in_vain));
  if (result.data.count != operations || result.data.sum != operations) {
    std::fprintf(stderr, "%s lost changes: %llu of %llu are there\n", argv[1],
                 static_cast<unsigned long long>(result.data.count), operations);
    return 1;
  }
  return 0;
}
