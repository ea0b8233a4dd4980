// A source tree becomes objects, and objects a source tree again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "objects.hpp"

namespace workbench {

struct Counts {
  std::size_t files = 0;
  std::size_t sections = 0;
  std::size_t written = 0;  // files that were not as they are now
};

// Makes the store, of all regular files below the folder but hidden ones. Throws Error: it is there already, a file
// cannot be read.
Counts import_tree(const std::filesystem::path& folder, const std::filesystem::path& store, std::uint64_t limit);

// Writes the files that differ, each whole or not at all. Throws Error: one would lie outside the folder, or cannot be
// written.
Counts export_tree(const std::filesystem::path& store, const std::filesystem::path& folder);

// Of a file; nothing if it cannot be read.
std::optional<std::string> contents(const std::filesystem::path& path);

}  // namespace workbench
