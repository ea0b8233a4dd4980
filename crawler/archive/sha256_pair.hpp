// Two SHA-256 digests side by side, by the instructions that x86 processors have for it (Gulley et al., Intel SHA
// Extensions, 2013): one waits four cycles for the one before it, and another digest's can start meanwhile.
#pragma once

#include <array>
#include <string_view>

namespace heddle::crawler {

// This processor has them.
bool has_sha256_pair();

// The digests of head and body, joined, and of the body alone. Only if has_sha256_pair().
void sha256_pair(std::string_view head, std::string_view body, std::array<unsigned char, 32>& joined,
                 std::array<unsigned char, 32>& alone);

}  // namespace heddle::crawler
