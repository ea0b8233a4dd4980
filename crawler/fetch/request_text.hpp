// A request as it is sent (RFC 9112, section 3).
#pragma once

#include <string>
#include <string_view>

#include "crawler/fetch/address_policy.hpp"
#include "crawler/fetch/answer.hpp"

namespace heddle::crawler {

// `host` and port as in Host and in authorities: without the port if it is the scheme's own.
std::string authority_of(const Request& request);

// Does the request bring a header of this name, in whatever case, itself?
bool has_header(const Request& request, std::string_view name);

// With the whole URL in its first line if it goes to a proxy. std::invalid_argument if something in it would end a
// line.
std::string request_text(const Request& request, const std::string& user_agent, bool absolute);

// Asks a proxy for a tunnel (RFC 9110, section 9.3.6).
std::string connect_text(const Request& request, const std::string& user_agent);

// The line for a proxy that asks for "USER:PASSWORD" (RFC 7617, section 2; RFC 9110, section 11.7.2).
std::string proxy_authorization(std::string_view credentials);

// A request with one more line of headers.
std::string with_line(std::string request, std::string_view line);

}  // namespace heddle::crawler
