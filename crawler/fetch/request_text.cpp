#include "crawler/fetch/request_text.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace heddle::crawler {
namespace {

constexpr std::string_view kAcceptEncoding = "gzip, deflate, br, zstd";

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

void check_word(std::string_view text, const char* what) {
  if (text.empty() || std::any_of(text.begin(), text.end(), [](char c) { return is_control(c) || c == ' '; }))
    throw std::invalid_argument(std::string("not fit for a request: ") + what);
}

bool same_name(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [lower](char a, char b) { return lower(a) == lower(b); });
}

void add(std::string& text, std::string_view name, std::string_view value) {
  text.append(name).append(": ").append(value).append("\r\n");
}

// Unless the request has one of its own.
void add_default(std::string& text, const Request& request, std::string_view name, std::string_view value) {
  if (!has_header(request, name)) add(text, name, value);
}

}  // namespace

std::string authority_of(const Request& request) {
  if (request.port == (request.scheme == "https" ? 443 : 80)) return request.host;
  return request.host + ":" + std::to_string(request.port);
}

bool has_header(const Request& request, std::string_view name) {
  return std::ranges::any_of(request.headers, [name](const auto& header) { return same_name(header.first, name); });
}

std::string request_text(const Request& request, const std::string& user_agent, bool absolute) {
  check_word(request.host, "the host");
  check_word(request.target, "the target");
  std::string text;
  text.reserve(256 + request.target.size());
  text += request.method == Method::kHead ? "HEAD " : "GET ";
  const std::string authority = authority_of(request);
  if (absolute) text.append(request.scheme).append("://").append(authority);
  text.append(request.target).append(" HTTP/1.1\r\n");
  add_default(text, request, "Host", authority);
  add_default(text, request, "User-Agent", user_agent);
  add_default(text, request, "Accept", "*/*");
  add_default(text, request, "Accept-Encoding", kAcceptEncoding);
  for (const auto& [name, value] : request.headers) {
    check_word(name, "the name of a header");
    if (name.find(':') != std::string::npos ||
        std::any_of(value.begin(), value.end(), [](char c) { return is_control(c) && c != '\t'; }))
      throw std::invalid_argument("not fit for a request: the header " + name);
    add(text, name, value);
  }
  return text += "\r\n";
}

std::string connect_text(const Request& request, const std::string& user_agent) {
  check_word(request.host, "the host");
  const std::string authority = request.host + ":" + std::to_string(request.port);
  return "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\nUser-Agent: " + user_agent + "\r\n\r\n";
}

std::string proxy_authorization(std::string_view credentials) {
  std::string coded(4 * ((credentials.size() + 2) / 3) + 1, '\0');  // EVP_EncodeBlock() ends it with a NUL
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(coded.data()),
                  reinterpret_cast<const unsigned char*>(credentials.data()), static_cast<int>(credentials.size()));
  coded.pop_back();
  return "Proxy-Authorization: Basic " + coded + "\r\n";
}

std::string with_line(std::string request, std::string_view line) {
  return request.insert(request.size() - 2, line);  // in front of the empty line
}

}  // namespace heddle::crawler
