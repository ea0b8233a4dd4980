#include "elyze/scratch/scratch.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "elyze/handlers/beside.hpp"
#include "elyze/ir/arrays.hpp"
#include "elyze/plugin/scratch_mark.hpp"
#include "elyze/points_to/call_graph.hpp"
#include "elyze/scratch/byte_set.hpp"
#include "elyze/scratch/flow.hpp"
#include "elyze/scratch/texts.hpp"

namespace heddle::elyze {
namespace {

constexpr unsigned kMostVisits = 64;          // of one function
constexpr std::size_t kMostPieces = 64;       // of what is known to be written; beyond that, no more is noted
constexpr std::int64_t kMostZeros = 64;       // places of one store at which an empty text stands
constexpr std::int64_t kFarAway = 1LL << 40;  // no object is so large

// What was written since the function was called, on every path.
struct Written {
  ByteSet bytes;
  std::set<std::int64_t> texts;  // where a text begins of which all was written, its end too
  void keep(const Written& other) {
    bytes.keep(other.bytes);
    std::erase_if(texts, [&](std::int64_t at) { return !other.texts.contains(at); });
  }
  friend bool operator==(const Written&, const Written&) = default;
};

struct Progress {
  std::map<Followed, Written> of;
  bool interrupted = false;  // other invocations may have run since then
  void keep(const Progress& other) {
    interrupted |= other.interrupted;
    for (auto& [one, written] : of) {
      const auto place = other.of.find(one);
      written.keep(place == other.of.end() ? Written{} : place->second);
    }
  }
  friend bool operator==(const Progress&, const Progress&) = default;
};

// What a function does with one object, or with what one parameter points to.
struct Deed {
  ByteSet read;                  // bytes that it may read before it has written them
  std::set<std::int64_t> texts;  // texts that it may read so
  bool reads_anything = false;   // it may read any byte so
  bool stale = false;            // it may read what another invocation has left meanwhile
  bool writes = false;           // it may end texts
  Written written;               // when it returns
  bool reads() const { return stale || reads_anything || !read.empty() || !texts.empty(); }
  friend bool operator==(const Deed&, const Deed&) = default;
};

struct Deeds {
  bool returns = false;
  std::map<Followed, Deed> of;
  friend bool operator==(const Deeds&, const Deeds&) = default;
};

class Invocations {
 public:
  Invocations(const Analysis& analysis, const ScratchFlow& flow)
      : analysis_(analysis),
        flow_(flow),
        layout_(analysis.points_to.module.getDataLayout()),
        loops_(functions_that_make(analysis, [](const auto&, const Spec& spec) { return spec.resumes; })) {
    for (const Followed one : flow.followed())
      if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(one); variable != nullptr && !flow.kept(one))
        objects_.push_back(variable);
  }

  // The objects of which no function that others may call reads what it has not written.
  std::vector<const llvm::GlobalVariable*> written_first() {
    if (!go_through_all()) return {};
    std::set<Followed> read;
    for (const auto& [function, deeds] : deeds_) {
      if (flow_.called_by_name_only(*function)) continue;
      for (const auto& [one, deed] : deeds.of)
        if (deed.reads()) read.insert(one);
    }
    std::vector<const llvm::GlobalVariable*> found;
    std::copy_if(objects_.begin(), objects_.end(), std::back_inserter(found),
                 [&](const auto* variable) { return !read.contains(variable); });
    return found;
  }

  // What the function gets at, by itself or by what it is passed.
  std::set<Followed> used_in(const llvm::Function& function) const {
    std::set<Followed> found;
    for (const llvm::Instruction& at : llvm::instructions(function)) {
      for (const llvm::Value* operand : at.operands())
        for (const FollowedPlace& place : flow_.places(operand).list) found.insert(place.of);
    }
    return found;
  }

 private:
  std::int64_t size_of(const llvm::GlobalVariable& variable) const {
    return static_cast<std::int64_t>(layout_.getTypeAllocSize(variable.getValueType()).getFixedValue());
  }

