// The numbers and texts given to functions that the analysis has looked at: what event_add is told to watch, how many
// bytes are read, which file is opened. No other number or text that is passed in a call, or that a variable begins
// with, has a part in any result (elyze/compare rests on it), but for whether a text has %n in it.
#pragma once

#include <limits>
#include <set>
#include <string>
#include <utility>

namespace llvm {
class CallBase;
class Value;
}  // namespace llvm

namespace heddle::elyze {

class NumbersRead {
 public:
  void note(const llvm::CallBase& call, const llvm::Value& number);
  void add(const NumbersRead& other) { arguments_.insert(other.arguments_.begin(), other.arguments_.end()); }
  void add(const std::string& function, unsigned index) { arguments_.emplace(function, index); }
  // The numbers that variables begin with, too.
  void note_initialisers() { add(kInitialisers, 0); }
  bool initialisers() const { return arguments_.contains({kInitialisers, 0}); }
  // Whether a text is the name of this symbol.
  void note_name(const std::string& symbol) { add(symbol, kName); }
  bool is_name(const std::string& text) const { return arguments_.contains({text, kName}); }
  bool may_read(const llvm::CallBase& call, unsigned index) const;
  // By the name of the function, without a number that the linker put behind it; empty for calls through pointers.
  const std::set<std::pair<std::string, unsigned>>& arguments() const { return arguments_; }

 private:
  static constexpr const char* kInitialisers = "initialisers of variables";  // no function has this name
  static constexpr unsigned kName = std::numeric_limits<unsigned>::max();    // nor does any have so many arguments
  std::set<std::pair<std::string, unsigned>> arguments_;
};

}  // namespace heddle::elyze
