// What the reader of YAML makes of a file, and that it refuses what would be lost, or would end the process. Files that
// were changed at random are refused with their name, or say the same as when they are written in another way.
#include "elyze/specs/yaml.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "elyze/ir/error.hpp"
#include "elyze/specs/describe.hpp"
#include "elyze/specs/specs.hpp"

namespace heddle::elyze {
namespace {

// A folder with one file of YAML.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("elyze-yaml-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }
  std::string file() const { return (path_ / "changed.yaml").string(); }
  std::string write(const std::string& text) const {
    std::ofstream(file(), std::ios::binary) << text;
    return file();
  }

 private:
  std::filesystem::path path_;
};

std::string refusal(const std::string& text) {
  const Folder folder;
  try {
    const YamlFile file(folder.write(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(YamlFile, is_a_tree_in_the_order_of_the_file) {
  const Folder folder;
  const YamlFile file(
      folder.write("b: [read 0, &both ['~', ~, 'it''s'], \"\\u00e9\"]\n\"a\": {n: -3, yes: true}\n"
                   "long:\n  - more\n    words\n  - *both\nempty:\n"));
  const auto& entries = file.root().map();
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].key, "b");
  EXPECT_EQ(entries[1].key, "a");
  const auto& list = entries[0].value->list();
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0]->text(), "read 0");
  EXPECT_EQ(list[1]->list()[0]->kind(), YamlNode::Kind::kText);
  EXPECT_EQ(list[1]->list()[1]->kind(), YamlNode::Kind::kNothing);
  EXPECT_EQ(list[1]->list()[2]->text(), "it's");
  EXPECT_EQ(list[2]->text(), "\u00e9");
  EXPECT_EQ(entries[1].value->at("n").number(), -3);
  EXPECT_TRUE(entries[1].value->at("yes").flag());
  EXPECT_EQ(entries[1].value->find("no"), nullptr);
  EXPECT_EQ(file.root().at("long").list()[0]->text(), "more words");
  EXPECT_EQ(file.root().at("long").list()[1], list[1]);
  EXPECT_TRUE(file.root().at("empty").list().empty());
}

TEST(YamlFile, without_content_is_nothing) {
  const Folder folder;
  for (const char* text : {"", "# a comment\n", "---\n"})
    EXPECT_EQ(YamlFile(folder.write(text)).root().kind(), YamlNode::Kind::kNothing) << text;
}

TEST(YamlFile, that_loses_something_or_is_none_is_refused_with_its_line) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"a: {b: 1, c: 2, b: 3}", "changed.yaml: 'b' stands there twice: see"},
      {"a: 1\n--- \nb: 1", "not a spec (line 2, column 1: a second document)"},
      {"a: 1\n[b]: 2", "(line 2, column 3: a key that is no text)"},
      {"a: [1\nb: 2", "not a spec (line 2, column 2: "},
      {"a: 'b\n", "line 2, column 1: found unexpected end of stream"},
      {"a: b: c", "(line 1, column 5: mapping values are not allowed in this context)"},
      {"a: *b", "(line 1, column 4: nothing is called '&b')"},
      {"a: &b [1, *b]", "(line 1, column 11: '*b' stands in what it stands for)"},
      {"a: \xff", "UTF-8"},
      {"a: " + std::string(70, '['), "more than 64 lists and maps in each other"},
      {"a: " + std::string(1'000'000, '['), "more than 64 lists and maps in each other"},
  };
  for (const auto& [text, expected] : wrong)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text.substr(0, 80) << ": " << refusal(text);
  EXPECT_EQ(refusal("a: " + std::string(63, '[') + std::string(63, ']')), "");
}

TEST(YamlFile, whose_aliases_stand_for_too_much_is_refused) {
  std::string deep = "a0: &a0 [x]\n";
  std::string long_one = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 100; ++i) {
    const std::string name = "a" + std::to_string(i) + ": &a" + std::to_string(i);
    const std::string last = "*a" + std::to_string(i - 1);
    deep += name + " [" + last + "]\n";
    if (i < 10) long_one += name + " [" + last + "," + last + "," + last + "," + last + "," + last + "]\n";
  }
  EXPECT_NE(refusal(deep).find("more than 64 lists"), std::string::npos);
  EXPECT_NE(refusal(long_one).find("too long, with all that its aliases stand for"), std::string::npos);
}

TEST(YamlFile, that_cannot_be_read_is_refused) {
  const Folder folder;
  for (const std::string& path : {folder.path(), folder.path() + "/none.yaml"}) {
    try {
      const YamlFile file(path);
      ADD_FAILURE() << path;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), path + ": can't be read: name a file of function specs");
    }
  }
}

