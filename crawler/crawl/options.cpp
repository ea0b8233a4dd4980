#include "crawler/crawl/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <limits>
#include <stdexcept>

#include "base/user_error.hpp"

namespace heddle::crawler {
namespace {

// As the words stand on the command line, before they are understood.
struct Words {
  std::vector<std::string> urls;
  std::string json;
  std::string warc;
  std::string state;
  std::string frontier;
  std::optional<double> max_time;
  std::optional<double> timeout;
  std::string include;
  std::string exclude;
  std::vector<std::string> headers;
  std::string proxy;
  std::optional<unsigned> metrics;
};

std::chrono::nanoseconds seconds(double number, const char* option) {
  constexpr double kMost = 1e9;
  if (!(number > 0) || !std::isfinite(number))
    throw base::UserError(std::string(option) + " must be a number of seconds above 0");
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(number, kMost) * 1e9));
}

std::shared_ptr<const re2::RE2> pattern(const std::string& text, const char* option) {
  if (text.empty()) return nullptr;
  auto compiled = std::make_shared<re2::RE2>(text, re2::RE2::Quiet);
  if (!compiled->ok())
    throw base::UserError(std::string(option) + " is no regular expression (RE2): " + compiled->error());
  return compiled;
}

std::pair<std::string, std::string> header(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto bad = [](unsigned char c) { return c < ' ' || c == 127; };
  if (colon == 0 || colon == std::string::npos || std::any_of(text.begin(), text.end(), bad) ||
      text.find_first_of(" \t()<>@,;\\\"/[]?={}") < colon)
    throw base::UserError("--header must be 'NAME: VALUE', on one line");
  std::size_t value = colon + 1;
  while (value < text.size() && text[value] == ' ') ++value;
  return {text.substr(0, colon), text.substr(value)};
}

// For people: there may be a password before an `@`.
std::string without_passwords(std::string text) {
  static const re2::RE2 kUser("(?s)://.*@");
  re2::RE2::GlobalReplace(&text, kUser, "://");
  return text;
}

Url given_url(const std::string& text) {
  const std::optional<Url> url = Url::parse(text);
  const std::string shown = without_passwords(text);
  if (!url) throw base::UserError("'" + shown + "' is no URL: give one such as https://example.org/");
  if (!url->is_web()) throw base::UserError("'" + shown + "' is not http or https: nothing else can be crawled");
  return *url;
}

// What stands in front of the host, its percent-encoding undone. In the normal form all but one `@` are encoded.
std::string credentials_of(const Url& url) {
  const std::string_view text = url.text();
  const std::size_t begin = text.find("//") + 2;
  const std::size_t at = text.substr(0, text.find('/', begin)).find('@');
  if (at == std::string_view::npos) return "";
  std::string credentials;
  for (std::size_t i = begin; i < at; ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && std::from_chars(&text[i + 1], &text[i + 3], byte, 16).ptr == &text[i + 3]) {
      credentials += static_cast<char>(byte);
      i += 2;
    } else {
      credentials += text[i];
    }
  }
  // An empty password may be left out in a URL.
  return credentials.find(':') == std::string::npos ? credentials + ":" : credentials;
}

// What is wrong is told without the words: there may be a password in them.
ClientOptions::Proxy proxy_of(const std::string& text) {
  const std::optional<Url> url = Url::parse(text.find("://") == std::string::npos ? "http://" + text : text);
  if (!url || url->scheme() != "http" || url->host().empty())
    throw base::UserError("--proxy must be http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT");
  return {std::string(url->host()), url->port(), credentials_of(*url)};
}

// A sign would make a number without one very large.
bool is_whole_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Results and archive would be written over each other. A device, such as /dev/null, may have both.
bool are_one_file(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code error;
  if (std::filesystem::exists(one, error) && !std::filesystem::is_regular_file(one, error)) return false;
  const auto whole = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  return whole(one) == whole(other);
}

void declare(CLI::App& app, Words& words, CrawlOptions& options) {
  const CLI::Validator whole_number(
      [](const std::string& text) { return is_whole_number(text) ? "" : "must be a whole number, 0 or more"; }, "");
  const CLI::Validator not_empty([](const std::string& text) { return text.empty() ? "must not be empty" : ""; }, "");
  app.add_option("URL", words.urls, "Where to begin");
  app.add_option("--json", words.json, "Write a record for each URL, as JSON Lines; - is standard output")
      ->check(not_empty);
  app.add_option("--warc", words.warc,
                 "Keep all requests and answers as WARC 1.1, not compressed where the name ends in .warc")
      ->check(not_empty);
  app.add_option("--state", words.state, "Keep what is needed to go on; one that is there is resumed")
      ->check(not_empty);
  app.add_option("--frontier", words.frontier, "Crawl together with all that name it: redis://HOST:PORT/DB")
      ->check(not_empty);
  app.add_option("--max-pages", options.limits.max_pages, "End after this many URLs")->check(whole_number);
  app.add_option("--max-depth", options.limits.max_depth, "Follow at most this many links from a given URL")
      ->check(whole_number);
  app.add_option("--max-bytes", options.max_bytes, "Take at most this much of a body (64 MiB)")->check(whole_number);
  app.add_option("--max-time", words.max_time, "End after this many seconds");
  app.add_option("--timeout", words.timeout, "Give up a request after this many seconds (30)");
  app.add_option("--rate", options.rate, "Requests per second and host (1); 0: without limit, several at once");
  app.add_option("--connections", options.connections, "At most this many requests at once (64)")->check(whole_number);
  app.add_option("--workers", options.workers, "Threads of the system to use (1)")->check(whole_number);
  app.add_option("--include", words.include, "Only URLs in which this is found");
  app.add_option("--exclude", words.exclude, "No URLs in which this is found");
  app.add_flag("--span-hosts", options.span_hosts, "Follow links to other hosts, too");
  app.add_flag("--resources", options.resources, "Fetch images, scripts, styles and media, too");
  app.add_flag("--private", options.any_address, "Allow loopback, private and link-local addresses");
  app.add_flag("!--no-robots", options.robots, "Do not ask for robots.txt");
  app.add_option("--user-agent", options.client.user_agent, "Say this instead of heddle");
  app.add_option("--header", words.headers, "Send this header, too, 'NAME: VALUE'; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--cookies", options.client.cookies, "Keep cookies, and send each to the host that set it");
  app.add_option("--proxy", words.proxy, "Send requests by this HTTP proxy, http://[USER:PASSWORD@]HOST:PORT");
  app.add_flag("--insecure", options.client.insecure, "Accept any certificate");
  app.add_flag("--check", options.check, "Look at every link of the pages, and print the broken ones");
  app.add_option("--metrics", words.metrics, "Serve figures for Prometheus on this port of 127.0.0.1")
      ->check(whole_number);
  app.footer("Example: heddle crawl --json pages.jsonl https://example.org");
}

