// JPEGs for tests.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::threadlab {

// Of a pattern that the seed decides.
std::string make_jpeg(std::uint32_t seed, std::uint32_t width, std::uint32_t height, bool progressive);

}  // namespace heddle::threadlab