  // Callees first, and a caller again where more became known of a callee. False if that goes on and on.
  bool go_through_all() {
    std::vector<const llvm::Function*> order;
    std::unordered_map<const llvm::Function*, std::size_t> place;
    const auto add = [&](const llvm::Function& function) {
      if (!function.isDeclaration() && place.try_emplace(&function, order.size()).second) order.push_back(&function);
    };
    for (const auto& component : analysis_.calls.components)
      for (const llvm::Function* function : component) add(*function);
    for (const llvm::Function& function : analysis_.points_to.module) add(function);
    std::vector<std::vector<std::size_t>> callers(order.size());
    std::set<std::size_t> work;
    for (std::size_t i = 0; i < order.size(); ++i) {
      work.insert(i);
      for (const llvm::Instruction& at : llvm::instructions(*order[i])) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
        const llvm::Function* callee = call == nullptr ? nullptr : flow_.body(*call);
        if (callee != nullptr) callers[place.at(callee)].push_back(i);
      }
    }
    std::vector<unsigned> visits(order.size());
    while (!work.empty()) {
      const std::size_t next = *work.begin();
      work.erase(work.begin());
      if (++visits[next] > kMostVisits) return false;
      Deeds found = go_through(*order[next]);
      Deeds& known = deeds_[order[next]];
      if (known == found) continue;
      known = std::move(found);
      work.insert(callers[next].begin(), callers[next].end());
    }
    return true;
  }

