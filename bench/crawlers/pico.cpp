// A pico thread for each URL: plain blocking code. All run on one kernel thread, so what they share needs no lock.
#include "pico/pico.hpp"

#include <unordered_set>

#include "bench/crawlers/crawler.hpp"

namespace {

class Crawler {
 public:
  explicit Crawler(std::uint16_t port) : server_(pico::Endpoint::of_ip("127.0.0.1", port)) {}

  void visit(const std::string& path) {
    crawlers::Page page;
    {
      pico::Socket server = pico::connect(server_);
      crawlers::fetch(server, path, page);
    }
    ++pages;
    bytes += crawlers::print_page(path, page.text());
    crawlers::for_each_link(page.text(), [this](std::string_view link) { start(std::string(link)); });
  }

  void start(std::string path) {
    if (seen_.insert(path).second) pico::spawn([this, path = std::move(path)] { visit(path); });
  }

  std::size_t pages = 0;
  std::size_t bytes = 0;

 private:
  const pico::Endpoint server_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

int main(int count, char** words) {
  Crawler crawler(crawlers::port_of(count, words));
  const crawlers::Figures figures;
  pico::run([&] { crawler.start("/"); });  // returns when all threads have ended
  figures.print(crawler.pages, crawler.bytes);
}
