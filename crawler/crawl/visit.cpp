#include "crawler/crawl/visit.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "crawler/fetch/decoders.hpp"

namespace heddle::crawler {

std::vector<Found> Crawl::Visit::found() const {
  std::vector<Found> all;
  all.reserve(targets.size());
  for (const Target& target : targets)
    all.push_back({target.url.text(), target.origin, target.depth, target.hops, target.flags});
  return all;
}

Outcome Crawl::Visit::outcome() const {
  Outcome done;
  done.counts = (job.flags & (kSitemap | kRecorded)) == 0;
  done.complete = (job.flags & kCheckOnly) == 0 || !is_page(answer);
  done.broken = broken;
  return done;
}

Record Crawl::Visit::record() const {
  Record record;
  record.url = job.url;
  record.depth = job.depth % kBehindAllPages;
  if (!job.referrer.empty()) record.referrer = job.referrer;
  if (!error.empty()) record.error = error;
  if (!redirect.empty()) record.redirect = redirect;
  record.ms = std::chrono::duration<double, std::milli>(time).count();
  if (!asked) return record;
  record.attempts = job.attempts + 1;
  record.status = answer.status;
  record.links = links;
  if (!answer.media_type.empty()) record.type = answer.media_type;
  if (digest.empty()) return record;
  record.bytes = answer_bytes;
  record.sha256 = digest;
  return record;
}

Exchange Crawl::Visit::exchange() const {
  Exchange exchange;
  exchange.url = job.url;
  exchange.when = when;
  exchange.address = address();
  exchange.request = answer.raw_request;
  exchange.head = answer.raw_head;
  exchange.body = answer.payload();
  if (answer.error == FetchError::kTooLarge) exchange.truncated = "length";
  if (answer.error == FetchError::kTimeout) exchange.truncated = "time";
  if (answer.error == FetchError::kReset || answer.error == FetchError::kProtocol) exchange.truncated = "disconnect";
  return exchange;
}

std::string_view Crawl::Visit::address() const {
  std::string_view remote = answer.remote;
  remote = remote.substr(0, remote.rfind(':'));
  if (remote.size() > 1 && remote.front() == '[') remote = remote.substr(1, remote.size() - 2);
  return remote;
}

bool is_redirect(const Answer& answer) {
  constexpr std::array kRedirects{301, 302, 303, 307, 308};
  return answer.error == FetchError::kNone && !answer.location.empty() &&
         std::find(kRedirects.begin(), kRedirects.end(), answer.status) != kRedirects.end();
}

bool is_page(const Answer& answer) {
  return answer.media_type == "text/html" || answer.media_type == "application/xhtml+xml";
}

SiteRules rules_of(const Answer& answer) {
  SiteRules rules;
  switch (answer.error) {
    case FetchError::kNone:
    case FetchError::kTooLarge:  // what came is parsed
      break;
    case FetchError::kDns:
    case FetchError::kConnect:
    case FetchError::kTls:
    case FetchError::kRefusedAddress:
      rules.error = name_of(answer.error);
      return rules;
    default:
      rules.error = "robots";
      return rules;
  }
  if (answer.status >= 500) rules.error = "robots";
  if (answer.status >= 200 && answer.status <= 299) rules.robots = Robots::parse(answer.body);
  return rules;
}

std::vector<Url> sitemaps_of(const Robots& robots, const Url& address) {
  std::vector<Url> sitemaps;
  for (const std::string& text : robots.sitemaps())
    if (const std::optional<Url> url = Url::parse(text, &address); url && url->is_web()) sitemaps.push_back(*url);
  return sitemaps;
}

Sitemap read_packed_sitemap(std::string_view body, std::size_t most) {
  constexpr std::string_view kGzip = "\x1f\x8b";
  if (!body.starts_with(kGzip)) return read_sitemap(body);
  std::string unpacked;
  const auto decoder = decoder_for("gzip", std::make_unique<StringSink>(unpacked, most), most);
  if (decoder->take(body) == FetchError::kNone) static_cast<void>(decoder->finish());
  return read_sitemap(unpacked);  // what could be unpacked
}

}  // namespace heddle::crawler
