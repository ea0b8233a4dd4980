// What the frontier has to do, written as plainly as possible: every rule is a loop over all URLs. For tests.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "crawler/frontier/frontier.hpp"
#include "crawler/frontier/lately_seen.hpp"

namespace heddle::crawler {

class FrontierModel {
 public:
  struct Wish {
    std::uint32_t depth;
    Want want;
    std::uint32_t hops;

    auto operator<=>(const Wish&) const = default;
  };

  struct Url {
    std::string host;
    std::vector<Wish> wishes;  // since it was fetched last
    bool given = false;
    bool sitemap = false;
    bool recorded = false;
    bool waiting = false;
    bool leased = false;
    bool done = false;
    bool complete = true;
    bool unfound = false;
    Wish fetched{};  // while leased and when done: how
    std::uint32_t attempts = 0;
    Nanoseconds due = 0;

    Wish next() const { return *std::min_element(wishes.begin(), wishes.end()); }
    bool has_place() const { return !done && !sitemap && !recorded && (waiting || leased); }
    JobFlags flags() const {
      JobFlags flags = 0;
      if (given) flags |= kGiven;
      if (sitemap) flags |= kSitemap;
      if (recorded) flags |= kRecorded;
      const Want want = leased ? fetched.want : next().want;
      if (want == Want::kCheck) flags |= kCheckOnly;
      if (want == Want::kShown) flags |= kResource;
      return flags;
    }
  };

  explicit FrontierModel(const Limits& limits) : limits_(limits) {}

  void add(const Found& found) {
    if (found.depth > limits_.max_depth && (found.flags & kCheckOnly) == 0) return;
    const bool sitemap = (found.flags & kSitemap) != 0;
    const std::string name = (sitemap ? "sitemap " : "") + std::string(found.url);
    const Wish wish{found.depth, want_of(found.flags), found.hops};
    const auto [at, is_new] = urls.try_emplace(name);
    Url& url = at->second;
    if (is_new) {
      url.host = found.host;
      url.sitemap = url.waiting = sitemap;
    }
    if (url.done) {
      if (url.unfound) url.host = found.host;
      if (url.unfound || (!url.complete && wish.want < url.fetched.want)) {
        again(url, wish);
        if ((found.flags & kGiven) != 0) url.given = true;
      }
    } else if (!url.recorded || wish.want <= url.next().want) {
      url.wishes.push_back(wish);
      if ((found.flags & kGiven) != 0) url.given = true;
    }
  }

  std::optional<std::uint32_t> level() const {
    std::optional<std::uint32_t> least;
    for (const auto& [name, url] : urls) {
      if (url.done || (!url.leased && !url.waiting && !places())) continue;
      const std::uint32_t depth = url.leased ? url.fetched.depth : url.next().depth;
      if (!least || depth < *least) least = depth;
    }
    return least;
  }

  bool places() const { return pages + count(&Url::has_place) < limits_.max_pages; }

  // May this URL be leased now, if its host is asked?
  bool free(const Url& url, Nanoseconds now) const {
    if (url.done || url.leased || url.next().depth != level()) return false;
    return url.waiting ? url.due <= now : places();
  }

  void lease(Url& url) {
    url.fetched = url.next();
    url.leased = true;
  }

  void put_back(Url& url, Nanoseconds due) {
    url.leased = false;
    url.waiting = true;
    url.due = due;
    ++url.attempts;
  }

  // The links were added before.
  void ack(Url& url, bool counts, bool complete) {
    if (counts && url.has_place()) ++pages;
    url.leased = false;
    url.waiting = false;
    url.done = true;
    url.complete = complete;
    // Of the wishes for more the greatest counts, then the one at the least depth.
    std::optional<Wish> more;
    for (const Wish& wish : url.wishes)
      if (wish.want < url.fetched.want &&
          (!more || std::tie(wish.want, wish.depth) < std::tie(more->want, more->depth)))
        more = wish;
    if (more && !complete) again(url, {more->depth, more->want, 0});
  }

  // A new process: leases are gone, and who holds a place from before is tried at once.
  void restart() {
    for (auto& [name, url] : urls) {
      if (url.leased) url.due = 0;
      url.leased = false;
    }
  }

  void mark_recorded(const std::string& name) {
    const auto [at, is_new] = urls.try_emplace(name);
    Url& url = at->second;
    if (url.done || url.recorded) return;
    if (is_new) {
      url.done = url.unfound = url.recorded = true;
      ++pages;
      return;
    }
    url.recorded = url.waiting = true;
    url.due = 0;
    ++pages;
  }

  template <class Property>
  std::uint64_t count(const Property& property) const {
    return static_cast<std::uint64_t>(
        std::count_if(urls.begin(), urls.end(), [&](const auto& each) { return std::invoke(property, each.second); }));
  }

  std::map<std::string, Url> urls;  // a sitemap's name has a prefix
  std::uint64_t pages = 0;

 private:
  static void again(Url& url, const Wish& wish) {
    url.wishes = {wish};
    url.done = url.unfound = false;
    url.waiting = url.recorded = true;
    url.due = 0;
  }

  Limits limits_;
};

}  // namespace heddle::crawler
