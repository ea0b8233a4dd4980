#include "elyze/specs/yaml.hpp"

#include <yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <map>
#include <memory>
#include <new>
#include <utility>

#include "elyze/ir/error.hpp"

namespace heddle::elyze {
namespace {

constexpr std::size_t kLongestKey = 1024;    // YAML 1.2, 7.4.2
constexpr std::size_t kMostLevels = 64;      // of lists and maps in each other: readers of the tree follow them
constexpr std::size_t kMostNodes = 200'000;  // aliases followed; ten times those of our largest file
constexpr std::string_view kSeeReadme = ": see elyze/specs/README.md";

struct Event {
  yaml_event_t of_c = {};
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&of_c); }
};

std::string text_of(const yaml_char_t* text) { return reinterpret_cast<const char*>(text); }

bool says_nothing(std::string_view text) {
  constexpr std::array<std::string_view, 5> kWords = {"", "~", "null", "Null", "NULL"};
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

}  // namespace

// Gets the events of libyaml, and makes nodes of them.
class YamlBuilder {
 public:
  YamlBuilder(const std::string& path, std::deque<YamlNode>& nodes)
      : path_(path), file_(std::fopen(path.c_str(), "rb"), &std::fclose), nodes_(nodes) {
    if (file_ == nullptr) throw InputError(path_ + ": can't be read: name a file of function specs");
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input_file(&parser_, file_.get());
  }
  YamlBuilder(const YamlBuilder&) = delete;
  YamlBuilder& operator=(const YamlBuilder&) = delete;
  ~YamlBuilder() { yaml_parser_delete(&parser_); }

  const YamlNode* root() {
    for (bool done = false; !done;) {
      Event event;
      if (yaml_parser_parse(&parser_, &event.of_c) == 0) fail_as_libyaml_says();
      take(event.of_c);
      done = event.of_c.type == YAML_STREAM_END_EVENT;
    }
    return root_ != nullptr ? root_ : &nodes_.emplace_back();  // nothing but comments
  }

 private:
  struct Open {
    YamlNode* node;
    bool has_key = false;  // in a map: the next node is the value of `key`
    std::string key = {};
  };

