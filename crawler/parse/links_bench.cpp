// What it takes to find the links of a page, beside what libxml2's SAX parser takes to say which elements have
// attributes, the least that one can ask it for. Prints nanoseconds of processor time per byte of both.
//
//   crawler_links_bench FILE|FOLDER...       folders: all *.html below
#include <libxml/HTMLparser.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "crawler/parse/page.hpp"

namespace heddle::crawler {
namespace {

constexpr int kRounds = 5;
constexpr std::size_t kBytesAtLeast = std::size_t{32} << 20;  // in a round

std::vector<std::string> read_pages(int count, char** words) {
  std::vector<std::string> pages;
  const auto take = [&](const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    pages.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  };
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(words[i])) {
      take(words[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(words[i]))
      if (entry.path().extension() == ".html" && entry.is_regular_file()) take(entry.path());
  }
  return pages;
}

std::size_t own_links(const std::string& page) {
  static const Url address = *Url::parse("https://docs.example.org/a/b/index.html");
  return read_page(page, address, "text/html; charset=utf-8", false).links.size();
}

std::size_t sax_elements(const std::string& page) {
  std::size_t found = 0;
  htmlSAXHandler handler{};
  handler.startElement = [](void* of, const xmlChar*, const xmlChar** attributes) {
    if (attributes != nullptr) ++*static_cast<std::size_t*>(of);
  };
  const htmlParserCtxtPtr parser = htmlCreatePushParserCtxt(
      &handler, &found, page.data(), static_cast<int>(page.size()), nullptr, XML_CHAR_ENCODING_UTF8);
  htmlParseChunk(parser, nullptr, 0, 1);
  htmlFreeParserCtxt(parser);
  return found;
}

// The least of some rounds; pages are read again and again until there is enough to measure.
template <class Read>
double ns_per_byte(const std::vector<std::string>& pages, Read read) {
  std::size_t bytes = 0;
  for (const std::string& page : pages) bytes += page.size();
  const std::size_t times = kBytesAtLeast / bytes + 1;
  double least = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const base::Nanoseconds start = base::thread_cpu_ns();
    std::size_t found = 0;
    for (std::size_t time = 0; time < times; ++time)
      for (const std::string& page : pages) found += read(page);
    const auto spent = static_cast<double>(base::thread_cpu_ns() - start);
    if (found > 0) least = std::min(least, spent / static_cast<double>(times * bytes));
  }
  return least;
}

}  // namespace
}  // namespace heddle::crawler

int main(int count, char** words) {
  using namespace heddle::crawler;
  const std::vector<std::string> pages = read_pages(count, words);
  if (pages.empty()) return 2;
  std::printf("%.4f %.4f\n", ns_per_byte(pages, own_links), ns_per_byte(pages, sax_elements));
}
