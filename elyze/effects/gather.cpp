#include "elyze/effects/gather.hpp"

#include <fcntl.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "elyze/effects/streams.hpp"
#include "elyze/ir/arrays.hpp"
#include "elyze/ir/assembly.hpp"
#include "elyze/ir/generated_calls.hpp"
#include "elyze/ir/symbols.hpp"
#include "elyze/ir/values.hpp"
#include "elyze/points_to/stored_before.hpp"

namespace heddle::elyze {
namespace {

constexpr std::int64_t kRecords = 1100;  // the byte of a stream that stands for what was added to it

const std::string kOpenFiles = "open files";  // as in the spec of closefrom()

Mode mode_of(bool write, bool atomic) {
  if (write) return atomic ? Mode::kAtomicStore : Mode::kWrite;
  return atomic ? Mode::kAtomicRead : Mode::kRead;
}

// The function that the source names here, or the parameter through which a caller may name one; null for a function
// pointer that was loaded from memory.
const llvm::Value* named_function(const llvm::Value* value) {
  if (value == nullptr) return nullptr;
  value = value->stripPointerCastsAndAliases();
  const auto* function = llvm::dyn_cast<llvm::Function>(value);
  if (function != nullptr && wrapper_of(*function) != nullptr) return nullptr;
  return llvm::isa<llvm::Function, llvm::Argument>(value) ? value : nullptr;
}

// The pointer that a number was made of; the value itself, if it is none.
const llvm::Value* address_behind(const llvm::Value* value) {
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
  return value;
}

// Do both come from the same variable, parameter or other value, however they were moved on from there?
bool of_one_object(const llvm::Value& first, const llvm::Value& second) {
  if (!first.getType()->isPointerTy() || !second.getType()->isPointerTy()) return false;
  llvm::SmallVector<const llvm::Value*, 4> one;
  llvm::SmallVector<const llvm::Value*, 4> other;
  llvm::getUnderlyingObjects(&first, one, nullptr, 0);
  llvm::getUnderlyingObjects(&second, other, nullptr, 0);
  return std::any_of(one.begin(), one.end(),
                     [&](const llvm::Value* value) { return llvm::is_contained(other, value); });
}

// A local variable, or a parameter that some caller passes one for.
bool is_local(const llvm::Value& value, int depth) {
  if (!value.getType()->isPointerTy()) return false;
  constexpr int kMostCallers = 4;  // that a parameter is followed through
  const llvm::Value* object = llvm::getUnderlyingObject(&value, 0);
  while (is_array_mark(*object))
    object = llvm::getUnderlyingObject(llvm::cast<llvm::CallBase>(object)->getArgOperand(0), 0);
  if (llvm::isa<llvm::AllocaInst>(object)) return true;
  const auto* formal = llvm::dyn_cast<llvm::Argument>(object);
  if (formal == nullptr || depth >= kMostCallers) return false;
  const llvm::Function& function = *formal->getParent();
  return std::any_of(function.use_begin(), function.use_end(), [&](const llvm::Use& use) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return call != nullptr && call->isCallee(&use) && formal->getArgNo() < call->arg_size() &&
           is_local(*call->getArgOperand(formal->getArgNo()), depth + 1);
  });
}

bool given_as_number(const Root& root, const CallSite& site) {
  return root.kind == Root::Kind::kParam && root.index < site.actuals.size() &&
         llvm::isa_and_nonnull<llvm::ConstantInt>(site.actuals[root.index].value);
}

bool by_number(const Root& root, const Access& access, const llvm::Function& function) {
  return root.kind == Root::Kind::kParam && access.extent == Extent::kWhole && root.index < function.arg_size() &&
         function.getArg(root.index)->getType()->isIntegerTy();
}

}  // namespace

void note_number(std::vector<Access>& numbers, const Access& access, const Roots& roots,
                 const llvm::Function& function) {
  if (!by_number(roots[access.root], access, function)) return;
  for (const Access& known : numbers) {
    if (known.root == access.root && known.mode == access.mode && known.child == access.child &&
        known.behind == access.behind && known.closes == access.closes && known.contents == access.contents &&
        known.entry == access.entry && known.address == access.address) {
      return;
    }
  }
  numbers.push_back(access);
}

Gathered Gatherer::run() {
  if (!function_.isDeclaration()) note_attributes(function_.getEntryBlock().front(), function_.getAttributes());
  for (const llvm::Instruction& instruction : llvm::instructions(function_)) visit(instruction);
  return std::move(gathered_);
}

void Gatherer::add(const llvm::Instruction& at, Access access, const Witness* callee) {
  if (!access.cell.valid() || access.root == kNoRoot) return;
  access.cell = analysis_.points_to.graph.find(access.cell);
  access.child |= analysis_.children.executes(at);
  access.behind |= analysis_.late_points.behind(at);
  access.witness = analysis_.witnesses.add(at, callee);
  gathered_.accesses.push_back(access);
}

// How far before the place the pointer leads that is stored there, if both are the same distance from one value
// whenever the store is executed.
static std::optional<std::int64_t> distance_back(const llvm::Instruction& at) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&at);
  if (store == nullptr || !store->getValueOperand()->getType()->isPointerTy()) return std::nullopt;
  const llvm::DataLayout& layout = at.getModule()->getDataLayout();
  llvm::APInt value(64, 0);
  llvm::APInt place(64, 0);
  const llvm::Value* const of = store->getValueOperand()->stripAndAccumulateConstantOffsets(layout, value, true);
  if (of != store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, place, true)) return std::nullopt;
  return (place - value).getSExtValue();
}

void Gatherer::add_store(const llvm::Instruction& at, Store store, const Witness* callee) {
  if (!store.value.valid() || store.source.base == kNoRoot) return;
  if (callee == nullptr) store.back = distance_back(at);
  store.value = analysis_.points_to.graph.find(store.value);
  store.witness = analysis_.witnesses.add(at, callee);
  (store.keeps ? gathered_.keeps : gathered_.stores).push_back(store);
}

void Gatherer::keep(const llvm::Instruction& at, const llvm::Value* value, Cell place, const Derivation& target,
                    bool inside) {
  if (value == nullptr || !carries(value->getType())) return;
  Store store;
  store.value = cells_.of(value);
  store.place = place;
  store.number = value->getType()->isIntegerTy();
  store.source = derivations_.of(value);
  if (inside) store.source = {store.source.base, 0, false};
  store.target = target;
  add_store(at, store);
}

void Gatherer::touch(const llvm::Instruction& at, const llvm::Value* pointer, std::int64_t size, Extent extent,
                     Mode mode) {
  Access access;
  access.cell = cells_.of(pointer);
  access.size = size;
  access.extent = extent;
  access.mode = mode;
  access.root = derivations_.of(pointer).base;
  add(at, access);
}

