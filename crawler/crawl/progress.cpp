#include "crawler/crawl/progress.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/user_error.hpp"
#include "crawler/crawl/visit.hpp"

namespace heddle::crawler {
namespace {

// Those that were under way at an early end are fetched again.
std::uint64_t without_record(const Statistics& frontier) {
  return frontier.queued + frontier.waiting + frontier.leased + frontier.kept;
}

std::string metrics_text(Crawl& crawl) {
  const Figures& figures = crawl.figures();
  const Statistics frontier = crawl.statistics();
  std::ostringstream text;
  const auto figure = [&](const char* name, const char* type, const char* help, std::uint64_t value) {
    text << "# HELP heddle_crawl_" << name << ' ' << help << "\n# TYPE heddle_crawl_" << name << ' ' << type
         << "\nheddle_crawl_" << name << ' ' << value << '\n';
  };
  figure("records_total", "counter", "URLs that have a record.", figures.records);
  figure("broken_total", "counter", "Records with an error, or a status of 400 and more.", figures.errors);
  figure("requests_total", "counter", "Requests, those for robots.txt, sitemaps and further attempts too.",
         figures.requests);
  figure("received_bytes_total", "counter", "Bytes received.", figures.wire_bytes);
  figure("running", "gauge", "Requests that run.", figures.running);
  figure("known", "gauge", "URLs that were found.", frontier.known);
  figure("queued", "gauge", "URLs that wait for their turn.", frontier.queued + frontier.waiting);
  figure("ahead", "gauge", "URLs fetched before their turn, with which their record will come.", frontier.kept);
  figure("depth", "gauge", "Links from the given URLs to those that are fetched now.",
         frontier.level % kBehindAllPages);
  return std::move(text).str();
}

void answer_one(pico::Socket peer, Crawl& crawl) {
  constexpr std::size_t kMostHead = 8192;
  peer.set_deadline(pico::Clock::now() + std::chrono::seconds(5));
  std::string head;
  char bytes[1024];
  while (head.find("\r\n\r\n") == std::string::npos && head.size() < kMostHead) {
    const std::size_t count = peer.read(bytes);
    if (count == 0) return;
    head.append(bytes, count);
  }
  const bool known = head.starts_with("GET /metrics ") || head.starts_with("GET / ");
  const std::string body = known ? metrics_text(crawl) : "only /metrics is here\n";
  peer.write(std::string("HTTP/1.1 ") + (known ? "200 OK" : "404 Not Found") +
             "\r\nContent-Type: text/plain; version=0.0.4\r\nConnection: close\r\nContent-Length: " +
             std::to_string(body.size()) + "\r\n\r\n" + body);
}

}  // namespace

void show_progress(Crawl& crawl) {
  for (;;) {
    const Figures& figures = crawl.figures();
    const Statistics frontier = crawl.statistics();
    const std::string ahead = frontier.kept == 0 ? "" : std::to_string(frontier.kept) + " ahead, ";
    std::fprintf(stderr, "\r\033[K%llu done, %llu broken, %llu queued, %s%llu running, depth %u, %.1f MB",
                 static_cast<unsigned long long>(figures.records), static_cast<unsigned long long>(figures.errors),
                 static_cast<unsigned long long>(frontier.queued + frontier.waiting), ahead.c_str(),
                 static_cast<unsigned long long>(figures.running),
                 static_cast<unsigned>(frontier.level % kBehindAllPages),
                 static_cast<double>(figures.wire_bytes) / 1e6);
    std::fflush(stderr);
    pico::sleep_for(std::chrono::milliseconds(500));
  }
}

std::string summary(Crawl& crawl, CrawlEnd end, double seconds) {
  const Figures& figures = crawl.figures();
  const Statistics frontier = crawl.statistics();
  const char* const how = end == CrawlEnd::kDone ? "done" : end == CrawlEnd::kTimeIsUp ? "time is up" : "interrupted";
  char text[256];
  std::snprintf(text, sizeof text, "heddle crawl: %s: %llu URLs in %.1f s, %llu broken, %.1f MB received, %llu left\n",
                how, static_cast<unsigned long long>(figures.records), seconds,
                static_cast<unsigned long long>(figures.errors), static_cast<double>(figures.wire_bytes) / 1e6,
                static_cast<unsigned long long>(without_record(frontier)));
  return text;
}

pico::Socket listen_for_metrics(std::uint16_t port) {
  try {
    return pico::listen(pico::Endpoint::of_ip("127.0.0.1", port));
  } catch (const std::system_error& error) {
    throw base::UserError("--metrics: port " + std::to_string(port) + " cannot be used: " + error.code().message());
  }
}

void serve_metrics(pico::Socket listening, Crawl& crawl) {
  for (;;) {
    pico::Socket peer;
    try {
      peer = listening.accept();
    } catch (const std::system_error&) {
      // The peer is gone already, or there is no descriptor left.
      pico::sleep_for(std::chrono::milliseconds(100));
      continue;
    }
    pico::spawn([peer = std::move(peer), &crawl]() mutable {
      try {
        answer_one(std::move(peer), crawl);
      } catch (const std::system_error&) {
        // The peer is gone, or says nothing.
      }
    });
  }
}

}  // namespace heddle::crawler
