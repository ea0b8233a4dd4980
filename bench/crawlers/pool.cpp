// A fixed number of system threads, by hand: each keeps one buffer for all its pages, takes the mutex once for a page,
// and wakes others only if some sleep and there is work for them. Paths are kept once, in memory that does not move.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

#include "bench/crawlers/crawler.hpp"
#include "bench/crawlers/system_socket.hpp"

namespace {

class Crawler {
 public:
  explicit Crawler(std::uint16_t port) : port_(port) {
    seen_.reserve(kExpected);
    add("/");
  }

  // A thread of the pool, until all pages were visited.
  void work() {
    crawlers::Page page;
    std::vector<std::string_view> links;
    std::size_t visited = 0;
    std::size_t read = 0;
    std::unique_lock lock(mutex_);
    while (wait_for_path(lock)) {
      const std::string& path = paths_[next_++];
      ++busy_;
      lock.unlock();
      page.clear();
      {
        crawlers::SystemSocket server(port_);
        crawlers::fetch(server, path, page);
      }
      ++visited;
      read += crawlers::print_page(path, page.text());
      links.clear();
      crawlers::for_each_link(page.text(), [&](std::string_view link) { links.push_back(link); });
      lock.lock();
      --busy_;
      for (const std::string_view link : links) add(link);
      wake_others();
    }
    pages += visited;
    bytes += read;
  }

  std::size_t pages = 0;
  std::size_t bytes = 0;

 private:
  static constexpr std::size_t kExpected = 65'536;

  void add(std::string_view path) {
    if (seen_.contains(path)) return;
    seen_.insert(paths_.emplace_back(path));
  }

  // False when there is none and nobody is left who might find one.
  bool wait_for_path(std::unique_lock<std::mutex>& lock) {
    ++asleep_;
    changed_.wait(lock, [this] { return next_ < paths_.size() || busy_ == 0; });
    --asleep_;
    return next_ < paths_.size();
  }

  // The calling thread takes one path itself.
  void wake_others() {
    const std::size_t waiting = paths_.size() - next_;
    if (waiting == 0 && busy_ == 0) return changed_.notify_all();
    for (std::size_t i = std::min(asleep_, waiting); i > 1; --i) changed_.notify_one();
  }

  const std::uint16_t port_;
  std::mutex mutex_;  // guards what follows, and the two counts
  std::condition_variable changed_;
  std::deque<std::string> paths_;  // all that were found; from next_ on they are to be visited
  std::size_t next_ = 0;
  std::unordered_set<std::string_view> seen_;
  std::size_t busy_ = 0;
  std::size_t asleep_ = 0;
};

}  // namespace

// PROGRAM PORT THREADS
int main(int count, char** words) {
  if (count != 3) return 2;
  Crawler crawler(crawlers::port_of(count - 1, words));
  std::vector<std::thread> threads(std::strtoull(words[2], nullptr, 10));
  const crawlers::Figures figures;
  for (std::thread& thread : threads) thread = std::thread([&] { crawler.work(); });
  for (std::thread& thread : threads) thread.join();
  figures.print(crawler.pages, crawler.bytes);
}
