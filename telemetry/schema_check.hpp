// For tests: is this text a document that the schema allows?
#pragma once

#include <string>

namespace heddle::telemetry {

// Empty if it is; else what is wrong and where. `schema` is a file name in schemas/.
std::string schema_violation(const std::string& text, const std::string& schema);

}  // namespace heddle::telemetry
