// What spec files say, and how they are refused: the one line that a user sees must name the file, the entry and the
// fault.
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "elyze/ir/error.hpp"
#include "elyze/ir/symbols.hpp"
#include "elyze/specs/specs.hpp"

namespace heddle::elyze {
namespace {

class SpecFile {
 public:
  explicit SpecFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("elyze-spec-" + std::to_string(getpid()) + ".yaml")) {
    std::ofstream(path_) << text;
  }
  SpecFile(const SpecFile&) = delete;
  SpecFile& operator=(const SpecFile&) = delete;
  ~SpecFile() { std::filesystem::remove(path_); }
  Specs read() const { return Specs::read(ELYZE_SPECS, {path_.string()}); }

 private:
  std::filesystem::path path_;
};

// The message with which the file is refused, when it is read or when it is checked against a program; empty if it is
// accepted.
std::string refusal(const std::string& text, const std::string& program = "") {
  const SpecFile file(text);
  try {
    const Specs specs = file.read();
    if (program.empty()) return "";
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    const auto module = llvm::parseAssemblyString(program, problem, context);
    EXPECT_TRUE(module != nullptr) << problem.getMessage().str();
    specs.check_dispatchers(*module);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const char* const kLoop = R"(
  declare void @on_tick(ptr)
  define void @serve(ptr %call) {
    call void %call(ptr null)
    ret void
  }
  define void @tick() {
    call void @on_tick(ptr null)
    ret void
  }
)";

TEST(Signature, is_read_as_the_header_writes_it) {
  const Signature type = Signature::parse("enum (struct evbuffer *, const char *, short, void*)");
  ASSERT_EQ(type.parameters.size(), 4U);
  EXPECT_EQ(type.result.bits, 32U);
  EXPECT_EQ(type.parameters[0].structure, "evbuffer");
  EXPECT_EQ(type.parameters[1].structure, "");
  EXPECT_EQ(type.parameters[2].bits, 16U);
  EXPECT_EQ(type.parameters[3].kind, Signature::Type::Kind::kPointer);
  EXPECT_TRUE(Signature::parse("void (void)").parameters.empty());
}

TEST(Signature, that_is_none_is_refused) {
  EXPECT_NE(refusal("f: {callbacks: [{function: 0, type: void, kind: event, parameters: [], session: -1}]}")
                .find("f: no type of a callback: 'void' (write it as"),
            std::string::npos);
  EXPECT_NE(
      refusal("f: {callbacks: [{function: 0, type: 'void (size)', kind: event, parameters: [nothing], session: -1}]}")
          .find("unknown type 'size'"),
      std::string::npos);
  EXPECT_NE(refusal("f: {callbacks: [{function: 0, type: 'void (int)', kind: event, parameters: [], session: -1}]}")
                .find("'type' and 'parameters' of a callback differ in number"),
            std::string::npos);
}

TEST(Entries, with_more_names_than_yaml_allows_are_refused_with_the_reason) {
  std::string key(1024, 'f');
  EXPECT_EQ(refusal(key.append(": {}")), "");
  std::string file = "g: {}\nf";
  const std::string said = refusal(file.append(key));
  EXPECT_NE(said.find("line 2: YAML allows 1,024 characters before a ':'"), std::string::npos) << said;
}

TEST(Effects, follow_pointers_and_come_in_lists) {
  EXPECT_EQ(refusal("f: {effects: [free 0 at 8 at 16, [read 1, keep loaded 0 at 8 in loaded 1 at 0 at 24]]}"), "");
  EXPECT_EQ(refusal("f: {effects: [store loaded 0 at 8 in 1 at 0 every 16]}"), "");
  EXPECT_EQ(refusal("f: {effects: [file 0 opened 1, file any write, contents 0 at 8 read], returns: fresh file of 0}"),
            "");
  EXPECT_EQ(refusal("f: {effects: [call loaded 0 at 8 at 16 with 0 loaded 0 at 24 at 32, call 1 with 2 sends]}"), "");
  EXPECT_EQ(
      refusal("f: {effects: [touch state if named, keep descriptor loaded 0 at 8 in 1, store 1 in 0 when 2 is 3 4]}"),
      "");
  EXPECT_EQ(refusal("f: {effects: [append hidden stdout, append 1, waits returned, store fresh file in 0]}"), "");
  EXPECT_EQ(refusal("f: {effects: [binds 0, name any, name new, touch keys unless 0 is 0, contents 0 locked]}"), "");
  EXPECT_EQ(refusal("f: {effects: [contents 0 locked-by-process when 1 is 5, sleeps unless 2 is 0, processor-time]}"),
            "");
  EXPECT_EQ(refusal("f: {effects: [call loaded 0 at 64 with 0 nothing result in 0 at 56, reach hidden state once]}"),
            "");
  EXPECT_EQ(refusal("f: {effects: [part times at which they were read if named, part state at 8 at 16]}"), "");
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"f: {effects: [call 0 with 1 result 0]}", "can't read 'call 0 with 1 result 0'"},
      {"f: {effects: [part state at 8 if]}", "can't read 'part state at 8 if'"},
      {"f: {effects: [keep 0 in loaded 1 at 8]}", "can't read 'keep 0 in loaded 1 at 8'"},
      {"f: {effects: [store 0 in loaded 1 at 8 at 16]}", "can't read 'store 0 in loaded 1"},
      {"f: {effects: [free 0 at 8 at]}", "can't read 'free 0 at 8 at'"},
      {"f: {variable: state, effects: [read 0]}", "nothing else can be said about it"},
      {"f: {effects: [contents 0 change]}", "can't read 'contents 0 change'"},
      {"f: {effects: [keep descriptor 0 in 1]}", "can't read 'keep descriptor 0 in 1'"},
      {"f: {effects: [read 0 when 1 of 2]}", "can't read '1 of 2'"},
      {"f: {effects: [read 0 when 1 is]}", "can't read '1 is'"},
      {"f: {effects: [sleeps unless 1]}", "can't read '1'"},
      {"f: {effects: [binds any]}", "can't read 'binds any'"},
      {"f: {effects: [file some write]}", "can't read 'file some write'"},
      {"f: {exposes: timers}", "only 'events' can be exposed"},
  };
  for (const auto& [text, expected] : wrong)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << ": " << refusal(text);
}

