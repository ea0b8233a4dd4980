// The records that instrumented code hands to the runtime: places in the source, and the unit's global variables.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <tuple>

namespace heddle::oracle {

class Sites {
 public:
  explicit Sites(llvm::Module& module);

  // The place of `instruction`, which accesses what `pointer` points to (null: nothing that has a name).
  llvm::Constant* site(const llvm::Instruction& instruction, const llvm::Value* pointer);
  llvm::Constant* site(const llvm::Function& handler);
  llvm::Constant* text(const std::string& text);
  // Tells the runtime of the unit's variables when the unit is loaded.
  void register_globals();

 private:
  llvm::GlobalVariable* variable(llvm::Constant* value, bool constant);
  llvm::Constant* make(const std::string& function, const std::string& file, const std::string& object, unsigned line);
  std::string object_name(const llvm::Value& pointer) const;
  std::string field_name(const llvm::Value& pointer) const;

  llvm::Module& module_;
  llvm::StructType* site_type_;
  std::size_t variables_ = 0;
  std::map<std::tuple<std::string, std::string, std::string, unsigned>, llvm::Constant*> sites_;
  std::map<std::string, llvm::Constant*> texts_;
  std::map<std::string, const llvm::DICompositeType*> structures_;
};

}  // namespace heddle::oracle
