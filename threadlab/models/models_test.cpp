// Every model on one scenario, with a server: what ThreadSanitizer looks at.
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "threadlab/commands/decode_jpeg.hpp"
#include "threadlab/commands/paint.hpp"
#include "threadlab/commands/paint_all.hpp"
#include "threadlab/models/model.hpp"
#include "threadlab/run/run.hpp"
#include "threadlab/testing/pictures.hpp"
#include "threadlab/testing/server.hpp"

namespace heddle::threadlab {
namespace {

using Json = nlohmann::json;
using Kind = ModelOptions::Kind;
using TestedRun = Run;  // within a test, Run is GoogleTest's

struct Choice {
  std::string name;
  RunOptions options;
};

std::vector<Choice> all_models() {
  std::vector<Choice> all;
  const auto add = [&all](const std::string& name, ModelOptions model, std::size_t connections, bool busy = false) {
    model.groups = 3;
    all.push_back({name, {model, connections, 60, busy}});
  };
  add("cooperative", {Kind::kCooperative}, 64);
  add("busy", {Kind::kCooperative}, 64, true);
  add("per group", {Kind::kCooperative, 1, 1, true}, 5);
  add("threads", {Kind::kThreads}, 2);
  add("pool", {Kind::kPool, 4}, 4);
  add("pool of one", {Kind::kPool, 1}, 1);
  add("pico", {Kind::kPico, 1}, 64);
  add("pico of three", {Kind::kPico, 3}, 3);
  add("constrained", {Kind::kConstrained, 4}, 64);
  add("composed", {Kind::kComposed, 2}, 8);
  add("speculative", {Kind::kSpeculative, 3}, 64);
  add("speculative, one", {Kind::kSpeculative, 1}, 2);
  add("constrained, one connection", {Kind::kConstrained, 3}, 1);
  return all;
}

class ThreadlabModels : public testing::Test {
 protected:
  static std::map<std::string, std::string> bodies() {
    std::map<std::string, std::string> all;
    for (const std::string site : {"/a/", "/b/"}) {
      std::string page = "<html><body>";
      for (int i = 0; i < 12; ++i) {
        const std::string name = std::to_string(i) + ".jpg";
        all[site + name] = make_jpeg(static_cast<unsigned>(i), 60 + 7 * i, 50 + 9 * i, i % 2 == 0);
        page += "<img src=" + name + ">";
      }
      all[site] = page + "<img src=none.jpg></body></html>";
    }
    return all;
  }

  // What came of it.
  Json run(const RunOptions& options) {
    TestedRun run(options);
    const auto canvas = run.make_canvas("canvas", 200, 100);
    std::size_t group = 0;
    for (const std::string site : {"/a/", "/b/"}) {
      const auto page = run.make<Memory>("page " + site);
      const auto tree = run.make<Tree>("tree " + site);
      const auto url = server_.url(site);
      const auto region =
          std::make_shared<Region>(canvas, Rectangle{static_cast<std::uint32_t>(100 * group), 0, 100, 100});
      run.declare(std::make_unique<LoadUrl>("load " + site, url, page, LoadUrl::Limits{}), group);
      run.declare(std::make_unique<Parse>("parse " + site, Parse::Language::kHtml, page, tree), group);
      run.declare(std::make_unique<PaintAllImages>("paint " + site, tree, region, url, LoadUrl::Limits{}), group);
      ++group;
    }
    const auto cells = run.make<Cells>("cells", 3);
    for (int i = 0; i < 4; ++i) {
      const std::string number = std::to_string(i);
      run.declare(std::make_unique<Touch>("touch " + number, cells, Touch::Range{0, 3}, 200, 9), i % 3);
      run.declare(std::make_unique<Compute>("compute " + number, 100 * i, 3000, 50), i % 3);
    }
    run.declare(std::make_unique<Sleep>("sleep", 0.01), 2, {0, 3});
    const Json record = Json::parse(run.execute());
    Json came = {{"canvas", record["canvas"]}, {"results", record["results"]}};
    for (const Json& command : record["commands"])
      if (!command["error"].is_null()) came["errors"][command["name"].get<std::string>()] = command["error"];
    EXPECT_GE(record["threads"].size(), 1U);
    return came;
  }

  TestServer server_{bodies()};
};

TEST_F(ThreadlabModels, AllMakeTheSame) {
  const Json first = run(all_models()[0].options);
  EXPECT_EQ(first["results"]["cells"], 4 * 3 * 200);
  EXPECT_EQ(first["errors"].size(), 6U);  // an image of each page is not there
  for (const Choice& choice : all_models()) EXPECT_EQ(run(choice.options), first) << choice.name;
}

TEST_F(ThreadlabModels, AllEndWhenTheyAreGivenUp) {
  for (const Choice& choice : all_models()) {
    TestedRun run(choice.options);
    const auto page = run.make<Memory>("page");
    const auto tree = run.make<Tree>("tree");
    run.declare(std::make_unique<LoadUrl>("load", server_.url("/stall"), page, LoadUrl::Limits{.seconds = 50}));
    run.declare(std::make_unique<Parse>("parse", Parse::Language::kHtml, page, tree));
    run.declare(std::make_unique<Sleep>("sleep", 50), 1);
    run.declare(std::make_unique<Compute>("compute", 0, UINT64_MAX, 100), 2);
    std::thread impatient([&run] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      run.give_up("enough: it was");
    });
    const Json record = Json::parse(run.execute());
    impatient.join();
    for (const Json& command : record["commands"])
      EXPECT_FALSE(command["error"].is_null()) << choice.name << ": " << command["name"];
    EXPECT_EQ(record["commands"][2]["error"], "enough: it was") << choice.name;
    EXPECT_LT(record["seconds"], 20) << choice.name;
  }
}

TEST_F(ThreadlabModels, ARunIsExecutedOnce) {
  TestedRun run(all_models()[0].options);
  EXPECT_NE(run.execute(), "");
  EXPECT_THROW(run.execute(), std::logic_error);
}

}  // namespace
}  // namespace heddle::threadlab