// The pointers in what `from` points to, so many steps further on, get into the target.
void Gatherer::copy(const llvm::Instruction& at, const llvm::Value* from, const Derivation& target, int steps,
                    const std::vector<std::int64_t>& path) {
  Store store;
  const auto [cell, where] = behind(from, path);
  store.value = cell;
  store.source = {where.base, 0, false};
  const Root::Kind kind = analysis_.roots[analysis_.roots.origin(store.source.base)].kind;
  if (kind == Root::Kind::kNone || kind == Root::Kind::kGlobal || kind == Root::Kind::kUnique) return;
  store.target = {target.base, 0, false};
  store.publishes = true;
  store.contents = true;
  store.steps = steps;
  if (store.source.base != store.target.base || kind == Root::Kind::kOther || steps > 0) add_store(at, store);
}

// A number that is moved from memory to memory may be a pointer, or one of the bytes of a pointer that a loop moves.
void Gatherer::copy_number(const llvm::StoreInst& store) {
  const llvm::Value* value = store.getValueOperand();
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
  if (load == nullptr || !load->getType()->isIntegerTy()) return;
  const Graph& graph = analysis_.points_to.graph;
  const Cell from = cells_.of(load->getPointerOperand());
  const bool whole = load->getType()->getIntegerBitWidth() >= 64;
  // Of a whole pointer that came from anywhere the graph knows all that it may point to.
  const bool known = whole && derivations_.of(load->getPointerOperand()).base == kOtherRoot;
  if (from.valid() && (whole || graph.walked_at(from)) && !known)
    copy(store, load->getPointerOperand(), derivations_.of(store.getPointerOperand()), 0);
}

// What an operation that the graph does not model was given is kept where lost addresses are.
void Gatherer::lose(const llvm::Instruction& at, const llvm::Value* value) {
  if (llvm::isa<llvm::Constant>(value)) return;  // an address that everybody knows
  Store store;
  store.value = cells_.of(value);
  store.place = analysis_.points_to.hidden(kLostAddresses);
  store.source = derivations_.of(value);
  store.target = kFromGlobal;
  if (value->getType()->isPointerTy() || analysis_.points_to.addresses->may_hold(value)) add_store(at, store);
}

// A pointer that was put together from a lost address is stored somewhere around the place.
void Gatherer::spill(const llvm::Instruction& at, const llvm::Value* to) {
  Graph& graph = analysis_.points_to.graph;
  Store store;
  store.value = graph.edge(analysis_.points_to.hidden(kLostAddresses));
  store.place = cells_.of(to);
  store.source = kAnywhere;
  store.target = {derivations_.of(to).base, 0, false};
  if (store.place.valid()) add_store(at, store);
}

// How deep the stack is, or which thread's it is, shows where the address of a local variable is compared with, or
// subtracted from, one that is not in the same object, and where it is kept as a number.
void Gatherer::note_stack(const llvm::Instruction& at) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&at);
  const bool difference = at.getOpcode() == llvm::Instruction::Sub;
  if (difference || (compare != nullptr && compare->isRelational())) {
    const llvm::Value* first = address_behind(at.getOperand(0));
    const llvm::Value* second = address_behind(at.getOperand(1));
    if (llvm::isa<llvm::ConstantInt, llvm::ConstantPointerNull>(first) ||
        llvm::isa<llvm::ConstantInt, llvm::ConstantPointerNull>(second))
      return;
    if (of_one_object(*first, *second) || (!is_local(*first, 0) && !is_local(*second, 0))) return;
    // What is kept in a global variable may be of an earlier invocation.
    const Cell one = cells_.of(first);
    const Cell other = cells_.of(second);
    const Graph& graph = analysis_.points_to.graph;
    const bool together = one.valid() && other.valid() && graph.find(one).node == graph.find(other).node &&
                          !(graph.node(one).flags & kShared);
    if (!together) analysis_.measures_stack.insert(&at);
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&at)) {
    const llvm::Value* value = store->getValueOperand();
    if (value->getType()->isIntegerTy() && is_local(*address_behind(value), 0)) analysis_.measures_stack.insert(&at);
  }
}

// Code with an attribute that is not known may do anything.
void Gatherer::note_attributes(const llvm::Instruction& at, const llvm::AttributeList& attributes) {
  const std::string unknown = unknown_attribute(attributes.getFnAttrs(), analysis_.points_to.module);
  if (!unknown.empty()) gathered_.unknown.push_back({&at, "attribute " + unknown, UnknownUse::Kind::kAssembly});
}

void Gatherer::visit(const llvm::Instruction& instruction) {
  note_stack(instruction);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) note_attributes(*call, call->getAttributes());
  const AddressNumbers* numbers = analysis_.points_to.addresses;
  if (numbers != nullptr && numbers->escapes(instruction)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    for (const llvm::Use& operand : call == nullptr ? instruction.operands() : call->args())
      lose(instruction, operand.get());
  }
  if (numbers != nullptr && numbers->spills(instruction)) {
    for (const llvm::Use& operand : instruction.operands()) {
      if (operand->getType()->isPointerTy() && !llvm::isa<llvm::Function>(operand.get()))
        spill(instruction, operand.get());
    }
  }
  const llvm::DataLayout& layout = analysis_.points_to.module.getDataLayout();
  const auto size = [&](llvm::Type* type) {
    return static_cast<std::int64_t>(layout.getTypeStoreSize(type).getKnownMinValue());
  };
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    touch(instruction, load->getPointerOperand(), size(load->getType()), Extent::kExact,
          mode_of(false, load->isAtomic()));
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const llvm::Value* to = store->getPointerOperand();
    touch(instruction, to, size(store->getValueOperand()->getType()), Extent::kExact, mode_of(true, store->isAtomic()));
    keep(instruction, store->getValueOperand(), cells_.of(to), derivations_.of(to));
    copy_number(*store);
  } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    const llvm::Value* to = exchange->getPointerOperand();
    touch(instruction, to, size(exchange->getNewValOperand()->getType()), Extent::kExact, Mode::kAtomicUpdate);
    keep(instruction, exchange->getNewValOperand(), cells_.of(to), derivations_.of(to));
  } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    const llvm::Value* to = update->getPointerOperand();
    const bool sum =
        update->getOperation() == llvm::AtomicRMWInst::Add || update->getOperation() == llvm::AtomicRMWInst::Sub;
    touch(instruction, to, size(update->getValOperand()->getType()), Extent::kExact,
          sum ? Mode::kAtomicAdd : Mode::kAtomicUpdate);
    keep(instruction, update->getValOperand(), cells_.of(to), derivations_.of(to));
  } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    visit_call(*call);
  }
}

