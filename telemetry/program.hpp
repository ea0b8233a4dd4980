// The program whose run is recorded, and its handlers, as reports name them.
#pragma once

#include <string>

namespace heddle::telemetry {

struct Program {
  std::string name;
  std::string build_id;  // lower-case hexadecimal, or "none"
};

// That of this process: the name of its file, and the build id that it was linked with.
Program this_program();

struct HandlerName {
  std::string name;
  bool known = false;  // the constraints name it
};

}  // namespace heddle::telemetry
