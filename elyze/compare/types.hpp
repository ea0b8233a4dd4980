// Compares types and attributes of two modules. Each module has a context of its own, so equal types are not the same
// pointer and must be compared by content.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/DerivedTypes.h>

namespace heddle::elyze {

class TypePairs {
 public:
  bool same(const llvm::Type* before, const llvm::Type* now);
  bool same(const llvm::AttributeList& before, const llvm::AttributeList& now);

 private:
  bool alike(const llvm::Type* before, const llvm::Type* now);

  llvm::DenseMap<std::pair<const llvm::Type*, const llvm::Type*>, bool> types_;
  llvm::DenseMap<std::pair<const void*, const void*>, bool> attributes_;
};

}  // namespace heddle::elyze
