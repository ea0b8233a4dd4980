// An entry of a spec is a sentence of few words ("store 1 in hidden arguments at 8"), which Words reads word by word.
// If one can't be read, Words throws an InputError that quotes the whole sentence.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "elyze/ir/error.hpp"

namespace heddle::elyze {

class Words {
 public:
  explicit Words(const std::string& text) : text_(text) {
    constexpr const char* kSpace = " \t\n";
    for (std::size_t from = text.find_first_not_of(kSpace); from != std::string::npos;) {
      const std::size_t end = std::min(text.find_first_of(kSpace, from), text.size());
      words_.push_back(text.substr(from, end - from - (text[end - 1] == ',' ? 1 : 0)));
      from = text.find_first_not_of(kSpace, end);
    }
  }
  bool done() const { return at_ == words_.size(); }
  bool take(std::string_view word) {
    if (done() || words_[at_] != word) return false;
    ++at_;
    return true;
  }
  std::string next() {
    if (done()) fail();
    return words_[at_++];
  }
  std::int64_t number() {
    const std::string word = next();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) fail();
    return value;
  }
  int argument() {
    const std::int64_t index = number();
    if (index < 0 || index > kMostArguments) fail();
    return static_cast<int>(index);
  }
  // A name of several words. It ends before `with` and before `at NUMBER`, which gives `offset`.
  std::string name(std::int64_t& offset) {
    std::string all;
    while (!done() && words_[at_] != "with") {
      if (followed_by_number("at")) {
        ++at_;
        offset = number();
        break;
      }
      all += (all.empty() ? "" : " ") + next();
    }
    if (all.empty()) fail();
    return all;
  }
  std::string rest() {
    std::string all;
    while (!done()) all += (all.empty() ? "" : " ") + next();
    if (all.empty()) fail();
    return all;
  }
  // A name of several words, up to ` at 8` or ` if named`.
  std::string name_before_path() {
    std::string all;
    while (!done() && !followed_by_number("at") && words_[at_] != "if") all += (all.empty() ? "" : " ") + next();
    if (all.empty()) fail();
    return all;
  }
  // `at 8 at 16`
  std::vector<std::int64_t> path() {
    std::vector<std::int64_t> offsets;
    while (take("at")) offsets.push_back(number());
    return offsets;
  }
  [[noreturn]] void fail() const { throw InputError("can't read '" + text_ + "'"); }

 private:
  static bool is_number(const std::string& word) { return word.find_first_not_of("-0123456789") == std::string::npos; }
  bool followed_by_number(const char* word) const {
    return words_[at_] == word && at_ + 1 < words_.size() && is_number(words_[at_ + 1]);
  }
  static constexpr int kMostArguments = 127;
  std::string text_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

}  // namespace heddle::elyze
