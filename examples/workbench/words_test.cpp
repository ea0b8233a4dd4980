#include "words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objects.hpp"
#include "outline.hpp"

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

// Each, and whether it is called.
std::map<std::string, bool> named(std::string_view source, Style style) {
  Names names;
  std::map<std::string, bool> all;
  for (const Mention& each : names.read(source, style).names) all.emplace(names.text(each.name), each.call);
  return all;
}

TEST(Words, OfCommentsAndStringsAreNone) {
  EXPECT_THAT(named("a(b); // c()\n/* d() */ \"e()\" 'f' R\"x(g()\")x\" 1'000 h (i)", Style::kBraces),
              ElementsAre(Pair("a", true), Pair("b", false), Pair("h", true), Pair("i", false)));
  EXPECT_THAT(named("a(b) # c()\n'''d()\n''' \"e()\" + f\n", Style::kIndents),
              ElementsAre(Pair("a", true), Pair("b", false), Pair("f", false)));
  EXPECT_THAT(named("\"never ended\n a", Style::kBraces), ElementsAre(Pair("a", false)));
  EXPECT_THAT(named("/* never ended", Style::kBraces), ElementsAre());
  EXPECT_THAT(named("\"\\", Style::kBraces), ElementsAre());
}

TEST(Words, AFrameChangesWithDefinitionsAlone) {
  const auto frame = [](std::string_view source, Style style = Style::kBraces) {
    return Names().read(source, style).frame;
  };
  EXPECT_EQ(frame("int f() { return g(1); }"), frame("int f()\n{ h(); /* } int x() { */ }"));
  EXPECT_NE(frame("int f() { return 1; }"), frame("int g() { return 1; }"));
  EXPECT_NE(frame("int f() { }"), frame("int f() { } int g() { }"));
  EXPECT_EQ(frame("def f():\n  return 1\n", Style::kIndents), frame("def f():\n  x()\n", Style::kIndents));
  EXPECT_NE(frame("def f():\n  return 1\n", Style::kIndents), frame("def f(x):\n  return 1\n", Style::kIndents));
  EXPECT_NE(frame("a", Style::kOther), frame("b", Style::kOther));
}

TEST(Objects, TextIsUtf8WithoutZeroBytes) {
  for (const char* text : {"", "a", "\xc2\x80", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_text(text)) << text;
  for (const char* text : {"\x80", "\xc2", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                           "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "a\xff"})
    EXPECT_FALSE(is_text(text)) << text;
  EXPECT_FALSE(is_text(std::string_view("a\0b", 3)));
}

TEST(Objects, LinesEndInOneWayOrInSeveral) {
  EXPECT_EQ(line_ends("a\nb\n"), LineEnds::kUnix);
  EXPECT_EQ(line_ends("a\r\nb\r\n"), LineEnds::kDos);
  EXPECT_EQ(line_ends("a\r\nb\n"), LineEnds::kMixed);
  EXPECT_EQ(line_ends("a\rb"), LineEnds::kMixed);
  EXPECT_EQ(line_ends("a\r\r\n"), LineEnds::kMixed);
}

TEST(Outline, CutsAreAllOfTheSource) {
  Outliner outliner;
  for (const std::string source :
       {"", "\n", "x", "int f(void) { return 1; }", "}}}}\n{{{{", "class A {\n int f() { return 1; }\n};\n",
        "def f():\n  def g():\n    pass\n", "template <class T>\nint\nf(T x)\n{\n}\n// end"}) {
    for (const char* path : {"a.cpp", "a.py", "a.txt", "Makefile"}) {
      std::string all;
      for (const Cut& cut : outliner.cuts(path, source)) all += cut.text;
      EXPECT_EQ(all, source) << path;
    }
  }
}

TEST(Outline, WhatStandsDirectlyAboveADefinitionBelongsToIt) {
  Outliner outliner;
  const auto first = [&](const char* path, std::string_view source) {
    for (const Cut& cut : outliner.cuts(path, source))
      if (cut.kind == Kind::kFunction) return std::string(cut.text);
    return std::string("none");
  };
  EXPECT_EQ(first("a.cpp", "int x;\n\n// Adds.\ntemplate <class T>\nint add(T a) {\n  return a;\n}\n"),
            "// Adds.\ntemplate <class T>\nint add(T a) {\n  return a;\n}\n");
  EXPECT_EQ(first("a.c", "static int\nmain(void)\n{\n}\n"), "static int\nmain(void)\n{\n}\n");
  EXPECT_EQ(first("a.py", "x = 1\n@deco\n# Says.\ndef f():\n    pass\n"), "@deco\n# Says.\ndef f():\n    pass\n");
}

}  // namespace
}  // namespace workbench
