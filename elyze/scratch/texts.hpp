// What functions of the C library do with texts, beyond what specs say: who reads one reads to its end, and who makes
// one writes all of it up to there.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
}  // namespace llvm

namespace heddle::elyze {

// Does the function read this argument as a text, and no further than to its end?
bool reads_text(llvm::StringRef function, unsigned argument);

// Is the argument one that `%s` prints, as far as the constant format, argument `format`, says?
bool is_text_of_format(const llvm::CallBase& call, unsigned format, unsigned argument);

// What a call writes in any case, whatever it returns.
struct Filled {
  unsigned argument = 0;
  bool text = false;     // a text and its end, how long it may be; otherwise `bytes`
  bool appends = false;  // behind the text that stands there
  std::int64_t bytes = 0;
};
std::optional<Filled> filled_by(const llvm::CallBase& call, llvm::StringRef function);

}  // namespace heddle::elyze
