// The frontier of a crawl by several processes: what is known and what is to be done is in Redis, by one script
// (redis_script.hpp); here is what this process has of it.
//
// No call waits. A process and Redis speak in exchanges, one at a time, which the owner of the frontier carries: what
// was done since the last one goes out, and jobs for the hosts that may be asked now come back. So a round trip serves
// many pages, and a link that is slow, or cut, holds nothing up but new jobs.
//
//   request()   what is to be sent; the same again, if it is not known whether the last one arrived
//   answer()    what came back
//
// Leases. A process has a session, which an exchange renews for RedisOptions::lease_ns. All that it was granted, jobs
// and hosts, lasts as long as the session. Unless `one_at_a_time` is false, a job comes with its host: no other process
// asks it meanwhile; it is given back, with the time before which nobody may ask it, when nothing of it is left here.
// Where the session may end before a request would, none is begun: see may_ask().
//
// What is sent twice counts once: exchanges are numbered, and every lease has a number, so that the end of a job whose
// lease is over, and that another process has leased since, changes nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/user_error.hpp"
#include "crawler/frontier/frontier.hpp"
#include "crawler/frontier/lately_seen.hpp"
#include "crawler/frontier/url_key.hpp"

namespace heddle::crawler {

// Runs kRedisScript with a request; returns its reply. Throws base::UserError if Redis cannot be asked.
using RedisCall = std::function<std::string(std::string_view request)>;

// What this process knows is not what Redis knows: it has come back from a restart or a failure without its last
// writes, or was emptied. Links that were told once are not told again, so only a process that starts anew can go on.
struct FrontierLost : base::UserError {
  using UserError::UserError;
};

struct RedisOptions {
  Limits limits{};
  bool referrers = false;      // keep who links to what, for link checks
  bool one_at_a_time = true;   // hosts are owned
  std::size_t per_host = 1;    // jobs of one host at a time
  Nanoseconds pause_ns = 0;    // of a host whose owner died: the gap between requests
  Nanoseconds request_ns = 0;  // none lasts longer
  Nanoseconds lease_ns = 60'000'000'000;
  // For tests: Redis's clock is that of request(); or is so far ahead of it, and steps where that changes.
  bool given_clock = false;
  const Nanoseconds* clock_ahead = nullptr;
  std::function<void()> wake{};  // exchange_at() may be earlier now
};

class RedisFrontier final : public Frontier {
 public:
  RedisFrontier(const RedisOptions& options, const RedisCall& call);
  ~RedisFrontier() override;

  // When the next exchange is worthwhile.
  Nanoseconds exchange_at(Nanoseconds now) const;
  std::string request(Nanoseconds now);
  // base::UserError if it is not understood; FrontierLost.
  void answer(std::string_view reply, Nanoseconds now);
  // The next requests are the last ones: what was done is said, and all is given back. When that is answered, left().
  void leave() { leaving_ = true; }
  bool left() const { return left_; }

  // Returns 0: what is new is not known here.
  std::size_t put(std::span<const Found> found) override;
  HostId host_id(std::string_view host) override;
  std::string host_name(HostId host) override;
  std::vector<HostId> hosts(std::size_t most) override;
  Lease lease(HostId host, Nanoseconds now) override;
  Nanoseconds ready_at(HostId host, Nanoseconds now) override;
  bool full() const override { return started_ + ended_ >= options_.limits.in_flight; }
  bool finished() const override;
  // Returns 0.
  std::size_t ack(const Job& job, const Outcome& outcome, std::span<const Found> links) override;
  void put_back(const Job& job, Nanoseconds due) override;
  std::vector<std::string> redirects_to(const Job& job) override;
  void visit_broken(const BrokenVisitor& visitor) override;  // calls Redis
  // Of no file: each process has its own. All of it is looked at when it is resumed.
  Written written() const override { return {}; }
  void mark_recorded(std::string_view url) override;
  bool recorded(const Job& job) override;
  Nanoseconds tick(Nanoseconds) override { return kNever; }
  void flush() override {}
  Statistics statistics() const override { return statistics_; }

  void asked(HostId host) override;
  void rests(HostId host, Nanoseconds until) override;
  bool may_ask(HostId host, Nanoseconds now) const override;
  bool claim(HostId host) override;

 private:
  using Json = nlohmann::json;
  enum class Stage : std::uint8_t { kGranted, kStarted, kEnded };

  struct Held {  // a lease
    std::string key;
    std::vector<std::string> chain;  // of redirects, the last one first
    Stage stage = Stage::kGranted;
    bool lost = false;  // its session ended
  };
  struct Host {
    std::string name;
    std::deque<Job> jobs;       // granted, not started
    std::uint32_t running = 0;  // between asked() and rests()
    bool owned = false;
    Nanoseconds until = 0;  // nobody may ask it earlier
  };
  struct Word {  // what Redis is to be told
    Json what;
    std::size_t found = 0;               // URLs in it
    std::int64_t ended = 0;              // the job that ended with it
    std::optional<Nanoseconds> at = {};  // a time that comes last in it, as milliseconds from then on
  };

  void say(Word word);
  void say_end(const Job& job, Word word);
  // As the script wants them; those that change nothing are left out.
  std::vector<Json> worth_saying(std::span<const Found> found);
  UrlKey key_of(std::string_view url, JobFlags flags) const;
  bool lasts(Nanoseconds now) const { return now + options_.request_ns <= valid_until_; }
  std::size_t wanted_hosts() const;
  std::size_t wanted_jobs() const;
  Json kept_jobs() const;
  Json kept_hosts() const;
  void take_grant(const Json& granted);
  Job take_job(const Json& given, HostId host);
  void give_back_other_levels();
  void remember_ends();
  void lose_all();
  void forget(std::int64_t job);
  void rest_if_idle(HostId id);
  Json ask_broken(Json request);
  static void visit_pages(const BrokenVisitor& visitor, const Json& pages);
  void visit_many_pages(const BrokenVisitor& visitor, const Json& key);
  HostId number_of(std::string_view host) const { return static_cast<HostId>(keys_.of(host).low >> 1U); }

  RedisOptions options_;
  RedisCall call_;
  UrlKeys keys_{UrlKeys::Secret{}};
  std::string session_;
  std::string crawl_;  // its name in Redis
  LatelySeen lately_;
  std::unordered_map<HostId, Host> hosts_;
  std::unordered_map<HostId, std::string> names_;  // of hosts whose numbers were asked for
  std::unordered_map<std::int64_t, Held> held_;
  std::unordered_set<std::string> recorded_;  // keys of those that ended when Redis may not have counted it
  std::size_t lost_ = 0;                      // of held_
  std::deque<HostId> named_;                  // for hosts()

  std::deque<Word> unsaid_;
  std::vector<Word> sent_;   // not answered yet
  bool waits_ = false;       // for an answer
  std::int64_t number_ = 0;  // of the exchange
  std::int64_t times_sent_ = 0;
  bool keep_ = false;  // the next request names all that this process has
  bool leaving_ = false;
  bool last_ = false;  // nothing comes behind what was sent
  bool left_ = false;
  bool refill_ = false;  // a host has few jobs left
  bool joined_ = false;
  bool denied_ = false;  // a host got no job because the session may end
  std::size_t granted_ = 0, started_ = 0, ended_ = 0;
  Nanoseconds unsaid_since_ = kNever;
  Nanoseconds sent_at_ = 0;
  Nanoseconds valid_until_ = 0;
  Nanoseconds ask_again_at_ = 0;
  Nanoseconds pause_before_asking_ns_ = 0;
  bool finished_ = false;
  Statistics statistics_;
};

}  // namespace heddle::crawler