// Of functions that are safe, these keep something between two calls all the same: a sequence of numbers, a text that
// the next call replaces in the same thread, an open connection, what tzname holds.
const std::set<std::string> kKeepState = {"rand",     "random",   "srand",      "srandom",    "inet_ntoa", "openlog",
                                          "closelog", "pmap_set", "pmap_unset", "tzset",      "mktime",    "strftime",
                                          "strptime", "ctime_r",  "asctime_r",  "localtime_r"};
// The race is on what an argument points to (readdir, strtok), on a thread that another one ends (exit), or only with a
// signal's handler or with the first call (sleep, valloc).
const std::set<std::string> kOtherRaces = {"readdir", "strtok", "exit", "sleep", "valloc"};

TEST(ThreadSafety, of_the_manual_is_what_specs_say) {
  const Specs specs = Specs::read(ELYZE_SPECS);
  llvm::LLVMContext context;
  llvm::Module module("", context);
  std::ifstream file(std::string(ELYZE_SPECS) + "/thread_safety.txt");
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    const std::string name = line.substr(0, line.find(':'));
    const std::string safety = line.substr(line.find(':') + 1) + " ";
    const auto& function = llvm::cast<llvm::Function>(
        *module.getOrInsertFunction(name, llvm::FunctionType::get(llvm::Type::getVoidTy(context), false)).getCallee());
    const Spec* spec = specs.find(function);
    ASSERT_NE(spec, nullptr) << name;
    ++rows;
    std::set<std::string> read, written;
    for (const Effect& effect : spec->effects) {
      if (effect.name == kStateOfSystem) continue;  // in the place of what an entry does not say
      if (effect.op == Effect::Op::kHiddenWrite) written.insert(effect.name);
      if (effect.op == Effect::Op::kHiddenRead) read.insert(effect.name);
      if (effect.op == Effect::Op::kStore && effect.arg == kHiddenObject) written.insert(effect.name);
    }
    read.insert(written.begin(), written.end());
    if (safety.find(" locale ") != std::string::npos) {
      EXPECT_TRUE(read.contains("locale")) << line;
      EXPECT_GE(spec->thread, ThreadUse::kMode) << line;  // a thread may have a locale of its own: uselocale(3)
    }
    if (safety.find(" env ") != std::string::npos) {
      EXPECT_TRUE(read.contains("environment")) << line;
    }
    if (safety.find(" const:locale ") != std::string::npos) {
      EXPECT_TRUE(written.contains("locale")) << line;
    }
    if (safety.find(" const:env ") != std::string::npos) {
      EXPECT_TRUE(written.contains("environment")) << line;
    }
    if (safety.find("MT-Unsafe") != std::string::npos && !kOtherRaces.contains(name)) {
      EXPECT_FALSE(written.empty()) << line;
    }
    if (safety.find("MT-Unsafe") == std::string::npos && !kKeepState.contains(name)) {
      for (const std::string& state : written) EXPECT_FALSE(state.starts_with("hidden state")) << line << state;
    }
  }
  EXPECT_GT(rows, 400U);
}

