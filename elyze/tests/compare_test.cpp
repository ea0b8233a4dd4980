// The result for a program is used again for another build of it only where a new analysis would say the same. Each
// allowed difference and each kind of refused one has a case; then the annotated programs are edited at random, and
// whatever the comparison lets pass must give the same document, with pools and without.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>

#include "elyze/compare/run.hpp"
#include "elyze/driver.hpp"
#include "elyze/ir/error.hpp"
#include "elyze/tests/compile.hpp"
#include "elyze/tests/programs.hpp"

namespace heddle::elyze {
namespace {

using Json = nlohmann::ordered_json;

// One source file, compiled before and after an edit in the same place.
class Edited {
 public:
  Edited(const std::string& name, const std::string& before,
         std::shared_ptr<const Specs> specs = shared_shipped_specs())
      : folder_(std::filesystem::temp_directory_path() / ("elyze-compare-" + std::to_string(getpid()) + "-" + name)),
        source_(name.ends_with(".cpp") ? "program.cpp" : "program.c"),
        specs_(std::move(specs)) {
    std::filesystem::create_directories(folder_);
    EXPECT_TRUE(compile(before, "before.bc"));
    for (const bool pooled : {false, true}) before_[pooled] = analyse("before.bc", pooled, read_[pooled]);
  }
  ~Edited() { std::filesystem::remove_all(folder_); }
  Edited(const Edited&) = delete;
  Edited& operator=(const Edited&) = delete;

  bool becomes(const std::string& now) { return compile(now, "now.bc"); }

  Json compared(bool pooled = false) const {
    return compare_modules({{(folder_ / "before.bc").string(), (folder_ / "now.bc").string()}}, read_[pooled]);
  }

  // The earlier result, with its lines moved to where they are now, must be what a new analysis says.
  void expect_same_result() const {
    for (const bool pooled : {false, true}) {
      const Json found = compared(pooled);
      if (!found["same"].get<bool>()) continue;
      NumbersRead unused;
      Json kept = before_[pooled];
      move(kept, found["lines"].value(source_, Json::array()), found["names"]);
      EXPECT_EQ(kept.dump(1), analyse("now.bc", pooled, unused).dump(1)) << (pooled ? "in a pool" : "");
    }
  }

 private:
  bool compile(const std::string& text, const std::string& output) const {
    std::ofstream(folder_ / source_) << text;
    return compile_to_bitcode(source_, (folder_ / output).string(),
                              {"-I", ELYZE_PROGRAMS, "-working-directory=" + folder_.string()})
        .empty();
  }

  Json analyse(const std::string& bitcode, bool pooled, NumbersRead& read) const {
    Job job{{(folder_ / bitcode).string()}, {"program", "none"}};
    if (pooled) job.limits.members = 0;
    try {
      return analyse_program(*specs_, job, nullptr, &read);
    } catch (const InputError& error) {
      return error.what();
    }
  }

  // As python/heddle/analysis/reuse.py does.
  void move(Json& part, const Json& lines, const Json& names) const {
    const auto now = [&](std::uint64_t line) {
      for (const Json& pair : lines) {
        if (pair[0] == line) return pair[1].get<std::uint64_t>();
      }
      return line;
    };
    if (part.is_object() && part.contains("line") && part.value("file", "") == source_)
      part["line"] = now(part["line"].get<std::uint64_t>());
    static const std::regex place(R"((.* at program\.c(?:pp)?:)([0-9]+))");
    std::smatch found;
    if (part.is_string()) {
      const std::string text = part.get<std::string>();
      if (std::regex_match(text, found, place)) part = found[1].str() + std::to_string(now(std::stoull(found[2])));
    }
    if (part.is_string() && names.contains(part.get<std::string>())) part = names[part.get<std::string>()];
    if (part.is_structured()) {
      for (Json& inner : part) move(inner, lines, names);
    }
  }