TEST(YamlNode, of_another_kind_is_refused_with_its_line) {
  const Folder folder;
  const YamlFile file(folder.write("text: word\nlist: []\nmap: {}\n"));
  const auto refused = [](const auto& use) -> std::string {
    try {
      use();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused([&] { file.root().at("text").list(); }), "line 1: not a list: write [...]");
  EXPECT_EQ(refused([&] { file.root().at("text").number(); }), "line 1: 'word' is no number");
  EXPECT_EQ(refused([&] { file.root().at("text").flag(); }), "line 1: 'word' is neither true nor false");
  EXPECT_EQ(refused([&] { file.root().at("list").text(); }), "line 2: a list where a word is expected");
  EXPECT_EQ(refused([&] { file.root().at("list").map(); }), "line 2: not a map: write {key: value}");
  EXPECT_EQ(refused([&] { file.root().at("map").at("key"); }), "line 3: 'key' is missing");
}

// The same on one level of brackets, each text in quotes, each key announced, aliases followed.
void write_otherwise(const YamlNode& node, std::string& to) {
  const auto quoted = [](const std::string& text) { return nlohmann::json(text).dump(-1, ' ', true); };
  switch (node.kind()) {
    case YamlNode::Kind::kNothing:
      to += "~";
      break;
    case YamlNode::Kind::kText:
      to += quoted(node.text());
      break;
    case YamlNode::Kind::kList:
      to += "[";
      for (const YamlNode* item : node.list()) {
        write_otherwise(*item, to);
        to += ",\n ";
      }
      to += "]";
      break;
    case YamlNode::Kind::kMap:
      to += "{";
      for (const auto& [key, value] : node.map()) {
        to.append("? ").append(quoted(key)).append("\n : ");
        write_otherwise(*value, to);
        to += ",\n ";
      }
      to += "}";
      break;
  }
}

std::string shipped_files() {
  std::string all;
  for (const auto& entry : std::filesystem::directory_iterator(ELYZE_SPECS)) {
    if (entry.path().extension() != ".yaml") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    all += text.str();
  }
  return all;
}

class Changes {
 public:
  explicit Changes(unsigned seed) : random_(seed), all_(shipped_files()) {}

  // Some entries of what ships, with a few changes.
  std::string next() {
    const std::size_t from = entry_behind(below(all_.size() - 9000));
    std::string text = all_.substr(from, entry_behind(from + below(3000)) - from);
    for (std::size_t change = below(4); change > 0; --change) {
      const std::size_t at = below(text.size() + 1);
      if (below(3) == 0) {
        text.erase(at, below(30));
      } else if (below(3) == 0) {
        text.insert(at, text.substr(below(text.size() + 1), below(200)));
      } else {
        text.insert(at, kPieces[below(kPieces.size())]);
      }
    }
    return text;
  }

 private:
  static constexpr std::array<std::string_view, 30> kPieces = {
      "[",        "]",     "{",    "}",   ": ",   ", ",      "- ",   "\n",     "\n  ",
      "\t",       "&a ",   "*a",   "'",   "\"",   "| ",      "> ",   "!!str ", "%",
      "---\n",    "...\n", "\xff", "\\x", "null", "read 0 ", " -1 ", " at ",   " 99999999999999999999 ",
      "\xc2\x85", "? ",    "#"};
  std::size_t entry_behind(std::size_t at) const {
    do at = all_.find('\n', at) + 1;
    while (std::isalpha(static_cast<unsigned char>(all_[at])) == 0);
    return at;
  }
  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }
  std::mt19937 random_;
  std::string all_;
};

TEST(SpecFiles, that_were_changed_at_random_are_refused_by_name_or_say_the_same_in_another_writing) {
  const unsigned seed = 20'261'129U + static_cast<unsigned>(GTEST_FLAG_GET(random_seed));
  Changes changes(seed);
  const Folder folder;
  int accepted = 0;
  int refused = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::string text = changes.next();
    try {
      folder.write(text);
      const auto said = describe(Specs::read(folder.path()));
      std::string otherwise;
      write_otherwise(YamlFile(folder.file()).root(), otherwise);
      folder.write(otherwise);
      ASSERT_EQ(describe(Specs::read(folder.path())), said) << "seed " << seed << "\n" << text;
      ++accepted;
    } catch (const InputError& error) {
      ASSERT_NE(std::string(error.what()).find("changed"), std::string::npos) << error.what() << "\n" << text;
      ASSERT_EQ(std::filesystem::file_size(folder.file()), text.size()) << error.what() << "\n" << text;
      ++refused;
    }
  }
  EXPECT_GT(accepted, 150);
  EXPECT_GT(refused, 150);
}

}  // namespace
}  // namespace heddle::elyze
