#include "testing/load/figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

namespace heddle::testing::load {
namespace {

struct Summary {
  std::uint64_t requests = 0;
  double per_s = 0, mean_ms = 0, p50_ms = 0, p90_ms = 0, p99_ms = 0, max_ms = 0;
};

Summary summarise(Route& route, double seconds) {
  auto& values = route.latencies_us;
  Summary result;
  result.requests = values.size();
  if (values.empty()) return result;
  std::sort(values.begin(), values.end());
  if (seconds > 0) result.per_s = static_cast<double>(values.size()) / seconds;
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  result.mean_ms = sum / static_cast<double>(values.size()) / 1000;
  result.p50_ms = percentile(values, 0.50) / 1000;
  result.p90_ms = percentile(values, 0.90) / 1000;
  result.p99_ms = percentile(values, 0.99) / 1000;
  result.max_ms = values.back() / 1000.0;
  return result;
}

nlohmann::json route_json(Route& route, double seconds) {
  const Summary summary = summarise(route, seconds);
  nlohmann::json statuses = nlohmann::json::object();
  for (const auto& [status, count] : route.statuses) statuses[std::to_string(status)] = count;
  return {{"route", route.name},
          {"requests", summary.requests},
          {"requests_per_s", summary.per_s},
          {"bytes", route.bytes},
          {"mean_ms", summary.mean_ms},
          {"p50_ms", summary.p50_ms},
          {"p90_ms", summary.p90_ms},
          {"p99_ms", summary.p99_ms},
          {"max_ms", summary.max_ms},
          {"statuses", std::move(statuses)}};
}

std::string route_text(const std::string& name, Route& route, double seconds) {
  const Summary summary = summarise(route, seconds);
  char line[160];
  std::snprintf(line, sizeof line, "%-16s %9llu %10.1f %9.3f %9.3f %9.3f %9.3f\n", name.c_str(),
                static_cast<unsigned long long>(summary.requests), summary.per_s, summary.mean_ms, summary.p50_ms,
                summary.p99_ms, summary.max_ms);
  return line;
}

}  // namespace

double percentile(const std::vector<std::uint32_t>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

std::string to_json(Figures& figures) {
  nlohmann::json routes = nlohmann::json::array();
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  for (auto& route : figures.routes) {
    routes.push_back(route_json(route, figures.seconds));
    requests += route.latencies_us.size();
    bytes += route.bytes;
  }
  const auto& errors = figures.errors;
  nlohmann::json document = {
      {"tool", "heddle-load"},
      {"connections", figures.connections},
      {"seconds", figures.seconds},
      {"requests", requests},
      {"requests_per_s", figures.seconds > 0 ? static_cast<double>(requests) / figures.seconds : 0.0},
      {"bytes", bytes},
      {"routes", std::move(routes)},
      {"probe", nullptr},
      {"errors",
       {{"total", errors.total()},
        {"connect", errors.connect},
        {"cut", errors.cut},
        {"protocol", errors.protocol},
        {"status", errors.status},
        {"body", errors.body},
        {"timeout", errors.timeout},
        {"examples", figures.examples}}},
      {"gave_up", figures.gave_up},
      {"reconnects", figures.reconnects},
      {"checked_urls", figures.checked_urls},
      {"client_cpu_s", figures.client_cpu_s},
      {"server_cpu_s", nullptr},
  };
  if (figures.probe) document["probe"] = route_json(*figures.probe, figures.seconds);
  if (figures.server_cpu_s) document["server_cpu_s"] = *figures.server_cpu_s;
  return document.dump(2) + "\n";
}

std::string to_text(Figures& figures) {
  char line[200];
  std::string text = "route             requests      per s   mean ms    p50 ms    p99 ms    max ms\n";
  for (auto& route : figures.routes) text += route_text(route.name, route, figures.seconds);
  if (figures.probe) text += route_text("probe " + figures.probe->name, *figures.probe, figures.seconds);
  std::snprintf(line, sizeof line, "%.2f s, %zu connections, bodies of %zu URLs compared, %.2f s CPU used by the load",
                figures.seconds, figures.connections, figures.checked_urls, figures.client_cpu_s);
  text += line;
  if (figures.server_cpu_s) {
    std::snprintf(line, sizeof line, ", %.2f s by the server", *figures.server_cpu_s);
    text += line;
  }
  std::snprintf(line, sizeof line, "\n%llu errors\n", static_cast<unsigned long long>(figures.errors.total()));
  text += line;
  for (const auto& example : figures.examples) text += "  " + example + "\n";
  if (figures.gave_up) text += "  ... and so many more that the load gave up\n";
  return text;
}

}  // namespace heddle::testing::load