TEST(Effects, that_follow_from_others_are_there) {
  const SpecFile file(R"spec(
on any thread: {free: the rest}
writes: {effects: [descriptor 0 write]}
closes: {effects: [descriptor 0 close]}
prints: {effects: [append 0]}
finds: {effects: [read 0, look working directory]}
opens: {effects: [store fresh descriptor in 0]}
makes: {effects: [touch children]}
)spec");
  const Specs specs = file.read();
  llvm::LLVMContext context;
  llvm::Module module("names", context);
  const auto states = [&](const char* name) {
    auto function = module.getOrInsertFunction(name, llvm::Type::getVoidTy(context));
    std::set<std::string> found;
    for (const Effect& effect : specs.find(*llvm::cast<llvm::Function>(function.getCallee()))->effects) {
      if (effect.op == Effect::Op::kHiddenRead || effect.op == Effect::Op::kCall) found.insert(effect.name);
    }
    return found;
  };
  using Names = std::set<std::string>;
  const Names written = {"functions called by signals of descriptors", "functions called by signals of writing",
                         "limits of the process", "signal handlers"};
  EXPECT_EQ(states("writes"), written);
  EXPECT_EQ(states("prints"), written);
  EXPECT_EQ(states("closes"), (Names{"functions called by signals of descriptors", "signal handlers"}));
  EXPECT_EQ(states("finds"), (Names{"identity of the process", "working directory"}));
  EXPECT_EQ(states("opens"), Names{"limits of the process"});
  EXPECT_EQ(states("makes"), (Names{"identity of the process", "limits of the process", "signal handlers", "umask",
                                    "working directory"}));
}

// What system calls may share is written by each that is not accounted for, and read by all.
TEST(Complete, says_which_system_calls_are_accounted_for) {
  const SpecFile file(R"spec(
complete: [known, "partly(1:3,4)"]
on any thread: {free: [number], system: [known, partly, other], ties system: [changes]}
number: {}
known: {}
partly: {}
other: {}
changes: {}
owned: {}
)spec");
  const Specs specs = file.read();
  llvm::LLVMContext context;
  llvm::Module module("names", context);
  const auto uses = [&](const char* name) {
    auto function = module.getOrInsertFunction(name, llvm::Type::getVoidTy(context));
    const Effects& effects = specs.find(*llvm::cast<llvm::Function>(function.getCallee()))->effects;
    std::vector<Effect> found(effects.begin(), effects.end());
    std::erase_if(found, [](const Effect& effect) { return effect.name != kStateOfSystem; });
    return found;
  };
  EXPECT_TRUE(uses("number").empty());
  ASSERT_EQ(uses("known").size(), 1U);
  EXPECT_EQ(uses("known")[0].op, Effect::Op::kHiddenRead);
  for (const char* name : {"other", "changes", "owned"}) {
    ASSERT_EQ(uses(name).size(), 2U) << name;
    EXPECT_EQ(uses(name)[1].op, Effect::Op::kHiddenWrite) << name;
    EXPECT_EQ(uses(name)[1].condition.arg, kNoArgument) << name;
  }
  const std::vector<Effect> partly = uses("partly");
  ASSERT_EQ(partly.size(), 2U);
  EXPECT_EQ(partly[1].op, Effect::Op::kHiddenWrite);
  EXPECT_EQ(partly[1].condition.arg, 1);
  EXPECT_FALSE(partly[1].condition.allows(3));
  EXPECT_TRUE(partly[1].condition.allows(5));
}