void Gatherer::visit_call(const llvm::CallBase& call) {
  if (is_array_mark(call) || llvm::isa<llvm::DbgInfoIntrinsic>(call)) return;
  if (call.isInlineAsm()) {
    visit_assembly(call);
    return;
  }
  if (const Callback* callback = analysis_.points_to.specs.dispatched(call)) register_handler(call, *callback);
  for (const CallSite& site : analysis_.calls.at(call)) {
    for (const llvm::Function* body : site.bodies) {
      gathered_.calls.emplace_back(&call, body);
      use_summary(site, *body);
      if (site.callback != nullptr) store_result(call, *site.callback, *body);
    }
    if (site.outside) unknown(call, "function that unknown code gave", UnknownUse::Kind::kExternal);
    for (const llvm::Function* external : site.externals) {
      if (site.callback == nullptr) {
        visit_external(call, *external);
      } else {  // with variable arguments, see ir/load.cpp
        unknown(call, external->getName().str() + "() as a callback", UnknownUse::Kind::kExternal);
      }
    }
  }
}

void Gatherer::store_result(const llvm::CallBase& call, const Effect& callback, const llvm::Function& body) {
  Store store;
  store.value = std::as_const(analysis_.points_to).cells(body).returned;
  store.source = kAnywhere;
  if (callback.sends) {
    store.place = analysis_.points_to.hidden(kSent);
    store.target = kFromGlobal;
    add_store(call, store);
  }
  if (callback.result) {
    const Field& result = *callback.result;
    const llvm::Value* holder = result.arg == kReturnedObject ? &call : argument(call, result.arg);
    store.place = cells_.field(call, result);
    store.target =
        shifted(result.path.empty() ? derivations_.of(holder) : behind(holder, result.path).second, result.offset);
    add_store(call, store);
  }
}

void Gatherer::visit_assembly(const llvm::CallBase& call) {
  const auto operands = assembly_operands(call);
  if (!operands) {
    unknown(call, "inline assembly", UnknownUse::Kind::kAssembly);
    return;
  }
  const bool nothing = llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString().empty();
  bool written = false;
  for (const AssemblyOperand& operand : *operands) {
    written |= operand.memory && operand.written && operand.carries;
    if (nothing || !operand.value->getType()->isPointerTy()) continue;
    const bool exact = operand.memory && operand.bytes > 0;
    touch(call, operand.value, operand.bytes, exact ? Extent::kExact : Extent::kToEnd,
          mode_of(operand.memory && operand.written, false));
    if (!operand.memory || !operand.written || !operand.carries) continue;
    Store store;  // what stood there is gone
    store.place = cells_.of(operand.value);
    if (!store.place.valid()) continue;
    store.value = analysis_.points_to.graph.edge_if_any(store.place);
    store.source = kAnywhere;
    store.target = derivations_.of(operand.value);
    add_store(call, store);
  }
  if (!written) return;
  // A pointer in one operand may stand in another one afterwards.
  for (const AssemblyOperand& operand : *operands) {
    if (!operand.memory) keep(call, operand.value, {}, kAnywhere);
  }
}

void Gatherer::unknown(const llvm::CallBase& call, const std::string& name, UnknownUse::Kind kind) {
  gathered_.unknown.push_back({&call, name, kind});
  for (const llvm::Use& operand : call.args()) keep(call, operand.get(), {}, kAnywhere);
}

void Gatherer::visit_external(const llvm::CallBase& call, const llvm::Function& callee) {
  const Spec* spec = analysis_.points_to.specs.find(callee);
  if (spec == nullptr) {
    // Of the address of a frame nobody knows what the program finds from there on.
    const auto pointer = [](const llvm::Use& given) { return given->getType()->isPointerTy(); };
    const bool of_the_stack = call.getType()->isPointerTy() && std::none_of(call.arg_begin(), call.arg_end(), pointer);
    const bool value = callee.doesNotAccessMemory() && !of_the_stack;
    if (callee.isIntrinsic() && (value || callee.getIntrinsicID() == llvm::Intrinsic::vastart)) return;
    unknown(call, unnumbered(callee.getName()), UnknownUse::Kind::kExternal);
    return;
  }
  note_alone(call, *spec);
  for (const Effect& effect : spec->effects) {
    if (!analysis_.points_to.holds(call, effect.condition, effect.beside) ||
        !analysis_.points_to.holds(call, effect.own))
      continue;
    apply(call, *spec, effect);
    if (effect.op == Effect::Op::kKeep) hold(call, *spec, effect);
    note_replaced(call, effect);
  }
  if (returns_by_address(call)) return_structure(call);
  for (const Callback& callback : spec->callbacks) register_handler(call, callback);
  use_numbers_of_descriptors(call, *spec);
}

// What a library's object keeps, and what it makes in one, stands there in the place of what the function has stored.
void Gatherer::note_replaced(const llvm::CallBase& call, const Effect& effect) {
  const bool made = effect.op == Effect::Op::kStoreFresh && !effect.path.empty();
  if (effect.arg == kHiddenObject || (effect.op != Effect::Op::kKeep && !made)) return;
  const llvm::Value* holder = effect.arg == kReturnedObject ? &call : argument(call, effect.arg);
  if (holder == nullptr || !carries(holder->getType())) return;
  const auto [place, where] = behind(holder, effect.path);
  if (place.valid()) gathered_.replaced.push_back({place, shifted(where, effect.offset), &call});
}

// The result stands where the first argument points to, over whatever stood there.
void Gatherer::return_structure(const llvm::CallBase& call) {
  const llvm::Value* place = call.getArgOperand(0);
  touch(call, place, 0, Extent::kToEnd, Mode::kWrite);
  Store store;
  store.place = cells_.of(place);
  if (!store.place.valid()) return;
  store.value = analysis_.points_to.graph.edge_if_any(store.place);
  store.source = kAnywhere;
  store.target = {derivations_.of(place).base, 0, false};
  add_store(call, store);
}

// Which number a new descriptor has, and whether there is one more, depends on which are open.
void Gatherer::use_numbers_of_descriptors(const llvm::CallBase& call, const Spec& spec) {
  const bool opens = std::any_of(spec.results.begin(), spec.results.end(),
                                 [](const Result& result) { return result.kind == Result::Kind::kDescriptor; });
  const bool changes = std::any_of(spec.effects.begin(), spec.effects.end(), [](const Effect& effect) {
    return effect.closes || (effect.op == Effect::Op::kStoreFresh && effect.other == 1);
  });
  if (!opens && !changes) return;
  Access access;
  access.cell = analysis_.points_to.numbers_of_descriptors();
  access.extent = Extent::kWhole;
  access.mode = Mode::kWrite;
  access.root = kGlobalRoot;
  add(call, access);
}

