// Where the address of an object goes, as long as it goes through values alone: moved by known distances or not, chosen
// among others, passed to functions of the program that are called by name, returned from them, given to functions of
// libraries that hand it to nobody. Whatever else is done with it keeps it.
//
// Followed are the objects themselves and the parameters that may point to one. No pointer that is loaded from memory,
// or comes from code that is not followed, leads to an object whose address nobody keeps.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "elyze/effects/analysis.hpp"

namespace heddle::elyze {

using Followed = const llvm::Value*;  // a variable or a parameter

// So many bytes into one of those.
struct FollowedPlace {
  Followed of = nullptr;
  std::int64_t offset = 0;
  bool known = true;  // the offset is
};

struct FollowedPlaces {
  std::vector<FollowedPlace> list;
  bool other = false;  // it may also point to what is not followed
  // The one place that the pointer has, if it can have no other.
  const FollowedPlace* only() const { return list.size() == 1 && !other && list[0].known ? list.data() : nullptr; }
};

// What a library's function does to what one of its arguments points to.
struct ArgumentUse {
  bool keeps = false;  // or something that is not followed
  bool writes = false;
  bool reads = false;
  bool text = false;                  // it reads no further than to the end of the text that stands there
  std::optional<std::int64_t> bytes;  // how much it reads at most, if that is known
};

class ScratchFlow {
 public:
  ScratchFlow(const Analysis& analysis, const std::vector<const llvm::GlobalVariable*>& objects);

  const std::vector<Followed>& followed() const { return followed_; }
  bool kept(Followed one) const { return kept_.contains(one); }
  FollowedPlaces places(const llvm::Value* pointer) const;
  // The function of the program that the call makes, if it is called by name and nothing else can be called.
  const llvm::Function* body(const llvm::CallBase& call) const;
  // The same for a function of a library.
  const llvm::Function* external(const llvm::CallBase& call) const;
  // May that call others before it returns?
  bool calls_back(const llvm::CallBase& call) const;
  ArgumentUse use(const llvm::CallBase& call, unsigned argument) const;
  // Is every call of the function one by its name, in the program itself?
  bool called_by_name_only(const llvm::Function& function) const;

 private:
  std::optional<FollowedPlace> place_of(const llvm::Value* pointer, unsigned depth = 0) const;
  void scan(Followed one);
  void scan_use(Followed one, const llvm::Use& use, std::vector<const llvm::Value*>& work);
  void scan_call(Followed one, const llvm::CallBase& call, unsigned argument, std::vector<const llvm::Value*>& work);
  void scan_return(Followed one, const llvm::Function& function, std::vector<const llvm::Value*>& work);
  bool is_difference(const llvm::Value& number) const;
  void follow(Followed one);
  void keep(Followed one) { changed_ |= kept_.insert(one).second; }

  const Analysis& analysis_;
  std::vector<Followed> followed_;
  llvm::DenseSet<Followed> known_;
  llvm::DenseSet<Followed> kept_;
  llvm::DenseSet<const llvm::Argument*> returned_;  // parameters to which the result of their function may point
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<Followed, 2>> derived_;  // what a pointer may point to
  bool changed_ = false;
};

}  // namespace heddle::elyze
