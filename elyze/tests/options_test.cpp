// Options by which the compiler adds calls behind the bitcode (ir/generated_calls.hpp): what they call counts in every
// handler, and other options cost nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "elyze/driver.hpp"
#include "elyze/tests/programs.hpp"

namespace heddle::elyze {
namespace {

// The verdict on two handlers that have nothing in common, in a program with a function that neither of them calls.
std::string verdict(const std::string& options, const std::string& function) {
  const std::filesystem::path base =
      std::filesystem::temp_directory_path() / ("elyze-options-" + std::to_string(getpid()));
  const std::string source = base.string() + ".c";
  const std::string bitcode = base.string() + ".bc";
  std::ofstream(source) << R"(
    #include <event2/event.h>
    static int calls, of_a, of_b;
    void )" << function << R"((void) { calls++; }
    static void on_a(evutil_socket_t fd, short what, void* arg) {
      char text[64];
      __builtin_memset(text, what, sizeof text);
      if (what == 77) __builtin_trap();
      of_a += text[what & 63];
    }
    static void on_b(evutil_socket_t fd, short what, void* arg) { of_b++; }
    int main(void) {
      struct event_base* base = event_base_new();
      event_add(event_new(base, 3, EV_READ | EV_PERSIST, on_a, 0), 0);
      event_add(event_new(base, 4, EV_READ | EV_PERSIST, on_b, 0), 0);
      return event_base_dispatch(base);
    }
  )";
  std::ostringstream command;
  command << ELYZE_CLANG << " -g -O0 -Xclang -disable-O0-optnone -w -emit-llvm " << options << " -c " << source
          << " -o " << bitcode;
  EXPECT_EQ(std::system(command.str().c_str()), 0) << command.str();  // NOLINT(concurrency-mt-unsafe)
  const nlohmann::ordered_json document = analyse_program(shipped_specs(), {{bitcode}, {"options", "none"}});
  std::filesystem::remove(source);
  std::filesystem::remove(bitcode);
  for (const auto& pair : document["pairs"])
    if (pair["a"] != pair["b"]) return pair["verdict"];
  return "no pair";
}

TEST(Options, have_functions_of_the_program_called) {
  for (const auto& [options, function] : {std::pair("-ftrap-function=counted", "counted"),
                                          {"-pg", "mcount"},
                                          {"-pg -mfentry", "__fentry__"},
                                          {"-finstrument-functions-after-inlining", "__cyg_profile_func_exit"},
                                          {"-fstack-protector-all", "__stack_chk_fail"},
                                          {"-fsplit-stack", "__morestack"}}) {
    EXPECT_EQ(verdict(options, function), "always") << options;
    EXPECT_EQ(verdict(options, "counted_by_nobody"), std::string(options).starts_with("-ftrap") ? "always" : "never")
        << options;
  }
}

TEST(Options, that_call_nothing_of_the_program_cost_nothing) {
  for (const char* options : {"",
                              "-fstack-clash-protection",
                              "-fpatchable-function-entry=3",
                              "-fxray-instrument",
                              "-mno-red-zone",
                              "-ffast-math",
                              "-fcf-protection",
                              "-mretpoline",
                              "-ftrivial-auto-var-init=pattern",
                              "-fno-builtin",
                              "-fno-builtin-memset",
                              "-mstackrealign",
                              "-fno-omit-frame-pointer",
                              "-march=x86-64-v3",
                              "-mstack-probe-size=8192",
                              "-fzero-call-used-regs=all",
                              "-fno-jump-tables",
                              "-fvisibility=hidden",
                              "-mlong-double-128",
                              "-mindirect-branch-cs-prefix -mfunction-return=thunk-extern",
                              "-fexceptions",
                              "-fPIE",
                              "-fno-plt",
                              "-fstack-protector-strong -D_FORTIFY_SOURCE=2",
                              "-fno-math-errno",
                              "-fdenormal-fp-math=preserve-sign",
                              "-mprefer-vector-width=128",
                              "-fno-optimize-sibling-calls",
                              "-fwrapv",
                              "-O1 -fno-inline"})
    EXPECT_EQ(verdict(options, "counted_by_nobody"), "never") << options;
}

}  // namespace
}  // namespace heddle::elyze
