// srcset="a.png, b.png 2x" names several images; commas are also part of URLs, and of what is in parentheses.
#pragma once

#include <functional>
#include <string_view>

namespace heddle::crawler {

// Calls found with the URL of each image candidate whose descriptors are valid (HTML standard, section 4.8.4.2.2,
// "parse a srcset attribute").
void read_srcset(std::string_view value, const std::function<void(std::string_view)>& found);

}  // namespace heddle::crawler
