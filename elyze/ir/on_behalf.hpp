// What a library does for a handler beside calling it, such as reading from the socket of a bufferevent.
//
// The runtime keeps such work apart from whoever conflicts with the handler. So the handler's verdicts must cover it
// (`on-behalf` in a spec), even if the handler itself touches nothing. It may happen at any time, also after the object
// was handed to others: each function that can be such a callback, by its type, gets a call of what the spec names
// before each return, with its arguments and what it returns. A function of that type that is no callback has a few
// effects too many.
//
// Runs on the linked program: a callback may be registered in another file than its own.
#pragma once

#include <llvm/IR/Module.h>

#include "elyze/specs/spec.hpp"

namespace heddle::elyze {

void add_work_on_behalf(llvm::Module& module, const Specs& specs);
// That call itself: the library works before and after the handler, wherever the call stands.
bool is_work_on_behalf(const llvm::Instruction& call);
bool has_work_on_behalf(const llvm::Function& function);

}  // namespace heddle::elyze
