// One URL of a crawl: what is done with its answer, and what it leads to.
#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "crawler/archive/digest.hpp"
#include "crawler/crawl/visit.hpp"
#include "crawler/parse/sitemap.hpp"
#include "crawler/parse/style_sheet.hpp"

namespace heddle::crawler {
namespace {

constexpr std::uint32_t kMostHops = 10;  // redirects in a row, and sitemaps that name sitemaps

}  // namespace

void Crawl::visit(Job job) {
  Url url = Url::of_normal_form(job.url);
  // Not on the stack, of which one page is to suffice while it waits: there may be very many.
  const auto owned = std::make_unique<Visit>(std::move(job), std::move(url));
  Visit& visit = *owned;
  const auto start = pico::Clock::now();
  visit.error = error_without_asking(visit.job, visit.url);
  try {
    if (visit.error.empty() && !fetch(visit)) return;
  } catch (const LeaseIsOver&) {
    locked([&] {
      frontier_->put_back(visit.job, base::monotonic_ns());
      release(visit.job.host);
    });
    return;
  }
  visit.time = pico::Clock::now() - start;
  if (!visit.job.ahead) conclude(visit);
  finish(visit);
}

// What was fetched ahead, and has its turn now.
void Crawl::visit_kept(Kept kept) {
  Url url = Url::of_normal_form(kept.job.url);
  Visit visit(std::move(kept.job), std::move(url));
  pico::on_big_stack([&] { visit.restore(kept.what); });
  if (visit.job.depth >= options_.limits.max_depth) visit.lead_nowhere();
  conclude(visit);
  const std::string line = line_of(visit);
  const std::vector<Found> found = visit.found();
  bool recorded = false;
  locked([&] {
    recorded = record(visit, line);
    acknowledge(visit, found);
  });
  if (recorded) count(visit);
}

// What depends on how it was found: where it redirects to, and what is wrong with it.
void Crawl::conclude(Visit& visit) {
  if (visit.asked && (visit.job.flags & kSitemap) == 0 && is_redirect(visit.answer)) follow_redirect(visit);
  if (!visit.error.empty())
    visit.broken = visit.error;
  else if (visit.answer.status >= 400)
    visit.broken = std::to_string(visit.answer.status);
}

// Asks for it, and looks at the answer; false if it is to be tried again.
bool Crawl::fetch(Visit& visit) {
  const bool head = (visit.job.flags & kCheckOnly) != 0;
  visit.method = head ? Method::kHead : Method::kGet;
  ask(visit.url, visit.job.host, visit.method, visit.answer);
  if (head && (visit.answer.status == 405 || visit.answer.status == 501)) {
    visit.method = Method::kGet;
    ask(visit.url, visit.job.host, visit.method, visit.answer);
  }
  if (try_again(visit.job, visit.answer, visit.method)) return false;
  visit.asked = true;
  visit.error = name_of(visit.answer.error);
  if ((visit.job.flags & kSitemap) != 0)
    read_sitemap_of(visit);
  else if (!is_redirect(visit.answer) && visit.method == Method::kGet)
    read_links(visit);
  return true;
}

void Crawl::follow_redirect(Visit& visit) {
  const std::optional<Url> target = Url::parse(visit.answer.location, &visit.url);
  if (!target) return;
  visit.redirect = target->text();
  if (!target->is_web()) {
    visit.error = "scheme";
    return;
  }
  bool circle = visit.job.hops >= kMostHops || *target == visit.url;
  if (!circle && visit.job.hops > 0) {
    const std::vector<std::string> chain = locked([&] { return frontier_->redirects_to(visit.job); });
    circle = std::find(chain.begin(), chain.end(), target->text()) != chain.end();
  }
  if (circle) {
    visit.error = "redirect_loop";
    return;
  }
  const JobFlags kept = visit.job.flags & (kCheckOnly | kResource);
  if (visit.in_scope(options_, *target) || ((kept & kCheckOnly) != 0 && options_.wanted(*target)))
    visit.add(*target, visit.job.depth, visit.job.hops + 1, kept);
  else if (options_.check && options_.wanted(*target))
    visit.add(*target, visit.job.depth + kBehindAllPages, visit.job.hops + 1, kCheckOnly);
}

void Crawl::read_links(Visit& visit) {
  const Answer& answer = visit.answer;
  if (answer.status < 200 || answer.status > 299 || answer.error != FetchError::kNone) return;
  const bool only_checked = (visit.job.flags & kCheckOnly) != 0;  // and HEAD was refused
  const bool resources = options_.resources || options_.check;
  if (is_page(answer)) {
    Page page = pico::on_big_stack([&] { return read_page(answer.body, visit.url, answer.content_type, resources); });
    visit.links = page.links.size();
    visit.expect(page.links.size());
    if (!only_checked)
      for (Link& link : page.links) add_link(visit, std::move(link), page.nofollow);
  } else if (resources && !only_checked && answer.media_type == "text/css") {
    std::vector<Link> links =
        pico::on_big_stack([&] { return read_style_sheet(answer.body, visit.url, answer.content_type); });
    visit.links = links.size();
    for (Link& link : links) add_link(visit, std::move(link), false);
  }
}

void Crawl::add_link(Visit& visit, Link&& link, bool page_says_nofollow) {
  // The depth of a job that went ahead may get less.
  if (visit.job.depth >= options_.limits.max_depth && !visit.job.ahead) return;
  const bool in_scope = visit.in_scope(options_, link.target);
  if (link.follow && !page_says_nofollow && in_scope)
    visit.add_link(std::move(link.target), 0);
  else if (options_.resources && link.resource && in_scope)  // the page is shown with it, and leads nowhere by it
    visit.add_link(std::move(link.target), kResource);
  else if (options_.check && options_.wanted(link.target))
    visit.add_link(std::move(link.target), kCheckOnly);
}

void Crawl::read_sitemap_of(Visit& visit) {
  if (is_redirect(visit.answer)) {
    const std::optional<Url> target = Url::parse(visit.answer.location, &visit.url);
    if (target && target->is_web() && visit.job.hops < kMostHops) visit.add(*target, 0, visit.job.hops + 1, kSitemap);
    return;
  }
  if (visit.answer.status != 200) return;
  const Sitemap sitemap =
      pico::on_big_stack([&] { return read_packed_sitemap(visit.answer.body, options_.max_bytes); });
  {
    const std::scoped_lock lock(mutex_);
    for (const Url& url : sitemap.sitemaps)
      if (visit.job.hops < kMostHops &&
          (options_.span_hosts || url.origin() == visit.url.origin() || options_.origins.contains(url.origin())) &&
          sites_.count_sitemap(visit.job.host))
        visit.add(url, 0, visit.job.hops + 1, kSitemap);
  }
  for (const Url& url : sitemap.pages)
    if (visit.in_scope(options_, url)) visit.add(url, 0, 0, 0);
}

// The record reaches its file before the frontier learns that the job is done.
void Crawl::finish(Visit& visit) {
  std::optional<ArchivedAnswer> archived;
  if (visit.asked && archive_) archived.emplace(visit.exchange());
  visit.answer_bytes = visit.answer.body.size();
  if (visit.wants_record() && results_ && visit.has_body())
    visit.digest = hexadecimal(archived && !visit.answer.coded ? archived->digest : sha256(visit.answer.body));
  const bool ahead = visit.job.ahead;
  const std::string kept = ahead ? pico::on_big_stack([&] { return visit.keep(); }) : std::string();
  // What can be made before is, for all wait for the mutex.
  const std::string line = ahead ? std::string() : line_of(visit);
  const std::vector<Found> found = visit.found();
  bool recorded = false;
  locked([&] {
    recorded = !ahead && record(visit, line);
    if (archived) archive_->write(visit.exchange(), *archived);
    if (ahead)
      frontier_->keep(visit.job, kept, written(),
                      visit.job.depth < options_.limits.max_depth ? found : std::vector<Found>());
    else
      acknowledge(visit, found);
    if (visit.asked && !is_loopback(visit.url.host())) politeness_->set_address(visit.job.host, visit.address());
    release(visit.job.host);
  });
  if (recorded) count(visit);
}

// Of the results; empty if there is to be none.
std::string Crawl::line_of(const Visit& visit) const {
  if (!results_ || !visit.wants_record()) return {};
  return pico::on_big_stack([&] { return json_line(visit.record()); });
}

// With the mutex held: writes its record, if it is to have one.
bool Crawl::record(const Visit& visit, std::string_view line) {
  if (!visit.wants_record() || frontier_->recorded(visit.job)) return false;
  if (results_) results_->write(line);
  return true;
}

// With the mutex held: its records are written.
void Crawl::acknowledge(const Visit& visit, std::span<const Found> found) {
  Outcome done = visit.outcome();
  done.written = written();
  if ((visit.job.flags & kSitemap) != 0) {
    frontier_->put(found);  // no page links to them
    frontier_->ack(visit.job, done, {});
  } else {
    frontier_->ack(visit.job, done, found);
  }
}

Written Crawl::written() const { return {results_ ? results_->bytes() : 0, archive_ ? archive_->bytes() : 0}; }

void Crawl::count(const Visit& visit) {
  ++figures_.records;
  if (!visit.broken.empty()) ++figures_.errors;
}

}  // namespace heddle::crawler
