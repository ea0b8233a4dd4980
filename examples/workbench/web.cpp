#include "web.hpp"

#include <arpa/inet.h>
#include <event2/bufferevent.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "forms.hpp"
#include "tree.hpp"

namespace workbench {
namespace {

using heddle::objectbase::Answer;
using heddle::objectbase::News;

constexpr std::size_t kMostBody = std::size_t{8} << 20;
constexpr std::size_t kMostHeaders = 16 << 10;
constexpr std::size_t kMostKept = std::size_t{64} << 20;  // for a page that does not read
constexpr timeval kAgain{0, 200'000};
constexpr timeval kSlowAgain{15, 0};

std::string random_key() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) throw Error("no random numbers");
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// Takes as long wherever they differ.
bool same(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned char all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) all |= static_cast<unsigned char>(a[i] ^ b[i]);
  return all == 0;
}

std::string header(evhttp_request* request, const char* name) {
  const char* value = evhttp_find_header(evhttp_request_get_input_headers(request), name);
  return value == nullptr ? "" : value;
}

void send_part(evhttp_request* request, const std::string& text) {
  evbuffer* buffer = evbuffer_new();
  evbuffer_add(buffer, text.data(), text.size());
  evhttp_send_reply_chunk(request, buffer);
  evbuffer_free(buffer);
}

std::string event_text(const char* name, std::string_view data) {
  return std::string("event: ").append(name).append("\ndata: ").append(data).append("\n\n");
}
std::string away(const std::string& why) { return event_text("away", said_as_json("why", why)); }

std::string accepted(const Answer& answer) {
  JsonText text;
  JsonWriter json(text);
  json.StartObject();
  add_key(json, "created");
  json.StartArray();
  for (const ObjectId id : answer.created) json.Uint64(id.number);
  json.EndArray();
  add_key(json, "commit");
  json.Uint64(answer.commit);
  json.EndObject();
  return std::string(text_in(text));
}

}  // namespace

Web::Web(WebOptions options) : options_(std::move(options)), base_(event_base_new()), key_(random_key()) {
  if (!base_) throw Error("libevent does not start");
  read_page();
  listen();
  stops_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  stop_.reset(event_new(
      base_.get(), stops_, EV_READ,
      [](evutil_socket_t, short, void* self) { event_base_loopbreak(static_cast<Web*>(self)->base_.get()); }, this));
  event_add(stop_.get(), nullptr);
  again_.reset(event_new(
      base_.get(), -1, 0, [](evutil_socket_t, short, void* self) { static_cast<Web*>(self)->connect(); }, this));
}

Web::~Web() {
  server_.reset();  // its connections tell this that they close
  news_.reset();
  tree_.reset();
  if (stops_ >= 0) close(stops_);
}

void Web::read_page() {
  for (const auto& [name, type] :
       {std::pair("index.html", "text/html; charset=utf-8"), std::pair("page.js", "text/javascript; charset=utf-8"),
        std::pair("page.css", "text/css; charset=utf-8")}) {
    const std::filesystem::path path = options_.page / name;
    const std::optional<std::string> text = contents(path);
    if (!text) throw Error(path.string() + ": cannot be read: is that the folder of the page?");
    files_[std::string("/") + name] = {type, *text};
  }
  files_["/"] = files_["/index.html"];
}

void Web::listen() {
  server_.reset(evhttp_new(base_.get()));
  evhttp_set_max_body_size(server_.get(), kMostBody);
  evhttp_set_max_headers_size(server_.get(), kMostHeaders);
  evhttp_set_allowed_methods(server_.get(), EVHTTP_REQ_GET | EVHTTP_REQ_POST);
  evhttp_set_gencb(
      server_.get(), [](evhttp_request* request, void* self) { static_cast<Web*>(self)->handle(request); }, this);
  evhttp_bound_socket* bound = evhttp_bind_socket_with_handle(server_.get(), "127.0.0.1", options_.port);
  if (bound == nullptr)
    throw Error("port " + std::to_string(options_.port) + " of 127.0.0.1 cannot be used: choose another by --port");
  sockaddr_in address{};
  socklen_t length = sizeof address;
  getsockname(evhttp_bound_socket_get_fd(bound), reinterpret_cast<sockaddr*>(&address), &length);
  port_ = ntohs(address.sin_port);
}

std::string Web::address() const { return "http://127.0.0.1:" + std::to_string(port_) + "/?key=" + key_; }

void Web::run() {
  connect();
  event_base_dispatch(base_.get());
}

void Web::stop() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(stops_, &one, sizeof one));
}

// --- The owner ---

void Web::connect() {
  if (editor_) {  // all is well: a page that has gone is found so
    tell(": \n\n");
    event_add(again_.get(), &kSlowAgain);
    return;
  }
  try {
    editor_ = std::make_unique<Editor>(options_.store, options_.transport);
    shown_.emplace(*editor_);
  } catch (const std::exception&) {
    event_add(again_.get(), &kAgain);
    return;
  }
  started_at_ = 0;
  news_.reset(event_new(
      base_.get(), editor_->descriptor(), EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<Web*>(self)->look(); }, this));
  event_add(news_.get(), nullptr);
  event_add(again_.get(), &kSlowAgain);
  look();
}

