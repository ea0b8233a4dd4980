// A web crawler that starts a thread for each link that it finds. README.md says what is left out.
#include <iostream>
#include <pico/pico.hpp>
#include <set>
#include <string>

void crawl(const std::string& host, std::uint16_t port, const std::string& path, std::set<std::string>& seen) {
  if (!seen.insert(path).second) return;
  pico::Socket server = pico::connect(host, port);
  server.write("GET " + path + " HTTP/1.0\r\nHost: " + host + ":" + std::to_string(port) + "\r\n\r\n");
  const std::string page = server.read_all(10'000'000);
  std::cout << path + " " + page.substr(9, 3) + "\n";
  for (std::size_t at = 0; (at = page.find(" href=\"", at)) != std::string::npos;) {
    const std::size_t start = at + 7;
    at = std::min(page.find('"', start), page.size());
    std::string link = page.substr(start, std::min(at, page.find('#', start)) - start);
    if (link.empty() || link.find(':') != std::string::npos || link.starts_with("//")) continue;
    if (link.front() != '/') link = path.substr(0, path.rfind('/') + 1) + link;
    pico::spawn([=, &seen] { crawl(host, port, link, seen); });
  }
}

int main(int, char** arguments) {
  std::set<std::string> seen;
  pico::run([&] { crawl(arguments[1], static_cast<std::uint16_t>(std::stoi(arguments[2])), "/", seen); });
}
