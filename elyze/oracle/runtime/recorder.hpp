// Records which invocation runs, what it touches, and which of its objects other invocations can know.
//
// A program under the oracle runs its handlers one after the other, on any event library: an invocation begins where
// instrumented code is entered from inside a call of the event loop, and ends where that function returns. Whatever the
// handler's own calls call back belongs to the same invocation.
//
// Two facts about order are kept, because without them every session would seem to be fought over while it is made:
//   - what an invocation allocates is private to it until a pointer to it is stored in memory that is not private, or
//     it is handed to a library call that publishes it. Accesses before that are not recorded.
//   - an event that was not pending is due only after it was added. The invocation of its handler gets the one that
//     added it as parent, with the step in which it did so.
//
// All of it is under one lock, taken in the functions of abi.hpp; nothing here takes it.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "elyze/oracle/runtime/blocks.hpp"
#include "elyze/oracle/runtime/touched.hpp"
#include "elyze/oracle/runtime/trace_file.hpp"

namespace heddle::oracle {

// What made an event due: an invocation, up to and including one of its steps.
struct Cause {
  std::uint32_t invocation = 0;
  std::uint32_t step = 0;
};

struct Invocation {
  std::uint32_t id = 0;
  std::uint32_t step = 0;
  bool late = false;                // has been at a late point
  std::vector<Address> own_blocks;  // allocated by it
  Touched touched;
};

// One call of the event loop, and inside it a handler or none.
struct Loop {
  const void* base = nullptr;
  Address stack_end = 0;  // the stack below this belongs to the loop's call
  std::unique_ptr<Invocation> running;
};

struct AddressRange {
  Address low;
  Address high;
};

struct ThreadState {
  std::vector<Loop> loops;
  std::vector<AddressRange> own_storage;  // thread-local variables
  HeddleOracleSite* allocates = nullptr;
  Invocation* current() const { return loops.empty() ? nullptr : loops.back().running.get(); }
};

class Recorder {
 public:
  Blocks blocks;
  TraceFile file;

  void enter_loop(ThreadState& thread, const void* base, Address stack_end);
  void leave_loop(ThreadState& thread);
  bool begin(ThreadState& thread, HeddleOracleSite* handler, const void* function, const std::uint64_t* arguments,
             unsigned count, const Cause& cause);
  void end(ThreadState& thread);

  void touch(ThreadState& thread, Address at, std::uint64_t bytes, std::uint16_t flags, HeddleOracleSite* site);
  void touch_block(ThreadState& thread, Address at, HeddleOracleSite* site);
  void touch_hidden(ThreadState& thread, const char* name, std::uint16_t flags, HeddleOracleSite* site);
  void touch_file(ThreadState& thread, int descriptor, std::uint16_t flags, HeddleOracleSite* site);

  void allocated(ThreadState& thread, Address at, std::uint64_t bytes, bool may_be_private);
  void freed(Address at);
  void unmapped(Address at, std::uint64_t bytes);
  void opened(ThreadState& thread, int descriptor, HeddleOracleSite* site);
  void closed(int descriptor);
  void same_file(int a, int b);
  void unit(const HeddleOracleGlobal* globals, std::uint64_t count);
  void fresh_parameter(const void* function, unsigned index);

  void stored(ThreadState& thread, Address at, Address value);
  void copied(ThreadState& thread, Address to, Address from, std::uint64_t bytes);
  void publish(ThreadState& thread, Address value);
  void publish_owner(ThreadState& thread, Address value, std::uint64_t offset);
  void publish_bytes(ThreadState& thread, Address at, std::uint64_t bytes);
  // The running invocation is at a late point.
  static void pass_late_point(ThreadState& thread);
  // The running invocation makes an event due: returns its step as the cause, and begins the next step.
  Cause depart(ThreadState& thread);

  // In a child process: nothing of the parent's trace is ours, and what it ran has ended here.
  void after_fork(ThreadState& thread);
  void finish(ThreadState& thread);

 private:
  struct OpenFile {
    std::uint32_t id = 0;
    std::uint32_t made_by = 0;
    std::uint32_t written_in = 0;
    HeddleOracleSite* site = nullptr;
  };
  struct HiddenState {
    std::uint32_t id = 0;
    std::uint32_t written_in = 0;
  };
  struct UnitRecord {
    const HeddleOracleGlobal* globals;
    std::uint64_t count;
  };

  bool is_own_stack(const ThreadState& thread, Address at) const;
  void emit(Invocation& invocation);
  void describe(HeddleOracleSite* site);
  void describe(Block& block);
  void open_file();
  OpenFile& file_of(int descriptor);
  void add(Invocation& invocation, const Touch& touch);

  std::uint32_t next_object_ = 1;
  std::uint32_t next_invocation_ = 1;
  std::uint32_t next_site_ = 1;
  std::vector<HeddleOracleSite*> sites_;  // described in the open trace
  std::vector<UnitRecord> units_;
  std::unordered_map<int, OpenFile> files_;
  std::unordered_map<std::string, HiddenState> hidden_;
  std::unordered_multimap<const void*, unsigned> fresh_parameters_;
  std::unique_ptr<Invocation> spare_;
};

}  // namespace heddle::oracle