TEST(OnAnyThread, says_what_a_function_has_to_do_with_its_thread) {
  const SpecFile file(R"spec(
on any thread:
  free: [f, [g, "h(0:1,-2)"]]
  ties mode: [k]
  ties system anywhere: [m]
f, g, h, k, m, n: {}
)spec");
  const Specs specs = file.read();
  llvm::LLVMContext context;
  llvm::Module module("names", context);
  const auto spec = [&](const char* name) {
    auto function = module.getOrInsertFunction(name, llvm::Type::getVoidTy(context));
    return *specs.find(*llvm::cast<llvm::Function>(function.getCallee()));
  };
  EXPECT_EQ(spec("f").thread, ThreadUse::kNothing);
  EXPECT_EQ(spec("g").thread, ThreadUse::kNothing);
  EXPECT_EQ(spec("h").thread_if.numbers, (std::set<std::int64_t>{1, -2}));
  EXPECT_EQ(spec("k").thread, ThreadUse::kItself);
  EXPECT_EQ(spec("k").ties, ThreadUse::kMode);
  EXPECT_TRUE(spec("m").ties_anywhere);
  EXPECT_EQ(spec("n").thread, ThreadUse::kItself);
  EXPECT_EQ(spec("strlen").thread, ThreadUse::kNothing);
  EXPECT_EQ(spec("fmodf").thread, ThreadUse::kMode);
  EXPECT_EQ(spec("cosl").thread, ThreadUse::kMode);
  EXPECT_EQ(spec("__overflow").thread, ThreadUse::kSystem);
  EXPECT_EQ(spec("fflush_unlocked").thread, ThreadUse::kSystem);
  EXPECT_EQ(spec("read").thread, ThreadUse::kSystem);
  EXPECT_EQ(spec("gettid").thread, ThreadUse::kItself);
}

TEST(OnAnyThread, that_says_something_else_is_refused) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"on any thread: {free: [g]}\nf: {}", "'g' has no entry in this file"},
      {"on any thread: {free: [f], system: [f]}\nf: {}", "'f' is listed twice"},
      {"on any thread: {always: [f]}\nf: {}", "unknown key 'always'"},
      {"on any thread: {free: f}\nf: {}", "not a list of names"},
      {"on any thread: {free: ['f(sometimes)']}\nf: {}", "can't read the condition 'sometimes'"},
      {"f: {effects: [thread]}", "can't read 'thread'"},
  };
  for (const auto& [text, expected] : wrong)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << ": " << refusal(text);
}

TEST(Complete, names_functions_of_its_file_with_numbers_as_conditions) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"complete: [g]\nf: {}", "'g' has no entry in this file"},
      {"complete: [f, [f]]\nf: {}", "'f' is listed twice"},
      {"complete: f\nf: {}", "not a list of names"},
      {"complete: ['f(local:0)']\nf: {}", "'f': a condition here is an argument and its numbers"},
  };
  for (const auto& [text, expected] : wrong)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << ": " << refusal(text);
}

TEST(MovesNoPointers, names_functions_of_its_file_once) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"moves no pointers: [g]\nf: {}", "'g' has no entry in this file"},
      {"moves no pointers: [f, [f]]\nf: {}", "'f' is listed twice"},
      {"moves no pointers: f\nf: {}", "not a list of names, nor 'the rest'"},
      {"f: {effects: [mix]}", "can't read 'mix'"},
      {"f: {effects: [keep inside 0 in 1]}", "can't read 'keep inside 0 in 1'"},
  };
  for (const auto& [text, expected] : wrong)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << ": " << refusal(text);
  EXPECT_EQ(refusal("moves no pointers: the rest\nf: {effects: [write 0, [mix 1, [store inside 0 in 1 at 8]]]}"), "");
}

