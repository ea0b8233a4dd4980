// What a library does for a handler beside calling it, such as reading from the socket of a bufferevent.
//
// The runtime keeps such work apart from whoever conflicts with the handler. So the handler's verdicts must cover it
// (`on-behalf` in a spec), even if the handler itself touches nothing. The work may happen at any time, also after the
// object was handed to others. Therefore each function whose type makes it a possible callback, that is cast to such a
// type, or that is named where a callback is registered, gets, before each return (at its beginning if it never
// returns), a call of what the spec names, with its arguments and its result. A function of that type that is never
// registered thereby gets a few effects too many.
//
// Runs on the linked program: a callback may be registered in another file than its own.
#pragma once

#include <llvm/IR/Module.h>

#include "elyze/specs/specs.hpp"

namespace heddle::elyze {

void add_work_on_behalf(llvm::Module& module, const Specs& specs);
// Is the instruction such a call? Its place in the function means nothing: the library works before and after the
// handler.
bool is_work_on_behalf(const llvm::Instruction& call);
bool has_work_on_behalf(const llvm::Function& function);

}  // namespace heddle::elyze