void Web::lose(const std::string& why) {
  news_.reset();
  shown_.reset();
  editor_.reset();
  changed_.clear();
  reloads_.clear();
  for (const auto& [edit, open] : std::exchange(waiting_, {}))
    reply(open.request, 503, "application/json", said_as_json("refused", why));
  tell(away(why));
  if (!options_.stays) {
    stop();
    return;
  }
  event_add(again_.get(), &kAgain);
}

void Web::look() {
  try {
    const bool was_ready = editor_->ready();
    News news = editor_->receive();
    if (!editor_->ready()) return;
    if (!was_ready) {
      started_at_ = editor_->commit();
      tell(state());
      watch_tree();
    } else if (!news.objects.empty()) {
      for (const ObjectId id : news.objects) changed_[id.number] = editor_->commit();
      tell(event_text("change", shown_->text(news.objects)));
    }
    for (const Answer& answer : news.answers) {
      if (const auto reload = reloads_.find(answer.edit); reload != reloads_.end()) {
        if (!answer.accepted()) options_.say(reload->second + ": is not read in again: " + answer.refused);
        reloads_.erase(reload);
      }
      const auto found = waiting_.find(answer.edit);
      if (found == waiting_.end()) continue;
      evhttp_request* request = found->second.request;
      waiting_.erase(found);
      if (answer.accepted())
        reply(request, 200, "application/json", accepted(answer));
      else
        reply(request, 409, "application/json", said_as_json("refused", answer.refused));
    }
  } catch (const std::exception& error) {
    lose(error.what());
  }
}

// --- Files that are edited elsewhere ---

void Web::watch_tree() {
  if (options_.tree.empty()) return;
  const auto type = editor_->form(form_of(Kind::kFile).name);
  editor_->each([&](ObjectId id) {
    if (type && editor_->type(id) == type->number)
      written_.add((options_.tree / text_in(editor_->get(id, kPath))).parent_path());
  });
  if (tree_) return;
  tree_.reset(event_new(
      base_.get(), written_.descriptor(), EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<Web*>(self)->read_again(); }, this));
  event_add(tree_.get(), nullptr);
}

void Web::read_again() {
  for (const std::filesystem::path& path : written_.take()) {
    const std::string name = path.lexically_relative(options_.tree).generic_string();
    try {
      const ObjectId file = editor_ && editor_->ready() ? file_named(*editor_, name) : ObjectId{};
      const bool regular = std::filesystem::symlink_status(path).type() == std::filesystem::file_type::regular;
      const std::optional<std::string> source = file && regular ? contents(path) : std::nullopt;
      if (!source) continue;
      const std::vector<Cut> cuts = outliner_.cuts(name, *source);
      Edit edit = editor_->edit();
      if (reload(*editor_, edit, file, sections_in(*editor_, file), cuts))
        reloads_[editor_->propose(std::move(edit))] = name;
    } catch (const std::exception& error) {
      options_.say(name + ": is not read in again: " + error.what());
    }
  }
}

// --- Pages ---

std::string Web::state() {
  std::vector<ObjectId> all;
  editor_->each([&](ObjectId id) { all.push_back(id); });
  return event_text("state", shown_->text(all));
}

void Web::tell(const std::string& text) {
  std::vector<evhttp_connection*> slow;
  for (const Open& each : streams_) {
    bufferevent* channel = evhttp_connection_get_bufferevent(each.connection);
    if (evbuffer_get_length(bufferevent_get_output(channel)) > kMostKept)
      slow.push_back(each.connection);
    else
      send_part(each.request, text);
  }
  // It asks again, and is sent all that there is.
  for (evhttp_connection* connection : slow) evhttp_connection_free(connection);
}

void Web::reply(evhttp_request* request, int code, const std::string& type, const std::string& body) const {
  evkeyvalq* headers = evhttp_request_get_output_headers(request);
  evhttp_add_header(headers, "Content-Type", type.c_str());
  evhttp_add_header(headers, "X-Content-Type-Options", "nosniff");
  evhttp_add_header(headers, "Cache-Control", "no-store");
  evhttp_add_header(headers, "Referrer-Policy", "no-referrer");
  evhttp_add_header(headers, "Cross-Origin-Resource-Policy", "same-origin");
  evhttp_add_header(headers, "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
                    "form-action 'none'; frame-ancestors 'none'");
  evbuffer* buffer = evbuffer_new();
  evbuffer_add(buffer, body.data(), body.size());
  evhttp_send_reply(request, code, nullptr, buffer);
  evbuffer_free(buffer);
}

// Is it asked by this address, and, if it changes something, by its own page?
bool Web::may(evhttp_request* request, bool changes) const {
  const std::string host = header(request, "Host");
  const std::string port = ":" + std::to_string(port_);
  if (host != "127.0.0.1" + port && host != "localhost" + port) return false;
  const std::string site = header(request, "Sec-Fetch-Site");
  if (changes && !site.empty() && site != "same-origin") return false;
  const std::string origin = header(request, "Origin");
  if (origin.empty()) return !changes;
  return origin == "http://" + host;
}

