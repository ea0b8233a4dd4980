// Which file a path names. What is in a file is an object, whoever opens it and however often.
//
// Two paths count as one file if their last components are equal: what a directory is called, and what it is a link to,
// does not matter then. Other names for one file (a link with a name of its own) are told apart, as the user's manual
// says, unless the program itself makes them, or renames a file: then both names are one file. A path that is not a
// constant text names some file, which may be any. One below /proc or /sys names what the kernel shows of the process
// and the machine, which any call may change (proc(5)), or lead to any file; one below /dev a terminal or the like.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "elyze/points_to/cell.hpp"
#include "elyze/points_to/numbers_read.hpp"

namespace llvm {
class CallBase;
class Value;
}  // namespace llvm

namespace heddle::elyze {

using FileName = std::uint32_t;
inline constexpr FileName kSomeFile = 0;
inline constexpr FileName kNoFile = 1;      // nothing that is written there can be read again: /dev/null
inline constexpr FileName kKernelFile = 2;  // below /proc, /sys or /dev, or what is open already; some file, as well

class Files {
 public:
  // What the call names by a path; notes in `read` which texts were looked at.
  FileName named(const llvm::CallBase& call, const llvm::Value* path, NumbersRead& read);
  // The directories that the path leads through, as if they were one file; some file if that is not known.
  FileName directories(const llvm::CallBase& call, const llvm::Value* path, NumbersRead& read);
  // What nothing is called yet: no other name that is known is this one.
  FileName new_name() { return known({"a new name"}); }
  // From now on both are one file. Must come before any other question.
  void join(const llvm::CallBase& call, const llvm::Value* path, const llvm::Value* other, NumbersRead& read);
  // From now on paths may start in this directory. Must come before any other question.
  void start_from(const llvm::CallBase& call, const llvm::Value* path, NumbersRead& read);
  // From now on they may start in any directory of the kernel. Must come before any other question.
  void start_anywhere() { starts_.insert({"/", "/proc", "/sys", "/dev"}); }
  // From now on any two names may be.
  void join_all() { all_joined_ = true; }
  // Its bytes in the object that stands for the contents of all files.
  std::vector<Range> bytes(FileName name) const;
  // The bytes that stand for files of the kernel alone; no path has this name.
  static Range kernel() { return {0, 1}; }
  // For reports: the file whose contents these bytes are.
  std::string name(Range bytes) const;

 private:
  FileName known(std::vector<std::string> components);
  bool leads_to_the_kernel(const std::string& path) const;
  std::vector<std::string> components_ = {"files of the kernel"};  // by byte
  std::vector<std::vector<std::int64_t>> names_ = {{}, {}, {}};    // by FileName: bytes
  std::map<std::vector<std::string>, FileName> known_;
  std::vector<std::set<std::string>> joined_;  // last components that are one file
  bool all_joined_ = false;
  std::set<std::string> starts_;   // directories of the kernel, and the root, that the program makes its own, or opens
  std::set<std::string> kernels_;  // components of paths that the program made links of
};

// The constant text that is passed to a function; null where it is not known. A text that only comes through parameters
// of functions that are called by name gives all that they are called with.
bool constant_texts(const llvm::CallBase& call, const llvm::Value* value, NumbersRead& read,
                    std::vector<std::string>& found, int depth = 0);

}  // namespace heddle::elyze
