// A crawl: one pico thread for each URL that is fetched, in plain blocking code, and one that hands URLs out.
//
//   dispatcher   asks politeness/ what to do next: fetch a URL, fetch a robots.txt, or wait
//   a thread     asks the server, reads the answer, writes the record, and tells the frontier what was found
//
// Of a URL that was asked for ahead of its level, the frontier keeps what was found. Its record is written by the
// dispatcher, when the level's turn has come.
//
// The frontier, politeness, what is known of hosts, and the files are used under one mutex, on the stack of a kernel
// thread, for SQLite needs more than a pico thread has. Fetching and parsing run without it.
//
// Where the frontier is in Redis, one thread more carries what this process and Redis have to say to each other. It
// holds the mutex while it writes a request and reads a reply, and not while it waits for one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crawler/archive/results.hpp"
#include "crawler/archive/warc_writer.hpp"
#include "crawler/crawl/options.hpp"
#include "crawler/crawl/redis_link.hpp"
#include "crawler/crawl/sites.hpp"
#include "crawler/fetch/client.hpp"
#include "crawler/frontier/frontier.hpp"
#include "crawler/frontier/redis_frontier.hpp"
#include "crawler/parse/page.hpp"
#include "crawler/politeness/politeness.hpp"
#include "pico/pico.hpp"

namespace heddle::crawler {

// What a crawl has done so far; read by progress and metrics at any time.
struct Figures {
  std::atomic<std::uint64_t> records{0};
  std::atomic<std::uint64_t> errors{0};    // records with an error or a status of 400 and more
  std::atomic<std::uint64_t> requests{0};  // robots.txt, sitemaps and further attempts too
  std::atomic<std::uint64_t> wire_bytes{0};
  std::atomic<std::uint64_t> running{0};  // requests
};

enum class CrawlEnd : std::uint8_t { kDone, kTimeIsUp, kInterrupted };

inline pico::Time as_time(Nanoseconds ns) { return pico::Time(std::chrono::nanoseconds(ns)); }

class Crawl {
 public:
  // Opens all files. base::UserError if one cannot be used.
  explicit Crawl(const CrawlOptions& options);
  ~Crawl();
  Crawl(const Crawl&) = delete;
  Crawl& operator=(const Crawl&) = delete;

  // By a pico thread, once: returns when nothing is left to do, the time is up, or interrupt() was called. What was
  // found until then is in the files. base::UserError if a file takes no more.
  CrawlEnd run();

  // By a pico thread.
  void interrupt();

  const Figures& figures() const { return figures_; }
  Statistics statistics();

  // For --check, behind run(): writes each broken URL and its pages to `out`; returns how many there are.
  std::size_t print_broken(std::ostream& out);

 private:
  struct Visit;
  // Thrown where the host may be another process's before a request to it would be over.
  struct LeaseIsOver {};

  // Calls act() under the mutex, on the large stack. Once one has thrown, because a disk is full, the crawl ends and no
  // other is called: the store may have undone what it was told of other jobs, and would take the next one without
  // them.
  template <class Act>
  auto locked(Act act) {
    const std::scoped_lock lock(mutex_);
    if (failed_) throw pico::Cancelled();
    return or_fail(std::move(act));
  }
  template <class Act>  // with the mutex held
  auto or_fail(Act act) {
    try {
      return pico::on_big_stack(std::move(act));
    } catch (...) {
      failed_ = true;
      throw;
    }
  }

  // With the mutex held: the request that the host was granted for is over. The host is not asked before that time.
  void release(HostId host, Nanoseconds not_before = 0);

  void open_frontier();
  void resume();
  void put_given();
  void run_threads();
  bool dispatch_one(pico::Scope& threads);
  void exchange_with_redis();
  void leave_redis();
  template <class Work>
  void spawn(pico::Scope& threads, Work work);
  void visit(Job job);
  void visit_kept(Kept kept);
  void give_out_kept();
  bool fetch(Visit& visit);
  void fetch_robots(HostId host);
  std::optional<std::chrono::nanoseconds> ask_for_robots(const Url& url, HostId host, Answer& answer);
  Answer ask_elsewhere(const Url& url);
  Answer fetch_robots_following(const Url& first, HostId host);

  std::string_view error_without_asking(const Job& job, const Url& url);
  Answer ask(const Url& url, HostId host, Method method);
  void ask(const Url& url, HostId host, Method method, Answer& answer);
  void start(HostId host);
  bool try_again(const Job& job, const Answer& answer, Method method);
  void read_links(Visit& visit);
  void read_sitemap_of(Visit& visit);
  void add_link(Visit& visit, Link&& link, bool page_says_nofollow);
  void conclude(Visit& visit);
  void follow_redirect(Visit& visit);
  void finish(Visit& visit);
  std::string line_of(const Visit& visit) const;
  bool record(const Visit& visit, std::string_view line);
  void acknowledge(const Visit& visit, std::span<const Found> found);
  Written written() const;
  void count(const Visit& visit);
  bool time_is_up() const { return pico::Clock::now() >= end_; }

  const CrawlOptions options_;
  const pico::Time end_;  // by --max-time
  Client client_;
  Figures figures_;
  std::optional<RedisLink> link_;  // used by one thread at a time

  pico::Mutex mutex_;  // guards what follows
  pico::Condition changed_;
  std::uint64_t changes_ = 0;  // that the dispatcher has to look at
  bool interrupted_ = false;
  bool failed_ = false;  // there was an exception: a file takes no more
  Sites sites_;
  std::unique_ptr<Frontier> frontier_;
  RedisFrontier* shared_ = nullptr;  // the same, where it is in Redis
  pico::Condition exchange_wanted_;
  bool exchange_woken_ = false;
  std::optional<ResultsFile> results_;
  std::optional<WarcWriter> archive_;
  std::unique_ptr<Politeness> politeness_;
};

}  // namespace heddle::crawler
