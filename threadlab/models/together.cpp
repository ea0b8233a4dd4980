#include "threadlab/models/together.hpp"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <system_error>

#include "base/thread.hpp"

namespace heddle::threadlab {

void run_together(const std::vector<std::string>& names, const std::function<void(std::size_t)>& body) {
  enum Signal : std::uint8_t { kWait, kBegin, kLeave };
  std::atomic<Signal> signal{kWait};
  std::vector<base::Thread> threads;
  threads.reserve(names.size());
  const auto release = [&](Signal what) {
    signal.store(what, std::memory_order_release);  // with the load of the threads: what was prepared for them
    signal.notify_all();
    for (base::Thread& thread : threads) thread.join();
  };
  try {
    for (std::size_t i = 0; i < names.size(); ++i)
      threads.emplace_back([&, i] {
        pthread_setname_np(pthread_self(), names[i].substr(0, 15).c_str());
        signal.wait(kWait, std::memory_order_acquire);
        if (signal.load(std::memory_order_acquire) == kBegin) body(i);
      });
  } catch (const std::system_error&) {
    release(kLeave);
    throw;
  }
  release(kBegin);
}

}  // namespace heddle::threadlab