TEST(Likeness, gives_an_entry_the_effects_of_another_at_the_end_of_a_path) {
  const SpecFile file(
      "on any thread: {free: the rest}\n"
      "inner: {effects: [read 0 at 8, keep loaded 0 at 16 in loaded 0 at 24 at 32,"
      " call hidden done with loaded 0 at 40 nothing result in 0 at 48, touch tables]}\n"
      "middle: {effects: [as inner with 0 at 100]}\n"
      "outer: {effects: [write 1, as middle with 2 at 200 at 300, as inner with 1]}\n");
  const Specs specs = file.read();
  const Effects& effects = specs.all().at("outer").effects;
  ASSERT_EQ(effects.size(), 10U);
  EXPECT_EQ(effects[1].name, kVariables);
  using Path = std::vector<std::int64_t>;
  EXPECT_EQ(effects[2].arg, 2);
  EXPECT_EQ(effects[2].path, Path({200, 300, 100, 8}));
  EXPECT_EQ(effects[3].value_path, Path({200, 300, 100, 16}));
  EXPECT_EQ(effects[3].path, Path({200, 300, 100, 24}));
  EXPECT_EQ(effects[3].offset, 32);
  EXPECT_EQ(effects[4].actuals[0].path, Path({200, 300, 100, 40}));
  EXPECT_EQ(effects[4].actuals[1].arg, kNoArgument);
  EXPECT_EQ(effects[4].result->path, Path({200, 300, 100}));
  EXPECT_EQ(effects[4].result->offset, 48);
  EXPECT_EQ(effects[5].name, "tables");
  EXPECT_EQ(effects[6].arg, 1);
  EXPECT_EQ(effects[6].path, Path({8}));
}

TEST(Likeness, that_cannot_be_said_is_refused) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"f: {effects: [as nothing_known with 0 at 8]}", "'as nothing_known': there is no such entry"},
      {"f: {effects: [as strlen to 0]}", "can't read 'as strlen to 0'"},
      {"f: {effects: [as g with 0]}\ng: {effects: [as f with 0]}", "'as f': that entry names this one"},
      {"f: {effects: [as g with 0]}\ng: {effects: [read 1]}", "'g' can't be said of what a path leads to"},
      {"f: {effects: [as g with 0 at 8]}\ng: {effects: [reach 0]}", "'g' can't be said of what a path leads to"},
      {"f: {effects: [as g with 0]}\ng: {effects: [alone loop]}", "'g' does more than its effects say"},
  };
  for (const auto& [text, expected] : wrong)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << ": " << refusal(text);
}

TEST(Entry, that_is_there_twice_is_refused) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"f: {effects: [read 0]}\nf: {}", "'f' stands there twice"},
      {"f, g: {effects: [read 0]}\nh, f: {}", "h, f: 'f' has two entries in this file"},
      {"f: {effects: [read 0], effects: [write 0]}", "'effects' stands there twice"},
      {"f: {callbacks: [{function: 0, kind: event, session: 0, parameters: [], session: -1}]}",
       "'session' stands there twice"},
      {"on any thread: {free: [f], free: [g]}\nf, g: {}", "'free' stands there twice"},
  };
  for (const auto& [text, expected] : wrong)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << ": " << refusal(text);
  EXPECT_EQ(refusal("strlen: {effects: [read 0]}"), "");  // a file of one's own counts before those of the project
}

TEST(Entry, with_a_value_of_another_kind_or_an_unknown_key_is_refused) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"f: {effects: read 0}", "f: line 1: not a list: write [...]"},
      {"f:\n  effects: [{read: 0}]", "f: line 2: a list where a word is expected"},
      {"f: {callbacks: {function: 0}}", "f: line 1: not a list"},
      {"f: {callbacks: [event]}", "f: line 1: not a map"},
      {"f: {callbacks: [{kind: event}]}", "f: a callback without 'function'"},
      {"f: {callbacks: [{function: 0, session: -1}]}", "f: line 1: 'kind' is missing"},
      {"f: {callbacks: [{function: 0, kind: event, session: one}]}", "f: line 1: 'one' is no number"},
      {"f: {callbacks: [{function: 0, kind: event, session: -1, handled: 0}]}",
       "f: unknown key 'handled' of a callback"},
      {"f: {callbacks: [{function: 0, kind: event, session: -1, allocates: maybe}]}",
       "'maybe' is neither true nor false"},
      {"[f]: {}", "a key that is no text"},
      {"complete: ['f(1 2:3)']\nf: {}", "complete: can't read '1 2'"},
      {"complete: ['f(1:3;4)']\nf: {}", "complete: can't read '3;4'"},
  };
  for (const auto& [text, expected] : wrong)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << ": " << refusal(text);
}

