// fflush(3) of a null pointer writes out all streams, whoever has them. Streams come from memory, where null may stand,
// so a stream counts as one only where the program itself relies on it.
#pragma once

namespace llvm {
class CallBase;
class Value;
}  // namespace llvm

namespace heddle::elyze {

// Is what the call is given surely not null? The program uses it as a stream before (C17 7.1.4: a null pointer is no
// valid argument there), or looks whether it is null; it is one of the standard streams; each caller gives one that is
// none; or the function is another, which takes no null.
bool surely_a_stream(const llvm::CallBase& call, const llvm::Value& stream);

}  // namespace heddle::elyze