// A handler that leaves the loop, or the process, decides whether those behind it are called at all. A process that
// ends because something went wrong is another matter: nearly every handler may find that it has no memory. Which of
// the others were called before is then left open (docs/internals/elyze.md).
void Gatherer::note_alone(const llvm::CallBase& call, const Spec& spec) {
  if (analysis_.children.executes(call)) return;
  if (!spec.alone.empty()) gathered_.unknown.push_back({&call, spec.alone, UnknownUse::Kind::kAlone});
  const llvm::Value* exchanged = argument(call, spec.exchanges);
  if (exchanged != nullptr && analysis_.roots[derivations_.of(exchanged).base].kind != Root::Kind::kFresh)
    gathered_.unknown.push_back({&call, kNextCallback, UnknownUse::Kind::kAlone});
  if (spec.processor_time && analysis_.points_to.holds(call, *spec.processor_time))
    gathered_.unknown.push_back({&call, kProcessorTime, UnknownUse::Kind::kAlone});
  if (spec.ends < 0) return;
  const llvm::ConstantInt* status = analysis_.points_to.number(call, argument(call, spec.ends));
  if (status == nullptr || status->isZero())
    gathered_.unknown.push_back({&call, "end of the process", UnknownUse::Kind::kAlone});
}

// A library's object keeps what it is given. The descriptor of an event is looked at when handlers are registered.
void Gatherer::hold(const llvm::CallBase& call, const Spec& spec, const Effect& effect) {
  if (!effect.path.empty() || !effect.value_path.empty() || effect.arg == kHiddenObject) return;
  const bool registered = std::any_of(spec.callbacks.begin(), spec.callbacks.end(),
                                      [&](const Callback& callback) { return callback.descriptor == effect.other; });
  const llvm::Value* value = effect.other == kReturnedObject ? &call : argument(call, effect.other);
  const llvm::Value* holder = effect.arg == kReturnedObject ? &call : argument(call, effect.arg);
  if (registered || value == nullptr || holder == nullptr || value == holder || !carries(value->getType())) return;
  Store store;
  store.value = cells_.of(value);
  store.number = value->getType()->isIntegerTy();
  store.source = derivations_.of(value);
  store.target = derivations_.of(holder);
  store.keeps = true;
  add_store(call, store);
  hand(call, value, store.target);
}

// Whoever knows the holder may use the value from here on. Without a holder, everybody may.
void Gatherer::hand(const llvm::CallBase& call, const llvm::Value* value, const Derivation& holder) {
  if (value == nullptr || !carries(value->getType())) return;
  Store store;
  store.value = cells_.of(value);
  store.number = value->getType()->isIntegerTy();
  store.source = derivations_.of(value);
  store.target = holder;
  store.publishes = true;
  store.hands = true;
  add_store(call, store);
}

void Gatherer::apply(const llvm::CallBase& call, const Spec& spec, const Effect& effect) {
  using Op = Effect::Op;
  PointsTo& points_to = analysis_.points_to;
  const llvm::Value* value = argument(call, effect.arg);
  Access access;
  access.extent = Extent::kWhole;
  switch (effect.op) {
    case Op::kHiddenWrite:
    case Op::kHiddenRead:
      if (effect.if_named && !points_to.names(effect.name)) break;
      access.cell = points_to.hidden(effect.name);
      for (const std::int64_t offset : effect.path) access.cell = points_to.graph.edge(access.cell.plus(offset));
      access.mode = effect.part ? Mode::kPart : effect.op == Op::kHiddenWrite ? Mode::kWrite : Mode::kRead;
      access.root = kGlobalRoot;
      add(call, access);
      break;
    case Op::kDescriptorRead:
    case Op::kDescriptorWrite: {
      use_descriptors(call);
      access.mode = effect.op == Op::kDescriptorWrite ? Mode::kWrite : Mode::kRead;
      access.closes = effect.closes;
      if (effect.all && effect.arg == kNoArgument) {
        access.cell = points_to.any_descriptor();
        access.root = kGlobalRoot;
        add(call, access);
        break;
      }
      if (effect.arg == kHiddenObject) {  // what was stored there, if anything
        access.cell = points_to.graph.edge_if_any(points_to.hidden(effect.name), true);
        access.root = analysis_.roots.load(kFromGlobal);
        access.if_any = true;
        add(call, access);
        break;
      }
      if (!effect.path.empty()) {
        access.descriptor = true;
        touch_loaded(call, effect, access);
        if (effect.closes) give_locks_up(call, effect);
        break;
      }
      const llvm::ConstantInt* number = points_to.number(call, value);
      access.cell = cells_.descriptor(call, value);
      access.root = number != nullptr ? kGlobalRoot : derivations_.of(value).base;
      access.descriptor = number == nullptr;
      if (access.root == kNoRoot) access.root = kOtherRoot;  // a number may be any descriptor
      if (number == nullptr || !number->isNegative()) add(call, access);
      if (effect.closes) give_locks_up(call, effect);
      break;
    }
    case Op::kStore: {
      const llvm::Value* stored = effect.other == kReturnedObject ? &call : argument(call, effect.other);
      if (effect.arg == kHiddenObject && effect.value_path.empty()) {
        keep(call, stored, points_to.hidden(effect.name), kFromGlobal, effect.inside);
        break;
      }
      if (effect.arg == kHiddenObject) {
        if (stored == nullptr) break;
        if (const auto known = effect.value_path.size() == 1 && !effect.inside
                                   ? stored_before(call, stored, effect.value_path.front(), points_to)
                                   : std::nullopt) {
          for (const llvm::Value* one : *known) keep(call, one, points_to.hidden(effect.name), kFromGlobal);
          break;
        }
        const auto [cell, source] = behind(stored, effect.value_path);
        Store store;
        store.value = cell;
        store.place = points_to.hidden(effect.name);
        store.source = effect.inside ? Derivation{source.base, 0, false} : source;
        store.target = kFromGlobal;
        add_store(call, store);
        break;
      }
      const llvm::Value* to = effect.arg == kReturnedObject ? &call : value;
      const Derivation target = derivations_.of(to);
      if (!effect.value_path.empty()) {
        if (stored == nullptr || !cells_.of(to).valid()) break;
        const auto [cell, source] = behind(stored, effect.value_path);
        Store store;
        store.value = cell;
        store.place = cells_.of(to);
        store.source = effect.inside ? Derivation{source.base, 0, false} : source;
        store.target = effect.bytes > 0 ? Derivation{target.base, 0, false}
                       : target.exact   ? shifted(target, effect.offset)
                                        : target;
        add_store(call, store);
        break;
      }
      const Derivation there = target.exact ? shifted(target, effect.offset) : target;
      keep(call, stored, cells_.of(to), effect.bytes > 0 ? Derivation{target.base, 0, false} : there, effect.inside);
      break;
    }
    case Op::kStoreFresh: {
      const llvm::Value* to = effect.arg == kReturnedObject ? &call : value;
      const Cell place = cells_.of(to);
      if (!place.valid() || !effect.path.empty()) break;
      Store store;
      store.place = place;
      store.value = points_to.graph.edge_if_any(place.plus(effect.offset), effect.other == 1);
      store.number = effect.other == 1;
      store.source = {kUniqueRoot, 0, true};
      if (!store.number && !points_to.allocators(spec).empty()) store.source = kAnywhere;
      const Derivation target = derivations_.of(to);
      store.target = target.exact ? shifted(target, effect.offset) : target;
      add_store(call, store);
      break;
    }
    case Op::kPublish:
    case Op::kPublishOwner: {
      const llvm::Value* seen = effect.arg == kReturnedObject ? &call : value;
      Store store;
      if (effect.op == Op::kPublishOwner) store.owner_at = effect.offset;
      store.value = cells_.of(seen);
      store.source = derivations_.of(seen);
      store.publishes = true;
      store.undone = effect.undone;
      add_store(call, store);
      break;
    }
    case Op::kCopy: {
      const llvm::Value* from = effect.other == kReturnedObject ? &call : argument(call, effect.other);
      const llvm::ConstantInt* bytes = points_to.number(call, argument(call, effect.bytes_arg));
      if (effect.other == kHiddenObject || from == nullptr || (bytes != nullptr && bytes->isZero())) break;
      const llvm::Value* to = effect.arg == kReturnedObject ? &call : value;
      copy(call, from, effect.arg == kHiddenObject ? kFromGlobal : derivations_.of(to), effect.steps, effect.path);
      break;
    }
    case Op::kContents:
      use_contents(call, effect);
      break;
    case Op::kName:
      if (effect.arg == kNewPath) {
        use_entries(call, points_to.files.new_name(), Mode::kMake);
      } else {
        use_entry(call, value, Mode::kWrite);
      }
      break;
    case Op::kBinds:
      access.cell = points_to.socket_addresses();
      access.mode = Mode::kWrite;
      access.root = kGlobalRoot;
      add(call, access);
      break;
    case Op::kFile:
      if (const auto mode = mode_of_use(call, effect)) {
        if (value != nullptr) use_entry(call, value, Mode::kRead);
        if (effect.arg == kNoArgument && effect.use != Effect::Use::kMap) use_entry(call, nullptr, *mode);
        use_file(call, effect, *mode);
      }
      break;
    case Op::kOpened: {
      const Opening opening = opening_of(call, argument(call, effect.other));
      use_entry(call, value, opening.entry);
      if (opening.empties) {
        use_file(call, effect, Mode::kWrite);
      } else if (opening.at_end) {
        use_file(call, effect, Mode::kRead);
      }
      break;
    }
    case Op::kAppend:
    case Op::kFlush:
      append(call, effect);
      break;
    case Op::kWaits:
      break;
    case Op::kReach:
    case Op::kReachRead:
      if (effect.arg == kHiddenObject) {
        access.cell = points_to.hidden(effect.name);
        access.extent = Extent::kReach;
        access.size = effect.one_step ? 1 : 0;
        access.mode = mode_of(effect.op == Op::kReach, false);
        access.root = kGlobalRoot;
        add(call, access);
      } else if (value != nullptr) {
        apply_pointer(call, effect);
      }
      break;
    case Op::kReadFrom:
    case Op::kWriteFrom: {
      const bool write = effect.op == Op::kWriteFrom || points_to.format_may_write(call, effect.arg);
      for (unsigned i = static_cast<unsigned>(effect.arg); i < call.arg_size(); ++i) {
        const llvm::Value* part = call.getArgOperand(i);
        if (!part->getType()->isPointerTy()) continue;
        touch(call, part, 0, Extent::kToEnd, mode_of(write, false));
        if (effect.op == Op::kWriteFrom && points_to.format_may_allocate(call, effect.arg - 1)) store_made(call, *part);
      }
      break;
    }
    default:
      if (value != nullptr) apply_pointer(call, effect);
      break;
  }
}

