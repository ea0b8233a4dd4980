// What functions outside the program do, told to the runtime around each call of one, by the analyser's own specs.
//
// The log must never say more than happens, or a sound verdict would be blamed. So where a spec says "from here to the
// end of the object", only the first byte counts; where it says how many bytes, all of them do.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>

#include "elyze/oracle/pass/sites.hpp"
#include "elyze/specs/specs.hpp"

namespace heddle::oracle {

class Externals {
 public:
  Externals(llvm::Module& module, const elyze::Specs& specs, Sites& sites);
  // Puts calls of the runtime before and after `call`, if it is one to a function without body that has a spec.
  void instrument(llvm::CallBase& call);
  static bool is_loop(const llvm::Function& function);

 private:
  class Around;
  void before(const elyze::Effect& effect, Around& around);
  void after(const elyze::Effect& effect, Around& around);
  void touch(const elyze::Effect& effect, Around& around);
  void callbacks(const elyze::Spec& spec, Around& around);

  llvm::Module& module_;
  const elyze::Specs& specs_;
  Sites& sites_;
};

}  // namespace heddle::oracle
