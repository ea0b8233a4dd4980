// JSON as text that is written piece by piece, without a tree of it (RapidJSON): a page is sent many objects. What is
// read is small, and becomes a tree (nlohmann).
#pragma once

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace workbench {

using JsonText = rapidjson::StringBuffer;
using JsonWriter = rapidjson::Writer<JsonText>;
using Json = nlohmann::json;

inline std::string_view text_in(const JsonText& json) { return {json.GetString(), json.GetSize()}; }
inline std::string_view text_in(const Json& string) { return string.get_ref<const std::string&>(); }

inline void add_key(JsonWriter& json, std::string_view name) {
  json.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}
inline void add_string(JsonWriter& json, std::string_view text) {
  json.String(text.empty() ? "" : text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

// Null if it is no JSON in UTF-8. However deep it is nested, that takes no stack.
Json parsed_json(std::string_view text);

}  // namespace workbench