// A new block stands where the argument points to.
void Gatherer::store_made(const llvm::CallBase& call, const llvm::Value& to) {
  Store store;
  store.place = cells_.of(&to);
  if (!store.place.valid()) return;
  store.value = analysis_.points_to.graph.edge_if_any(store.place);
  store.source = {kUniqueRoot, 0, true};
  store.target = derivations_.of(&to);
  add_store(call, store);
}

// What the call does to contents; nothing, where a number that it is given says so.
std::optional<Mode> Gatherer::mode_of_use(const llvm::CallBase& call, const Effect& effect) {
  const auto* number = analysis_.points_to.number(call, argument(call, effect.other));
  switch (effect.use) {
    case Effect::Use::kMap:
      return mode_of(number == nullptr || (number->getZExtValue() & PROT_WRITE) != 0, false);
    case Effect::Use::kSeek:
      if (number != nullptr && (number->equalsInt(SEEK_SET) || number->equalsInt(SEEK_CUR))) return std::nullopt;
      return Mode::kRead;
    case Effect::Use::kRead:
    case Effect::Use::kConnect:
      return Mode::kRead;
    case Effect::Use::kWrite:
    case Effect::Use::kEntry:
    case Effect::Use::kTakeAddress:
    case Effect::Use::kGiveAddress:
    case Effect::Use::kLock:
    case Effect::Use::kProcessLock:
      break;
  }
  return Mode::kWrite;
}

// What is in the file behind a descriptor. 0, 1 and 2, written as numbers, are the process's from its start: terminals
// or pipes, as the manual assumes, unless the program itself puts a file there. Any other number may be any file.
void Gatherer::use_contents(const llvm::CallBase& call, const Effect& effect) {
  const llvm::Value* value = argument(call, effect.arg);
  const std::optional<Mode> mode = mode_of_use(call, effect);
  if (value == nullptr || !mode) return;
  Access access;
  access.extent = Extent::kWhole;
  access.mode = *mode;
  access.contents = true;
  access.entry = effect.use == Effect::Use::kConnect || effect.use == Effect::Use::kEntry;
  if (effect.use == Effect::Use::kTakeAddress) access.address = Access::Address::kTaken;
  if (effect.use == Effect::Use::kGiveAddress) access.address = Access::Address::kGivenUp;
  access.closes = effect.closes;
  if (!effect.path.empty()) {
    touch_loaded(call, effect, access);
    return;
  }
  const llvm::ConstantInt* number = analysis_.points_to.number(call, value);
  if (number != nullptr && number->isNegative()) return;
  access.cell = cells_.descriptor(call, value);
  access.root = number != nullptr ? kGlobalRoot : derivations_.of(value).base;
  if (access.root == kNoRoot) access.root = kOtherRoot;  // a number may be any descriptor
  add(call, access);
}

// A lock of a file that belongs to the process is lost with any descriptor of the file, not only with the one by which
// it was taken (fcntl(2)).
void Gatherer::give_locks_up(const llvm::CallBase& call, const Effect& closing) {
  if (analysis_.points_to.locks_by_process()) {
    Effect contents = closing;
    contents.op = Effect::Op::kContents;
    contents.use = Effect::Use::kProcessLock;
    use_contents(call, contents);
  }
}

