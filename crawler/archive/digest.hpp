// SHA-256 of bodies, for records and for web archives: of a body that came as it is, one digest serves both.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace heddle::crawler {

using Sha256 = std::array<unsigned char, 32>;

Sha256 sha256(std::string_view bytes);

// In lower-case hexadecimal digits.
std::string hexadecimal(const Sha256& digest);

// As web archives write it: "sha256:" and the digits.
std::string labelled(const Sha256& digest);

}  // namespace heddle::crawler
