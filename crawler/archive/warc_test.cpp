#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/user_error.hpp"
#include "crawler/archive/temporary_folder_fixture.hpp"
#include "crawler/archive/warc_record.hpp"
#include "crawler/archive/warc_writer.hpp"

namespace heddle::crawler {
namespace {

using testing::ElementsAre;

ReadAt read_of(const std::string& text) {
  return [&text](std::uint64_t from, std::size_t most) {
    return from < text.size() ? text.substr(from, most) : std::string();
  };
}

// The uncompressed records of a file, and the byte behind each.
struct Records {
  std::vector<std::string> texts;
  std::vector<std::uint64_t> ends;

  explicit Records(const std::string& file) {
    const ReadAt read = read_of(file);
    if (file.starts_with("WARC/")) {
      // Blocks of these tests have no text with which a record begins.
      for (std::size_t at = 0; at < file.size(); at = ends.back()) {
        const std::size_t next = file.find("WARC/1.1\r\nWARC-Type", at + 1);
        ends.push_back(next == std::string::npos ? file.size() : next);
        texts.push_back(file.substr(at, ends.back() - at));
      }
      return;
    }
    GzipMembers members(read);
    std::string text;
    while (members.next(text, std::string::npos) == GzipMembers::Result::kMember) {
      texts.push_back(text);
      ends.push_back(members.end());
    }
    EXPECT_EQ(members.end(), file.size());
  }
  WarcRecord operator[](std::size_t at) const { return *parse_warc_record(texts.at(at)); }
  std::vector<std::string> types() const {
    std::vector<std::string> types;
    for (std::size_t at = 0; at < texts.size(); ++at) types.emplace_back((*this)[at].field("warc-type"));
    return types;
  }
};

class Warc : public TemporaryFolder {
 protected:
  std::filesystem::path file_ = at("crawl.warc.gz");
  Exchange exchange_{"https://a.example/x",
                     std::chrono::system_clock::time_point(std::chrono::microseconds(1'700'000'000'000'042)),
                     "192.0.2.7",
                     "GET /x HTTP/1.1\r\nHost: a.example\r\n\r\n",
                     "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",
                     "hello",
                     ""};
};

TEST_F(Warc, AnExchangeIsAResponseAndTheRequestThatLedToIt) {
  WarcWriter(file_, "heddle/1").write(exchange_);
  const Records records(text_of(file_));
  ASSERT_THAT(records.types(), ElementsAre("warcinfo", "response", "request"));
  EXPECT_EQ(records[0].block.substr(0, 20), "software: heddle/1\r\n");
  const WarcRecord response = records[1];
  EXPECT_EQ(response.version, "WARC/1.1");
  EXPECT_EQ(response.field("WARC-Target-URI"), "https://a.example/x");
  EXPECT_EQ(response.field("WARC-Date"), "2023-11-14T22:13:20.000042Z");
  EXPECT_EQ(response.field("WARC-IP-Address"), "192.0.2.7");
  EXPECT_EQ(response.field("Content-Type"), "application/http;msgtype=response");
  EXPECT_EQ(response.field("WARC-Payload-Digest"),
            "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  EXPECT_EQ(response.field("WARC-Warcinfo-ID"), records[0].field("WARC-Record-ID"));
  EXPECT_EQ(response.block, std::string(exchange_.head) + "hello");
  EXPECT_EQ(response.block_bytes, response.block.size());
  EXPECT_TRUE(records.texts[1].ends_with("hello\r\n\r\n"));
  const WarcRecord request = records[2];
  EXPECT_EQ(request.block, exchange_.request);
  EXPECT_EQ(request.field("WARC-Block-Digest"), labelled(sha256(request.block)));
  EXPECT_EQ(request.field("WARC-Concurrent-To"), response.field("WARC-Record-ID"));
}

TEST_F(Warc, EveryRecordHasAnIdOfItsOwn) {
  WarcWriter writer(file_, "heddle/1");
  for (int each = 0; each < 50; ++each) writer.write(exchange_);
  const Records records(text_of(file_));
  std::set<std::string> ids;
  for (std::size_t at = 0; at < records.texts.size(); ++at) ids.emplace(records[at].field("WARC-Record-ID"));
  EXPECT_EQ(ids.size(), 101u);
  EXPECT_THAT(*ids.begin(), testing::MatchesRegex("<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-"
                                                  "[0-9a-f]{12}>"));
}

TEST_F(Warc, ABodyThatWasArchivedBeforeIsARevisit) {
  WarcWriter writer(file_, "heddle/1");
  writer.write(exchange_);
  exchange_.url = "https://b.example/same";
  exchange_.when += std::chrono::seconds(5);
  writer.write(exchange_);
  const Records records(text_of(file_));
  ASSERT_THAT(records.types(), ElementsAre("warcinfo", "response", "request", "revisit", "request"));
  const WarcRecord revisit = records[3];
  EXPECT_EQ(revisit.field("WARC-Profile"), "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
  EXPECT_EQ(revisit.field("WARC-Target-URI"), "https://b.example/same");
  EXPECT_EQ(revisit.field("WARC-Refers-To"), records[1].field("WARC-Record-ID"));
  EXPECT_EQ(revisit.field("WARC-Refers-To-Target-URI"), "https://a.example/x");
  EXPECT_EQ(revisit.field("WARC-Refers-To-Date"), records[1].field("WARC-Date"));
  EXPECT_EQ(revisit.field("WARC-Payload-Digest"), records[1].field("WARC-Payload-Digest"));
  EXPECT_EQ(revisit.block, exchange_.head);
}

TEST_F(Warc, EmptyAndTruncatedBodiesAreNoBasisOfRevisits) {
  WarcWriter writer(file_, "heddle/1");
  exchange_.truncated = "length";
  writer.write(exchange_);
  exchange_.truncated = "";
  writer.write(exchange_);
  exchange_.body = "";
  writer.write(exchange_);
  writer.write(exchange_);
  const Records records(text_of(file_));
  EXPECT_THAT(records.types(), ElementsAre("warcinfo", "response", "request", "response", "request", "response",
                                           "request", "response", "request"));
  EXPECT_EQ(records[1].field("WARC-Truncated"), "length");
  EXPECT_EQ(records[3].field("WARC-Truncated"), "");
}

TEST_F(Warc, ATransferCodingThatWasUndoneIsKeptUnderAnotherNameOnly) {
  exchange_.head = "HTTP/1.1 200 OK\r\ntransfer-ENCODING : chunked\r\nTransfer-Encoding-X: y\r\nTE: z\r\n\r\n";
  WarcWriter(file_, "heddle/1").write(exchange_);
  EXPECT_EQ(Records(text_of(file_))[1].block,
            "HTTP/1.1 200 OK\r\nX-Archive-Orig-transfer-ENCODING : chunked\r\nTransfer-Encoding-X: y\r\nTE: z\r\n\r\n"
            "hello");
}

TEST_F(Warc, ABodyOfManyMegabytesComesBack) {
  std::mt19937 random(3);
  std::string body(5'000'000, '\0');
  for (char& byte : body) byte = static_cast<char>(random() % 50);
  exchange_.body = body;
  WarcWriter(file_, "heddle/1").write(exchange_);
  EXPECT_EQ(Records(text_of(file_))[1].block.substr(exchange_.head.size()), body);
}

class WarcForms : public Warc, public testing::WithParamInterface<const char*> {
 protected:
  std::filesystem::path file_ = at(GetParam());
};

TEST_P(WarcForms, AFileIsAppendedToAndATornRecordIsCutWhereverItWasTorn) {
  WarcWriter(file_, "heddle/1").write(exchange_);
  const std::string whole = text_of(file_);
  const std::vector<std::uint64_t> ends = Records(whole).ends;
  for (std::size_t torn = 0; torn <= whole.size(); ++torn) {
    put_file(file_, whole.substr(0, torn));
    const auto kept = std::count_if(ends.begin(), ends.end(), [torn](std::uint64_t end) { return end <= torn; });
    const std::uint64_t from = kept > 0 ? ends[static_cast<std::size_t>(kept) - 1] : 0;
    {
      WarcWriter again(file_, "heddle/2", torn % 2 == 0 ? 0 : from);
    }
    const Records records(text_of(file_));
    ASSERT_EQ(records.texts.size(), static_cast<std::size_t>(kept) + 1) << torn;
    ASSERT_EQ(records[records.texts.size() - 1].field("WARC-Type"), "warcinfo");
    ASSERT_EQ(text_of(file_).substr(0, from), whole.substr(0, from));
  }
}

TEST_P(WarcForms, OfAFileIsSaidByItsName) {
  WarcWriter(file_, "heddle/1").write(exchange_);
  EXPECT_EQ(text_of(file_).starts_with("WARC/1.1\r\n"), file_.extension() == ".warc");
  const Records records(text_of(file_));
  ASSERT_THAT(records.types(), ElementsAre("warcinfo", "response", "request"));
  EXPECT_EQ(records[1].block, std::string(exchange_.head) + "hello");
  EXPECT_TRUE(records.texts[2].ends_with("\r\n\r\n\r\n\r\n"));
}
INSTANTIATE_TEST_SUITE_P(, WarcForms, testing::Values("crawl.warc.gz", "crawl.warc"),
                         [](const auto& tested) { return std::to_string(tested.index); });

TEST_F(Warc, GzipMembersAreFollowedByMoreWhateverTheName) {
  WarcWriter(file_, "heddle/1").write(exchange_);
  const std::filesystem::path plain = at("crawl.warc");
  put_file(plain, text_of(file_));
  {
    WarcWriter again(plain, "heddle/2");
  }
  EXPECT_THAT(Records(text_of(plain)).types(), ElementsAre("warcinfo", "response", "request", "warcinfo"));
}

TEST_F(Warc, AFileThatIsNoWarcFileIsLeftAlone) {
  GzipCompressor compressor;
  std::string gzip;
  compressor.append_member(gzip, {"no record\r\n\r\n"});
  WarcWriter(file_, "heddle/1").write(exchange_);
  std::string damaged = text_of(file_);
  damaged[damaged.size() / 2] = static_cast<char>(~damaged[damaged.size() / 2]);
  for (const std::string& text : {std::string("WARC 1.1\r\n"), std::string("WARC/1.1\r\nWARC-Type: x\r\n\r\n"),
                                  std::string("WARC/1.1\r\nWARC-Type: x\r\nContent-Length: 2\r\n\r\nab\r\nmore"),
                                  "WARC/1.1\r\n" + std::string(100'000, 'x')}) {
    const std::filesystem::path plain = at("crawl.warc");
    put_file(plain, text);
    EXPECT_THROW(WarcWriter(plain, "heddle/1"), base::UserError) << text.substr(0, 80);
    EXPECT_EQ(text_of(plain), text);
  }
  for (const std::string& text : {std::string("WARC/1.1\r\n"), std::string("precious"), gzip, damaged}) {
    put_file(file_, text);
    EXPECT_THROW(WarcWriter(file_, "heddle/1"), base::UserError);
    EXPECT_EQ(text_of(file_), text);
  }
}

TEST_F(Warc, AFullDiskIsAnErrorOfTheUser) { EXPECT_THROW(WarcWriter("/dev/full", "heddle/1"), base::UserError); }

TEST(Digest, IsThatOfTheStandardsExamples) {
  EXPECT_EQ(labelled(sha256("")), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hexadecimal(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(WarcRecord, IsReadWithItsFieldsWhateverTheirCase) {
  const auto record = parse_warc_record("WARC/1.0\r\nwarc-type:  resource \r\nA:\r\nCONTENT-LENGTH: 3\r\n\r\nabcdef");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->field("WARC-Type"), "resource");
  EXPECT_EQ(record->field("a"), "");
  EXPECT_EQ(record->block, "abc");
  EXPECT_EQ(record->fields.size(), 3u);
}

TEST(WarcRecord, IsRefusedWithoutAVersionATypeOrALength) {
  for (const char* text :
       {"", "WARC/1.1", "WARC/2.0\r\nWARC-Type: x\r\nContent-Length: 0\r\n\r\n",
        "WARC/1.1\r\nContent-Length: 0\r\n\r\n", "WARC/1.1\r\nWARC-Type: x\r\n\r\n",
        "WARC/1.1\r\nWARC-Type: x\r\nContent-Length: 0\r\n", "WARC/1.1\r\nWARC-Type: x\r\nContent-Length: -1\r\n\r\n",
        "WARC/1.1\r\nWARC-Type: x\r\nContent-Length: 1x\r\n\r\n",
        "WARC/1.1\r\nWARC-Type: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "WARC/1.1\r\nWARC-Type: x\r\n: y\r\nContent-Length: 1\r\n\r\n", "WARC/1.1\r\nnothing\r\n\r\n"})
    EXPECT_FALSE(parse_warc_record(text)) << text;
}

void change(std::string& text, std::mt19937& random) {
  for (auto change = 1 + random() % 3; change > 0 && !text.empty(); --change) {
    const std::size_t at = random() % text.size();
    switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, 1 + random() % 9);
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), random() % 20));
        break;
      default:
        text.resize(at);
        break;
    }
  }
}

TEST(WarcRecord, AnyBytesAreReadWithoutHarm) {
  const std::string good = "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 5\r\nX: y\r\n\r\nhello\r\n\r\n";
  std::mt19937 random(1);
  int read = 0;
  for (int round = 0; round < 30'000; ++round) {
    std::string text = good;
    change(text, random);
    const auto record = parse_warc_record(text);
    if (!record) continue;
    ++read;
    const auto inside = [&](std::string_view part) {
      return part.empty() || (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size());
    };
    ASSERT_TRUE(inside(record->block) && record->block.size() <= record->block_bytes);
    for (const auto& [name, value] : record->fields) ASSERT_TRUE(inside(name) && inside(value) && !name.empty());
  }
  EXPECT_GT(read, 3000);
}

TEST(WarcRecord, TheEndOfAnyFileIsFoundWithinIt) {
  GzipCompressor compressor;
  for (const WarcForm form : {WarcForm::kCompressed, WarcForm::kPlain}) {
    std::string good;
    std::set<std::uint64_t> ends = {0};
    for (const char* type : {"warcinfo", "response", "request"}) {
      const std::string record = std::string("WARC/1.1\r\nWARC-Type: ") + type + "\r\nContent-Length: 100\r\n\r\n" +
                                 std::string(100, *type) + "\r\n\r\n";
      if (form == WarcForm::kPlain) {
        good += record;
      } else {
        compressor.append_member(good, {record});
      }
      ends.insert(good.size());
    }
    std::mt19937 random(2);
    int whole = 0;
    for (int round = 0; round < 20'000; ++round) {
      std::string text = good;
      change(text, random);
      const WarcEnd end = find_warc_end(read_of(text), 0, form);
      ASSERT_LE(end.bytes, text.size());
      // What is kept can be read again, and has nothing behind it.
      const WarcEnd again = find_warc_end(read_of(text.erase(end.bytes)), 0, form);
      ASSERT_TRUE(again.good);
      ASSERT_EQ(again.bytes, end.bytes);
      whole += end.good && ends.contains(end.bytes);
    }
    EXPECT_GT(whole, 2000);
  }
}

}  // namespace
}  // namespace heddle::crawler
