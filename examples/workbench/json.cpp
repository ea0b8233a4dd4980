#include "json.hpp"

namespace workbench {

rapidjson::Document parsed_json(std::string_view text) {
  constexpr unsigned kHow =
      rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag;
  rapidjson::Document document;
  document.Parse<kHow>(text.data(), text.size());
  if (document.HasParseError()) document.SetNull();
  return document;
}

}  // namespace workbench