  std::filesystem::path folder_;
  std::string source_;
  const std::shared_ptr<const Specs> specs_;
  NumbersRead read_[2];
  Json before_[2];
};

const std::string kProgram = R"(
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

struct client { int asked; char buffer[16]; short kind; struct client *next; };
#define SEEN_ON(line) seen_on_##line
#define SEEN(line) SEEN_ON(line)
static int limit = 100;
static const int table[2] = {3, 4};
static const char *greeting = "hello";
static int ready;
static struct client *clients;
static char *last;
enum level { QUIET = 1, LOUD = 2 };

static void report(int level, const char *text) { printf("%d %s\n", level, text); }
static void shut(int fd) { close(fd); }
static pid_t make_child(void) { pid_t child = fork(); return child == -1 ? -1 : child; }

static void on_read(evutil_socket_t fd, short what, void *arg) {
  struct client *client = arg;
  unsigned char weight = 7;
  { static int SEEN(__LINE__); ++SEEN(__LINE__); }
  if (client->asked > 10) client->asked = 20;
  weight = (unsigned char)(client->kind * 3);
  if (weight + 5 == client->buffer[2]) client->kind = 9;
  for (int i = 0; i < 8; i += 2) client->buffer[i] = 0;
  if (!ready) { ready = 1; last = malloc(64); }
  report(QUIET, greeting);
  memcpy(client->buffer, "abcdefgh", 4);
  switch (client->kind) { case 3: client->asked = 1; break; case 5: clients = 0; }
}

static void on_tick(evutil_socket_t fd, short what, void *arg) {
  if (event_add(arg, 0) == 0) limit = 50;
  write(3, "tick", 4);
  if (make_child() == 0) { shut(5); _exit(1); }
}

int main(void) {
  struct event_base *base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  clients = client;
  event_add(event_new(base, 0, EV_READ | EV_PERSIST, on_read, client), 0);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, 0), 0);
  return event_base_dispatch(base);
}
)";

struct Edit {
  const char* name;
  const char* before;
  const char* after;
};
void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.name; }

std::string applied(const Edit& edit) {
  std::string text = kProgram;
  const auto at = text.find(edit.before);
  EXPECT_NE(at, std::string::npos) << edit.before;
  return at == std::string::npos ? text : text.replace(at, std::string(edit.before).size(), edit.after);
}

class Allowed : public testing::TestWithParam<Edit> {};
TEST_P(Allowed, is_no_difference) {
  Edited program(std::string("allowed-") + GetParam().name, kProgram);
  ASSERT_TRUE(program.becomes(applied(GetParam())));
  const Json found = program.compared();
  EXPECT_TRUE(found["same"].get<bool>()) << found.dump();
  program.expect_same_result();
}
INSTANTIATE_TEST_SUITE_P(
    edits, Allowed,
    testing::Values(Edit{"remark", "struct client {", "/* a remark\n */ struct client {"},
                    Edit{"remark_in_a_function", "  report(QUIET", "  // now\n  report(QUIET"},
                    Edit{"name_with_a_line", "\n#include <stdio.h>\n", "\n\n\n#include <stdio.h>\n"},
                    Edit{"column", "  report(QUIET", "      report(QUIET"}, Edit{"compared_number", "> 10", "> 11"},
                    Edit{"comparison", "> 10", "< 10"}, Edit{"stored_number", "asked = 20", "asked = 21"},
                    Edit{"stored_narrow_number", "kind = 9", "kind = 10"},
                    Edit{"factor_of_a_narrow_number", "kind * 3", "kind * 5"},
                    Edit{"summand_that_only_decides", "weight + 5", "weight + 6"},
                    Edit{"end_of_a_loop", "i < 8", "i < 12"}, Edit{"step_of_a_loop", "i += 2", "i += 3"},
                    Edit{"text", "\"hello\"", "\"good morning\""}, Edit{"format", "%d %s\\n", "%s at %d\\n"},
                    Edit{"size_of_a_block", "malloc(64)", "malloc(65)"},
                    Edit{"number_passed_on", "report(QUIET", "report(LOUD"},
                    Edit{"variable", "limit = 100", "limit = 7"}, Edit{"table", "{3, 4}", "{3, 5}"},
                    Edit{"enumerator_unused", "LOUD = 2", "LOUD = 4"}, Edit{"case", "case 3", "case 4"},
                    Edit{"text_that_is_written", "\"tick\"", "\"tock\""}, Edit{"exit_code", "_exit(1)", "_exit(2)"}),
    [](const auto& tested) { return tested.param.name; });