void understand(const Words& words, CrawlOptions& options) {
  if (words.urls.empty()) throw base::UserError("no URL is given: heddle crawl https://example.org");
  for (const std::string& text : words.urls) {
    options.given.push_back(given_url(text));
    options.given_texts.insert(options.given.back().text());
    options.origins.insert(options.given.back().origin());
  }
  if (!words.json.empty()) options.results = words.json;
  if (!words.warc.empty()) options.archive = words.warc;
  if (options.results && options.archive && are_one_file(*options.results, *options.archive))
    throw base::UserError("--json and --warc need a file each");
  if (!words.state.empty()) options.state = words.state;
  if (words.max_time) options.max_time = seconds(*words.max_time, "--max-time");
  if (words.timeout)
    options.timeout = std::chrono::ceil<std::chrono::milliseconds>(seconds(*words.timeout, "--timeout"));
  if (!words.frontier.empty()) {
    // A lease outlives every request, so that no other process asks the same host.
    constexpr std::chrono::seconds kMostTimeout{45};
    options.frontier = RedisAddress::parse(words.frontier);
    if (options.state) throw base::UserError("--frontier keeps what is needed to go on itself: leave --state out");
    if (options.timeout > kMostTimeout) throw base::UserError("--timeout must be at most 45 with --frontier");
  }
  if (options.rate && !(*options.rate >= 0)) throw base::UserError("--rate must be a number, 0 or more");
  if (options.connections == 0 || options.connections > 1'000'000)
    throw base::UserError("--connections must be from 1 to 1000000");
  if (options.workers == 0 || options.workers > 1024) throw base::UserError("--workers must be from 1 to 1024");
  if (options.max_bytes == 0) throw base::UserError("--max-bytes must be above 0");
  options.max_bytes = std::min(options.max_bytes, std::size_t{1} << 40);
  options.limits.in_flight = options.connections;
  // Without a limit of the rate all may be to one host.
  options.client.most_idle = std::max(options.client.most_idle, options.connections);
  options.client.most_idle_per_origin = std::max(options.client.most_idle_per_origin, options.connections);
  options.include = pattern(words.include, "--include");
  options.exclude = pattern(words.exclude, "--exclude");
  for (const std::string& text : words.headers) options.headers.push_back(header(text));
  const auto bad = [](unsigned char c) { return c < ' ' || c == 127; };
  if (std::any_of(options.client.user_agent.begin(), options.client.user_agent.end(), bad))
    throw base::UserError("--user-agent must be text without control characters");
  if (!words.proxy.empty()) options.client.proxy = proxy_of(words.proxy);
  if (words.metrics) {
    if (*words.metrics == 0 || *words.metrics > std::numeric_limits<std::uint16_t>::max())
      throw base::UserError("--metrics must be a port, from 1 to 65535");
    options.metrics_port = static_cast<std::uint16_t>(*words.metrics);
  }
}

}  // namespace

bool CrawlOptions::in_scope(const Url& url, bool origin_is) const {
  return origin_is ? wanted(url) : given_texts.contains(url.text());
}

bool CrawlOptions::wanted(const Url& url) const {
  if (!include && !exclude) return true;
  if (given_texts.contains(url.text())) return true;
  if (include && !re2::RE2::PartialMatch(url.text(), *include)) return false;
  return !exclude || !re2::RE2::PartialMatch(url.text(), *exclude);
}

std::optional<CrawlOptions> parse_command_line(int count, char** words) {
  CLI::App app("Fetches pages, follows their links, and writes a record for each URL.", "heddle-crawl");
  app.set_version_flag("--version", HEDDLE_VERSION);
  Words given;
  CrawlOptions options;
  declare(app, given, options);
  try {
    app.parse(count, words);
  } catch (const CLI::Success& asked) {
    app.exit(asked);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw base::UserError(without_passwords(error.what()) + "; see heddle crawl --help");
  }
  understand(given, options);
  return options;
}

}  // namespace heddle::crawler
