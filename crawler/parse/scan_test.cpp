// Every form of a search gives what the plainest one does, and looks at no byte outside of the text: texts end, and
// begin, where the next page of memory may not be read.
#include "crawler/parse/scan.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "crawler/parse/findings.hpp"
#include "crawler/parse/generated_pages.hpp"

namespace heddle::crawler {
namespace {

// Some pages of memory between two that nobody may touch.
class Fenced {
 public:
  Fenced() {
    begin_ =
        static_cast<char*>(mmap(nullptr, kSize + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) + page_;
    if (mprotect(begin_, kSize, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  ~Fenced() { munmap(begin_ - page_, kSize + 2 * page_); }

  std::string_view at_end(std::string_view text) {
    return {std::copy_backward(text.begin(), text.end(), begin_ + kSize), text.size()};
  }
  std::string_view at_begin(std::string_view text) {
    std::copy(text.begin(), text.end(), begin_);
    return {begin_, text.size()};
  }

 private:
  static constexpr std::size_t kSize = 65'536;
  const std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  char* begin_;
};

// Mostly letters, with what ends names, and what does not, between them.
std::string random_text(std::mt19937& random, std::size_t size) {
  constexpr std::string_view kEnds("<>/= \t\n\f\r\0\x01\x1F!\"'\x80\xFF", 18);
  const std::size_t rare = 1 + random() % 40;
  std::string text(size, '\0');
  for (char& c : text)
    c = random() % rare == 0 ? kEnds[random() % kEnds.size()] : static_cast<char>('a' + random() % 26);
  return text;
}

std::vector<FindAll*> all_forms() {
  std::vector<FindAll*> forms = {find_all_by_bytes};
#ifdef __x86_64__
  forms.push_back(find_all_by_16);
  if (best_find_all() == find_all_by_32) forms.push_back(find_all_by_32);
#endif
  return forms;
}

TEST(Scan, AllFormsFindTheSamePlaces) {
  Fenced fenced;
  std::mt19937 random(11);
  for (int round = 0; round < 3'000; ++round) {
    const std::string text = random_text(random, random() % (kMostScanned + 1));
    const char wanted = round % 7 == 0 ? '\xFF' : '<';
    std::vector<std::uint16_t> truth;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == wanted) truth.push_back(static_cast<std::uint16_t>(i));
    for (const std::string_view placed : {fenced.at_end(text), fenced.at_begin(text)}) {
      for (FindAll* form : all_forms()) {
        std::vector<std::uint16_t> places(kMostPlaces);
        places.resize(form(placed.data(), placed.size(), wanted, places.data()));
        ASSERT_EQ(places, truth) << text;
      }
    }
  }
}

TEST(Scan, ATextOfNothingElseFits) {
  const std::string text(kMostScanned, '<');
  for (FindAll* form : all_forms()) {
    std::vector<std::uint16_t> places(kMostPlaces);
    EXPECT_EQ(form(text.data(), text.size(), '<', places.data()), text.size());
    EXPECT_EQ(places[text.size() - 1], text.size() - 1);
  }
}

TEST(Scan, PlacesAreGoneThroughFromWhereverTheReaderIs) {
  Fenced fenced;
  std::mt19937 random(12);
  for (int round = 0; round < 2'000; ++round) {
    const std::string text = random_text(random, random() % 12'000);
    const std::string_view placed = fenced.at_end(text);
    const char* const end = placed.data() + placed.size();
    Places places(placed.data(), end, '<');
    const std::size_t longest_step = 1 + random() % 6'000;
    for (const char* from = placed.data();;) {
      const char* const place = places.next(from);
      ASSERT_EQ(place, std::find(from, end, '<')) << text;
      if (place == end) break;
      from = place + std::min(static_cast<std::size_t>(end - place), 1 + random() % longest_step);
    }
    ASSERT_EQ(places.next(end), end);
  }
}

TEST(Scan, ByteAndNameEndWhereTheyEndByteForByte) {
  Fenced fenced;
  std::mt19937 random(13);
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = random_text(random, random() % 80);
    for (const std::string_view placed : {fenced.at_end(text), fenced.at_begin(text)}) {
      const char* const end = placed.data() + placed.size();
      ASSERT_EQ(find_byte(placed.data(), end, '>'), std::find(placed.data(), end, '>')) << text;
      ASSERT_EQ(skip_name(placed.data(), end), skip_name_by_bytes(placed.data(), end)) << text;
    }
  }
}

// What stands at the end of a text is read byte by byte, for want of sixteen; what has blanks behind it, is not.
TEST(Scan, APageIsReadAlikeWithBytesBehindItAndWithout) {
  Fenced fenced;
  PageGenerator generator(14, html_pieces());
  std::size_t found = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string page = generator.mutated(generator.page(25));
    for (const Syntax syntax : {Syntax::html, Syntax::xml}) {
      const auto texts_of = [&](std::string_view text) {
        std::vector<std::string> texts;
        for (const Finding& finding : find_targets(text, syntax, false).targets) texts.emplace_back(finding.text);
        return texts;
      };
      const std::vector<std::string> alone = texts_of(fenced.at_end(page));
      ASSERT_EQ(alone, texts_of(page + std::string(64, ' '))) << page;
      found += alone.size();
    }
  }
  EXPECT_GT(found, 8'000u);
}

}  // namespace
}  // namespace heddle::crawler
