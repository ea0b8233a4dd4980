// Whether what one call adds to a stream gets into its file by one write.
//
// The lock of a stream keeps its records whole among each other. Another stream of the same file, as stderr is of
// stdout's terminal, has a lock of its own, and what it writes may come between two writes of one call: on a stream
// without a buffer some functions write piece by piece (puts(), warn()), and a line buffered stream is written out at
// the end of each line (setvbuf(3)), of which a text may have several.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "elyze/effects/analysis.hpp"

namespace heddle::elyze {

class Records {
 public:
  explicit Records(const Analysis& analysis) : analysis_(analysis) {}

  // Which buffers the streams of a descriptor may have: of stdout one by lines, of stderr none, of files one by blocks,
  // unless the program says something else (setvbuf(3), stderr(3)).
  struct Buffers {
    bool none = false;
    bool lines = false;
  };
  Buffers buffers_of(NodeId descriptor);
  // May the program have two streams of this descriptor?
  bool two_streams(NodeId descriptor);
  // May the call be several writes? Longer texts than the buffer are left out (docs/guides/assumptions.md).
  bool in_pieces(const llvm::Instruction& place, Buffers buffers);

 private:
  bool one_line(const llvm::CallBase& call, const Effect& effect) const;
  bool one_line_of_format(const llvm::CallBase& call, int format, const std::string& text) const;
  bool without_newline(const llvm::CallBase& call, const llvm::Value* text) const;
  bool calls(const char* function, int mode, std::int64_t wanted) const;
  void find_streams();
  bool may_be_fdopen(const llvm::CallBase& call) const;
  std::vector<const Effect*> records_of(const llvm::CallBase& call) const;

  const Analysis& analysis_;
  std::optional<Buffers> said_;                   // by the program, of any stream
  std::optional<std::set<NodeId>> opened_again_;  // descriptors that fdopen() is given
  std::map<const llvm::CallBase*, bool> one_line_;
};

}  // namespace heddle::elyze
