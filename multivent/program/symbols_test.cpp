#include "multivent/program/symbols.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/user_error.hpp"
#include "multivent/program/handler_registry.hpp"

// Static, so that dladdr() cannot see it; the label gives the symbol the plain name that it would have in C.
static int symbols_test_static_function(int x) __asm__("symbols_test_static_function");
[[gnu::noinline, gnu::used]] static int symbols_test_static_function(int x) { return x + 1; }

namespace heddle::multivent {
namespace {

using testing::HasSubstr;

std::string message_of(const std::string& path) {
  try {
    Symbols::of_file(path, 0);
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Symbols, FindsStaticFunctionsOfThisProgramAtTheirAddress) {
  const Symbols symbols = Symbols::of_this_process();
  const auto address = reinterpret_cast<std::uintptr_t>(&symbols_test_static_function);
  EXPECT_FALSE(symbols.stripped());
  EXPECT_EQ(symbols.addresses_of("symbols_test_static_function"), std::vector<std::uintptr_t>{address});
  EXPECT_EQ(symbols.name_at(address), "symbols_test_static_function");
  EXPECT_EQ(symbols.program_name(), "multivent_program_test");
}

TEST(Symbols, HasNoNameForAnAddressInsideAFunction) {
  const Symbols symbols = Symbols::of_this_process();
  EXPECT_EQ(symbols.name_at(reinterpret_cast<std::uintptr_t>(&symbols_test_static_function) + 1), "");
  EXPECT_EQ(symbols.name_at(0), "");
  EXPECT_TRUE(symbols.addresses_of("no_such_function").empty());
}

TEST(Symbols, SaysThatAFileIsMissingOrNoProgram) {
  EXPECT_THAT(message_of("/nonexistent/program"), HasSubstr("No such file"));
  EXPECT_THAT(message_of("/etc/passwd"), HasSubstr("not an ELF file"));
}

class LinkedProgram : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/heddle-symbols-XXXXXX";
    ASSERT_NE(mkdtemp(pattern), nullptr);
    directory_ = pattern;
    std::ofstream(directory_ + "/p.c") << "static int on_read(int x) { return x; }\n"
                                          "int (*volatile callback)(int) = on_read;\n"
                                          "int main(void) { return callback(0); }\n";
  }

  void TearDown() override {
    for (const char* name : {"/p.c", "/p", "/lib.so"}) unlink((directory_ + name).c_str());
    rmdir(directory_.c_str());
  }

  // The handle of a library of the same source, with a build id of its own.
  void* load_library() {
    const std::string library = directory_ + "/lib.so";
    const std::string command = "gcc -shared -fPIC -Wl,--build-id=0xc0ffee02 -o " + library + " " + directory_ + "/p.c";
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the test has one thread
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  }

  Symbols link(const std::string& flags, std::uintptr_t load_bias) {
    const std::string command = "gcc -o " + directory_ + "/p " + directory_ + "/p.c " + flags;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the test has one thread
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return Symbols::of_file(directory_ + "/p", load_bias);
  }

  std::string directory_;
};

TEST_F(LinkedProgram, AddressesOfAPositionIndependentProgramMoveWithItsLoadBias) {
  const auto low = link("-pie -fPIE", 0).addresses_of("on_read");
  const auto high = link("-pie -fPIE", 0x555500000000).addresses_of("on_read");
  ASSERT_EQ(low.size(), 1U);
  ASSERT_EQ(high.size(), 1U);
  EXPECT_EQ(high[0] - low[0], 0x555500000000U);
}

TEST_F(LinkedProgram, AStaticallyLinkedProgramHasItsFunctionsToo) {
  const Symbols symbols = link("-static", 0);
  EXPECT_EQ(symbols.addresses_of("on_read").size(), 1U);
}

TEST_F(LinkedProgram, ReadsTheBuildIdOrSaysThatThereIsNone) {
  EXPECT_EQ(link("-Wl,--build-id=0xc0ffee01", 0).build_id(), "c0ffee01");
  EXPECT_EQ(link("-Wl,--build-id=none", 0).build_id(), "none");
}

TEST_F(LinkedProgram, FunctionsOfALoadedLibraryAreAddedByItsBuildId) {
  void* const library = load_library();
  ASSERT_NE(library, nullptr);
  Symbols symbols = Symbols::of_this_process();
  EXPECT_FALSE(symbols.add_library("c0ffee03"));
  EXPECT_TRUE(symbols.addresses_of("on_read").empty());
  EXPECT_TRUE(symbols.add_library("c0ffee02"));
  EXPECT_THAT(symbols.libraries(), testing::ElementsAre("c0ffee02"));
  const auto callback = *static_cast<std::uintptr_t*>(dlsym(library, "callback"));
  EXPECT_EQ(symbols.addresses_of("on_read"), std::vector<std::uintptr_t>{callback});
  EXPECT_EQ(symbols.name_at(callback), "on_read");
  EXPECT_EQ(symbols.addresses_of("symbols_test_static_function").size(), 1U);
  dlclose(library);
}

TEST_F(LinkedProgram, StaticFunctionsOfOneNameBelongToTheirFiles) {
  std::ofstream(directory_ + "/lib.so") << "static int on_read(int x) { return x + 1; }\n"
                                           "int (*volatile other)(int) = on_read;\n";
  const Symbols symbols = link("-x c " + directory_ + "/lib.so -Wl,--build-id=0xc0ffee04", 0);
  const auto both = symbols.addresses_of("on_read");
  ASSERT_EQ(both.size(), 2U);
  const auto first = symbols.addresses_of("on_read", "p.c");
  const auto second = symbols.addresses_of("on_read", "lib.so");
  ASSERT_EQ(first.size(), 1U);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_NE(first, second);
  EXPECT_TRUE(symbols.addresses_of("on_read", "").empty());
  EXPECT_TRUE(symbols.addresses_of("main", "p.c").empty());  // it is not static

  ConstraintsFile file;
  file.path = "p.constraints.json";
  file.build_id = symbols.build_id();
  using scheduler::Verdict;
  for (const char* source : {"src/p.c", "src/lib.so"})
    file.handlers.push_back({.name = "on_read", .session_kind = ConstraintsFile::SessionKind::kNull, .file = source});
  file.pairs = {{0, 0, Verdict::kNever, {}}, {0, 1, Verdict::kNever, {}}, {1, 1, Verdict::kAlways, {}}};
  HandlerRegistry registry(symbols, file);
  const Handler& own = registry.find(first.front());
  const Handler& other = registry.find(second.front());
  EXPECT_EQ(own.name, "src/p.c:on_read");
  EXPECT_EQ(other.name, "src/lib.so:on_read");
  EXPECT_EQ(registry.constraints().verdict(own.klass, own.klass), Verdict::kNever);
  EXPECT_EQ(registry.constraints().verdict(other.klass, other.klass), Verdict::kAlways);
  file.handlers[1].file = "other/p.c";  // which of the two is meant cannot be told
  HandlerRegistry joined(symbols, file);
  EXPECT_EQ(joined.find(first.front()).klass, joined.find(second.front()).klass);
}

TEST_F(LinkedProgram, NoticesThatAProgramIsStripped) {
  EXPECT_TRUE(link("-s", 0).stripped());
  EXPECT_FALSE(link("", 0).stripped());
}

}  // namespace
}  // namespace heddle::multivent
