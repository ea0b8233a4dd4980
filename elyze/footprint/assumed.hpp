// What the user of the analysis allows or refuses to assume (docs/guides/assumptions.md).
#pragma once

namespace heddle::elyze {

struct Assumed {
  bool files_apart = false;        // each opening of a file is of another file
  bool streams_unordered = false;  // the records that invocations add to one stream may interleave
  bool strict = false;             // nothing of atomics, of the locks of streams, and of what RestsOn lists
};

// Which assumptions played a part, of those that hold unless the user refuses all (`strict`).
struct RestsOn {
  bool peers_apart = false;            // what is done to one socket shows at no other
  bool descriptors_suffice = false;    // numbers and amounts of descriptors are no outcome
  bool processor_time_unread = false;  // nor is the processor time of the process
};

}  // namespace heddle::elyze
