// Threads that begin together, or not at all: of a run that got fewer than it needs, some tasks would wait for ever.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace heddle::threadlab {

// Calls body(i) on a thread for each name, and waits for all. std::system_error if one of them cannot be made; then
// none has called it.
void run_together(const std::vector<std::string>& names, const std::function<void(std::size_t)>& body);

}  // namespace heddle::threadlab
