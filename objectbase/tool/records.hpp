// A store as text, for people, for other programs, and for a store with another limit: JSON Lines, one record each.
//
//   {"objectbase": 1, "commit": 7}
//   {"class": "Note", "slots": ["text", "stars"]}
//   {"object": 1, "class": "Note", "values": {"text": "buy milk", "stars": 3}}
//   {"erased": 2}
//
// Text and numbers are themselves; a number with a fraction or an exponent is a double. What JSON has not: a reference
// is
// {"object": NUMBER}, bytes are {"hex": "00ff"}, text that is not UTF-8 {"text": HEX}, and a double that is no number
// {"double": "nan"}, "inf" or "-inf". Objects keep their numbers, and those of erased ones are not used again. Commits
// are counted anew.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "objectbase/keep/database.hpp"
#include "objectbase/objectbase.hpp"

namespace heddle::objectbase {

// The newest state. Returns the number of objects. `progress` is called with the number of objects so far, now and
// then.
std::uint64_t dump(const Store& store, std::ostream& out, const std::function<void(std::uint64_t)>& progress = {});

// The record of one version that was kept, with its commit; `names` are those of its class and of its slots.
std::string line_of(const KeptVersion& version, const std::vector<std::string>& names);

// Makes a store; if the text cannot be read, or is more than the limit allows, there is none afterwards. Returns the
// number of objects. Throws base::UserError, with the number of the line.
std::uint64_t load(std::istream& in, const std::filesystem::path& path, const Options& options,
                   const std::function<void(std::uint64_t)>& progress = {});

}  // namespace heddle::objectbase