// The entry that the path names, and those that lead there: each may be missing, or come to mean another file. A path
// that is null is some path.
void Gatherer::use_entry(const llvm::CallBase& call, const llvm::Value* path, Mode mode) {
  PointsTo& points_to = analysis_.points_to;
  if (path == nullptr) {
    use_entries(call, kSomeFile, mode);
    return;
  }
  use_entries(call, points_to.files.directories(call, path, points_to.numbers_read), Mode::kRead);
  use_entries(call, points_to.files.named(call, path, points_to.numbers_read), mode);
}

void Gatherer::use_entries(const llvm::CallBase& call, FileName name, Mode mode) {
  if (name == kNoFile) return;
  for (const Range bytes : analysis_.points_to.files.bytes(name)) {
    Access access;
    access.cell = analysis_.points_to.entries();
    access.extent = Extent::kWhole;
    access.mode = mode;
    access.root = kGlobalRoot;
    if (name != kSomeFile) {
      access.cell = access.cell.plus(bytes.low);
      access.extent = Extent::kExact;
      access.size = 1;
    }
    add(call, access);
  }
}

void Gatherer::use_file(const llvm::CallBase& call, const Effect& effect, Mode mode) {
  PointsTo& points_to = analysis_.points_to;
  const llvm::Value* path = argument(call, effect.arg);
  Access access;
  access.cell = points_to.contents();
  access.extent = Extent::kWhole;
  access.mode = mode;
  access.root = kGlobalRoot;
  access.contents = true;
  if (path != nullptr) access.file = points_to.files.named(call, path, points_to.numbers_read);
  add(call, access);
}

// What the flags of open(), or the mode of fopen(), say: may the file be emptied, may it come into being? With O_EXCL,
// it matters who is first.
Gatherer::Opening Gatherer::opening_of(const llvm::CallBase& call, const llvm::Value* how) {
  // Whoever makes a file decides on its mode.
  const auto made = [&] { return analysis_.points_to.makes_files_alike() ? Mode::kMake : Mode::kWrite; };
  if (const llvm::ConstantInt* flags = analysis_.points_to.number(call, how))
    return {(flags->getZExtValue() & O_TRUNC) != 0, (flags->getZExtValue() & O_CREAT) == 0  ? Mode::kRead
                                                    : (flags->getZExtValue() & O_EXCL) != 0 ? Mode::kWrite
                                                                                            : made()};
  std::vector<std::string> modes;
  if (how == nullptr || !how->getType()->isPointerTy() ||
      !constant_texts(call, how, analysis_.points_to.numbers_read, modes))
    return {true, Mode::kWrite};
  const auto any = [&](const char* letters) {
    return std::any_of(modes.begin(), modes.end(),
                       [&](const std::string& mode) { return mode.find_first_of(letters) != mode.npos; });
  };
  return {any("w"), any("x") ? Mode::kWrite : any("wa") ? made() : Mode::kRead, any("a")};
}

void Gatherer::append(const llvm::CallBase& call, const Effect& effect) {
  const llvm::Value* value = argument(call, effect.arg);
  const bool flush = effect.op == Effect::Op::kFlush;
  if (flush && value != nullptr && !surely_a_stream(call, *value)) {
    gathered_.unknown.push_back({&call, "flush of all streams", UnknownUse::Kind::kAlone});
    return;
  }
  Access access;
  access.mode = flush ? Mode::kFlush : Mode::kAppend;
  access.cell = cells_.stream(call, effect);
  if (!access.cell.valid()) return;
  const Derivation stream = effect.arg == kHiddenObject ? kFromGlobal : derivations_.of(value);
  access.cell = access.cell.plus(kRecords);
  access.size = 1;
  access.root = stream.base;
  if (!flush) add(call, access);
  Access buffer = access;
  buffer.cell = analysis_.points_to.graph.edge_if_any(cells_.stream(call, effect).plus(kStreamBuffer));
  buffer.extent = Extent::kToEnd;
  buffer.size = 0;
  buffer.root = analysis_.roots.load(shifted(stream, kStreamBuffer));
  buffer.if_any = true;
  add(call, buffer);
  // A variable such as stdout may hold a memory stream, whose text moves as it grows. Of a stream that is an argument,
  // its entry says so.
  const Cell told = analysis_.points_to.graph.edge_if_any(cells_.stream(call, effect).plus(kStreamText));
  if (effect.arg == kHiddenObject && told.valid()) {
    Access text = buffer;
    text.cell = analysis_.points_to.graph.edge_if_any(told);
    text.extent = Extent::kWhole;
    text.mode = Mode::kWrite;
    text.root = kGlobalRoot;
    add(call, text);
  }
  // The descriptor of the stream, and what is in its file.
  access.cell = analysis_.points_to.graph.edge_if_any(cells_.stream(call, effect), true);
  access.extent = Extent::kWhole;
  access.size = 0;
  access.root = analysis_.roots.load(stream);
  access.if_any = access.descriptor = true;
  add(call, access);
  access.descriptor = false;
  access.contents = true;
  add(call, access);
}

// Each use of a descriptor reads the table of open files, which closing all of them writes.
void Gatherer::use_descriptors(const llvm::CallBase& call) {
  Access access;
  access.cell = analysis_.points_to.hidden(kOpenFiles);
  access.extent = Extent::kWhole;
  access.mode = Mode::kRead;
  access.root = kGlobalRoot;
  add(call, access);
}

// An effect on the target of a pointer (or descriptor) that lies inside of what an argument points to. It touches
// nothing if no pointer was ever stored there.
void Gatherer::touch_loaded(const llvm::CallBase& call, const Effect& effect, Access access) {
  const bool number = effect.op == Effect::Op::kDescriptorRead || effect.op == Effect::Op::kDescriptorWrite ||
                      effect.op == Effect::Op::kContents;
  const auto [cell, where] = behind(argument(call, effect.arg), effect.path, number);
  access.cell = cell;
  access.root = where.base;
  access.if_any = !effect.all;
  add(call, access);
}

// The cell at the end of a path (see Cells::loaded), and how a pointer to it is derived.
std::pair<Cell, Derivation> Gatherer::behind(const llvm::Value* from, const std::vector<std::int64_t>& path,
                                             bool number) {
  Cell cell = cells_.of(from);
  Derivation where = derivations_.of(from);
  for (std::size_t i = 0; i < path.size() && cell.valid(); ++i) {
    cell = analysis_.points_to.graph.edge_if_any(cell.plus(path[i]), number && i + 1 == path.size());
    where = {analysis_.roots.load(shifted(where, path[i])), 0, true};
  }
  return {cell, where};
}

