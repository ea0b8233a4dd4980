#include "telemetry/schema_check.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#pragma GCC diagnostic pop

namespace heddle::telemetry {

std::string schema_violation(const std::string& text, const std::string& schema) {
  std::ifstream stream(std::string(HEDDLE_SCHEMAS) + "/" + schema);
  const nlohmann::json schema_json = nlohmann::json::parse(stream);
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) return "not JSON";

  valijson::Schema rules;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json), rules);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(rules, valijson::adapters::NlohmannJsonAdapter(document), &results)) return {};
  std::string violation;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const std::string& step : error.context) violation += step;
    violation += ": " + error.description + "\n";
  }
  return violation;
}

}  // namespace heddle::telemetry
