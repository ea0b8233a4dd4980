#include "crawler/archive/results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "base/user_error.hpp"
#include "crawler/archive/temporary_folder_fixture.hpp"

namespace heddle::crawler {
namespace {

using testing::ElementsAre;

class Results : public TemporaryFolder {
 protected:
  std::filesystem::path file_ = at("results.jsonl");

  std::vector<std::string> resumed(std::uint64_t from) const {
    std::vector<std::string> urls;
    ResultsFile(file_).resume(from, [&](std::string_view url) { urls.emplace_back(url); });
    return urls;
  }
};

Record record_of(std::string_view url) {
  Record record;
  record.url = url;
  return record;
}

TEST_F(Results, ALineHasEveryFieldInTheOrderOfTheContract) {
  Record record = record_of("https://a.example/x");
  record.status = 301;
  record.depth = 2;
  record.referrer = "https://a.example/";
  record.type = "text/html";
  record.bytes = 1234;
  record.sha256 = "e3b0";
  record.redirect = "https://a.example/y";
  record.links = 7;
  record.attempts = 1;
  record.ms = 12.34567;
  EXPECT_EQ(json_line(record),
            R"({"url":"https://a.example/x","status":301,"error":null,"depth":2,"referrer":"https://a.example/",)"
            R"("type":"text/html","bytes":1234,"sha256":"e3b0","redirect":"https://a.example/y","links":7,)"
            R"("attempts":1,"ms":12.346})"
            "\n");
}

TEST_F(Results, WhatIsNotKnownIsNull) {
  Record record = record_of("https://a.example/");
  record.error = "dns";
  record.ms = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(json_line(record),
            R"({"url":"https://a.example/","status":0,"error":"dns","depth":0,"referrer":null,"type":null,"bytes":0,)"
            R"("sha256":null,"redirect":null,"links":0,"attempts":0,"ms":null})"
            "\n");
}

TEST_F(Results, BytesOfAServerThatAreNoUtf8StayOneLineOfJson) {
  Record record = record_of("https://a.example/");
  record.type = "text/\xff\xfe\n\"html";
  const std::string line = json_line(record);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  EXPECT_EQ(nlohmann::json::parse(line)["type"], "text/\xEF\xBF\xBD\xEF\xBF\xBD\n\"html");
}

TEST_F(Results, EveryLineIsInTheFileWhenWriteReturns) {
  ResultsFile results(file_);
  for (const char* url : {"https://a.example/1", "https://a.example/2"}) {
    results.write(record_of(url));
    EXPECT_TRUE(text_of(file_).ends_with(json_line(record_of(url))));
    EXPECT_EQ(results.bytes(), text_of(file_).size());
  }
}

TEST_F(Results, ResumingNamesTheRecordsBehindTheGivenByteOnly) {
  const std::string first = json_line(record_of("https://a.example/1"));
  put_file(file_, first + json_line(record_of("https://a.example/2")) + json_line(record_of("https://a.example/3")));
  EXPECT_THAT(resumed(first.size()), ElementsAre("https://a.example/2", "https://a.example/3"));
  EXPECT_THAT(resumed(text_of(file_).size()), ElementsAre());
}

TEST_F(Results, AFileThatIsShorterThanExpectedIsAnotherOneAndReadFromItsBeginning) {
  put_file(file_, json_line(record_of("https://a.example/1")));
  EXPECT_THAT(resumed(1'000'000), ElementsAre("https://a.example/1"));
}

TEST_F(Results, ATornLastLineIsCutWhereverItWasTorn) {
  const std::string first = json_line(record_of("https://a.example/1"));
  const std::string second = json_line(record_of("https://a.example/2"));
  for (std::size_t torn = 0; torn < second.size(); ++torn) {
    put_file(file_, first + second.substr(0, torn));
    EXPECT_THAT(resumed(0), ElementsAre("https://a.example/1"));
    EXPECT_EQ(text_of(file_), first);
  }
  put_file(file_, second.substr(0, 20));
  EXPECT_THAT(resumed(0), ElementsAre());
  EXPECT_EQ(text_of(file_), "");
}

TEST_F(Results, ATornLineLongerThanAReadIsCutToo) {
  const std::string first = json_line(record_of("https://a.example/1"));
  put_file(file_, first + "{\"url\":\"" + std::string(1'000'000, 'x'));
  EXPECT_THAT(resumed(0), ElementsAre("https://a.example/1"));
  EXPECT_EQ(text_of(file_), first);
}

TEST_F(Results, ALastLineOfSomebodyElseIsKept) {
  put_file(file_, "precious");
  EXPECT_THAT(resumed(0), ElementsAre());
  ResultsFile(file_).write(record_of("https://a.example/"));
  EXPECT_EQ(text_of(file_), "precious\n" + json_line(record_of("https://a.example/")));
}

TEST_F(Results, BeginningAnewForgetsWhatTheFileHas) {
  put_file(file_, "old\n");
  ResultsFile results(file_);
  results.clear();
  results.write(record_of("https://a.example/"));
  EXPECT_EQ(text_of(file_), json_line(record_of("https://a.example/")));
  EXPECT_EQ(results.bytes(), text_of(file_).size());
}

TEST_F(Results, ManyRecordsAreReadWhereverTheReadsDivideThem) {
  std::string text;
  std::vector<std::string> urls;
  for (int number = 0; number < 5000; ++number) {
    urls.push_back("https://a.example/" + std::string(static_cast<std::size_t>(number % 97), 'p') +
                   std::to_string(number));
    text += json_line(record_of(urls.back()));
  }
  put_file(file_, text);
  EXPECT_EQ(resumed(0), urls);
}

TEST_F(Results, LinesThatAreNoRecordsAreLeftAloneAndNameNothing) {
  const std::string text = "\n[1]\nnull\n{\"url\":1}\n{\"URL\":\"x\"}\n{\"url\":\n";
  put_file(file_, text);
  EXPECT_THAT(resumed(0), ElementsAre());
  EXPECT_EQ(text_of(file_), text);
}

TEST_F(Results, AFolderThatIsNotThereIsAnErrorOfTheUser) {
  EXPECT_THROW(ResultsFile(at("no/such/results.jsonl")), base::UserError);
}

TEST_F(Results, AFullDiskIsAnErrorOfTheUser) {
  ResultsFile results("/dev/full");
  EXPECT_THROW(results.write(record_of("https://a.example/")), base::UserError);
}

TEST_F(Results, AnyBytesAreReadWithoutHarm) {
  std::mt19937 random(1);
  const std::string line = json_line(record_of("https://a.example/path?query#\"\\\xEF\xBF\xBD"));
  int urls = 0;
  for (int round = 0; round < 30'000; ++round) {
    std::string text = line;
    for (auto change = random() % 4; change > 0; --change) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 8);
          break;
        case 2:
          text.insert(at, 1, "{}[]\",:\\u"[random() % 9]);
          break;
        default:
          text.insert(at, text.substr(0, random() % 30));
          break;
      }
      if (text.empty()) text = "x";
    }
    if (const auto url = url_of_line(text)) {
      // What was read is a text that can be written, and read again.
      ASSERT_EQ(url_of_line(json_line(record_of(*url))), url);
      ++urls;
    }
  }
  EXPECT_GT(urls, 5000);
  EXPECT_FALSE(url_of_line(std::string(100'000, '[')));  // no recursion per bracket
}

}  // namespace
}  // namespace heddle::crawler
