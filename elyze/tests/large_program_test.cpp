// Programs with a recursive component too large to tell its calls apart: the analysis must end, in a number of steps
// that grows with the program, say that it reached a limit, and be as sound as ever.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "elyze/driver.hpp"

namespace heddle::elyze {
namespace {

// `size` functions that call each other in a circle and through a table, and sixteen handlers that enter the circle at
// different places with their session. Each function touches its own global, the session, and what the session links
// to.
std::string circle(int size) {
  std::ostringstream code;
  code << R"(
#include <event2/event.h>
#include <stdlib.h>
struct session { struct session *next; char *own; int count; int depth; struct event *event; };
typedef void (*step)(struct session *, int);
extern const step table[];
static struct session *last;
)";
  for (int i = 0; i < size; ++i) code << "static int g" << i << ";\nstatic void f" << i << "(struct session *, int);\n";
  for (int i = 0; i < size; ++i) {
    code << "static void f" << i << "(struct session *s, int depth) {\n  if (depth <= 0) return;\n";
    if (i % 4 == 0) code << "  s->count++;\n";
    if (i % 4 == 1) code << "  if (s->own) s->own[0]++;\n";
    if (i % 4 == 2) code << "  if (s->next) s->next->depth = depth;\n";
    if (i % 4 == 3) code << "  g" << i << " += depth;\n";
    code << "  f" << (i + 1) % size << "(s, depth - 1);\n";
    if (i % (size / 8) == 0) code << "  table[depth % " << size << "](s, depth - 1);\n";
    if (i % 8 == 5) code << "  f" << (i * 7 + 3) % size << "(s->next, depth - 1);\n";
    code << "}\n";
  }
  code << "const step table[" << size << "] = {";
  for (int i = 0; i < size; ++i) code << (i ? ", f" : "f") << i;
  code << "};\n";
  for (int i = 0; i < 16; ++i) {
    code << "static void on_" << i << "(evutil_socket_t fd, short what, void *arg) {\n  (void)fd; (void)what;\n  f"
         << (i * size / 16) << "(arg, 100);\n}\n";
  }
  code << R"(
static void on_alone(evutil_socket_t fd, short what, void *arg) {
  (void)fd; (void)what;
  ((struct session *)arg)->depth++;
}
int main(void) {
  struct event_base *base = event_base_new();
  for (int i = 0; i < 10; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->next = last;
    last = s;
    s->own = malloc(10);
)";
  for (int i = 0; i < 16; ++i) code << "    event_base_once(base, i, EV_READ, on_" << i << ", s, 0);\n";
  code << R"(
    struct session *alone = calloc(1, sizeof *alone);
    event_base_once(base, i, EV_READ, on_alone, alone, 0);
  }
  return event_base_dispatch(base);
}
)";
  return code.str();
}

// The same circle, but each function touches only the session and passes it on.
std::string private_circle(int size) {
  std::ostringstream code;
  code << R"(
#include <event2/event.h>
#include <stdlib.h>
struct session { int count; int total; };
)";
  for (int i = 0; i < size; ++i) code << "static void f" << i << "(struct session *, int);\n";
  for (int i = 0; i < size; ++i) {
    code << "static void f" << i << "(struct session *s, int depth) {\n  if (depth <= 0) return;\n  s->count++;\n  f"
         << (i + 1) % size << "(s, depth - 1);\n}\n";
  }
  code << R"(
static void on_count(evutil_socket_t fd, short what, void *arg) { (void)fd; (void)what; f0(arg, 9); }
static void on_total(evutil_socket_t fd, short what, void *arg) {
  (void)fd; (void)what;
  ((struct session *)arg)->total++;
}
int main(void) {
  struct event_base *base = event_base_new();
  for (int i = 0; i < 10; i++) {
    struct session *s = calloc(1, sizeof *s);
    event_base_once(base, i, EV_READ, on_count, s, 0);
    event_base_once(base, i, EV_READ, on_total, s, 0);
  }
  return event_base_dispatch(base);
}
)";
  return code.str();
}

nlohmann::ordered_json analyse(const std::string& source) {
  const std::filesystem::path stem =
      std::filesystem::temp_directory_path() / ("elyze-large-" + std::to_string(getpid()));
  const std::string file = stem.string() + ".c";
  const std::string bitcode = stem.string() + ".bc";
  std::ofstream(file) << source;
  const std::string command =
      std::string(ELYZE_CLANG) + " -g -O0 -Xclang -disable-O0-optnone -w -emit-llvm -c " + file + " -o " + bitcode;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(concurrency-mt-unsafe)
  nlohmann::ordered_json document = analyse_program(Specs::read(ELYZE_SPECS), {{bitcode}, {"large", "none"}});
  std::filesystem::remove(file);
  std::filesystem::remove(bitcode);
  return document;
}

std::string verdict(const nlohmann::ordered_json& document, const std::string& a, const std::string& b) {
  const auto id = [&](const std::string& name) {
    for (const auto& handler : document["handlers"]) {
      if (handler["name"] == name) return handler["id"].get<int>();
    }
    return -1;
  };
  for (const auto& pair : document["pairs"]) {
    if (pair["a"] == std::min(id(a), id(b)) && pair["b"] == std::max(id(a), id(b))) return pair["verdict"];
  }
  return "no such pair";
}

std::size_t limits(const nlohmann::ordered_json& document) {
  const auto& all = document["assumptions"];
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const auto& one) { return one["kind"] == "limit"; }));
}

TEST(LargePrograms, a_large_recursion_is_listed_as_a_limit_and_stays_sound) {
  const nlohmann::ordered_json document = analyse(circle(200));
  EXPECT_EQ(limits(document), 1U);
  EXPECT_EQ(verdict(document, "on_0", "on_0"), "always");  // the sessions are linked, and there are the globals
  EXPECT_EQ(verdict(document, "on_3", "on_9"), "always");
  EXPECT_EQ(verdict(document, "on_0", "on_alone"), "never");  // blocks of another kind, that nothing else reaches
}

TEST(LargePrograms, a_small_recursion_reaches_no_limit) { EXPECT_EQ(limits(analyse(private_circle(8))), 0U); }

TEST(LargePrograms, what_is_passed_round_a_large_recursion_stays_the_own_session) {
  const nlohmann::ordered_json document = analyse(private_circle(100));
  EXPECT_EQ(limits(document), 1U);
  EXPECT_EQ(verdict(document, "on_count", "on_count"), "session");
  EXPECT_EQ(verdict(document, "on_count", "on_total"), "never");
}

TEST(LargePrograms, steps_grow_with_the_program) {
  const auto steps = [](int size) { return analyse(circle(size))["summary"]["steps"].get<double>(); };
  const double small = steps(200);
  const double large = steps(800);
  std::printf("steps: %.0f for 200 functions, %.0f for 800\n", small, large);
  // n log n would be 4 * log 800 / log 200 = 5.05, some percent more or less; n * n would be 16.
  EXPECT_LT(large, 1.05 * 5.05 * small);
}

}  // namespace
}  // namespace heddle::elyze