class Refused : public testing::TestWithParam<Edit> {};
TEST_P(Refused, is_a_difference) {
  Edited program(std::string("refused-") + GetParam().name, kProgram);
  ASSERT_TRUE(program.becomes(applied(GetParam())));
  EXPECT_FALSE(program.compared()["same"].get<bool>());
}
INSTANTIATE_TEST_SUITE_P(
    edits, Refused,
    testing::Values(
        Edit{"access", "limit = 50", "limit = 50; last = 0"}, Edit{"other_variable", "limit = 50", "ready = 50"},
        Edit{"access_left_out", "ready = 1; ", ""},
        Edit{"order", "ready = 1; last = malloc(64);", "last = malloc(64); ready = 1;"},
        Edit{"element", "buffer[2]", "buffer[3]"}, Edit{"bytes_copied", "\"abcdefgh\", 4", "\"abcdefgh\", 5"},
        Edit{"descriptor", "write(3,", "write(4,"}, Edit{"descriptor_passed_on", "shut(5)", "shut(6)"},
        Edit{"flags", "EV_READ | EV_PERSIST", "EV_READ"}, Edit{"event_without_descriptor", "base, -1,", "base, 7,"},
        Edit{"side_of_the_child", "make_child() == 0", "make_child() == 1"},
        Edit{"child_and_parent", "make_child() == 0", "make_child() != 0"},
        Edit{"what_fork_gives", "child == -1 ? -1 : child", "child == -1 ? 0 : child"},
        Edit{"success", "event_add(arg, 0) == 0", "event_add(arg, 0) == 1"},
        Edit{"what_a_flag_is_tested_for", "if (!ready)", "if (ready)"}, Edit{"case_of_zero", "case 3", "case 0"},
        Edit{"case_more", "case 3:", "case 2: case 3:"}, Edit{"branch", "clients = 0;", "if (limit) clients = 0;"},
        Edit{"folded_branch", "i < 8", "i < 0"}, Edit{"handler", "EV_PERSIST, on_tick", "EV_PERSIST, on_read"},
        Edit{"order_of_two_values", "weight + 5 ==", "weight + 5 <"},
        Edit{"field", "int asked;", "int asked; int more;"}, Edit{"size_of_an_array", "buffer[16]", "buffer[24]"},
        Edit{"name_of_a_field", "short kind;", "short sort;\n#define kind sort\n"},
        Edit{"name_of_a_function", "static void report(", "#define report say\nstatic void report("},
        Edit{"name_of_a_parameter", "(int level, const char *text) { printf(\"%d %s\\n\", level, text)",
             "(int how, const char *text) { printf(\"%d %s\\n\", how, text)"},
        Edit{"name_of_a_variable", "static int limit = 100;", "#define limit bound\nstatic int limit = 100;"},
        Edit{"linkage", "static int limit", "int limit"},
        Edit{"constant", "static int limit", "static volatile int limit"},
        Edit{"thread_local", "static int ready", "static __thread int ready"},
        Edit{"function_more", "static void shut", "static void more(void) {}\nvoid *use = more;\nstatic void shut"},
        Edit{"text_for_a_pointer", "*greeting = \"hello\"", "*greeting = 0"},
        Edit{"called_function", "_exit(1)", "abort()"},
        Edit{"cast", "(unsigned char)(client->kind", "(char)(client->kind"},
        Edit{"assembly", "static void shut", "__asm__(\".globl x\");\nstatic void shut"},
        Edit{"statement_of_assembly", "shut(5);", "__asm__(\"nop\"); shut(5);"},
        Edit{"one_line_that_was_two", "limit = 50;\n  write", "limit = 50; write"},
        Edit{"two_lines_that_were_one", "ready = 1; last", "ready = 1;\n last"}),
    [](const auto& tested) { return tested.param.name; });

