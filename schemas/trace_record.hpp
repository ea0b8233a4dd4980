// The record of a trace file: one finished invocation of one handler.
//
// Writers: multivent/stats. Readers: python/heddle/trace.py (numpy maps the records). Both take the layout from the
// drawing below; a test on each side checks it. The file around the records is described in trace.schema.json.
//
//   byte  0  ready_ns    when the invocation became due           (CLOCK_MONOTONIC, nanoseconds, as all times)
//         8  start_ns    when its handler was entered
//        16  end_ns      when its handler returned
//        24  cpu_ns      processor time of the handler, 0 if it was not measured
//        32  session     start address of the session object, 0 for none
//        40  sequence    order in which invocations became due, from 1
//        48  handler     index in the header's handler list, kNone if it is not there
//        52  waited_for  handler that held it back longest before it started, kNone if nothing did
//        56  late_us     microseconds between start and end that it waited at a late point, for others to end
//        60  thread      0 is the thread that entered the loop first
//        62  what        the event's flags as libevent passes them (EV_READ ...)
//        63  flags       bit 0: ran alone because it is unknown; bit 1: got to a late point
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::schemas {

struct TraceRecord {
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::uint8_t kUnknownHandler = 1;
  static constexpr std::uint8_t kGotToLatePoint = 2;

  std::uint64_t ready_ns;
  std::uint64_t start_ns;
  std::uint64_t end_ns;
  std::uint64_t cpu_ns;
  std::uint64_t session;
  std::uint64_t sequence;
  std::uint32_t handler;
  std::uint32_t waited_for;
  std::uint32_t late_us;
  std::uint16_t thread;
  std::uint8_t what;
  std::uint8_t flags;
};

static_assert(sizeof(TraceRecord) == 64);
static_assert(offsetof(TraceRecord, handler) == 48 && offsetof(TraceRecord, flags) == 63);

}  // namespace heddle::schemas
