#include "telemetry/live.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <system_error>
#include <utility>

#include "base/on_exit.hpp"
#include "base/unsignalled.hpp"
#include "schemas/agreements.hpp"
#include "telemetry/say.hpp"

namespace heddle::telemetry {

namespace {

// Posted by the signal handler, by stop(); waited for by the thread.
sem_t& wake() {
  static sem_t semaphore;
  static const int made = sem_init(&semaphore, 0, 0);
  static_cast<void>(made);
  return semaphore;
}

// Set by the signal handler, cleared by the thread. Relaxed, because the semaphore orders the two.
std::atomic<bool> summary_wanted{false};
// Set by stop() (release), read by serve() on the thread (acquire). A summary that is under way may still end.
std::atomic<bool> stopped{false};

// Set before the handler is installed, then constant.
std::atomic<pid_t> owner{0};

void set_usual_action() {
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  sigemptyset(&usual.sa_mask);
  sigaction(SIGUSR1, &usual, nullptr);
}

// The parent of a process, or 0 if there is none any more. proc_pid_stat(5): the name is in parentheses, then come the
// state and the parent. For signal handlers.
pid_t parent_of(pid_t process) {
  constexpr char kBefore[] = "/proc/";
  constexpr char kBehind[] = "/stat";
  char path[32];
  char* first = path + sizeof path - sizeof kBehind;
  std::memcpy(first, kBehind, sizeof kBehind);
  for (pid_t rest = process; rest > 0; rest /= 10) *--first = static_cast<char>('0' + rest % 10);
  first -= sizeof kBefore - 1;
  std::memcpy(first, kBefore, sizeof kBefore - 1);
  char text[512];
  const int fd = open(first, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  if (size <= 0) return 0;
  text[size] = 0;
  const char* at = std::strrchr(text, ')');
  if (at == nullptr || std::strlen(at) < 5) return 0;
  pid_t parent = 0;
  for (at += 4; *at >= '0' && *at <= '9'; ++at) parent = parent * 10 + (*at - '0');
  return parent;
}

// The program itself has sent the signal, or what it has started: it does not ask for a summary.
bool is_of_the_program(const siginfo_t& info) {
  if (info.si_code != SI_USER) return true;
  constexpr int kGenerations = 64;
  pid_t process = info.si_pid;
  for (int i = 0; process > 1 && i < kGenerations; ++i, process = parent_of(process))
    if (process == getpid()) return true;
  return false;
}

void on_signal(int number, siginfo_t* info, void* /*context*/) {
  const int saved = errno;
  if (getpid() == owner.load(std::memory_order_relaxed) && !is_of_the_program(*info)) {
    summary_wanted.store(true, std::memory_order_relaxed);
    sem_post(&wake());
  } else {
    // Or in a child that has not come to give_signal_back() yet: the signal does what it does in any process.
    set_usual_action();
    raise(number);
  }
  errno = saved;
}

// The program's own handler, if it sets one, replaces ours.
void take_signal() {
  struct sigaction present{};
  if (sigaction(SIGUSR1, nullptr, &present) != 0 || (present.sa_flags & SA_SIGINFO) || present.sa_handler != SIG_DFL)
    return;
  struct sigaction ours{};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_RESTART | SA_SIGINFO;
  sigemptyset(&ours.sa_mask);
  sigaction(SIGUSR1, &ours, nullptr);
}

std::string file_in(const std::string& folder, const char* suffix) {
  return folder + "/" + std::to_string(getpid()) + suffix;
}

}  // namespace

Live::Live(std::string folder, std::function<std::string()> summary, std::function<std::string()> document,
           Thread thread)
    : folder_(std::move(folder)), summary_(std::move(summary)), document_(std::move(document)), owner_(getpid()) {
  // What a parent's thread left.
  stopped.store(false, std::memory_order_relaxed);
  summary_wanted.store(false, std::memory_order_relaxed);
  sem_init(&wake(), 0, 0);
  owner.store(owner_, std::memory_order_relaxed);
  take_signal();  // before there is a document, which says that the signal is answered
  if (thread == Thread::kWhenAsked) return;
  try {
    start();
  } catch (const std::system_error&) {
    give_signal_back();
    throw;
  }
}

void Live::start() {
  State none = State::kNone;
  if (!state_.compare_exchange_strong(none, State::kStarting, std::memory_order_relaxed)) return;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const base::OnExit put_back([&] { pthread_sigmask(SIG_SETMASK, &before, nullptr); });
  thread_ = std::thread([this] { serve(); });
  pthread_setname_np(thread_.native_handle(), "heddle-live");
  state_.store(State::kServes, std::memory_order_release);
}

void Live::look(bool for_good) {
  if (state_.load(std::memory_order_relaxed) != State::kNone || getpid() != owner_) return;
  if (for_good || summary_wanted.load(std::memory_order_relaxed) || asked()) {
    try {
      start();
    } catch (const std::system_error&) {
      return;  // no more threads can be made: the program comes first, and nobody tries again
    }
  } else if (!folder_.empty() && !has_document_.exchange(true, std::memory_order_relaxed)) {
    write_document();
  }
}

namespace {

// System calls on descriptors take longer in a process whose threads share their table, even where the other thread
// sleeps. This one needs none of the program's descriptors but standard error, as it was when the loop began, and opens
// its own files.
void leave_descriptors() {
  if (close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_UNSHARE) != 0) return;  // Linux before 5.9
  close_range(0, STDERR_FILENO - 1, 0);
}

}  // namespace

void Live::serve() {
  leave_descriptors();
  if (!folder_.empty()) write_document();
  while (!stopped.load(std::memory_order_acquire)) {
    timespec until{};
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 1;
    while (sem_clockwait(&wake(), CLOCK_MONOTONIC, &until) != 0 && errno == EINTR) {
    }
    if (stopped.load(std::memory_order_acquire)) return;
    if (summary_wanted.exchange(false, std::memory_order_relaxed)) say(summary_());
    if (asked()) write_document();
  }
}

bool Live::asked() const {
  if (folder_.empty()) return false;
  struct stat file{};
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return stat(file_in(folder_, schemas::live::kAskedSuffix).c_str(), &file) == 0 &&
         now.tv_sec - file.st_mtim.tv_sec < static_cast<time_t>(schemas::live::kAskedForS);
}

// Readers see the old document or the new one. Where it cannot be written there is none: the program comes first.
void Live::write_document() const {
  const std::string text = document_();
  const std::string unfinished = file_in(folder_, ".new");
  const base::Unsignalled unsignalled;
  const int fd = open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(fd, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  close(fd);
  const bool whole = done == text.size();
  if (!whole || std::rename(unfinished.c_str(), file_in(folder_, schemas::live::kDocumentSuffix).c_str()) != 0)
    unlink(unfinished.c_str());
}

void Live::stop() {
  if (getpid() != owner_) return;
  finish();
  if (state_.load(std::memory_order_acquire) == State::kServes && thread_.joinable()) thread_.detach();
}

void Live::finish() {
  stopped.store(true, std::memory_order_release);
  sem_post(&wake());
  if (folder_.empty()) return;
  for (const char* suffix : {schemas::live::kDocumentSuffix, schemas::live::kAskedSuffix})
    unlink(file_in(folder_, suffix).c_str());
}

bool Live::has_put(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == on_signal;
}

void Live::end() {
  if (getpid() != owner_) return;
  finish();
  if (state_.load(std::memory_order_acquire) == State::kServes && thread_.joinable()) thread_.join();
  give_signal_back();
}

void Live::give_signal_back() {
  struct sigaction present{};
  if (sigaction(SIGUSR1, nullptr, &present) != 0) return;
  // A program that we are preloaded into is shown the default action in place of ours, and so are we.
  if (has_put(present) || (!(present.sa_flags & SA_SIGINFO) && present.sa_handler == SIG_DFL)) set_usual_action();
}

}  // namespace heddle::telemetry
