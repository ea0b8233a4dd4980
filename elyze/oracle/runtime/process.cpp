#include "elyze/oracle/runtime/process.hpp"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <system_error>

#include "schemas/environment.hpp"

namespace heddle::oracle {
namespace {

// Allocation is watched from before the first constructor to after the last destructor: nothing here may need one.
alignas(std::mutex) unsigned char lock_memory[sizeof(std::mutex)];
alignas(Recorder) unsigned char recorder_memory[sizeof(Recorder)];
constinit pthread_once_t made = PTHREAD_ONCE_INIT;

// In the process from its start, so the cheapest model of thread-local storage will do.
[[gnu::tls_model("initial-exec")]] thread_local bool inside = false;
[[gnu::tls_model("initial-exec")]] thread_local bool handler_runs = false;
[[gnu::tls_model("initial-exec")]] thread_local ThreadState* state = nullptr;

// The signal that ends the process as soon as the lock is free. Written by signal handlers before they try to get the
// lock, read by whoever released it. Sequentially consistent on both sides, with a fence between it and the lock:
// either the handler gets the lock, or the holder sees the number.
std::atomic<int> ended_by = 0;
static_assert(std::atomic<int>::is_always_lock_free);
pid_t trace_of = 0;

std::mutex& lock() { return *reinterpret_cast<std::mutex*>(lock_memory); }
Recorder& the_recorder() { return *reinterpret_cast<Recorder*>(recorder_memory); }

void before_fork() {
  inside = true;
  lock().lock();
}

void after_fork_in_parent() {
  lock().unlock();
  inside = false;
}

void after_fork_in_child() {
  if (state != nullptr) the_recorder().after_fork(*state);
  handler_runs = false;
  after_fork_in_parent();
}

void make() {
  new (lock_memory) std::mutex;
  new (recorder_memory) Recorder;
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

int note_own_storage(dl_phdr_info* info, std::size_t, void* data) {
  if (info->dlpi_tls_data == nullptr) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_TLS) continue;
    const auto low = reinterpret_cast<Address>(info->dlpi_tls_data);
    static_cast<ThreadState*>(data)->own_storage.push_back({low, low + info->dlpi_phdr[i].p_memsz});
  }
  return 0;
}

void die_of(int number) {
  std::signal(number, SIG_DFL);  // NOLINT(cert-err33-c): the next line ends the process either way
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(number);
}

// The program has no handler for this signal, so the process ends here; but first the trace gets its end. After a crash
// the trace reaches up to the last invocation that ended.
void on_ending_signal(int number) {
  ended_by.store(number);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  // Whoever holds the lock, this thread or another, ends the process when it is released.
  if (inside || !lock().try_lock()) return;
  inside = true;
  the_recorder().file.finish();
  die_of(number);
}

// Makes the signals that would end the process finish the trace first.
void end_on_signals() {
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGALRM, SIGPIPE, SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) {
    struct sigaction now{};
    if (sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction ours{};
    ours.sa_handler = on_ending_signal;
    sigaction(number, &ours, nullptr);
  }
}

}  // namespace

Guard::Guard() {
  if (inside) return;
  inside = true;
  pthread_once(&made, make);
  lock().lock();
  if (state == nullptr) {
    state = new ThreadState;
    dl_iterate_phdr(note_own_storage, state);
  }
  taken_ = true;
}

Guard::~Guard() {
  if (!taken_) return;
  lock().unlock();
  inside = false;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (const int number = ended_by.load(); number != 0) on_ending_signal(number);
}

Unwatched::Unwatched() : outer_(inside) { inside = true; }
Unwatched::~Unwatched() { inside = outer_; }

Recorder& Guard::recorder() const { return the_recorder(); }
ThreadState& Guard::thread() const { return *state; }

bool in_handler() { return handler_runs; }
void set_in_handler(bool running) { handler_runs = running; }

namespace process {

bool open_trace(TraceFile& file) {
  const char* named = std::getenv(schemas::environment::kAccesses);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  std::string path =
      named != nullptr && *named != '\0' ? named : program_invocation_short_name + std::string(".accesses");
  const std::string id = std::to_string(getpid());
  if (const std::size_t at = path.find("%p"); at != std::string::npos) {
    path.replace(at, 2, id);
  } else if (trace_of != 0 && trace_of != getpid()) {
    path += "." + id;
  }
  trace_of = getpid();
  if (!file.open(path.c_str())) {
    std::fprintf(stderr, "heddle: %s: %s: no accesses are recorded\n", path.c_str(),
                 std::generic_category().message(errno).c_str());
    return false;
  }
  end_on_signals();
  return true;
}

std::string program() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : program_invocation_name;
}

std::string build_id() {
  std::string id = "none";
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          if (part.p_type != PT_NOTE) continue;
          // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers
          const char* at = reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr);
          const char* const end = at + part.p_memsz;
          while (at + sizeof(ElfW(Nhdr)) <= end) {
            ElfW(Nhdr) note;
            std::memcpy(&note, at, sizeof note);
            at += sizeof note;
            const char* name = at;
            at += (std::size_t{note.n_namesz} + 3) / 4 * 4;
            const char* content = at;
            at += (std::size_t{note.n_descsz} + 3) / 4 * 4;
            if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || std::memcmp(name, "GNU", 4) != 0) continue;
            std::string& text = *static_cast<std::string*>(data);
            text.clear();
            for (std::size_t byte = 0; byte < note.n_descsz; ++byte) {
              char digits[3];
              std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(content[byte]));
              text += digits;
            }
          }
        }
        return 1;  // the first is the program
      },
      &id);
  return id;
}

[[gnu::destructor]] void at_exit() {
  const Guard guard;
  if (guard) guard.recorder().finish(guard.thread());
}

}  // namespace process
}  // namespace heddle::oracle

extern "C" {

// _exit() ends the process without running destructors, so the trace must be finished here.
[[gnu::noreturn]] void _exit(int status) {
  {
    const heddle::oracle::Guard guard;
    if (guard) guard.recorder().finish(guard.thread());
  }
  for (;;) syscall(SYS_exit_group, status);
}

[[gnu::noreturn]] void _Exit(int status) { _exit(status); }

}  // extern "C"
