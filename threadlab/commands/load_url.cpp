#include "threadlab/commands/load_url.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "threadlab/network/connections.hpp"

namespace heddle::threadlab {
namespace {

std::string errno_words() { return std::generic_category().message(errno); }

// The name by which the record calls a failure of libcurl.
std::string_view name_of(CURLcode code) {
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return "timeout";
    case CURLE_COULDNT_RESOLVE_HOST:
      return "no_host";
    case CURLE_COULDNT_CONNECT:
      return "no_connection";
    case CURLE_PARTIAL_FILE:
      return "cut_short";
    case CURLE_GOT_NOTHING:
      return "no_answer";
    case CURLE_TOO_MANY_REDIRECTS:
      return "redirects";
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
      return "bad_url";
    default:
      return "transfer";
  }
}

}  // namespace

LoadUrl::LoadUrl(std::string name, std::string url, std::shared_ptr<Memory> into, Limits limits)
    : Command("load_url", std::move(name), {}, {into}),
      url_(std::move(url)),
      memory_(std::move(into)),
      limits_(limits) {}

LoadUrl::LoadUrl(std::string name, std::string url, std::shared_ptr<File> into, Limits limits)
    : Command("load_url", std::move(name), {}, {into}), url_(std::move(url)), file_(std::move(into)), limits_(limits) {}

std::size_t LoadUrl::on_body(char* bytes, std::size_t, std::size_t count, void* command) {
  auto* const self = static_cast<LoadUrl*>(command);
  self->received_ += count;
  if (self->received_ > self->limits_.most_bytes) {
    self->failure_ = "too_large: more than " + std::to_string(self->limits_.most_bytes) + " bytes";
    return 0;  // which ends the transfer
  }
  try {
    if (self->memory_) {
      self->memory_->append({bytes, count}, self->locks_);
    } else if (std::fwrite(bytes, 1, count, self->out_.get()) != count) {
      self->failure_ = "file: " + self->file_->path() + ": " + errno_words();
      return 0;
    }
  } catch (const std::bad_alloc&) {
    self->failure_ = "memory: there is none left";
    return 0;
  }
  return count;
}

Step LoadUrl::begin(Slot& slot) {
  if (file_) {
    out_.reset(std::fopen(file_->path().c_str(), "wbe"));
    if (!out_) return Step::done("file: " + file_->path() + ": " + errno_words());
  }
  easy_.reset(curl_easy_init());
  if (!easy_) throw std::bad_alloc();
  CURL* const easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_URL, url_.c_str());
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &LoadUrl::on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(std::clamp(limits_.seconds * 1000, 1.0, 1e9)));
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(easy, CURLOPT_MAXREDIRS, 5L);
  // A page decides what is loaded next, and a redirection does; neither may name a file of this machine.
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_PROXY, "");  // the scenario is what it says, whatever the environment
  if (curl_multi_add_handle(slot.multi(), easy) != CURLM_OK) return Step::done("transfer: libcurl refused to begin");
  slot_ = &slot;
  return Step::ready();
}

std::string LoadUrl::outcome(CURLcode code) const {
  if (code == CURLE_OK) return "";
  if (!failure_.empty()) return failure_;
  if (code == CURLE_HTTP_RETURNED_ERROR) {
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    return "http_status: " + std::to_string(status) + " for " + url_;
  }
  return std::string(name_of(code)) + ": " + curl_easy_strerror(code) + ": " + url_;
}

Step LoadUrl::part(Context& context) {
  locks_ = context.locks();
  if (slot_ == nullptr) {
    Connections& connections = context.connections();
    Slot* const slot = in_line_ ? connections.handed_to(context.task()) : connections.take(context.task());
    if (slot == nullptr) {
      in_line_ = true;
      return Step::woken();
    }
    in_line_ = false;
    slot_ = slot;
    const Step begun = begin(*slot);
    if (begun.then == Step::Then::kDone) return begun;
  }
  slot_->work();
  int left = 0;
  while (const CURLMsg* const message = curl_multi_info_read(slot_->multi(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    std::string error = outcome(message->data.result);
    if (out_ && std::fclose(out_.release()) != 0 && error.empty())
      error = "file: " + file_->path() + ": " + errno_words();
    if (memory_ && error.empty()) memory_->close();
    return Step::done(std::move(error));
  }
  return Step::socket(slot_->descriptor(), slot_->until());
}

void LoadUrl::end(Context& context) {
  Connections& connections = context.connections();
  Task* next = nullptr;
  if (slot_ != nullptr) {
    if (easy_) curl_multi_remove_handle(slot_->multi(), easy_.get());
    next = connections.give_back(*std::exchange(slot_, nullptr));
  } else if (in_line_) {
    next = connections.leave(context.task());
  }
  easy_.reset();
  out_.reset();
  if (next != nullptr) context.wake(*next);
}

}  // namespace heddle::threadlab