bool Web::has_key(evhttp_request* request) const {
  const std::string cookies = header(request, "Cookie");
  const std::string name = "workbench-" + std::to_string(port_) + "=";
  for (std::size_t at = 0; at < cookies.size();) {
    const std::size_t end = std::min(cookies.find("; ", at), cookies.size());
    const std::string each = cookies.substr(at, end - at);
    if (each.starts_with(name) && same(each.substr(name.size()), key_)) return true;
    at = end + 2;
  }
  return false;
}

void Web::let_in(evhttp_request* request) {
  evkeyvalq* headers = evhttp_request_get_output_headers(request);
  const std::string cookie = "workbench-" + std::to_string(port_) + "=" + key_ + "; HttpOnly; SameSite=Strict; Path=/";
  evhttp_add_header(headers, "Set-Cookie", cookie.c_str());
  evhttp_add_header(headers, "Location", "/");
  reply(request, 303, "text/plain", "");
}

void Web::handle(evhttp_request* request) {
  const bool post = evhttp_request_get_command(request) == EVHTTP_REQ_POST;
  const evhttp_uri* uri = evhttp_request_get_evhttp_uri(request);
  const char* path_text = evhttp_uri_get_path(uri);
  const char* query = evhttp_uri_get_query(uri);
  const std::string path = path_text == nullptr ? "" : path_text;
  if (!may(request, post)) {
    reply(request, 403, "text/plain", "asked by another site\n");
    return;
  }
  if (!post && path == "/" && query != nullptr && same(query, "key=" + key_)) {
    let_in(request);
    return;
  }
  if (!has_key(request)) {
    reply(request, 403, "text/plain", "open the address that the workbench has printed: it has a key\n");
    return;
  }
  if (post && path == "/edit") {
    take_edit(request);
  } else if (!post && path == "/events") {
    open_stream(request);
  } else if (const auto file = files_.find(path); !post && file != files_.end()) {
    reply(request, 200, file->second.type, file->second.body);
  } else {
    reply(request, 404, "text/plain", "there is no such page\n");
  }
}

// A request that is answered later, if its connection does not close before.
Web::Open Web::watched(evhttp_request* request) {
  evhttp_connection* connection = evhttp_request_get_connection(request);
  evhttp_connection_set_closecb(
      connection, [](evhttp_connection* closed, void* self) { static_cast<Web*>(self)->forget(closed); }, this);
  return {request, connection};
}

void Web::forget(const evhttp_connection* closed) {
  const auto gone = [&](const Open& open) {
    if (open.connection != closed) return false;
    // libevent leaves a request to us that it has parted from its connection.
    if (evhttp_request_get_connection(open.request) == nullptr) evhttp_request_free(open.request);
    return true;
  };
  std::erase_if(streams_, gone);
  std::erase_if(waiting_, [&](const auto& each) { return gone(each.second); });
}

void Web::open_stream(evhttp_request* request) {
  evkeyvalq* headers = evhttp_request_get_output_headers(request);
  evhttp_add_header(headers, "Content-Type", "text/event-stream");
  evhttp_add_header(headers, "Cache-Control", "no-store");
  evhttp_add_header(headers, "X-Content-Type-Options", "nosniff");
  evhttp_send_reply_start(request, 200, "OK");
  streams_.push_back(watched(request));
  const bool ready = editor_ && editor_->ready();
  const std::string first = ready ? state() : away("the Workshop does not answer yet");
  send_part(request, first);
}

void Web::take_edit(evhttp_request* request) {
  const auto refuse = [&](int code, const std::string& why) {
    reply(request, code, "application/json", said_as_json("refused", why));
  };
  if (!header(request, "Content-Type").starts_with("application/json")) return refuse(415, "an edit is JSON");
  if (!editor_ || !editor_->ready()) return refuse(503, "the Workshop is away: nothing has been changed");
  evbuffer* body = evhttp_request_get_input_buffer(request);
  const std::size_t length = evbuffer_get_length(body);
  const auto* bytes = reinterpret_cast<const char*>(evbuffer_pullup(body, -1));
  try {
    const Asked asked = edit_from_json(*editor_, {bytes, length});
    Edit edit = editor_->edit();
    for (const ObjectId id : asked.objects) {
      const auto changed = changed_.find(id.number);
      if (asked.seen < started_at_ || (changed != changed_.end() && changed->second > asked.seen))
        return refuse(409, "object " + std::to_string(id.number) + " has been changed meanwhile");
      edit.expect(id);
    }
    asked.make(edit);
    const std::uint64_t number = editor_->propose(std::move(edit));
    waiting_.emplace(number, watched(request));
  } catch (const Error& error) {
    refuse(400, error.what());
  } catch (const std::exception& error) {
    refuse(503, error.what());
  }
}

}  // namespace workbench
