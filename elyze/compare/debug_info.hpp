// Debug information of two builds of one source file, side by side: everything that names, types and places are made of
// must be equal, but for lines, columns and checksums. Which line is where now is noted as it goes.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::elyze {

// The builds differ in something that the analysis may look at.
class Different : public std::runtime_error {
 public:
  explicit Different(const std::string& what) : std::runtime_error(what) {}
};

// Per source file: line before -> line now. Throws Different where that is no function.
class Lines {
 public:
  void note(const llvm::DIFile* file, unsigned before, unsigned now);
  // A variable whose name says on which line it stands, as macros make them from __LINE__.
  void rename(const std::string& before, const std::string& now);
  // Throws Different unless lines keep their order and stay distinct, for results are sorted and told apart by line.
  void check_order() const;
  const std::map<std::string, std::map<unsigned, unsigned>>& files() const { return files_; }
  const std::map<std::string, std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::string> names_;
  std::map<std::string, std::map<unsigned, unsigned>> files_;
};

// Is `now` the name that a local static variable would have where it is now: the same but for its own line, as long?
bool named_by_line(const llvm::DIGlobalVariable& before, const llvm::DIGlobalVariable& now);

class DebugPairs {
 public:
  explicit DebugPairs(Lines& lines) : lines_(lines) {}
  // Queues a pair of nodes; finish() compares them and all nodes that can be reached from them.
  void meet(const llvm::Metadata* before, const llvm::Metadata* now);
  void meet(const llvm::DILocation* before, const llvm::DILocation* now);
  void finish();

 private:
  void compare(const llvm::MDNode& before, const llvm::MDNode& now);
  bool compare_named(const llvm::MDNode& before, const llvm::MDNode& now);
  void compare_types(const llvm::DIType& before, const llvm::DIType& now);

  Lines& lines_;
  llvm::DenseSet<std::pair<const llvm::Metadata*, const llvm::Metadata*>> known_;
  std::vector<std::pair<const llvm::MDNode*, const llvm::MDNode*>> work_;
};

}  // namespace heddle::elyze