// A signal that calls raise makes event_add() change what a call of another handler does (`signal handlers if named`).
TEST(Compare, takes_the_number_of_a_signal_for_read_wherever_it_comes_from) {
  const std::string before = R"code(
#include <signal.h>
#include "server.h"
static struct event *event;
static const struct { int number; int other; } table[] = {{SIGHUP, 1}, {SIGUSR1, 2}};
HANDLER(on_signal) { UNUSED; }
HANDLER(on_read) { UNUSED; event_del(event); event_add(event, NULL); }
HANDLER(on_write) { UNUSED; if (write(1, "x", 1) != 1) _exit(3); }
static void on(int number) { event = evsignal_new(base, number, on_signal, NULL); event_add(event, NULL); }
int main(int count, char **words) {
  (void)words;
  base = event_base_new();
  event = evsignal_new(base, SIGTERM, on_signal, NULL);
  on(SIGINT);
  on(table[count].number);
  on(count > 1 ? SIGCONT : SIGALRM);
  when_readable(3, on_read, NULL);
  when_readable(4, on_write, NULL);
  return event_base_dispatch(base);
}
)code";
  Edited program("signals", before);
  for (const char* number : {"SIGTERM", "SIGINT", "SIGUSR1", "SIGCONT"}) {
    std::string now = before;
    ASSERT_TRUE(program.becomes(now.replace(now.find(number), std::string(number).size(), "SIGPIPE"))) << number;
    program.expect_same_result();
  }
}

// Which descriptor is closed decides which file is opened in its place.
TEST(Compare, takes_a_table_for_read_where_it_may_have_descriptors) {
  const std::string before = R"code(
#include <fcntl.h>
#include "server.h"
static int victims[2] = {5, 6};
HANDLER(on_a) { UNUSED; close(victims[fd & 1]); open("data", O_WRONLY | O_CREAT, 0600); }
HANDLER(on_b) { UNUSED; write(1, "b", 1); }
HANDLER(on_c) { UNUSED; int file = open("data", O_WRONLY); write(file, "c", 1); close(file); }
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(6, on_c, NULL);
  return event_base_dispatch(base);
}
)code";
  Edited program("descriptors", before);
  std::string now = before;
  ASSERT_TRUE(program.becomes(now.replace(now.find("{5, 6}"), 6, "{5, 1}")));
  EXPECT_FALSE(program.compared()["same"].get<bool>());
}

// Code that nothing is known of may look a symbol up by its name, as dlsym() does.
TEST(Compare, takes_texts_that_name_symbols_for_read) {
  const std::string before = R"code(
#include "server.h"
extern int *lookup(const char *);
int counter;
static const char *names[] = {"others", "nothing"};
static const char table[2][8] = {"others", "nobody"};
HANDLER(on_a) { UNUSED; *lookup(names[fd]) = 1; *lookup(table[fd]) = 1; *lookup("nowhere") = 1; }
HANDLER(on_b) { UNUSED; ++counter; }
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
)code";
  Edited program("texts", before);
  for (const char* text : {"nothing", "nobody", "nowhere"}) {
    std::string now = before;
    ASSERT_TRUE(program.becomes(now.replace(now.find(text), std::string(text).size(), "counter"))) << text;
    EXPECT_FALSE(program.compared()["same"].get<bool>()) << text;
    now = before;
    ASSERT_TRUE(program.becomes(now.replace(now.find(text), std::string(text).size(), "another"))) << text;
    EXPECT_TRUE(program.compared()["same"].get<bool>()) << text;
  }
}

TEST(Compare, takes_every_number_in_a_call_for_read_where_functions_go_by_one_name) {
  // The linker renames one of two local functions of a name: which of them reads its number is then not told apart.
  NumbersRead read;
  read.add("report", 0);
  Edited program("names", kProgram);
  ASSERT_TRUE(program.becomes(applied({"", "report(QUIET", "report(LOUD"})));
  EXPECT_TRUE(program.compared()["same"].get<bool>());
}

