#include "elyze/points_to/components.hpp"

#include <llvm/IR/InstIterator.h>

#include <algorithm>

namespace heddle::elyze {
namespace {

// Tarjan's algorithm with an explicit stack: call chains of large programs are deeper than the machine's.
class ComponentFinder {
 public:
  explicit ComponentFinder(const CallGraph& calls) : calls_(calls) {}

  Components run(const llvm::Module& module) {
    for (const llvm::Function& function : module) {
      if (!function.isDeclaration() && !state_.count(&function)) visit(function);
    }
    return std::move(found_);
  }

 private:
  struct State {
    unsigned index = 0;
    unsigned low = 0;
    bool open = false;
  };
  struct Frame {
    const llvm::Function* function;
    std::vector<const llvm::Function*> callees;
    std::size_t next = 0;
  };

  Frame enter(const llvm::Function& function) {
    state_[&function] = {counter_, counter_, true};
    ++counter_;
    open_.push_back(&function);
    Frame frame{&function, {}, 0};
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr) continue;
      for (const CallSite& site : calls_.at(*call)) {
        frame.callees.insert(frame.callees.end(), site.bodies.begin(), site.bodies.end());
      }
    }
    return frame;
  }

  void visit(const llvm::Function& root) {
    std::vector<Frame> frames{enter(root)};
    while (!frames.empty()) {
      Frame& frame = frames.back();
      if (frame.next < frame.callees.size()) {
        const llvm::Function* callee = frame.callees[frame.next++];
        const auto known = state_.find(callee);
        if (known == state_.end()) {
          frames.push_back(enter(*callee));
        } else if (known->second.open) {
          State& mine = state_[frame.function];
          mine.low = std::min(mine.low, known->second.index);
        }
        continue;
      }
      leave(*frame.function);
      const unsigned low = state_[frame.function].low;
      frames.pop_back();
      if (!frames.empty()) {
        State& caller = state_[frames.back().function];
        caller.low = std::min(caller.low, low);
      }
    }
  }

  void leave(const llvm::Function& function) {
    if (state_[&function].low != state_[&function].index) return;
    std::vector<const llvm::Function*> component;
    const llvm::Function* member = nullptr;
    do {
      member = open_.back();
      open_.pop_back();
      state_[member].open = false;
      component.push_back(member);
    } while (member != &function);
    found_.push_back(std::move(component));
  }

  const CallGraph& calls_;
  Components found_;
  std::map<const llvm::Function*, State> state_;
  std::vector<const llvm::Function*> open_;
  unsigned counter_ = 0;
};

}  // namespace

Components components(const llvm::Module& module, const CallGraph& calls) { return ComponentFinder(calls).run(module); }

}  // namespace heddle::elyze