// The names of system calls in the kernel's header, beside which something holds.
std::set<std::string> system_calls_in_conditions(const Specs& specs) {
  std::set<std::string> calls;
  std::ifstream header("/usr/include/x86_64-linux-gnu/asm/unistd_64.h");
  for (std::string word; header >> word;)
    if (word.starts_with("__NR_")) calls.insert(word.substr(5));
  std::set<std::string> found;
  const auto note = [&](const std::string& name) {
    if (calls.contains(name)) found.insert(name);
  };
  for (const auto& [function, spec] : specs.all()) {
    for (const Effect& effect : spec.effects) note(effect.beside);
    for (const Result& result : spec.results) note(result.beside);
    for (const Callback& callback : spec.callbacks)
      for (const std::string& name : callback.beside) note(name);
  }
  return found;
}

// What is called by a number counts as named only if its number is known (kSystemCalls in ir/symbols.cpp).
TEST(CallsWithoutNames, knows_the_number_of_each_system_call_that_a_condition_names) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto module = llvm::parseAssemblyString(R"(
    declare i64 @syscall(i64, ...)
    define void @calls(i64 %any) {
      call i64 (i64, ...) @syscall(i64 %any)
      ret void
    })",
                                                problem, context);
  ASSERT_NE(module, nullptr);
  const CallsWithoutNames calls(
      *module, [](const auto&, const llvm::Value*) { return std::nullopt; },
      [](const auto&, const llvm::Value*, std::vector<std::string>&) { return false; });
  const std::set<std::string> named = system_calls_in_conditions(Specs::read(ELYZE_SPECS));
  EXPECT_GT(named.size(), 10U);
  for (const std::string& name : named) EXPECT_TRUE(calls.may_call(name)) << name;
  EXPECT_FALSE(calls.may_call("setenv"));
}

TEST(Dispatcher, is_accepted_where_it_calls_handlers) {
  EXPECT_EQ(refusal("serve: {dispatches: {session: 0}}", kLoop), "");
  EXPECT_EQ(refusal("tick: {dispatches: {calls: [on_tick], session: 0, kind: timer}}", kLoop), "");
}

TEST(Dispatcher, that_cannot_be_one_is_refused) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"serve: {dispatches: 0}", "'dispatches' without 'session'"},
      {"serve: {dispatches: {calls: [a]}}", "'dispatches' without 'session'"},
      {"serve: {dispatches: {session: 40}}", "session 40 is no argument of a call"},
      {"serve: {dispatches: {session: 0, kind: at any time}}", "'at any time' is no kind of handler"},
      {"serve: {dispatches: {session: 0, sessions: 1}}", "unknown key 'sessions' in 'dispatches'"},
      {"serve: {dispatches: {session: 0, calls: []}}", "'calls' names no function"},
      {"serve: {dispatches: {session: 0}, effects: [read 0]}", "nothing else can be said about it"},
      {"nobody: {dispatches: {session: 0}}", "it has none of this name"},
      {"tick: {dispatches: {session: 0}}", "tick: it makes no indirect call: name the functions with 'calls'"},
      {"tick: {dispatches: {session: 0, calls: [on_tock]}}", "tick: it does not call on_tock by name"},
      {"serve: {dispatches: {session: 1}}", "serve: session 1 is no argument of the call"},
  };
  for (const auto& [text, expected] : wrong)
    EXPECT_NE(refusal(text, kLoop).find(expected), std::string::npos) << text << ": " << refusal(text, kLoop);
}

}  // namespace
}  // namespace heddle::elyze
