#include "json.hpp"

namespace workbench {

Json parsed_json(std::string_view text) {
  Json read = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return read.is_discarded() ? Json() : read;
}

}  // namespace workbench
