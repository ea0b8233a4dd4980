// The attribute of a variable by which the pass tells the analyser that a runtime can give a thread its own.
#pragma once

namespace heddle::plugin {

inline constexpr const char* kScratchMark = "heddle-scratch";  // its value is the object's number, as 16 digits

}  // namespace heddle::plugin
