// A system thread for each URL: the same plain code, with a mutex around what the threads share. Their stacks are as
// large as pico's; with 8 MB each, which is the default, the C library would ask the kernel for nearly every one anew.
#include <pthread.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "bench/crawlers/crawler.hpp"
#include "bench/crawlers/system_socket.hpp"

namespace {

constexpr std::size_t kStackBytes = std::size_t{64} << 10;

class Crawler {
 public:
  explicit Crawler(std::uint16_t port) : port_(port) {}

  void start(std::string path) {
    {
      const std::lock_guard lock(mutex_);
      if (!seen_.insert(path).second) return;
    }
    alive_.fetch_add(1);
    std::thread([this, path = std::move(path)] {
      visit(path);
      if (alive_.fetch_sub(1) == 1) alive_.notify_all();
    }).detach();
  }

  // Until no thread is left.
  void join() {
    while (const std::size_t alive = alive_.load()) alive_.wait(alive);
  }

  std::atomic<std::size_t> pages{0};
  std::atomic<std::size_t> bytes{0};

 private:
  void visit(const std::string& path) {
    crawlers::Page page;
    {
      crawlers::SystemSocket server(port_);
      crawlers::fetch(server, path, page);
    }
    ++pages;
    bytes += crawlers::print_page(path, page.text());
    crawlers::for_each_link(page.text(), [this](std::string_view link) { start(std::string(link)); });
  }

  const std::uint16_t port_;
  std::atomic<std::size_t> alive_{0};
  std::mutex mutex_;  // guards seen_
  std::unordered_set<std::string> seen_;
};

}  // namespace

int main(int count, char** words) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_setattr_default_np(&attributes);
  // Never destroyed: the last thread may still be in notify_all() when join() returns.
  auto& crawler = *new Crawler(crawlers::port_of(count, words));
  const crawlers::Figures figures;
  crawler.start("/");
  crawler.join();
  figures.print(crawler.pages, crawler.bytes);
}
