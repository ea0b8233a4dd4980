// The passes that make code readable for the analysis remove stores that change nothing in a program of one thread:
// `n = n`, `n += 0`, `n++; n--`. The program that runs may have them, and what other threads have written meanwhile is
// lost by them. So stores are noted before the passes, and those that are gone are put back as `n = n`.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::elyze {

class KeptStores {
 public:
  // Marks each store of the module, but for those to local variables, and those in volatile or atomic accesses, which
  // no pass removes.
  explicit KeptStores(llvm::Module& module);
  // Takes the marks away. A store that is gone, at a place that is still reached, is put back; where nothing is left of
  // its address, as a call of a function without a body, which may do anything.
  void restore();

 private:
  struct Store {
    llvm::WeakVH mark;  // a call that no pass removes but with its block
    llvm::WeakVH store;
    llvm::WeakTrackingVH address;
    llvm::WeakTrackingVH base;  // of the address, with the distance from it, if that is a constant
    std::optional<std::int64_t> distance;
    llvm::Type* type;  // of what is stored; null where its size is not known
  };
  void put_back(const Store& one, llvm::Instruction& mark, llvm::IRBuilder<>& builder);

  llvm::Module& module_;
  std::vector<Store> stores_;
};

}  // namespace heddle::elyze
