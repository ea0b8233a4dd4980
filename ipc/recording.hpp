// What is recorded of this process, in a file that is mapped and so outlives it (schemas/contracts/ipc.toml).
//
// A process that forks goes on in its file; its child finds the memory here full of zeros (MADV_WIPEONFORK) and begins
// a file of its own at its first call that matters. A child of vfork() runs in its parent's memory: what it does to its
// own descriptors may make us forget what the parent's are, which costs a look, and nothing else is done for it.
//
// Everything here may be called in a signal handler and by any thread: no locks, no allocation, no errno.
#pragma once

#include <sys/single_threaded.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "schemas/ipc_record.hpp"

namespace heddle::ipc {

using schemas::IpcChannel;
using schemas::IpcKind;
using schemas::IpcMeter;
using schemas::IpcMeterKind;
using schemas::IpcProcess;

// A channel in the file.
struct Slot {
  IpcChannel about;
  IpcMeter meters[5];
  char local[schemas::kIpcNameBytes];
  char remote[schemas::kIpcNameBytes];

  IpcMeter& meter(IpcMeterKind kind) { return meters[static_cast<std::uint32_t>(kind)]; }
};
static_assert(sizeof(Slot) == schemas::kIpcChannelBytes);
static_assert(offsetof(Slot, meters) == schemas::kIpcMetersOfChannel);
static_assert(offsetof(Slot, local) == schemas::kIpcNames);

struct File {
  IpcProcess process;
  char gap[schemas::kIpcMetersOfProcess - sizeof(IpcProcess)];
  IpcMeter idle;       // polls that found nothing
  IpcMeter unclaimed;  // polls after which no channel was used
  char more[schemas::kIpcText - schemas::kIpcMetersOfProcess - 2 * sizeof(IpcMeter)];
  char text[schemas::kIpcChannels - schemas::kIpcText];

  // As many as IpcProcess says.
  Slot* slots() { return reinterpret_cast<Slot*>(reinterpret_cast<char*>(this) + sizeof(File)); }
};
static_assert(offsetof(File, idle) == schemas::kIpcMetersOfProcess);
static_assert(offsetof(File, text) == schemas::kIpcText);
static_assert(sizeof(File) == schemas::kIpcChannels);

// Fields of the file are written by all threads of the process and read by `heddle ipc record` at any time. Nothing
// follows from one about another, but for IpcProcess::channels, which says how many slots are in use.
inline void add(std::uint64_t& field, std::uint64_t more) {
  // A signal handler may interrupt, but not within an instruction; so one thread needs no lock, which costs ten times
  // as much.
  if (__libc_single_threaded != 0)
    asm volatile("addq %1, %0" : "+m"(field) : "er"(more) : "cc");
  else
    std::atomic_ref(field).fetch_add(more, std::memory_order_relaxed);
}
inline void set(std::uint64_t& field, std::uint64_t value) {
  std::atomic_ref(field).store(value, std::memory_order_relaxed);
}
inline std::uint64_t get(std::uint64_t& field) { return std::atomic_ref(field).load(std::memory_order_relaxed); }
inline void add(IpcMeter& to, IpcMeter& from) {
  add(to.calls, get(from.calls));
  add(to.bytes, get(from.bytes));
  add(to.short_calls, get(from.short_calls));
  add(to.short_ns, get(from.short_ns));
  add(to.samples, get(from.samples));
  add(to.weight, get(from.weight));
  add(to.time_ns, get(from.time_ns));
  add(to.square, get(from.square));
  add(to.blocked, get(from.blocked));
}
inline void mark(std::uint32_t& flags, std::uint32_t flag) {
  if ((std::atomic_ref(flags).load(std::memory_order_relaxed) & flag) == 0)
    std::atomic_ref(flags).fetch_or(flag, std::memory_order_relaxed);
}

inline constexpr std::uint32_t kMostDescriptors = 65536;  // higher ones are looked at for each call
inline constexpr std::uint32_t kMostChannels = 65536;
inline constexpr std::uint32_t kPlaces = 2 * kMostChannels;  // of the table below

// Zeros in a child after fork().
struct State {
  enum class Stage : std::uint8_t { kNew = 0, kBeginning = 1, kThere = 2, kFailed = 3 };
  std::atomic<Stage> stage;
  std::uint32_t pid;
  std::atomic<File*> file;
  std::uint32_t room;  // slots that fit into the file
  std::atomic<std::uint32_t> addressed_calls;
  std::atomic<std::uint32_t> polls;
  // What descriptors are: 0 not known, 1 no channel, 2 a datagram socket without a peer, else slot + 3. Every thread
  // writes and reads; what is read may be out of date if another thread closes the descriptor, as the call may be.
  std::atomic<std::uint32_t> descriptors[kMostDescriptors];
  // Slots by their key, open addressing: 0 none, else slot + 1.
  std::atomic<std::uint32_t> places[kPlaces];
};

// Set before the program starts, then constant.
extern State* state;

// Costs of looking at clocks, and functions of the C library that are not followed.
struct Costs {
  std::uint64_t clock_ns = 0;  // of CLOCK_THREAD_CPUTIME_ID itself
  std::uint64_t now_ns = 0;    // of CLOCK_MONOTONIC
  std::uint64_t unseen = 0;
};
extern Costs costs;

// Makes ready to record into `folder`; false if that cannot be.
bool prepare(const char* folder);

// The file of this process, which is begun if need be; null if there can be none.
File* begin_if_needed();
inline File* file() {
  if (state->stage.load(std::memory_order_acquire) == State::Stage::kThere)
    return state->file.load(std::memory_order_relaxed);
  return begin_if_needed();
}

// Whether this part of the file can be written. Where it lies may have no room left, and to write would then end the
// process (SIGBUS).
bool has_memory(const void* at, std::size_t bytes);

// Whether this is the process that has begun the file, not a child of vfork() in its memory. A system call.
bool is_own();

// The process ends, or calls another program, or could not.
void note_end(std::uint32_t flag);
void note_failed_exec();

// Appends a line to a file of the folder that is there already. Any process may do so.
void note_line(const char* file, const char* text);

// Notes that the calling process, which may be a child of vfork(), calls another program; null: it could not.
void note_program(const char* path);

// Brings the process's processor time up to date, if that was not done lately.
void note_cpu(File& of, bool now);

}  // namespace heddle::ipc
