// Puts a module's bitcode into the object that is made of it.
//
// The bitcode stands in a section that is never loaded, so a linked program carries the modules of exactly the objects
// that it was linked from; python/heddle/program/bitcode.py has the layout.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::plugin {

// To be called before anything is optimised. If the environment variable HEDDLE_BITCODE names a file, the module is
// written there, too; a file that cannot be written ends the compiler.
void embed_bitcode(llvm::Module& module);

}  // namespace heddle::plugin
