// What instrumented code calls: the pass (elyze/oracle/pass) writes the calls, the runtime (elyze/oracle/runtime)
// records what they say. Both sides are compiled from this file, so that they cannot drift apart.
//
// Every function may be called at any time, from any thread, also before main; outside an invocation of a handler the
// functions that log accesses return at once. An address is the program's own and is never kept beyond the call.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// A place in the source that accesses memory, or a handler. The pass makes one for each distinct place.
struct HeddleOracleSite {
  const char* function;
  const char* file;
  const char* object;  // what is accessed there, as the source names it, such as client->state; may be empty
  std::uint32_t line;
  std::uint32_t id;  // 0 until the runtime writes the place into the trace
};

struct HeddleOracleGlobal {
  const void* address;
  std::uint64_t size;
  const char* name;
  const char* file;
  std::uint64_t line;
};

// A unit of the program was loaded, with these variables.
void heddle_oracle_unit(const HeddleOracleGlobal* globals, std::uint64_t count);

// Around a call of the event loop. The first argument of the call, if it is a pointer, is the base.
void heddle_oracle_loop(const void* base);
void heddle_oracle_loop_end();
// At the start of every function that other code may call by its address, with its arguments (the first six) as
// numbers. If the caller is the event loop, this is an invocation of a handler; it ends with heddle_oracle_leave.
// Returns whether that is so.
int heddle_oracle_enter(HeddleOracleSite* handler, const void* function, const std::uint64_t* arguments,
                        unsigned count);
void heddle_oracle_leave();
// A rarely taken path is entered: elyze/plugin writes this call.
void multivent_late_enter(std::uint64_t point);
// The library makes what `function` gets in parameter `index` anew for each invocation.
void heddle_oracle_fresh_parameter(const void* function, unsigned index);

void heddle_oracle_read(const void* at, std::uint64_t bytes, HeddleOracleSite* site);
void heddle_oracle_write(const void* at, std::uint64_t bytes, HeddleOracleSite* site);
// Eight bytes, which may be a pointer.
void heddle_oracle_store(const void* at, std::uint64_t value, HeddleOracleSite* site);
void heddle_oracle_atomic(const void* at, std::uint64_t bytes, int writes, HeddleOracleSite* site);
void heddle_oracle_copy(const void* to, const void* from, std::uint64_t bytes, HeddleOracleSite* site);

// What functions outside the program do, by their specs.
void heddle_oracle_block_write(const void* at, HeddleOracleSite* site);
void heddle_oracle_hidden(const char* name, int writes, HeddleOracleSite* site);
void heddle_oracle_descriptor(int descriptor, int writes, HeddleOracleSite* site);
void heddle_oracle_opened(int descriptor, HeddleOracleSite* site);
void heddle_oracle_opened_at(const int* descriptor, HeddleOracleSite* site);
void heddle_oracle_same_file(int a, int b);
// What the next allocation of this thread is for.
void heddle_oracle_allocates(HeddleOracleSite* site);
// From here on other invocations may find, in the order of the functions: what `at` points to; the block that holds
// `value` at byte `offset`; whatever pointers in the bytes from `at` on point to; and what `value` points to, if `at`,
// where a library has stored it, is memory that others know.
void heddle_oracle_publish(const void* at);
void heddle_oracle_publish_owner(const void* value, std::uint64_t offset);
void heddle_oracle_publish_bytes(const void* at, std::uint64_t bytes);
void heddle_oracle_stored(const void* at, const void* value);
}
