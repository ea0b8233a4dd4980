#include "multivent/loop/crew_fixture.hpp"

#include <fcntl.h>

namespace heddle::multivent::testing_support {

namespace {

// What the names of a kind's functions end with, beside the one for events.
constexpr const char* kCalled[] = {"_data",   "_event",   "_accept",  "_request", "_close",
                                   "_answer", "_address", "_carrier", "_watcher"};

void run(Kind kind, evutil_socket_t fd, short what, void* argument) {
  auto* call = static_cast<Call*>(argument);
  oracle().enter(kind, argument);
  // A call may free itself.
  const auto function = call->run;
  if (function) function(fd, what);
  oracle().leave(kind, argument);
}

void run_for(Kind kind, void* object, int what, void* argument) {
  // One callback serves many objects at once, unless its constraints say otherwise.
  const void* const session = kind == kFree ? object : argument;
  oracle().enter(kind, session);
  const auto function = static_cast<Call*>(argument)->run_for;
  if (function) function(object, what);
  oracle().leave(kind, session);
}

void run_watched(Kind kind, void* watcher, int revents) {
  oracle().enter(kind, watcher);
  const auto function = static_cast<Call*>(static_cast<ev_watcher*>(watcher)->data)->run_for;
  if (function) function(watcher, revents);
  oracle().leave(kind, watcher);
}

}  // namespace

extern "C" {
// External, so that the symbol table names them as the constraints do.
// NOLINTBEGIN(bugprone-macro-parentheses): functions, no expression
#define HEDDLE_TEST_KIND(name, kind)                                                                                 \
  void heddle_test_##name(evutil_socket_t fd, short what, void* argument) { run(kind, fd, what, argument); }         \
  void heddle_test_##name##_data(bufferevent* object, void* argument) { run_for(kind, object, 0, argument); }        \
  void heddle_test_##name##_event(bufferevent* object, short what, void* argument) {                                 \
    run_for(kind, object, what, argument);                                                                           \
  }                                                                                                                  \
  void heddle_test_##name##_accept(evconnlistener* object, int fd, sockaddr*, int, void* argument) {                 \
    run_for(kind, object, fd, argument);                                                                             \
  }                                                                                                                  \
  void heddle_test_##name##_request(evhttp_request* object, void* argument) { run_for(kind, object, 0, argument); }  \
  void heddle_test_##name##_close(evhttp_connection* object, void* argument) { run_for(kind, object, 0, argument); } \
  void heddle_test_##name##_answer(int result, char, int, int, void* addresses, void* argument) {                    \
    run_for(kind, addresses, result, argument);                                                                      \
  }                                                                                                                  \
  void heddle_test_##name##_address(int error, evutil_addrinfo* found, void* argument) {                             \
    run_for(kind, found, error, argument);                                                                           \
  }                                                                                                                  \
  void heddle_test_##name##_watcher(ev_loop*, void* watcher, int revents) { run_watched(kind, watcher, revents); }   \
  auto heddle_test_##name##_carrier(event_base* base, void* argument)->bufferevent* {                                \
    run_for(kind, base, 0, argument);                                                                                \
    return bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);                                                  \
  }
// NOLINTEND(bugprone-macro-parentheses)
HEDDLE_TEST_KIND(free, kFree)
HEDDLE_TEST_KIND(session, kSession)
HEDDLE_TEST_KIND(alone, kAlone)
void heddle_test_pinned(evutil_socket_t fd, short what, void* argument) { run(kPinned, fd, what, argument); }
void heddle_test_late(evutil_socket_t fd, short what, void* argument) { run(kLate, fd, what, argument); }
HEDDLE_TEST_KIND(unknown, kUnknown)
#undef HEDDLE_TEST_KIND
bufferevent_filter_result heddle_test_filter(evbuffer* from, evbuffer* to, ev_ssize_t, bufferevent_flush_mode, void*) {
  return evbuffer_remove_buffer(from, to, evbuffer_get_length(from)) > 0 ? BEV_OK : BEV_NEED_MORE;
}
}

void Oracle::enter(Kind kind, const void* session) {
  const std::lock_guard guard(mutex_);
  for (const auto& [other, other_session] : inside_) {
    const bool conflict = kind == kUnknown || other == kUnknown || (kind == kAlone && other == kAlone) ||
                          session == other_session;  // one event, whatever its handler
    if (conflict) ++violations_;
  }
  inside_.emplace(kind, session);
  most_ = std::max(most_, static_cast<int>(inside_.size()));
}

void Oracle::leave(Kind kind, const void* session) {
  const std::lock_guard guard(mutex_);
  inside_.erase(inside_.find({kind, session}));
}

