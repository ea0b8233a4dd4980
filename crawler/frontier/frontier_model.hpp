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
    bool ahead = false;  // leased before its turn
    bool kept = false;   // fetched before its turn
    bool done = false;
    bool complete = true;
    bool unfound = false;
    Wish fetched{};  // while leased and when done: how
    std::uint32_t attempts = 0;
    Nanoseconds due = 0;

    Wish next() const { return *std::min_element(wishes.begin(), wishes.end()); }
    bool queued() const { return !done && !waiting && !leased && !kept; }
    std::uint32_t depth() const { return leased && !ahead ? fetched.depth : next().depth; }
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

  explicit FrontierModel(const Limits& limits, std::uint64_t most_kept = 0) : limits_(limits), most_kept_(most_kept) {}

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
      const bool only_looked_at = !is_new && url.next().want == Want::kCheck;
      url.wishes.push_back(wish);
      if ((found.flags & kGiven) != 0) url.given = true;
      if (only_looked_at && url.next().want != Want::kCheck) url.kept = false;  // that is too little
    }
  }

  std::optional<std::uint32_t> level() const {
    std::optional<std::uint32_t> least;
    for (const auto& [name, url] : urls) {
      if (url.done || (!url.leased && !url.waiting && !places())) continue;
      if (!least || url.depth() < *least) least = url.depth();
    }
    return least;
  }

  bool places() const { return pages + count(&Url::has_place) < limits_.max_pages; }

  // May this URL be leased now, if its host is asked?
  bool free(const Url& url, Nanoseconds now) const {
    if (url.done || url.leased || url.kept || url.next().depth != level()) return false;
    return url.waiting ? url.due <= now : places();
  }

  // May it be leased ahead, if its host has nothing that is free?
  bool free_ahead(const Url& url) const {
    if (!url.queued() || limits_.max_pages != Limits().max_pages || count(&Url::kept) >= most_kept_) return false;
    const auto present = level();
    if (!present || url.next().depth <= *present) return false;
    const auto holds_up = [&](const Url& other) {
      return !other.done && other.depth() == *present && !other.leased && !other.kept;
    };
    const auto runs = [&](const Url& other) { return other.leased && other.depth() == *present; };
    const auto own = [&](const Url& other) { return other.leased && !other.ahead && other.host == url.host; };
    return count(holds_up) > 0 || count(runs) > count(own);
  }

  void lease(Url& url, bool ahead = false) {
    url.fetched = url.next();
    url.leased = true;
    url.ahead = ahead;
    url.kept = false;
  }

  // The links were added before.
  void keep(Url& url) {
    url.leased = url.ahead = false;
    url.kept = url.fetched.want != Want::kCheck || url.next().want == Want::kCheck;
  }

  void put_back(Url& url, Nanoseconds due) {
    url.leased = url.ahead = false;
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
      url.leased = url.ahead = false;
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
    url.recorded = true;
    ++pages;
    if (url.kept) return;
    url.waiting = true;
    url.due = 0;
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
  std::uint64_t most_kept_;
};

}  // namespace heddle::crawler
