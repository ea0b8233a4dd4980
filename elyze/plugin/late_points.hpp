// The symbols and the section of late points, which the pass and the analyser must name alike; schemas/agreements.hpp
// says what each stands for.
#pragma once

#include "schemas/agreements.hpp"

namespace heddle::late {

inline constexpr const char* kLatePoint = schemas::late_points::kPoint;
inline constexpr const char* kEnter = schemas::late_points::kEnter;
inline constexpr const char* kSection = schemas::late_points::kSection;

}  // namespace heddle::late
