// The functions of abi.hpp: each takes the recorder's lock and passes on what instrumented code says.
#include <unistd.h>

#include "elyze/oracle/runtime/events.hpp"
#include "elyze/oracle/runtime/process.hpp"

using namespace heddle::oracle;

namespace {

constexpr std::uint16_t kWrites = heddle::schemas::AccessRecord::kWrites;
constexpr std::uint16_t kAtomic = heddle::schemas::AccessRecord::kAtomic;

Address address(const void* pointer) { return reinterpret_cast<Address>(pointer); }

void touch(const void* at, std::uint64_t bytes, std::uint16_t flags, HeddleOracleSite* site) {
  if (!in_handler()) return;
  const Guard guard;
  if (guard) guard.recorder().touch(guard.thread(), address(at), bytes, flags, site);
}

}  // namespace

extern "C" {

void heddle_oracle_unit(const HeddleOracleGlobal* globals, std::uint64_t count) {
  const Guard guard;
  if (guard) guard.recorder().unit(globals, count);
}

void heddle_oracle_loop(const void* base) {
  events::prepare();
  const Guard guard;
  if (!guard) return;
  set_in_handler(false);
  // The caller's frame ends where our return address lies.
  const auto frame = reinterpret_cast<Address>(__builtin_frame_address(0)) + 2 * sizeof(void*);
  guard.recorder().enter_loop(guard.thread(), base, frame);
}

void heddle_oracle_loop_end() {
  const Guard guard;
  if (!guard) return;
  guard.recorder().leave_loop(guard.thread());
  set_in_handler(guard.thread().current() != nullptr);
}

int heddle_oracle_enter(HeddleOracleSite* handler, const void* function, const std::uint64_t* arguments,
                        unsigned count) {
  if (in_handler()) return 0;
  const void* base = nullptr;
  {
    const Guard guard;
    if (!guard || guard.thread().loops.empty()) return 0;
    base = guard.thread().loops.back().base;
  }
  const event* fired = events::running(base);
  const Guard guard;
  if (!guard) return 0;
  Recorder& recorder = guard.recorder();
  if (!recorder.begin(guard.thread(), handler, function, arguments, count, events::cause_of_call(fired))) return 0;
  set_in_handler(true);
  // The loop has read the event in order to call the handler.
  if (events::calls(fired, function)) recorder.touch(guard.thread(), address(fired), sizeof(event), 0, handler);
  return 1;
}

void heddle_oracle_leave() {
  const Guard guard;
  if (!guard) return;
  guard.recorder().end(guard.thread());
  set_in_handler(false);
}

// Called at the late points of a program that was built with --late too. In a serial run nobody has to wait; the
// recorder only notes that the invocation's later accesses are behind a late point.
void multivent_late_enter(std::uint64_t /*point*/) {
  if (!in_handler()) return;
  const Guard guard;
  if (guard) Recorder::pass_late_point(guard.thread());
}

void heddle_oracle_fresh_parameter(const void* function, unsigned index) {
  const Guard guard;
  if (guard) guard.recorder().fresh_parameter(function, index);
}

void heddle_oracle_read(const void* at, std::uint64_t bytes, HeddleOracleSite* site) { touch(at, bytes, 0, site); }
void heddle_oracle_write(const void* at, std::uint64_t bytes, HeddleOracleSite* site) {
  touch(at, bytes, kWrites, site);
}

void heddle_oracle_store(const void* at, std::uint64_t value, HeddleOracleSite* site) {
  if (!in_handler()) return;
  const Guard guard;
  if (!guard) return;
  guard.recorder().touch(guard.thread(), address(at), sizeof value, kWrites, site);
  guard.recorder().stored(guard.thread(), address(at), value);
}

void heddle_oracle_atomic(const void* at, std::uint64_t bytes, int writes, HeddleOracleSite* site) {
  touch(at, bytes, static_cast<std::uint16_t>(kAtomic | (writes ? kWrites : 0)), site);
}

void heddle_oracle_copy(const void* to, const void* from, std::uint64_t bytes, HeddleOracleSite* site) {
  if (!in_handler()) return;
  const Guard guard;
  if (!guard) return;
  Recorder& recorder = guard.recorder();
  recorder.touch(guard.thread(), address(from), bytes, 0, site);
  recorder.touch(guard.thread(), address(to), bytes, kWrites, site);
  recorder.copied(guard.thread(), address(to), address(from), bytes);
}

void heddle_oracle_block_write(const void* at, HeddleOracleSite* site) {
  if (!in_handler()) return;
  const Guard guard;
  if (guard) guard.recorder().touch_block(guard.thread(), address(at), site);
}

void heddle_oracle_hidden(const char* name, int writes, HeddleOracleSite* site) {
  if (!in_handler()) return;
  const Guard guard;
  if (guard) guard.recorder().touch_hidden(guard.thread(), name, writes ? kWrites : 0, site);
}

void heddle_oracle_descriptor(int descriptor, int writes, HeddleOracleSite* site) {
  if (!in_handler()) return;
  const Guard guard;
  if (guard) guard.recorder().touch_file(guard.thread(), descriptor, writes ? kWrites : 0, site);
}

void heddle_oracle_opened(int descriptor, HeddleOracleSite* site) {
  const Guard guard;
  if (guard) guard.recorder().opened(guard.thread(), descriptor, site);
}

void heddle_oracle_opened_at(const int* descriptor, HeddleOracleSite* site) {
  if (descriptor != nullptr) heddle_oracle_opened(*descriptor, site);
}

void heddle_oracle_same_file(int a, int b) {
  const Guard guard;
  if (guard) guard.recorder().same_file(a, b);
}

void heddle_oracle_allocates(HeddleOracleSite* site) {
  const Guard guard;
  if (guard) guard.thread().allocates = site;
}

void heddle_oracle_publish(const void* at) {
  if (!in_handler()) return;
  const Guard guard;
  if (guard) guard.recorder().publish(guard.thread(), address(at));
}

void heddle_oracle_publish_owner(const void* value, std::uint64_t offset) {
  if (!in_handler()) return;
  const Guard guard;
  if (guard) guard.recorder().publish_owner(guard.thread(), address(value), offset);
}

void heddle_oracle_publish_bytes(const void* at, std::uint64_t bytes) {
  if (!in_handler()) return;
  const Guard guard;
  if (guard) guard.recorder().publish_bytes(guard.thread(), address(at), bytes);
}

void heddle_oracle_stored(const void* at, const void* value) {
  if (!in_handler()) return;
  const Guard guard;
  if (guard) guard.recorder().stored(guard.thread(), address(at), address(value));
}

// A descriptor that the program or its libraries close may come back as another open file.
int close(int descriptor) {
  {
    const Guard guard;
    if (guard) guard.recorder().closed(descriptor);
  }
  return static_cast<int>(syscall(3, descriptor));
}

}  // extern "C"
