// A URL may be wanted in more ways than one: looked at because a nofollow link names it, shown as an image, followed as
// a page. It is fetched at the least depth that anything wants it at; where a later wish wants more of it than that
// fetch did, and the answer had more to give (Outcome::complete), it is fetched once more, without a second record.
// What is fetched, and at which depths, so does not depend on the order in which links were found.
#pragma once

#include <optional>
#include <tuple>

#include "crawler/frontier/store.hpp"

namespace heddle::crawler {

inline JobFlags with_want(JobFlags flags, Want want) {
  const auto rest = static_cast<JobFlags>(flags & ~(kCheckOnly | kResource));
  if (want == Want::kPage) return rest;
  return static_cast<JobFlags>(rest | (want == Want::kCheck ? kCheckOnly : kResource));
}

inline void keep_least(std::optional<Again>& again, const Again& other) {
  if (!again || other < *again) again = other;
}

// Adds a wish to a row whose URL is not done. Returns whether the row changed.
inline bool merge_wish(Row& row, const Found& found, std::int64_t via) {
  const Want had = want_of(row.flags);
  const Want wanted = want_of(found.flags);
  // It was fetched before, for less; or it has its record, and will be fetched for more.
  if ((row.flags & kRecorded) != 0 && wanted > had) return false;
  const auto new_flags = static_cast<JobFlags>(row.flags | (found.flags & kGiven));
  const auto before = std::pair(row.flags, row.again);
  row.flags = new_flags;
  Again later{wanted, found.depth};
  const bool sooner = std::tuple(found.depth, wanted, found.hops) < std::tuple(row.depth, had, row.hops);
  if (sooner) {
    later = {had, row.depth};
    row.depth = found.depth;
    row.hops = found.hops;
    row.via = via;
    row.flags = with_want(new_flags, wanted);
  }
  const Want has = want_of(row.flags);
  if (later.want < has) keep_least(row.again, later);
  if (row.again && row.again->want >= has) row.again.reset();
  return sooner || before != std::pair(row.flags, row.again);
}

}  // namespace heddle::crawler
