#include "testing/load/figures.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace heddle::testing::load {
namespace {

TEST(Percentile, IsTheNearestRank) {
  EXPECT_EQ(percentile({10, 20, 30, 40}, 0.5), 20);
  EXPECT_EQ(percentile({10, 20, 30, 40}, 0.51), 30);
  EXPECT_EQ(percentile({10, 20, 30, 40}, 0.99), 40);
  EXPECT_EQ(percentile({10}, 0.0), 10);
  EXPECT_EQ(percentile({}, 0.5), 0);
}

Figures sample() {
  Figures figures;
  figures.connections = 2;
  figures.seconds = 2;
  figures.routes.push_back({"/a", 300, {{200, 3}}, {3000, 1000, 2000}});
  figures.probe = Route{"/stats", 10, {{200, 1}}, {500}};
  figures.errors.body = 1;
  figures.examples = {"/a: another answer than before (5 bytes)"};
  return figures;
}

TEST(Figures, JsonHasRatesAndLatenciesPerRoute) {
  Figures figures = sample();
  const auto document = nlohmann::json::parse(to_json(figures));
  EXPECT_EQ(document["requests"], 3);
  EXPECT_EQ(document["requests_per_s"], 1.5);
  EXPECT_EQ(document["routes"][0]["p50_ms"], 2.0);
  EXPECT_EQ(document["routes"][0]["max_ms"], 3.0);
  EXPECT_EQ(document["routes"][0]["statuses"]["200"], 3);
  EXPECT_EQ(document["probe"]["p99_ms"], 0.5);
  EXPECT_EQ(document["errors"]["total"], 1);
  EXPECT_TRUE(document["server_cpu_s"].is_null());
}

TEST(Figures, TextNamesRoutesAndErrors) {
  Figures figures = sample();
  const std::string text = to_text(figures);
  EXPECT_NE(text.find("/a "), std::string::npos);
  EXPECT_NE(text.find("probe /stats"), std::string::npos);
  EXPECT_NE(text.find("1 errors"), std::string::npos);
  EXPECT_NE(text.find("another answer than before"), std::string::npos);
}

}  // namespace
}  // namespace heddle::testing::load
