// Writes a WARC file of the exchanges that standard input describes, so that other tools can be asked to read it.
//
//   write_warc FILE < EXCHANGES
//
// An exchange is seven netstrings ("5:hello,"; cr.yp.to/proto/netstrings.txt): URL, microseconds since 1970, address,
// request, head of the answer, body, why it is truncated.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>

#include "crawler/archive/warc_writer.hpp"

namespace {

std::optional<std::string> netstring(std::istream& in) {
  std::size_t size = 0;
  if (!(in >> size) || in.get() != ':') return std::nullopt;
  std::string text(size, '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(size)) || in.get() != ',') return std::nullopt;
  return text;
}

}  // namespace

int main(int count, char** words) try {
  if (count != 2) {
    std::fprintf(stderr, "usage: write_warc FILE < EXCHANGES\n");
    return 2;
  }
  heddle::crawler::WarcWriter writer(words[1], "write_warc/1");
  for (;;) {
    const auto url = netstring(std::cin);
    if (!url) return std::cin.eof() ? 0 : 2;
    const auto when = netstring(std::cin);
    const auto address = netstring(std::cin);
    const auto request = netstring(std::cin);
    const auto head = netstring(std::cin);
    const auto body = netstring(std::cin);
    const auto truncated = netstring(std::cin);
    if (!when || !address || !request || !head || !body || !truncated) return 2;
    const std::chrono::microseconds since(std::strtoll(when->c_str(), nullptr, 10));
    writer.write({*url, std::chrono::system_clock::time_point(since), *address, *request, *head, *body, *truncated});
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "write_warc: %s\n", error.what());
  return 1;
}
