// Names in which the pass, the analyser and the runtime meet. A late point is a call of kLatePoint with the number of
// the point. The function is in every module that has one, and calls the runtime's kEnter if there is a runtime:
// without one the program runs as ever.
#pragma once

namespace heddle::late {

inline constexpr const char* kLatePoint = "heddle_late_point";
inline constexpr const char* kEnter = "multivent_late_enter";
// A section of the program: the numbers of all its late points, eight bytes each.
inline constexpr const char* kSection = "heddle_late";

}  // namespace heddle::late
