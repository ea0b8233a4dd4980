// What a source mentions: its identifiers, without comments and strings. And its frame: what of it a definition's
// begin and end depend on, so that an edit that leaves it alone needs no parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace workbench {

enum class Style : std::uint8_t {
  kBraces,   // C and its likes: // and /* */
  kIndents,  // Python: #, strings of three quotes
  kOther,    // no comments are known
};
// By the extension of the file's name.
Style style_of(std::string_view path);

struct Mention {
  std::uint32_t name = 0;  // its number among the Names
  bool call = false;       // a parenthesis follows somewhere

  friend bool operator==(const Mention&, const Mention&) = default;
};

struct Words {
  std::vector<Mention> names;  // each identifier once, in the order of the source
  // Of what the definitions depend on: equal frames, the same definitions, as far as this can tell.
  std::uint64_t frame = 0;

  const Mention* find(std::uint32_t name) const;  // null: it is not mentioned
  bool have(std::uint32_t name) const { return find(name) != nullptr; }
  void leave_out(std::uint32_t name);
};

// What became of the mentions of a source: `gone` are mentioned no more, `come` were not mentioned before, or not so.
struct Difference {
  std::vector<Mention> gone;
  std::vector<Mention> come;
};
Difference difference(const Words& before, const Words& after);

// Identifiers have numbers, for good: the same ones are read over and over.
class Names {
 public:
  // Gives it one if it has none.
  std::uint32_t number(std::string_view name);
  const std::string& text(std::uint32_t number) const { return known_[number].text; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(known_.size()); }  // numbers are less than this

  Words read(std::string_view source, Style style);

 private:
  struct Known {
    std::string text;
    std::uint64_t hash;
    std::uint64_t reading;  // that saw it last, and its place there
    std::size_t place;
  };
  std::uint32_t number(std::string_view name, std::uint64_t hash);
  void grow();

  std::vector<Known> known_;           // by number
  std::vector<std::uint32_t> places_;  // a power of two of them, by hash, then onwards: number + 1; 0: none
  std::uint64_t readings_ = 0;
};

}  // namespace workbench
