// Which URLs are known, which are still to be fetched, and who is at it.
//
// The operations are those of URLFrontier (crawler-commons/url-frontier, API 2.x): put with deduplication, get by queue
// with leases, acknowledge, put back with a delay, statistics. A queue is the URLs of one host; how fast a queue may be
// asked is for politeness/ to say.
//
// Order. Jobs are leased level by level: none of depth d + 1 while one of depth d is queued, waits for another attempt
// or is leased, with the exception below. All pages that link to a URL at depth d + 1 and lie at depth d are read
// before it is leased, so the depth that a job has when it is leased is the least number of links from a given URL,
// whatever the order of answers. Two things may put a URL at a lesser depth than the present level: a sitemap, whose
// pages have depth 0, and a redirect. A URL that is queued or waits takes the lesser depth, and the level goes back to
// it.
//
// Ahead. Where others hold the level up, a host may be asked for its URLs of deeper levels meanwhile: such a job is
// ended by keep(), and what its answer brought comes back, by take_kept(), when its level's turn has come; then it is
// done as if it had been fetched at this moment. So all that is recorded is in the order above. The links of a kept
// page are known from then on, at a depth that may be too great and is set right when the page is done: each URL is on
// a way from a given URL that is no longer than its depth says, so that none is fetched which is too deep, and no level
// begins before all ways through lesser ones were gone.
//
// A crash. What one ack() brings, the job's end and its links, is kept or lost together. Commits hold several; the jobs
// in one that was lost are still to be done, and were recorded already: see mark_recorded().
//
// Several processes. A frontier may be shared (redis_frontier.hpp): then a lease, of a job or a host, is for a time,
// and whoever has a host must say when requests to it begin and are over: asked(), rests(), may_ask(), claim(). A
// frontier of one process needs none of these.
//
// Used by one kernel thread at a time. No call waits for anything but the store. Errors of the store are thrown as
// base::UserError: it cannot go on.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crawler/frontier/job.hpp"

namespace heddle::crawler {

struct Limits {
  std::uint64_t max_pages = std::numeric_limits<std::uint64_t>::max();  // records, over all runs of a state
  std::uint32_t max_depth = std::numeric_limits<std::uint32_t>::max();  // deeper ones are dropped, but for kCheckOnly
  // Jobs leased, or ended but not committed: what a crash makes a resumed run fetch again at most.
  std::size_t in_flight = 64;
};

// One host's answer to lease().
struct Lease {
  std::optional<Job> job;
  Nanoseconds ask_again_ns = kNever;  // without a job: when one that was put back is due; kNever: no job at this level
};

// What was fetched ahead, when its turn has come.
struct Kept {
  Job job;
  std::string what;
};

struct Statistics {
  std::uint64_t known = 0;    // URLs ever put
  std::uint64_t queued = 0;   // never leased
  std::uint64_t waiting = 0;  // have a place among the most pages already: put back, sitemaps, recorded before
  std::uint64_t leased = 0;
  std::uint64_t done = 0;
  std::uint64_t pages = 0;  // ended jobs that counted
  std::uint64_t commits = 0;
  std::uint32_t level = 0;  // the depth that jobs are leased of now
  std::uint64_t kept = 0;   // fetched ahead, and not done
};

// Called for every broken URL, then for each page that links to it; the last is empty for one that was given.
struct BrokenVisitor {
  std::function<void(std::string_view url, std::string_view what)> url;
  std::function<void(std::string_view page)> page;
};

class Frontier {
 public:
  Frontier() = default;
  Frontier(const Frontier&) = delete;
  Frontier& operator=(const Frontier&) = delete;
  virtual ~Frontier() = default;

  // Adds URLs that no page links to: given ones, or those of a sitemap that is no job. Returns how many were new.
  // 0 from a shared frontier, which has yet to hear of them.
  virtual std::size_t put(std::span<const Found> found) = 0;

  // The number of a host, which is made up if there is none yet, and the name of a number that was given out.
  virtual HostId host_id(std::string_view host) = 0;
  virtual std::string host_name(HostId host) = 0;

  // Some hosts that have jobs of the present level, at most `most`, then those that may go ahead; empty if all were
  // named since the level began and no URL was added since. One may be named more than once.
  virtual std::vector<HostId> hosts(std::size_t most) = 0;

  // A job of this host and of the present level, or one with Job::ahead; no two callers have the same one.
  virtual Lease lease(HostId host, Nanoseconds now) = 0;
  // When lease() would give a job of this host whose robots.txt was not read yet: at once (a time that is not after
  // `now`), or at Lease::ask_again_ns. Not ahead of its level while pages are left, for the sitemaps that robots.txt
  // names would have come too early.
  virtual Nanoseconds ready_at(HostId host, Nanoseconds now) = 0;
  // True while lease() gives nothing because of Limits::in_flight.
  virtual bool full() const = 0;
  // True when nothing is left to be leased, now or later, and nothing is leased.
  virtual bool finished() const = 0;

  // The job is done; `links` are what it led to. Its record must have been written before. Returns how many were new.
  virtual std::size_t ack(const Job& job, const Outcome& outcome, std::span<const Found> links) = 0;
  // In the place of ack() for a job with Job::ahead, which a shared frontier never gives: `what` its answer brought is
  // kept until the level's turn has come, and `links` are what it leads to, at depths that follow from the job's. What
  // was written to the files until now.
  virtual void keep(const Job&, std::string_view /*what*/, const Written&, std::span<const Found> /*links*/) {}
  // The next one of the present level that was kept, as a leased job, with its depth and referrer as they are now, and
  // what was kept of it. Its end is ack(), before the next call. `any`: of whatever level, at the end of a run that is
  // not gone on with.
  virtual std::optional<Kept> take_kept(bool /*any*/) { return std::nullopt; }
  // The job is to be tried again, not before `due`, with one more attempt; it keeps its place among the most pages.
  virtual void put_back(const Job& job, Nanoseconds due) = 0;

  // A request to a host was granted; it is over, and the next one may not start before `until`. By pairs.
  virtual void asked(HostId) {}
  virtual void rests(HostId, Nanoseconds /*until*/) {}
  // Is the host still this process's for as long as a request may take? If not, its job is put back.
  virtual bool may_ask(HostId, Nanoseconds /*now*/) const { return true; }
  // Between asked() and rests(): wants a host for a request that is no job's; call it again until it is true.
  virtual bool claim(HostId) { return true; }

  // The URLs that redirected to this job, the last one first; job.hops of them.
  virtual std::vector<std::string> redirects_to(const Job& job) = 0;
  virtual void visit_broken(const BrokenVisitor& visitor) = 0;

  // What belongs to acknowledged jobs in the files, as of the last commit.
  virtual Written written() const = 0;
  // Call it, before anything is put, for every record that the results file has beyond written(). The page is fetched
  // again, because its links were lost, but as a job with kRecorded; one that is not known at all (the page that leads
  // to it is among those to be fetched again) becomes such a job when it is found.
  virtual void mark_recorded(std::string_view url) = 0;
  // Whether this process has written its record, so that there is to be no other.
  virtual bool recorded(const Job& job) { return (job.flags & kRecorded) != 0; }

  // Commits what has waited long enough, and sees whether hosts may go ahead; returns when to call it again (kNever:
  // after the next change).
  virtual Nanoseconds tick(Nanoseconds now) = 0;
  virtual void flush() = 0;  // commits everything; call it at the end
  virtual Statistics statistics() const = 0;
};

}  // namespace heddle::crawler
