// How far a crawl is, for whoever looks: a line on a terminal, and figures for Prometheus.
#pragma once

#include <cstdint>
#include <string>

#include "crawler/crawl/crawl.hpp"
#include "pico/pico.hpp"

namespace heddle::crawler {

// By a pico thread: rewrites a line on standard error twice a second, until it is cancelled.
void show_progress(Crawl& crawl);
// One line, behind the crawl.
std::string summary(Crawl& crawl, CrawlEnd end, double seconds);

// A socket on 127.0.0.1 for serve_metrics(). base::UserError if the port cannot be had.
pico::Socket listen_for_metrics(std::uint16_t port);
// By a pico thread: answers GET /metrics in the text format of Prometheus (0.0.4), until it is cancelled.
void serve_metrics(pico::Socket listening, Crawl& crawl);

}  // namespace heddle::crawler