// Effects on what one argument points to.
void Gatherer::apply_pointer(const llvm::CallBase& call, const Effect& effect) {
  using Op = Effect::Op;
  const llvm::Value* value = argument(call, effect.arg);
  if (!carries(value->getType())) return;
  switch (effect.op) {
    case Op::kRead:
    case Op::kWrite: {
      if (!effect.path.empty()) {
        Access access;
        access.extent = effect.bytes > 0 ? Extent::kExact : Extent::kToEnd;
        access.size = effect.bytes;
        access.mode = mode_of(effect.op == Op::kWrite, false);
        touch_loaded(call, effect, access);
        return;
      }
      std::int64_t bytes = effect.bytes;
      if (const auto* count = analysis_.points_to.number(call, argument(call, effect.bytes_arg))) {
        if (count->isZero()) return;
        bytes = count->getSExtValue();
      }
      const bool lock = effect.op == Op::kWrite && analysis_.brief_locks.contains(call);
      touch(call, value, bytes, bytes > 0 ? Extent::kExact : Extent::kToEnd,
            lock ? Mode::kLock : mode_of(effect.op == Op::kWrite, false));
      break;
    }
    case Op::kFree:
      if (!effect.path.empty()) {
        Access access;
        access.extent = Extent::kWhole;
        access.mode = Mode::kWrite;
        touch_loaded(call, effect, access);
        return;
      }
      touch(call, value, 0, Extent::kWhole, Mode::kWrite);
      break;
    case Op::kReach:
    case Op::kReachRead:
      touch(call, value, effect.one_step ? 1 : 0, Extent::kReach, mode_of(effect.op == Op::kReach, false));
      break;
    case Op::kReadVariadic:
      touch(call, value, 0, Extent::kVariadic,
            mode_of(analysis_.points_to.format_may_write(call, effect.arg - 1), false));
      break;
    default:
      break;
  }
}

void Gatherer::use_summary(const CallSite& site, const llvm::Function& callee) {
  const auto known = analysis_.summaries.find(&callee);
  if (known == analysis_.summaries.end()) return;
  const Summary& summary = known->second;
  use_numbers(site, summary);
  if (summary.pooled) {
    use_replaced(site, summary, nullptr);
    use_pooled(site, callee);
    return;
  }
  const auto place = unit_.clones.find({&site, &callee});
  Graph::CloneMap* map = place == unit_.clones.end() ? nullptr : &place->second;
  for (const Access& access : summary.open) use_access(site, access, map);
  use_stores(site, summary, map);
  use_replaced(site, summary, map);
  use_pooled_calls(site, summary);
  for (const Registration& registration : summary.registrations) use_registration(site, registration, map);
}

void Gatherer::use_replaced(const CallSite& site, const Summary& callee, Graph::CloneMap* map) {
  for (const ReplacedWord& inner : callee.replaced) {
    const Cell place = map == nullptr ? inner.place : analysis_.points_to.graph.cloned(inner.place, *map);
    const ReplacedWord word{place, derivations_.moved(inner.at, site), site.call};
    const auto known = [&](const ReplacedWord& other) { return other.same(word); };
    if (place.valid() && std::none_of(gathered_.replaced.begin(), gathered_.replaced.end(), known))
      gathered_.replaced.push_back(word);
  }
}

void Gatherer::use_stores(const CallSite& site, const Summary& callee, Graph::CloneMap* map) {
  const auto here = [&](Cell cell) { return map == nullptr ? cell : analysis_.points_to.graph.cloned(cell, *map); };
  for (const Store& open : callee.open_stores) {
    Store store = open;
    store.value = here(open.value);
    store.place = here(open.place);
    store.source = derivations_.moved(open.source, site);
    store.target = derivations_.moved(open.target, site);
    const bool by_itself = analysis_.roots[open.source.base].kind == Root::Kind::kParam && !open.contents;
    const bool inside = analysis_.roots[open.source.base].kind == Root::Kind::kLoad && !open.publishes;
    store.given = by_itself || inside ? given(site, open.source.base) : kOtherRoot;
    store.repeated |= map == nullptr && !callee.pooled;
    add_store(*site.call, store, open.witness);
  }
}

// By which of the callee's parameters it gets at what `inner` stands for, if by one alone. A function that a library
// calls back may be called several times, and then what one call does comes after what another one has done.
RootId Gatherer::given(const CallSite& site, RootId inner) const {
  const RootId origin = analysis_.roots.origin(inner);
  const bool one = analysis_.roots[origin].kind == Root::Kind::kParam && site.callback == nullptr;
  return one ? origin : kOtherRoot;
}

void Gatherer::use_access(const CallSite& site, const Access& open, Graph::CloneMap* map) {
  Access access = open;
  access.given = site.callback == nullptr ? given(site, open.root) : kNoRoot;
  if (analysis_.roots[open.root].kind == Root::Kind::kVariadic) {
    const llvm::Function* callee = nullptr;
    if (site.bodies.size() == 1) callee = site.bodies.front();
    const std::size_t fixed = callee == nullptr ? 0 : callee->arg_size();
    for (std::size_t i = fixed; i < site.actuals.size(); ++i) {
      const llvm::Value* actual = site.actuals[i].value;
      if (actual == nullptr || !actual->getType()->isPointerTy()) continue;
      access.cell = cells_.of(actual);
      access.root = derivations_.of(actual).base;
      add(*site.call, access, open.witness);
    }
    return;
  }
  access.cell = map == nullptr ? open.cell : analysis_.points_to.graph.cloned(open.cell, *map);
  access.root = derivations_.substitute(open.root, site).base;
  // A number that is not written in the program may be any descriptor.
  if ((access.contents || (access.descriptor && !access.if_any)) && access.root == kNoRoot &&
      !given_as_number(analysis_.roots[open.root], site))
    access.root = kOtherRoot;
  add(*site.call, access, open.witness);
}

void Gatherer::use_registration(const CallSite& site, const Registration& inner, Graph::CloneMap* map) {
  const auto here = [&](Cell cell) {
    return map == nullptr || !cell.valid() ? cell : analysis_.points_to.graph.cloned(cell, *map);
  };
  Registration outer = inner;
  outer.function = here(inner.function);
  if (const auto* formal = llvm::dyn_cast_or_null<llvm::Argument>(inner.named)) {
    const unsigned index = formal->getArgNo();
    outer.named = index < site.actuals.size() ? named_function(site.actuals[index].value) : nullptr;
  }
  for (Cell& parameter : outer.parameters) parameter = here(parameter);
  for (Cell& place : outer.kept) place = here(place);
  outer.function_kept = here(inner.function_kept);
  outer.event = here(inner.event);
  const auto moved = [&](const Derivation& from) {
    return shifted_like(derivations_.substitute(from.base, site), from);
  };
  for (Derivation& source : outer.sources) source = moved(source);
  outer.event_source = moved(inner.event_source);
  if (!inner.flags && inner.callback->flags >= 0) outer.flags = std::nullopt;
  outer.witness = analysis_.witnesses.add(*site.call, inner.witness);
  if (map == nullptr) {
    // In a recursive component every member already has the registration; it must not be added per level of recursion.
    for (Registration& known : gathered_.registrations) {
      if (known.call != outer.call || known.callback != outer.callback || known.named != outer.named) continue;
      for (std::size_t i = 0; i < known.sources.size(); ++i) {
        known.sources[i] = Roots::join(known.sources[i], outer.sources[i]);
      }
      known.event_source = Roots::join(known.event_source, outer.event_source);
      if (known.flags != outer.flags) known.flags = std::nullopt;
      if (known.descriptor != outer.descriptor) known.descriptor = std::nullopt;
      return;
    }
  }
  for (const Registration& known : gathered_.registrations) {
    const auto compared = [](const Registration& one) {
      return std::tie(one.call, one.callback, one.function, one.named, one.parameters, one.sources, one.kept,
                      one.function_kept, one.event, one.event_source, one.event_owned, one.descriptor_owned,
                      one.objects_owned, one.flags, one.descriptor);
    };
    if (compared(known) == compared(outer)) return;
  }
  gathered_.registrations.push_back(std::move(outer));
}

