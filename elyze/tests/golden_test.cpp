// The constraints document that every reader reads: schemas/golden/server.constraints.json is what the analyser writes
// of schemas/golden/server.c.
#include "testing/golden/golden.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "elyze/driver.hpp"

namespace heddle::elyze {
namespace {

TEST(ConstraintsDocument, IsTheOneThatReadersRead) {
  const std::filesystem::path bitcode =
      std::filesystem::temp_directory_path() / ("elyze-golden-" + std::to_string(getpid()) + ".bc");
  const std::string command = "cd " HEDDLE_GOLDEN " && " ELYZE_CLANG
                              " -g -O0 -Xclang -disable-O0-optnone -emit-llvm -c server.c -o " +
                              bitcode.string();
  ASSERT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(concurrency-mt-unsafe)
  const Job job{{bitcode.string()}, {"server", "00ff"}};
  nlohmann::ordered_json document = analyse_program(Specs::read(ELYZE_SPECS), job);
  std::filesystem::remove(bitcode);
  // Readers do not use the analyser's own figures, and each improvement changes them.
  for (auto& [name, figure] : document["summary"].items()) {
    if (!name.starts_with("pairs_")) figure = 0;
  }
  document["tool"]["version"] = "0";
  golden::Files(HEDDLE_GOLDEN).expect_same("server.constraints.json", document.dump(1) + "\n");
}

}  // namespace
}  // namespace heddle::elyze
