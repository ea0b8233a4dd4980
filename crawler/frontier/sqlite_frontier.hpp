// The frontier of one process, in a file of SQLite.
//
// Tables (version in user_version, kApplicationId in application_id):
//   meta(name, value)         the key of url_key.hpp, how much of the files belongs to acknowledged jobs, pages counted
//   host(id, name)
//   url(id, url, host, depth, hops, state, flags, attempts, due, via, again)
//                             state: State below; via: the page it was found at; due: wall clock, when it waits;
//                             again: depth to queue it at when its present lease ends, see Outcome::complete
//   kept(id, what)            what was fetched ahead; the url has State::kKept
//   queue(depth, host, id)    those with State::kQueued that are not done; a plain end removes this row and no more
//   seen(key, id)             every URL by its 128-bit key: this decides what is known
//   journal(id, changes)      what each commit changed in the rows that are in memory (young_rows.hpp)
//   link(target, page)        who links to it; only for link checks
//   broken(id, what)          only for link checks
// Leases are in memory only, so that a job costs no write before it ends, and a killed run has none.
//
// Commits. With a directory, at most a part (kPart) of Limits::in_flight ended jobs are held back, and
// tick() commits them after kCommitAfter_ns: a kill -9 makes at most Limits::in_flight pages be fetched again. Without
// one, the store is a temporary file without a name, and nothing needs to be kept.
//
// Ahead. A host goes ahead once the level, or the one before it, has lasted Ahead::after_ns, or others are ahead
// already; and while something other than its own requests holds the level up. So whatever is quickly done, or is one
// host's, is fetched level by level, at no cost. What was fetched ahead is in the file, not in memory. Not ahead are:
// jobs that wait, since they have been tried, have a record, or are sitemaps; what is only looked at, before all pages
// are done; anything at all where Limits::max_pages says how many of the nearest pages are wanted.
//
// Calls need 16 KB of stack, and take microseconds. One that commits may take the time that a disk needs to write 16
// MB, some 0.1 s: with a directory, the log is copied into the file each time that it has grown so long; and each time
// that 65,536 rows are in memory, they go to the tables.
//
// Memory: SQLite's page cache of 16 MB, the Bloom filter, a table of links seen lately of 16 MB, the next few jobs of
// some hosts, what is leased, and 65,536 rows that are in no table yet, of at most 16 MB. None of it grows with the
// number of URLs, but for 2 bytes per URL in the Bloom filter of a store that was opened with more than two million.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "crawler/frontier/frontier.hpp"

namespace heddle::crawler {

struct Ahead {
  std::uint64_t most = 65'536;         // URLs that are kept at a time; 0: none is fetched ahead
  Nanoseconds after_ns = 250'000'000;  // how long a level must last; 0: at once, without a tick()
};

struct StoreOptions {
  std::optional<std::filesystem::path> directory;  // made if it is not there; without one, nothing is kept
  Limits limits;
  bool referrers = false;  // keep who links to what, for link checks
  Ahead ahead{};
};

// Throws base::UserError if the directory cannot be used, is used by another process, or holds something else.
std::unique_ptr<Frontier> open_sqlite_frontier(const StoreOptions& options);

}  // namespace heddle::crawler