void Gatherer::register_handler(const llvm::CallBase& call, const Callback& callback) {
  const llvm::Value* function =
      callback.function == kCalledFunction ? call.getCalledOperand() : argument(call, callback.function);
  const bool none = function == nullptr || llvm::isa<llvm::ConstantPointerNull>(function);
  if (!callback.stored && !callback.kept && none) return;
  if (callback.function == kNoArgument && !analysis_.calls.registering.contains(&call)) return;
  const auto named = [&](const std::string& name) {
    return name == kUnlistedAssembly ? analysis_.points_to.has_unlisted_assembly() : analysis_.points_to.may_call(name);
  };
  if (!callback.beside.empty() && std::none_of(callback.beside.begin(), callback.beside.end(), named)) return;
  if (!analysis_.points_to.holds(call, callback.condition)) return;
  Registration registration;
  registration.named = named_function(callback.stored ? cells_.stored_function(call, callback) : function);
  registration.callback = &callback;
  registration.call = &call;
  registration.function = cells_.function_of(call, callback);
  registration.function_kept = cells_.field(call, callback.kept);
  for (const Parameter& parameter : callback.parameters) {
    Derivation source;
    if (parameter.kind == Parameter::Kind::kArgument || parameter.kind == Parameter::Kind::kReturned) {
      source = derivations_.of(parameter.kind == Parameter::Kind::kReturned ? &call : argument(call, parameter.arg));
    } else if (parameter.kind == Parameter::Kind::kLoaded) {
      const llvm::Value* holder = parameter.arg == kReturnedObject ? &call : argument(call, parameter.arg);
      source = {analysis_.roots.load(shifted(derivations_.of(holder), parameter.offset)), 0, true};
    }
    registration.parameters.push_back(cells_.given(call, parameter));
    registration.kept.push_back(cells_.field(call, parameter.kept));
    registration.sources.push_back(source);
  }
  if (callback.event >= kReturnedObject) {
    const llvm::Value* event = callback.event == kReturnedObject ? &call : argument(call, callback.event);
    registration.event = cells_.of(event);
    registration.event_source = derivations_.of(event);
  }
  const auto constant = [&](int index) -> std::optional<std::int64_t> {
    const llvm::ConstantInt* number = analysis_.points_to.number(call, argument(call, index));
    return number == nullptr ? std::nullopt : std::optional(number->getSExtValue());
  };
  registration.flags = constant(callback.flags);
  registration.descriptor = constant(callback.descriptor);
  if (callback.descriptor >= 0 && !registration.descriptor)
    hand(call, argument(call, callback.descriptor), registration.event_source);
  registration.witness = analysis_.witnesses.add(call);
  gathered_.registrations.push_back(std::move(registration));
}

// ---- calls of members of a pool (pool.hpp): what the caller learns, and what it notes about the call ----

// The callee uses an integer parameter as a descriptor. If this call passes a constant (1), the access is to the open
// file that the number stands for, not to what the callee's own cell of the parameter stands for.
void Gatherer::use_numbers(const CallSite& site, const Summary& callee) {
  for (const Access& inner : callee.numbers) {
    const Root root = analysis_.roots[inner.root];
    if (root.index >= site.actuals.size()) continue;
    Access access = inner;
    access.given = kNoRoot;
    access.witness = analysis_.witnesses.add(*site.call, inner.witness);
    const llvm::Value* actual = site.actuals[root.index].value;
    if (const llvm::ConstantInt* number = analysis_.points_to.number(*site.call, actual)) {
      if (number->isNegative()) continue;
      access.cell = cells_.descriptor(*site.call, number);
      access.root = kGlobalRoot;
      access.descriptor = false;
      add(*site.call, access, inner.witness);
      continue;
    }
    access.root = derivations_.of(actual).base;
    note_number(gathered_.numbers, access, analysis_.roots, function_);
  }
}

void Gatherer::use_pooled(const CallSite& site, const llvm::Function& callee) {
  const Summary& summary = analysis_.summaries.at(&callee);
  PooledCall call{&callee, {}, analysis_.children.executes(*site.call), analysis_.late_points.behind(*site.call)};
  std::vector<RootId> by;
  for (unsigned i = 0; i < callee.arg_size(); ++i) {
    const Derivation actual = i < site.actuals.size() ? derivations_.of(site.actuals[i]) : kAnywhere;
    call.actuals.push_back({actual, actual, actual, false});
    by.push_back(site.callback == nullptr ? analysis_.roots.param(i) : kNoRoot);
  }
  gathered_.pooled_calls.push_back({site.call, std::move(call), std::move(by)});
  for (const Access& access : summary.open) {
    const bool variadic =
        access.extent == Extent::kVariadic || analysis_.roots[access.root].kind == Root::Kind::kVariadic;
    if (variadic) use_access(site, access, nullptr);
  }
  if (!summary.keeps_all) {
    use_stores(site, summary, nullptr);
    return;
  }
  for (unsigned i = 0; i < site.actuals.size(); ++i) {
    const Actual& actual = site.actuals[i];
    if (actual.value == nullptr || !carries(actual.value->getType())) continue;
    Store store;
    store.given = given(site, analysis_.roots.param(i));
    store.value = cells_.of(actual);
    store.number = actual.value->getType()->isIntegerTy();
    store.source = derivations_.of(actual);
    store.target = kAnywhere;
    store.repeated = true;
    add_store(*site.call, store);
  }
}

void Gatherer::use_pooled_calls(const CallSite& site, const Summary& callee) {
  for (const PooledCall& inner : callee.pooled_calls) {
    PooledCall call{inner.callee,
                    {},
                    inner.child || analysis_.children.executes(*site.call),
                    inner.behind || analysis_.late_points.behind(*site.call)};
    std::vector<RootId> by;
    for (const PooledActual& actual : inner.actuals) {
      by.push_back(site.callback == nullptr ? given(site, actual.early.base) : kNoRoot);
      call.actuals.push_back({derivations_.moved(actual.early, site), derivations_.moved(actual.late, site),
                              derivations_.moved(actual.through, site), actual.early_is_late});
    }
    gathered_.pooled_calls.push_back({site.call, std::move(call), std::move(by)});
  }
}

}  // namespace heddle::elyze
