// Sites that know a visitor only by a cookie answer others with the same page, or send them in circles.
//
// The cookies of answers, each for the host alone that set it, as RFC 6265 has them and browsers read it. An attribute
// Domain widens nothing, so no list of public suffixes is needed: the cookie is kept for the host if it is one of that
// domain, and refused otherwise. They are gone when the jar is.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "crawler/fetch/answer.hpp"

namespace heddle::crawler {

// A date as Set-Cookie has it (RFC 6265, section 5.1.1), which is any order of its parts; nothing if it is none.
std::optional<std::chrono::sys_seconds> parse_cookie_date(std::string_view text);

class CookieJar {
 public:
  using Time = std::chrono::sys_seconds;

  static constexpr std::size_t kMostPerHost = 50;
  static constexpr std::size_t kMostBytesEach = 4096;                // of name and value (RFC 6265, section 6.1)
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20U;  // then the hosts not asked for longest lose theirs

  // Reads the Set-Cookie lines of the answer to this request (section 5.3). Called by any thread.
  void keep(const Request& request, const Headers& headers, Time now);
  // What Cookie is to say in this request (section 5.4); empty: nothing. Called by any thread.
  std::string value_for(const Request& request, Time now);

 private:
  struct Cookie {
    std::string name;
    std::string value;
    std::string path;
    bool secure = false;               // sent over https alone
    std::optional<Time> expires = {};  // nothing: never, while the jar lives

    std::size_t bytes() const { return sizeof(Cookie) + name.size() + value.size() + path.size(); }
  };
  struct Host {
    std::vector<Cookie> cookies;           // in the order in which they were first set
    std::list<std::string>::iterator use;  // its place in uses_
  };
  using Hosts = std::unordered_map<std::string, Host>;

  static std::optional<Cookie> parse(const Request& request, std::string_view line, Time now);
  void put(const Request& request, Cookie cookie, Time now);
  void erase(Host& host, std::size_t index);
  void drop(Hosts::iterator host);

  // Held for the time of a look at one host's cookies; no thread of pico parks under it.
  std::mutex mutex_;
  Hosts hosts_;                  // by name or number; those of one host are the same on all its ports. Under mutex_
  std::list<std::string> uses_;  // hosts, the one asked last in front. Under mutex_
  std::size_t bytes_ = 0;        // of all cookies. Under mutex_
};

}  // namespace heddle::crawler
