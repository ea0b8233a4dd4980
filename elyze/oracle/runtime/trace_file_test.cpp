#include "elyze/oracle/runtime/trace_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "testing/golden/golden.hpp"

namespace heddle::oracle {
namespace {

TEST(AccessTrace, HasTheBytesThatTheReaderReads) {
  const golden::Files files(HEDDLE_GOLDEN);
  const nlohmann::json values = files.values("program.accesses");
  char path[] = "/tmp/heddle-accesses-XXXXXX";
  close(mkstemp(path));

  TraceFile file;
  ASSERT_TRUE(file.open(path));
  for (const auto& line : values["text"]) {
    std::string text;
    for (const auto& field : line) text += (text.empty() ? "" : "\t") + field.get<std::string>();
    file.text(text + "\n");
  }
  for (const auto& x : values["objects"]) {
    file.add(schemas::ObjectRecord{.id = x["id"],
                                   .kind = static_cast<schemas::ObjectKind>(x["kind"].get<std::uint32_t>()),
                                   .address = x["address"],
                                   .bytes = x["bytes"],
                                   .site = x["site"],
                                   .made_by = x["made_by"]});
  }
  for (const auto& x : values["invocations"]) {
    file.add(schemas::InvocationRecord{.id = x["id"],
                                       .handler = x["handler"],
                                       .parent = x["parent"],
                                       .parent_step = x["parent_step"],
                                       .session = x["session"],
                                       .session_object = x["session_object"],
                                       .reserved = x["reserved"]});
  }
  for (const auto& x : values["accesses"]) {
    file.add(schemas::AccessRecord{.invocation = x["invocation"],
                                   .object = x["object"],
                                   .offset = x["offset"],
                                   .bytes = x["bytes"],
                                   .site = x["site"],
                                   .step = x["step"],
                                   .flags = x["flags"]});
  }
  file.finish();

  std::ifstream stream(path, std::ios::binary);
  files.expect_same("program.accesses", {std::istreambuf_iterator<char>(stream), {}});
  unlink(path);
}

}  // namespace
}  // namespace heddle::oracle
