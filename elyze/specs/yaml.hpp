// A file of YAML as a tree of lists, maps and texts, which parse.cpp reads entries from.
//
// libyaml reads the file. Added to that is what it would let pass without a word: of two equal keys of a map one would
// be lost, and aliases (`*name`) of aliases can stand for more than fits into memory.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::elyze {

// Whatever is not of the kind that is asked for is refused by an InputError with its line.
class YamlNode {
 public:
  enum class Kind : std::uint8_t { kNothing, kText, kList, kMap };  // kNothing: no value, `null` or `~`, not in quotes
  struct Entry;

  Kind kind() const { return kind_; }
  const std::string& text() const;  // "null" for kNothing
  int number() const;
  bool flag() const;                                 // `true` or `false`
  const std::vector<const YamlNode*>& list() const;  // empty for kNothing
  const std::vector<Entry>& map() const;             // in the order of the file
  const YamlNode* find(std::string_view key) const;  // null if the map has no such key
  const YamlNode& at(std::string_view key) const;

 private:
  friend class YamlBuilder;
  [[noreturn]] void refuse(const std::string& why) const;
  Kind kind_ = Kind::kNothing;
  std::size_t line_ = 0;
  std::size_t levels_ = 0;  // of lists and maps in it, and how many nodes it stands for, aliases followed
  std::size_t size_ = 1;
  std::string text_;
  std::vector<const YamlNode*> list_;
  std::vector<Entry> map_;
};

struct YamlNode::Entry {
  std::string key;
  const YamlNode* value;
};

class YamlFile {
 public:
  // Throws InputError, with the file, the line and what to do, where it can't be read, is no YAML of one document, or
  // has a key that is no text or stands twice in its map.
  explicit YamlFile(const std::string& path);
  const YamlNode& root() const { return *root_; }

 private:
  std::deque<YamlNode> nodes_;
  const YamlNode* root_;
};

}  // namespace heddle::elyze