  Deeds go_through(const llvm::Function& function) {
    Deeds deeds;
    std::map<const llvm::BasicBlock*, Progress> before;
    before[&function.getEntryBlock()];
    std::optional<Progress> at_end;
    const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
    for (bool changed = true; changed;) {
      changed = false;
      at_end.reset();
      for (const llvm::BasicBlock* block : order) {
        const auto place = before.find(block);
        if (place == before.end()) continue;
        Progress progress = place->second;
        if (!go_through(*block, progress, deeds)) continue;
        if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) {
          if (at_end) {
            at_end->keep(progress);
          } else {
            at_end = progress;
          }
        }
        for (const llvm::BasicBlock* next : llvm::successors(block)) {
          const auto [known, fresh] = before.try_emplace(next, progress);
          if (fresh) {
            changed = true;
            continue;
          }
          Progress both = known->second;
          both.keep(progress);
          if (both == known->second) continue;
          known->second = std::move(both);
          changed = true;
        }
      }
    }
    if (!at_end) return deeds;
    deeds.returns = true;
    for (const auto& [one, written] : at_end->of) deeds.of[one].written = written;
    return deeds;
  }

  // False if the block's end is not reached. What was read in an earlier round, with more written, is read again.
  bool go_through(const llvm::BasicBlock& block, Progress& progress, Deeds& deeds) {
    for (const llvm::Instruction& at : block) {
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&at)) {
        read(flow_.places(load->getPointerOperand()), bytes_of(load->getType()), progress, deeds);
      } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&at)) {
        const auto* number = llvm::dyn_cast<llvm::Constant>(store->getValueOperand());
        write(flow_.places(store->getPointerOperand()), bytes_of(store->getValueOperand()->getType()),
              number != nullptr && number->isNullValue(), progress, deeds);
      } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&at)) {
        if (!go_through(*call, progress, deeds)) return false;
      }
    }
    return true;
  }

  std::optional<std::int64_t> bytes_of(const llvm::Type* type) const {
    const llvm::TypeSize size = layout_.getTypeStoreSize(const_cast<llvm::Type*>(type));
    if (size.isScalable()) return std::nullopt;
    return static_cast<std::int64_t>(size.getFixedValue());
  }

  bool go_through(const llvm::CallBase& call, Progress& progress, Deeds& deeds) {
    if (const auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
      go_through_block(*block, progress, deeds);
      return true;
    }
    if (llvm::isa<llvm::IntrinsicInst>(call) || is_array_mark(call)) return true;
    if (const llvm::Function* callee = flow_.body(call)) return enter(call, *callee, progress, deeds);
    const llvm::Function* external = flow_.external(call);
    if (external == nullptr || flow_.calls_back(call)) call_anything(call, progress, deeds);
    if (external == nullptr) return !call.doesNotReturn();
    std::optional<Filled> filled = filled_by(call, external->getName());
    if (flow_.calls_back(call)) filled.reset();  // a callback may have the last word
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      const FollowedPlaces places = flow_.places(call.getArgOperand(i));
      if (places.list.empty()) continue;
      const ArgumentUse use = flow_.use(call, i);
      const bool fills = filled && filled->argument == i;
      if (!use.reads || (fills && !filled->appends)) continue;
      if (use.text) {
        read_text(places, progress, deeds);
      } else {
        read(places, use.bytes, progress, deeds);
      }
    }
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      const FollowedPlaces places = flow_.places(call.getArgOperand(i));
      if (places.list.empty() || !flow_.use(call, i).writes) continue;
      if (!filled || filled->argument != i) {
        write(places, std::nullopt, false, progress, deeds);
      } else if (!filled->text) {
        write(places, filled->bytes, false, progress, deeds);
      } else if (const FollowedPlace* only = places.only(); only != nullptr && !filled->appends) {
        note_bytes(*only, 1, progress);
        progress.of[only->of].texts.insert(only->offset);
      }
    }
    if (analysis_.points_to.specs.find(*external)->resumes) interrupt(progress);
    return !call.doesNotReturn();
  }

  // Whatever is called may write to the objects. It is given no pointer to them.
  void call_anything(const llvm::CallBase& call, Progress& progress, Deeds& deeds) const {
    for (auto& [one, written] : progress.of) written.texts.clear();
    for (const llvm::GlobalVariable* object : objects_) deeds.of[object].writes = true;
    if (may_interrupt(call)) interrupt(progress);
  }

  void go_through_block(const llvm::MemIntrinsic& block, Progress& progress, Deeds& deeds) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(block.getLength());
    std::optional<std::int64_t> bytes;
    if (length != nullptr && length->getValue().getActiveBits() <= 40)
      bytes = static_cast<std::int64_t>(length->getZExtValue());
    if (const auto* moved = llvm::dyn_cast<llvm::MemTransferInst>(&block))
      read(flow_.places(moved->getRawSource()), bytes, progress, deeds);
    const auto* set = llvm::dyn_cast<llvm::MemSetInst>(&block);
    const auto* value = set == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(set->getValue());
    write(flow_.places(block.getRawDest()), bytes, value != nullptr && value->isZero(), progress, deeds);
  }

  // May other invocations run before the call, of nobody knows what, is over?
  bool may_interrupt(const llvm::CallBase& call) const {
    if (call.isInlineAsm()) return false;
    const std::vector<CallSite>& sites = analysis_.calls.at(call);
    return sites.empty() || std::any_of(sites.begin(), sites.end(), [&](const CallSite& site) {
             const auto unknown = [&](const llvm::Function* external) {
               const Spec* spec = analysis_.points_to.specs.find(*external);
               return spec == nullptr || spec->resumes;
             };
             return site.outside || std::any_of(site.externals.begin(), site.externals.end(), unknown) ||
                    std::any_of(site.bodies.begin(), site.bodies.end(),
                                [&](const llvm::Function* body) { return interrupts(*body); });
           });
  }

  // What is not called by its name alone may do anything that the graph of calls shows, unknown code among that.
  bool interrupts(const llvm::Function& body) const { return loops_.contains(&body) || unknown_below(body); }

  bool unknown_below(const llvm::Function& function) const {
    if (unknown_.empty()) {
      const auto does = [&](const llvm::Function& one) {
        return llvm::any_of(llvm::instructions(one), [&](const llvm::Instruction& at) {
          const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
          if (call == nullptr || call->isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call)) return false;
          const std::vector<CallSite>& sites = analysis_.calls.at(*call);
          return std::any_of(sites.begin(), sites.end(), [&](const CallSite& site) {
            return site.outside || std::any_of(site.externals.begin(), site.externals.end(), [&](const auto* external) {
                     return !external->isIntrinsic() && analysis_.points_to.specs.find(*external) == nullptr;
                   });
          });
        });
      };
      unknown_ = functions_that_do(analysis_.points_to.module, analysis_.calls, does);
      unknown_.insert(nullptr);  // it was asked
    }
    return unknown_.contains(&function);
  }

  static void interrupt(Progress& progress) {
    progress.of.clear();
    progress.interrupted = true;
  }

  // False if the callee is not known to come back.
  bool enter(const llvm::CallBase& call, const llvm::Function& callee, Progress& progress, Deeds& deeds) {
    const auto known = deeds_.find(&callee);
    if (known == deeds_.end()) return false;  // it is looked at later, and this call again
    const Deeds its = known->second;          // a copy: a function may call itself
    const auto placed = [&](Followed one) -> FollowedPlaces {
      const auto* formal = llvm::dyn_cast<llvm::Argument>(one);
      if (formal == nullptr) return {{{one, 0, true}}, false};
      return flow_.places(call.getArgOperand(formal->getArgNo()));
    };
    for (const auto& [one, deed] : its.of) {
      const FollowedPlaces places = placed(one);
      for (const FollowedPlace& place : places.list) deeds.of[place.of].stale |= deed.stale;
      if (deed.reads_anything) read(places, std::nullopt, progress, deeds);
      for (const auto& [low, high] : deed.read.ranges()) read(moved(places, low), high - low, progress, deeds);
      for (const std::int64_t text : deed.texts) read_text(moved(places, text), progress, deeds);
    }
    if (interrupts(callee)) interrupt(progress);
    for (const auto& [one, deed] : its.of)
      if (deed.writes) end_texts(placed(one), progress, deeds);
    if (!its.returns) return false;
    for (const auto& [one, deed] : its.of) {
      const FollowedPlaces places = placed(one);
      const FollowedPlace* only = places.only();
      if (only == nullptr) continue;
      for (const auto& [low, high] : deed.written.bytes.ranges())
        note_bytes({only->of, only->offset + low, true}, high - low, progress);
      for (const std::int64_t text : deed.written.texts) progress.of[only->of].texts.insert(only->offset + text);
    }
    return true;
  }

  static FollowedPlaces moved(FollowedPlaces places, std::int64_t distance) {
    for (FollowedPlace& place : places.list) place.offset += distance;
    return places;
  }

  void read(const FollowedPlaces& places, std::optional<std::int64_t> bytes, const Progress& progress, Deeds& deeds) {
    if (bytes == 0) return;
    for (const FollowedPlace& place : places.list) {
      if (place.known && bytes) {
        if (!written(progress, place.of, place.offset, place.offset + *bytes))
          note_read(place.of, progress, deeds).read.add(place.offset, place.offset + *bytes);
      } else if (!whole(progress, place.of, 0)) {
        note_read(place.of, progress, deeds).reads_anything = true;
      }
    }
  }

  void read_text(const FollowedPlaces& places, const Progress& progress, Deeds& deeds) {
    for (const FollowedPlace& place : places.list) {
      if (!place.known) {
        if (!whole(progress, place.of, 0)) note_read(place.of, progress, deeds).reads_anything = true;
        continue;
      }
      const auto found = progress.of.find(place.of);
      const bool text = found != progress.of.end() && found->second.texts.contains(place.offset);
      if (!text && !whole(progress, place.of, place.offset))
        note_read(place.of, progress, deeds).texts.insert(place.offset);
    }
  }

  static Deed& note_read(Followed one, const Progress& progress, Deeds& deeds) {
    Deed& deed = deeds.of[one];
    deed.stale |= progress.interrupted;
    return deed;
  }

  static bool written(const Progress& progress, Followed one, std::int64_t low, std::int64_t high) {
    const auto found = progress.of.find(one);
    return found != progress.of.end() && found->second.bytes.covers(low, high);
  }

  // Is the object written from there to its end? What a parameter points to has no end that is known.
  bool whole(const Progress& progress, Followed one, std::int64_t from) const {
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(one);
    return variable != nullptr && written(progress, one, from, std::max(from + 1, size_of(*variable)));
  }

  void write(const FollowedPlaces& places, std::optional<std::int64_t> bytes, bool zeros, Progress& progress,
             Deeds& deeds) {
    if (places.list.empty() || bytes == 0) return;
    if (!zeros) end_texts(places, progress, deeds);
    const FollowedPlace* only = places.only();
    if (only == nullptr || !bytes) return;
    note_bytes(*only, *bytes, progress);
    if (!zeros) return;
    for (std::int64_t i = 0; i < std::min(*bytes, kMostZeros); ++i)
      progress.of[only->of].texts.insert(only->offset + i);
  }

  static void note_bytes(const FollowedPlace& place, std::int64_t bytes, Progress& progress) {
    if (bytes <= 0 || bytes > kFarAway) return;
    ByteSet& known = progress.of[place.of].bytes;
    if (known.pieces() < kMostPieces) known.add(place.offset, place.offset + bytes);
  }

  // A parameter may point to any of the objects, and to what another one points to.
  static void end_texts(const FollowedPlaces& places, Progress& progress, Deeds& deeds) {
    for (const FollowedPlace& place : places.list) {
      deeds.of[place.of].writes = true;
      const bool variable = llvm::isa<llvm::GlobalVariable>(place.of);
      for (auto& [one, written] : progress.of)
        if (one == place.of || !variable || llvm::isa<llvm::Argument>(one)) written.texts.clear();
    }
  }

  const Analysis& analysis_;
  const ScratchFlow& flow_;
  const llvm::DataLayout& layout_;
  std::unordered_set<const llvm::Function*> loops_;
  mutable std::unordered_set<const llvm::Function*> unknown_;
  std::vector<const llvm::GlobalVariable*> objects_;
  std::map<const llvm::Function*, Deeds> deeds_;
};

