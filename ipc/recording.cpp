#include "ipc/recording.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "ipc/raw.hpp"

namespace heddle::ipc {

State* state = nullptr;
constinit Costs costs;

namespace {

constexpr std::size_t kLongestPath = 1024;
constexpr std::size_t kBytes = schemas::kIpcChannels + std::size_t{kMostChannels} * sizeof(Slot);
constexpr std::uint64_t kBookkeeping_ns = 60;  // of a call that is counted, beside the clocks
constexpr std::uint64_t kCpuEvery_ns = 20'000'000;

constinit char folder[kLongestPath] = {};
// The mapping that a child of fork() has from its parent. Written when a file is begun.
constinit File* mapped = nullptr;
constinit std::size_t mapped_bytes = 0;
constinit bool forked = false;

// Text for names of files, without the C library.
class Line {
 public:
  Line& operator<<(const char* text) {
    while (*text != 0 && used_ < sizeof text_ - 1) text_[used_++] = *text++;
    text_[used_] = 0;
    return *this;
  }
  Line& operator<<(std::uint64_t number) {
    char digits[21] = {};
    char* at = digits + sizeof digits - 1;
    do *--at = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    return *this << at;
  }
  const char* text() const { return text_; }
  std::size_t bytes() const { return used_; }

 private:
  char text_[2 * kLongestPath] = {};
  std::size_t used_ = 0;
};

int create(std::uint32_t pid) {
  for (std::uint64_t number = 0;; ++number) {
    Line name;
    name << folder << "/" << std::uint64_t{pid} << "-" << number;
    const long got = raw(SYS_openat, AT_FDCWD, name.text(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (got != -EEXIST) return static_cast<int>(got);
  }
}

// As many bytes as the file may have, if that is enough for a channel at least.
std::size_t allowed_bytes() {
  rlimit limit{};
  if (raw(SYS_prlimit64, 0, RLIMIT_FSIZE, nullptr, &limit) != 0 || limit.rlim_cur >= kBytes) return kBytes;
  return limit.rlim_cur < schemas::kIpcChannels + sizeof(Slot) ? 0 : static_cast<std::size_t>(limit.rlim_cur);
}

void read_into(const char* path, char* to, std::size_t most) {
  const long descriptor = raw(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  std::size_t done = 0;
  while (done < most) {
    const long got = raw(SYS_read, descriptor, to + done, most - done);
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  raw(SYS_close, descriptor);
}

void describe(File& made, std::uint32_t pid) {
  IpcProcess& process = made.process;
  process.pid = pid;
  process.parent = static_cast<std::uint32_t>(raw(SYS_getppid));
  process.user = static_cast<std::uint32_t>(raw(SYS_geteuid));
  process.flags = forked ? IpcProcess::kForked : 0;
  process.start_ns = clock_ns(CLOCK_MONOTONIC);
  process.sample_ns = 2 * costs.clock_ns;
  process.call_ns = 2 * costs.now_ns + kBookkeeping_ns;
  process.unseen = costs.unseen;
  char* at = made.text;
  const long length = raw(SYS_readlink, "/proc/self/exe", at, std::size_t{1024});
  if (length > 0) at += length;
  ++at;
  read_into("/proc/self/cmdline", at, sizeof made.text - static_cast<std::size_t>(at - made.text) - 1);
  // Last: a file without it is not whole.
  std::memcpy(process.magic, schemas::kIpcMagic, sizeof process.magic);
}

File* begin() {
  const auto pid = static_cast<std::uint32_t>(raw(SYS_getpid));
  const std::size_t bytes = allowed_bytes();
  const int descriptor = bytes == 0 ? -1 : create(pid);
  void* memory = MAP_FAILED;
  if (descriptor >= 0) {
    if (raw(SYS_ftruncate, descriptor, bytes) == 0)
      memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    raw(SYS_close, descriptor);
  }
  if (mapped != nullptr) {
    if (memory == MAP_FAILED) add(mapped->process.unseen_children, 1);
    munmap(mapped, mapped_bytes);
    mapped = nullptr;
  }
  if (memory == MAP_FAILED) return nullptr;
  if (!has_memory(memory, sizeof(File))) {
    munmap(memory, bytes);
    return nullptr;
  }
  mapped = static_cast<File*>(memory);
  mapped_bytes = bytes;
  state->pid = pid;
  state->room = static_cast<std::uint32_t>((bytes - schemas::kIpcChannels) / sizeof(Slot));
  describe(*mapped, pid);
  forked = true;  // whoever begins another one here is a child
  return mapped;
}

// The least of several: what is more was an interruption.
template <class Read>
std::uint64_t cost_of(Read read) {
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < 33; ++i) {
    const std::uint64_t first = read();
    least = std::min(least, read() - first);
  }
  return least;
}

// What two readings of the clock on the wall add to a system call between them. More than one reading takes by itself:
// the processor does not run ahead across it.
std::uint64_t cost_around_a_call() {
  constexpr int kTimes = 9;
  constexpr int kCalls = 16;
  std::uint64_t costs_found[kTimes];
  for (std::uint64_t& found : costs_found) {
    const std::uint64_t began = now_ns();
    for (int i = 0; i < kCalls; ++i) raw(SYS_getppid);
    const std::uint64_t plain = now_ns() - began;
    std::uint64_t timed = 0;
    for (int i = 0; i < kCalls; ++i) {
      const std::uint64_t before = now_ns();
      raw(SYS_getppid);
      timed += now_ns() - before;
    }
    found = timed > plain ? (timed - plain) / kCalls : 0;
  }
  std::nth_element(costs_found, costs_found + kTimes / 2, costs_found + kTimes);
  return costs_found[kTimes / 2];
}

// In a child of fork(): whose memory this is.
void note_fork() { state->pid = static_cast<std::uint32_t>(raw(SYS_getpid)); }

}  // namespace

bool prepare(const char* where) {
  if (std::strlen(where) + 64 > sizeof folder) return false;
  std::memcpy(folder, where, std::strlen(where) + 1);
  void* const memory = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  if (madvise(memory, sizeof(State), MADV_WIPEONFORK) != 0) return false;
  state = static_cast<State*>(memory);
  note_fork();
  if (pthread_atfork(nullptr, nullptr, note_fork) != 0) return false;
  costs.clock_ns = cost_of([] { return clock_ns(CLOCK_THREAD_CPUTIME_ID); });
  costs.now_ns = cost_around_a_call();
  return true;
}

File* begin_if_needed() {
  // A child of vfork() in the memory of a process that has no file yet has nothing to record here.
  if (state->pid != 0 && !is_own()) return nullptr;
  State::Stage stage = State::Stage::kNew;
  // Not twice, also not in a signal handler that interrupts this. Who comes meanwhile goes without.
  if (!state->stage.compare_exchange_strong(stage, State::Stage::kBeginning, std::memory_order_acquire)) return nullptr;
  File* const made = begin();
  state->file.store(made, std::memory_order_relaxed);
  // For file(): who sees it sees the file, and what stands in it.
  state->stage.store(made != nullptr ? State::Stage::kThere : State::Stage::kFailed, std::memory_order_release);
  return made;
}

bool has_memory(const void* at, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(at) & ~std::uintptr_t{4095};
  const auto end = (reinterpret_cast<std::uintptr_t>(at) + bytes + 4095) & ~std::uintptr_t{4095};
  const long result = raw(SYS_madvise, first, end - first, MADV_POPULATE_WRITE);
  return result == 0 || result == -EINVAL;  // a kernel before 5.14 cannot say
}

bool is_own() { return static_cast<std::uint32_t>(raw(SYS_getpid)) == state->pid; }

void note_end(std::uint32_t flag) {
  File* const of = flag == IpcProcess::kEnded ? file() : state->file.load(std::memory_order_relaxed);
  if (of == nullptr || !is_own()) return;
  note_cpu(*of, true);
  mark(of->process.flags, flag);
  set(of->process.end_ns, clock_ns(CLOCK_MONOTONIC));
}

void note_failed_exec() {
  File* const of = state->file.load(std::memory_order_relaxed);
  if (of == nullptr || !is_own()) return;
  std::atomic_ref(of->process.flags).fetch_and(~IpcProcess::kExecuted, std::memory_order_relaxed);
  set(of->process.end_ns, 0);
}

void note_line(const char* file, const char* text) {
  Line name;
  name << folder << "/" << file;
  Line line;
  line << text << "\n";
  const long descriptor = raw(SYS_openat, AT_FDCWD, name.text(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) return;
  raw(SYS_write, descriptor, line.text(), line.bytes());
  raw(SYS_close, descriptor);
}

void note_program(const char* path) {
  Line said;
  said << static_cast<std::uint64_t>(raw(SYS_getpid)) << " " << clock_ns(CLOCK_MONOTONIC) << " "
       << (path != nullptr ? path : "");
  note_line("programs", said.text());
}

void note_cpu(File& of, bool now) {
  // The last time is nowhere kept: that the processor time is behind by less than the pause costs nothing but accuracy.
  thread_local std::uint64_t last = 0;
  const std::uint64_t moment = about_now_ns();
  if (!now && moment - last < kCpuEvery_ns) return;
  last = moment;
  set(of.process.cpu_ns, clock_ns(CLOCK_PROCESS_CPUTIME_ID));
}

}  // namespace heddle::ipc