  void take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event.data.scalar;
        YamlNode& node = add(YamlNode::Kind::kText, event, scalar.anchor);
        node.text_.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
        if (scalar.plain_implicit != 0 && says_nothing(node.text_)) {
          node.kind_ = YamlNode::Kind::kNothing;
          node.text_ = "null";
        }
        attach(node, event);
        break;
      }
      case YAML_ALIAS_EVENT: {
        const std::string name = text_of(event.data.alias.anchor);
        const auto known = anchors_.find(name);
        if (known == anchors_.end()) fail(event.start_mark, "nothing is called '&" + name + "'");
        const auto stands_in = [&](const Open& open) { return open.node == known->second; };
        if (std::any_of(open_.begin(), open_.end(), stands_in))
          fail(event.start_mark, "'*" + name + "' stands in what it stands for");
        attach(*known->second, event);
        break;
      }
      case YAML_SEQUENCE_START_EVENT:
        open(add(YamlNode::Kind::kList, event, event.data.sequence_start.anchor), event);
        break;
      case YAML_MAPPING_START_EVENT:
        open(add(YamlNode::Kind::kMap, event, event.data.mapping_start.anchor), event);
        break;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: {
        YamlNode& node = *open_.back().node;
        open_.pop_back();
        refuse_repeated_keys(node);
        attach(node, event);
        break;
      }
      case YAML_DOCUMENT_START_EVENT:
        if (root_ != nullptr) fail(event.start_mark, "a second document");
        break;
      default:
        break;
    }
  }

  YamlNode& add(YamlNode::Kind kind, const yaml_event_t& event, const yaml_char_t* anchor) {
    YamlNode& node = nodes_.emplace_back();
    node.kind_ = kind;
    node.line_ = event.start_mark.line + 1;
    if (anchor != nullptr) anchors_[text_of(anchor)] = &node;
    return node;
  }

  void open(YamlNode& node, const yaml_event_t& event) {
    open_.push_back({&node});
    refuse_depth(open_.size(), event);
  }

  // Puts a complete node where it stands.
  void attach(YamlNode& node, const yaml_event_t& event) {
    if (open_.empty()) {
      root_ = &node;
      return;
    }
    Open& place = open_.back();
    YamlNode& parent = *place.node;
    parent.levels_ = std::max(parent.levels_, node.levels_ + 1);
    refuse_depth(open_.size() + node.levels_, event);
    parent.size_ += node.size_;
    if (parent.size_ > kMostNodes) fail(event.start_mark, "too long, with all that its aliases stand for");
    if (parent.kind_ == YamlNode::Kind::kList) {
      parent.list_.push_back(&node);
    } else if (place.has_key) {
      parent.map_.push_back({std::move(place.key), &node});
      place.has_key = false;
    } else {
      if (node.kind_ == YamlNode::Kind::kList || node.kind_ == YamlNode::Kind::kMap)
        fail(event.start_mark, "a key that is no text");
      place.key = node.text_;
      place.has_key = true;
    }
  }

  void refuse_repeated_keys(const YamlNode& node) const {
    std::vector<std::string_view> keys;
    keys.reserve(node.map_.size());
    for (const YamlNode::Entry& entry : node.map_) keys.push_back(entry.key);
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice == keys.end()) return;
    throw InputError(path_ + ": '" + std::string(*twice) + "' stands there twice" + std::string(kSeeReadme));
  }

  void refuse_depth(std::size_t levels, const yaml_event_t& event) const {
    if (levels > kMostLevels)
      fail(event.start_mark, "more than " + std::to_string(kMostLevels) + " lists and maps in each other");
  }
  [[noreturn]] void fail(const yaml_mark_t& at, const std::string& why) const {
    throw InputError(path_ + ": not a spec (line " + std::to_string(at.line + 1) + ", column " +
                     std::to_string(at.column + 1) + ": " + why + ")" + std::string(kSeeReadme));
  }
  [[noreturn]] void fail_as_libyaml_says() const {
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    if (std::ferror(file_.get()) != 0) throw InputError(path_ + ": can't be read: name a file of function specs");
    const std::string problem = parser_.problem != nullptr ? parser_.problem : "no YAML";
    const yaml_mark_t& at = parser_.problem_mark;
    const bool no_key =
        problem == "could not find expected ':'" || problem == "mapping values are not allowed in this context";
    if (no_key && at.column > kLongestKey)
      throw InputError(path_ + ": line " + std::to_string(at.line + 1) +
                       ": YAML allows 1,024 characters before a ':' on its line: make two entries of it");
    // What can't be decoded has no mark of its own.
    fail(parser_.error == YAML_READER_ERROR ? parser_.mark : at, problem);
  }

  const std::string& path_;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::deque<YamlNode>& nodes_;
  yaml_parser_t parser_ = {};
  std::vector<Open> open_;                    // lists and maps whose end is still to come
  std::map<std::string, YamlNode*> anchors_;  // a later one of the same name counts from there on
  const YamlNode* root_ = nullptr;
};

YamlFile::YamlFile(const std::string& path) : root_(YamlBuilder(path, nodes_).root()) {}

void YamlNode::refuse(const std::string& why) const { throw InputError("line " + std::to_string(line_) + ": " + why); }

const std::string& YamlNode::text() const {
  if (kind_ == Kind::kList || kind_ == Kind::kMap) refuse("a list where a word is expected");
  return text_;
}

int YamlNode::number() const {
  const std::string& digits = text();
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) refuse("'" + digits + "' is no number");
  return value;
}

bool YamlNode::flag() const {
  if (text() != "true" && text() != "false") refuse("'" + text() + "' is neither true nor false");
  return text() == "true";
}

const std::vector<const YamlNode*>& YamlNode::list() const {
  if (kind_ != Kind::kList && kind_ != Kind::kNothing) refuse("not a list: write [...]");
  return list_;
}

const std::vector<YamlNode::Entry>& YamlNode::map() const {
  if (kind_ != Kind::kMap) refuse("not a map: write {key: value}");
  return map_;
}

const YamlNode* YamlNode::find(std::string_view key) const {
  const auto known = std::find_if(map().begin(), map().end(), [&](const Entry& entry) { return entry.key == key; });
  return known != map_.end() ? known->value : nullptr;
}

const YamlNode& YamlNode::at(std::string_view key) const {
  const YamlNode* const known = find(key);
  if (known == nullptr) refuse("'" + std::string(key) + "' is missing");
  return *known;
}

}  // namespace heddle::elyze