void Oracle::reset() {
  const std::lock_guard guard(mutex_);
  inside_.clear();
  most_ = violations_ = 0;
}

Oracle& oracle() {
  static Oracle the_oracle;
  return the_oracle;
}

event_callback_fn handler(Kind kind) {
  switch (kind) {
    case kFree:
      return heddle_test_free;
    case kSession:
      return heddle_test_session;
    case kAlone:
      return heddle_test_alone;
    case kLate:
      return heddle_test_late;
    case kPinned:
      return heddle_test_pinned;
    case kUnknown:
      break;
  }
  return heddle_test_unknown;
}

WatcherFunction watcher_function(Kind kind) {
  switch (kind) {
    case kFree:
      return heddle_test_free_watcher;
    case kSession:
      return heddle_test_session_watcher;
    case kAlone:
      return heddle_test_alone_watcher;
    case kLate:  // of events only
    case kPinned:
    case kUnknown:
      break;
  }
  return heddle_test_unknown_watcher;
}

Callbacks callbacks(Kind kind) {
#define HEDDLE_TEST_KIND(name)                                                                      \
  (Callbacks{heddle_test_##name##_data, heddle_test_##name##_event, heddle_test_##name##_accept,    \
             heddle_test_##name##_request, heddle_test_##name##_close, heddle_test_##name##_answer, \
             heddle_test_##name##_address, heddle_test_##name##_carrier})
  switch (kind) {
    case kFree:
      return HEDDLE_TEST_KIND(free);
    case kSession:
      return HEDDLE_TEST_KIND(session);
    case kAlone:
      return HEDDLE_TEST_KIND(alone);
    case kLate:  // of events only
    case kPinned:
    case kUnknown:
      break;
  }
  return HEDDLE_TEST_KIND(unknown);
#undef HEDDLE_TEST_KIND
}

bufferevent_filter_cb filter() { return heddle_test_filter; }

void configure(Threads threads, scheduler::Promotion promotion, bool in_turn) {
  Settings settings;
  settings.statistics = true;
  settings.promotion = promotion;
  settings.in_turn = in_turn;
  const multivent::Mode mode{.threads = threads, .why_serial = threads.most == 1 ? "the test says so" : ""};
  ConstraintsFile file;
  file.path = "test";
  const Symbols symbols = Symbols::of_this_process();
  file.program_name = symbols.program_name();
  file.build_id = symbols.build_id();
  using scheduler::Verdict;
  std::vector<Verdict> with_own_kind;
  const auto add = [&](const std::string& name, Verdict verdict, bool on_behalf) {
    file.handlers.push_back({name, ConstraintsFile::SessionKind::kObject, 0, on_behalf});
    with_own_kind.push_back(verdict);
  };
  for (const auto& [kind, verdict] :
       {std::pair{"free", Verdict::kNever}, {"session", Verdict::kSession}, {"alone", Verdict::kAlways}}) {
    add(std::string("heddle_test_") + kind, verdict, false);
    for (const char* called : kCalled) add(std::string("heddle_test_") + kind + called, verdict, true);
  }
  add("heddle_test_filter", Verdict::kNever, false);
  add("heddle_test_late", Verdict::kAlways, false);
  const std::size_t late = file.handlers.size() - 1;
  add("heddle_test_pinned", Verdict::kNever, false);
  file.handlers.back().pinned_by = "the test";
  constexpr std::size_t kFunctionsOfAKind = 1 + std::size(kCalled);
  for (std::size_t a = 0; a < file.handlers.size(); ++a)
    for (std::size_t b = a; b < file.handlers.size(); ++b) {
      const bool one_kind = a / kFunctionsOfAKind == b / kFunctionsOfAKind;
      file.pairs.push_back({a, b, one_kind ? with_own_kind[a] : Verdict::kNever, {}});
    }
  for (ConstraintsFile::Pair& pair : file.pairs) {
    if (pair.b != late || (pair.a != late && file.handlers[pair.a].name != "heddle_test_alone")) continue;
    pair.verdict = Verdict::kAlways;
    pair.a_starts = pair.a == late ? Verdict::kNever : Verdict::kAlways;
    pair.b_starts = Verdict::kNever;
  }
  Runtime::configure(settings, mode, &file);
}

Pair::Pair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd), 0); }

Pair::~Pair() {
  for (const int end : fd)
    if (end >= 0) close(end);
}

void Pair::send(char byte) const {
  EXPECT_TRUE(eventually([&] { return write(fd[1], &byte, 1) == 1; }));
}

void Pair::drain() const {
  char bytes[256];
  while (read(fd[0], bytes, sizeof bytes) > 0) {
  }
}

}  // namespace heddle::multivent::testing_support
