// The session of a handler: the object that its argument points into, the same for all its registrations.
#pragma once

#include <string>

#include "elyze/points_to/cell.hpp"

namespace heddle::elyze {

struct Session {
  enum class Kind : std::uint8_t { kObject, kNull, kUnknown } kind = Kind::kUnknown;
  std::int64_t offset = 0;  // of the argument in the enclosing object
  Cell cell;                // what the argument points to
  std::string type;
};

}  // namespace heddle::elyze
