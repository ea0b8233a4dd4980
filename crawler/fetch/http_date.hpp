// Dates of HTTP (RFC 9110, section 5.6.7) and Retry-After, which may be one.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace heddle::crawler {

// "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT" or "Sun Nov  6 08:49:37 1994".
std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view text, std::chrono::sys_seconds now);

// How long to wait from `now` on: seconds, or until a date, which is 0 if it has passed. Nothing if it is neither.
std::optional<std::chrono::seconds> parse_retry_after(std::string_view text, std::chrono::sys_seconds now);

}  // namespace heddle::crawler