TEST(Compare, a_file_of_numbers_that_is_none_is_bad_input) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("numbers-" + std::to_string(getpid()));
  for (const char* text : {"", "[[1, 2]]", "[[\"f\"]]", "{\"a\": 1}"}) {
    std::ofstream(file) << text;
    EXPECT_THROW(read_numbers(file.string()), InputError) << text;
  }
  NumbersRead read;
  read.add("f", 3);
  write_numbers(read, file.string());
  EXPECT_EQ(read_numbers(file.string()).arguments(), read.arguments());
  std::filesystem::remove(file);
}

// ---- random edits ----

struct Change {
  std::size_t at;
  std::size_t length;
  std::string text;
};

// Numbers, comparisons, arithmetic and texts that are others; statements that are gone, moved, or there twice.
std::vector<Change> changes(const std::string& text) {
  std::vector<Change> found;
  static const std::pair<const char*, std::vector<std::string>> kinds[] = {
      {R"(\b[0-9]+\b)", {"0", "1", "2", "3", "17", "4096"}},
      {R"( (<=|>=|==|!=|<|>) )", {" < ", " >= ", " == ", " != "}},
      {R"( (\+|-|\*|&|\|) (?=[0-9a-z]))", {" + ", " - ", " * ", " & "}},
      {R"("[^"\n]*")", {"\"\"", "\"another text\""}},
      {R"((\+=|-=|\+\+|--))", {"++", "--", "+= 1", "+= 2", "-= 3"}},
      {R"(\n  [a-z][^\n{}]*;(?=\n))", {"", "\n  ;", "\n\n", "\n  // gone\n"}},
      {R"(\b(int|short|char|long|unsigned)\b)", {"int", "short", "long", "char"}},
  };
  for (const auto& [pattern, replacements] : kinds) {
    const std::regex expression(pattern);
    for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) {
      const auto line = text.rfind('\n', static_cast<std::size_t>(at->position()));
      const std::size_t start = line == std::string::npos ? 0 : line + 1;
      if (text.compare(start, 2, "//") == 0 || text.compare(start, 1, "#") == 0) continue;
      for (const std::string& replacement : replacements) {
        if (replacement == at->str()) continue;
        found.push_back({static_cast<std::size_t>(at->position()), at->str().size(), replacement});
      }
    }
  }
  return found;
}

std::size_t reused = 0;
std::size_t anew = 0;

class RandomEdits : public testing::TestWithParam<std::filesystem::path> {};
TEST_P(RandomEdits, never_change_what_is_used_again) {
  constexpr int kEdits = 3;
  std::stringstream text;
  text << std::ifstream(GetParam()).rdbuf();
  Edited program("random-" + GetParam().filename().string(), text.str(), specs_of(GetParam()));
  std::vector<Change> possible = changes(text.str());
  std::mt19937 random(static_cast<unsigned>(text.str().size()));
  std::shuffle(possible.begin(), possible.end(), random);
  int done = 0;
  for (const Change& change : possible) {
    if (done == kEdits) break;
    std::string now = text.str();
    now.replace(change.at, change.length, change.text);
    if (!program.becomes(now)) continue;
    ++done;
    SCOPED_TRACE("'" + text.str().substr(change.at, change.length) + "' at byte " + std::to_string(change.at) +
                 " becomes '" + change.text + "'");
    ++(program.compared()["same"].get<bool>() ? reused : anew);
    program.expect_same_result();
  }
}
INSTANTIATE_TEST_SUITE_P(programs, RandomEdits, testing::ValuesIn(annotated_programs()),
                         [](const auto& tested) { return tested.param.stem().string(); });

// Runs last: if the comparison let all edits pass, or none, the tests above would prove nothing.
class Afterwards : public testing::Environment {
 public:
  void TearDown() override {
    if (reused + anew < 250) return;  // only some of the programs were edited
    std::printf("%zu edits used the last result again, %zu needed a new analysis\n", reused, anew);
    EXPECT_GT(reused, (reused + anew) / 10);
    EXPECT_GT(anew, (reused + anew) / 10);
  }
};
const testing::Environment* const afterwards = testing::AddGlobalTestEnvironment(new Afterwards);

}  // namespace
}  // namespace heddle::elyze
