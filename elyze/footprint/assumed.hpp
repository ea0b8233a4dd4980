// What the user of the analysis allows or refuses to assume (docs/guides/assumptions.md).
#pragma once

namespace heddle::elyze {

struct Assumed {
  bool files_apart = false;        // each opening of a file is of another file
  bool streams_unordered = false;  // the records that invocations add to one stream may interleave
  bool strict = false;             // nothing of atomics, nor of the locks of streams
};

}  // namespace heddle::elyze
