#include "multivent/core/crew_fixture.hpp"

#include <fcntl.h>

namespace heddle::multivent::testing_support {

namespace {

void run(Kind kind, evutil_socket_t fd, short what, void* argument) {
  auto* call = static_cast<Call*>(argument);
  oracle().enter(kind, argument);
  // A call may free itself.
  const auto function = call->run;
  if (function) function(fd, what);
  oracle().leave(kind, argument);
}

}  // namespace

extern "C" {
// External, so that the symbol table names them as the constraints do.
void heddle_test_free(evutil_socket_t fd, short what, void* argument) { run(kFree, fd, what, argument); }
void heddle_test_session(evutil_socket_t fd, short what, void* argument) { run(kSession, fd, what, argument); }
void heddle_test_alone(evutil_socket_t fd, short what, void* argument) { run(kAlone, fd, what, argument); }
void heddle_test_unknown(evutil_socket_t fd, short what, void* argument) { run(kUnknown, fd, what, argument); }
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
    case kUnknown:
      break;
  }
  return heddle_test_unknown;
}

void configure(Threads threads, scheduler::Promotion promotion) {
  Settings settings;
  settings.threads = threads;
  settings.statistics = true;
  settings.promotion = promotion;
  if (threads.most == 1) settings.why_serial = "the test says so";
  ConstraintsFile file;
  file.path = "test";
  const Symbols symbols = Symbols::of_this_process();
  file.program_name = symbols.program_name();
  file.build_id = symbols.build_id();
  for (const char* name : {"heddle_test_free", "heddle_test_session", "heddle_test_alone"})
    file.handlers.push_back({name, ConstraintsFile::SessionKind::kObject, 0});
  using scheduler::Verdict;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a; b < 3; ++b) file.pairs.push_back({a, b, Verdict::kNever, {}});
  for (ConstraintsFile::Pair& pair : file.pairs) {
    if (pair.a == kSession && pair.b == kSession) pair.verdict = Verdict::kSession;
    if (pair.a == kAlone && pair.b == kAlone) pair.verdict = Verdict::kAlways;
  }
  Runtime::configure(settings, file);
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