// Can the program be where it was before, with what it has done since then still done? Or leave a function by an
// exception, or go on with another stack?
bool jumps(const llvm::Module& program) {
  for (const llvm::Function& function : program) {
    const llvm::StringRef name = function.getName();
    if (name.starts_with("llvm.eh.") || name == "makecontext" || name == "swapcontext" || name == "setcontext")
      return true;
    if (function.hasFnAttribute(llvm::Attribute::ReturnsTwice)) return true;
    for (const llvm::Instruction& at : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
      if (llvm::isa<llvm::InvokeInst, llvm::LandingPadInst, llvm::ResumeInst>(at)) return true;
      if (call != nullptr && call->hasFnAttr(llvm::Attribute::ReturnsTwice)) return true;
    }
  }
  return false;
}

// Does assembly name it? That needs no pointer.
bool is_named_by_assembly(const llvm::GlobalVariable& variable) {
  const std::string name = unnumbered(variable.getName());
  const llvm::Module& program = *variable.getParent();
  if (program.getModuleInlineAsm().find(name) != std::string::npos) return true;
  for (const llvm::Function& function : program) {
    for (const llvm::Instruction& at : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
      const auto* text =
          call == nullptr ? nullptr : llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()->stripPointerCasts());
      if (text != nullptr && llvm::StringRef(text->getAsmString()).contains(name)) return true;
    }
  }
  return false;
}

