#include "crawler/archive/warc_writer.hpp"

#include <sodium.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/user_error.hpp"

namespace heddle::crawler {
namespace {

constexpr std::string_view kResponse = "response";
constexpr std::size_t kMostKept = 1'048'576;  // bytes of memory, between records

// UTC with microseconds (section 5.4 of the standard; W3C note on date and time formats).
std::string date_of(std::chrono::system_clock::time_point when) {
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(when.time_since_epoch()).count();
  const std::time_t seconds = since / 1'000'000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text.data() + size, text.size() - size, ".%06dZ", static_cast<int>(since % 1'000'000));
  return text.data();
}

void add_field(std::string& fields, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  fields.append(name).append(": ").append(value).append("\r\n");
}

// The answer's head without what would make readers look for chunks.
std::string without_transfer_coding(std::string_view head) {
  std::string out;
  out.reserve(head.size() + 16);
  while (!head.empty()) {
    const std::size_t feed = head.find('\n');
    const std::string_view line = head.substr(0, feed == std::string_view::npos ? head.size() : feed + 1);
    if (is_same_name(line.substr(0, line.find_first_of(": \t\r\n")), "Transfer-Encoding")) out += "X-Archive-Orig-";
    out += line;
    head.remove_prefix(line.size());
  }
  return out;
}

}  // namespace

WarcWriter::WarcWriter(const std::filesystem::path& path, std::string_view software, std::uint64_t from) : file_(path) {
  if (path.extension() == ".warc") form_ = WarcForm::kPlain;
  if (file_.regular()) {
    constexpr char kGzip = '\x1f';
    const auto read = [this](std::uint64_t at, std::size_t most) { return file_.read(at, most); };
    if (read(0, 1).starts_with(kGzip)) form_ = WarcForm::kCompressed;
    // A file that is shorter than what was written is another one.
    const WarcEnd end = find_warc_end(read, from > file_.bytes() ? 0 : from, form_);
    if (!end.good) {
      const char* form = form_ == WarcForm::kPlain ? "" : " with a gzip member per record";
      throw base::UserError(file_.name() + ": not a WARC file" + form + ", at byte " + std::to_string(end.bytes));
    }
    if (end.bytes != file_.bytes()) file_.cut(end.bytes);
  }
  std::string block;
  add_field(block, "software", software);
  add_field(block, "format", "WARC File Format 1.1");
  add_field(block, "conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/");
  std::string fields;
  add_field(fields, "Content-Type", "application/warc-fields");
  warcinfo_ = new_id();
  add("warcinfo", warcinfo_, date_of(std::chrono::system_clock::now()), fields, {block});
  write_pending();
}

// A random UUID (RFC 9562, section 5.4) as a URN in angle brackets.
std::string WarcWriter::new_id() {
  constexpr std::size_t kBytes = 16;
  if (random_left_ < kBytes) {
    randombytes_buf(random_.data(), random_.size());
    random_left_ = random_.size();
  }
  random_left_ -= kBytes;
  unsigned char* const bytes = &random_[random_left_];
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3F) | 0x80);
  std::string id = "<urn:uuid:";
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (std::size_t at = 0; at < kBytes; ++at) {
    if (at == 4 || at == 6 || at == 8 || at == 10) id += '-';
    id += kDigits[bytes[at] >> 4U];
    id += kDigits[bytes[at] & 15U];
  }
  return id + ">";
}

WarcWriter::Body& WarcWriter::remembered(const Sha256& digest) {
  std::size_t place = 0;
  std::memcpy(&place, digest.data(), sizeof place);
  return bodies_[place % bodies_.size()];
}

void WarcWriter::add(std::string_view type, std::string_view id, std::string_view date, const std::string& fields,
                     Block block) {
  constexpr std::string_view kBehindBlock = "\r\n\r\n";
  std::string head = "WARC/1.1\r\n";
  add_field(head, "WARC-Type", type);
  add_field(head, "WARC-Record-ID", id);
  add_field(head, "WARC-Date", date);
  if (id != warcinfo_) add_field(head, "WARC-Warcinfo-ID", warcinfo_);
  head += fields;
  if (type != kResponse) add_field(head, "WARC-Block-Digest", labelled(sha256(block.first)));
  add_field(head, "Content-Length", std::to_string(block.first.size() + block.second.size()));
  head += "\r\n";
  if (form_ == WarcForm::kCompressed)
    compressor_.append_member(members_, {head, block.first, block.second, kBehindBlock});
  else
    pending_.insert(pending_.end(), {heads_.emplace_back(std::move(head)), block.first, block.second, kBehindBlock});
}

void WarcWriter::write_pending() {
  if (form_ == WarcForm::kCompressed)
    file_.write(members_);
  else
    file_.write(pending_);
  pending_.clear();
  heads_.clear();
  members_.clear();
  if (members_.capacity() > kMostKept) members_ = {};
}

ArchivedAnswer::ArchivedAnswer(const Exchange& exchange)
    : head(without_transfer_coding(exchange.head)), digest(sha256(exchange.body)) {}

void WarcWriter::write(const Exchange& exchange, const ArchivedAnswer& answer) {
  const std::string response_id = new_id();
  const std::string date = date_of(exchange.when);
  const Sha256& digest = answer.digest;
  std::string target;
  add_field(target, "WARC-Target-URI", exchange.url);
  add_field(target, "WARC-IP-Address", exchange.address);
  std::string fields = target;
  add_field(fields, "Content-Type", "application/http;msgtype=response");
  add_field(fields, "WARC-Payload-Digest", labelled(digest));
  Body& body = remembered(digest);
  // A body that is not whole is no payload that another record may refer to.
  const bool whole = exchange.truncated.empty() && !exchange.body.empty();
  if (whole && !body.record.empty() && body.digest == digest) {
    add_field(fields, "WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
    add_field(fields, "WARC-Refers-To", body.record);
    add_field(fields, "WARC-Refers-To-Target-URI", body.url);
    add_field(fields, "WARC-Refers-To-Date", body.date);
    add("revisit", response_id, date, fields, {answer.head});
  } else {
    add_field(fields, "WARC-Truncated", exchange.truncated);
    add(kResponse, response_id, date, fields, {answer.head, exchange.body});
  }
  std::string asked = target;
  add_field(asked, "Content-Type", "application/http;msgtype=request");
  add_field(asked, "WARC-Concurrent-To", response_id);
  add("request", new_id(), date, asked, {exchange.request});
  write_pending();
  if (whole && body.digest != digest) body = {digest, response_id, std::string(exchange.url), date};
}

}  // namespace heddle::crawler