// The functions that threads, signals and code without a spec may be in at any time.
std::unordered_set<const llvm::Function*> at_any_time(const Analysis& analysis, const World& world) {
  std::unordered_set<const llvm::Function*> found;
  std::vector<const llvm::Function*> work;
  const auto add = [&](const llvm::Function* function) {
    if (function != nullptr && found.insert(function).second) work.push_back(function);
  };
  for (const Handler& handler : world.handlers)
    if (handler.at_any_time) add(handler.function);
  if (found.empty()) return found;
  for (const Intruder& intruder : world.intruders) add(intruder.function);
  while (!work.empty()) {
    const llvm::Function* function = work.back();
    work.pop_back();
    for (const llvm::Instruction& at : llvm::instructions(*function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
      if (call == nullptr) continue;
      for (const CallSite& site : analysis.calls.at(*call))
        for (const llvm::Function* body : site.bodies) add(body);
    }
  }
  return found;
}

}  // namespace

llvm::DenseMap<NodeId, ScratchObject> find_scratch(const Analysis& analysis, const World& world) {
  llvm::DenseMap<NodeId, ScratchObject> found;
  const llvm::Module& program = analysis.points_to.module;
  std::map<std::uint64_t, std::vector<const llvm::GlobalVariable*>> marked;
  for (const llvm::GlobalVariable& variable : program.globals()) {
    if (!variable.hasAttribute(plugin::kScratchMark)) continue;
    std::uint64_t number = 0;
    const llvm::StringRef text = variable.getAttribute(plugin::kScratchMark).getValueAsString();
    if (!text.getAsInteger(16, number)) marked[number].push_back(&variable);
  }
  if (marked.empty() || world.beside.loops || jumps(program)) return found;
  std::vector<const llvm::GlobalVariable*> objects;
  for (const auto& [number, variables] : marked)
    if (variables.size() == 1 && variables[0]->hasLocalLinkage() && !is_named_by_assembly(*variables[0]))
      objects.push_back(variables[0]);
  const ScratchFlow flow(analysis, objects);
  Invocations invocations(analysis, flow);
  std::set<Followed> seen_at_any_time;
  for (const llvm::Function* function : at_any_time(analysis, world))
    seen_at_any_time.merge(invocations.used_in(*function));
  for (const llvm::GlobalVariable* variable : invocations.written_first()) {
    if (seen_at_any_time.contains(variable)) continue;
    const Graph& graph = analysis.points_to.graph;
    const Cell cell = analysis.points_to.known_global(*variable);
    if (!cell.valid()) continue;
    const Graph::Node& node = graph.node(cell);
    if (node.objects.size() != 1 || (node.flags & kUnknownMemory) != 0) continue;
    if (graph.object(node.objects[0].object).site != variable) continue;
    std::uint64_t number = 0;
    variable->getAttribute(plugin::kScratchMark).getValueAsString().getAsInteger(16, number);
    found[graph.find_node(cell.node)] = {variable, number};
  }
  return found;
}

}  // namespace heddle::elyze
