#include "elyze/points_to/addresses.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <map>
#include <set>

#include "elyze/ir/addresses.hpp"
#include "elyze/ir/arrays.hpp"
#include "elyze/ir/assembly.hpp"
#include "elyze/ir/values.hpp"
#include "elyze/points_to/cells.hpp"
#include "elyze/points_to/declared.hpp"
#include "elyze/points_to/operations.hpp"

namespace heddle::elyze {
namespace {

using Slot = std::uint32_t;
constexpr Slot kNowhere = 0xffffffff;

// What a value may hold.
enum Holds : std::uint8_t {
  kTracked = 1,   // an address that the graph follows
  kLost = 2,      // what was made of an address by an operation that the graph does not model
  kDistance = 4,  // what was made of the difference of two addresses
};
// What a value may become.
enum Becomes : std::uint8_t {
  kPointer = 1,
  kAddend = 2,  // a pointer, together with an address that is added
  kCast = 4,    // a pointer by a cast in the program
};

constexpr std::int64_t kMostCopied = 64;  // bytes of a copy that are told apart
constexpr std::int64_t kUnit = 4;         // bytes of memory that are told apart
constexpr std::int64_t kAnyByte = std::int64_t{1} << 50;

bool number_inside(const llvm::Type* type) {
  if (type->isIntegerTy()) return type->getIntegerBitWidth() > 1;
  if (type->isFloatingPointTy()) return true;
  if (type->isVectorTy()) return number_inside(type->getScalarType());
  if (!type->isStructTy() && !type->isArrayTy()) return false;
  return std::any_of(type->subtype_begin(), type->subtype_end(),
                     [](const llvm::Type* part) { return number_inside(part); });
}

bool pointer_inside(const llvm::Type* type) {
  if (type->isPointerTy()) return true;
  if (type->isVectorTy()) return pointer_inside(type->getScalarType());
  if (!type->isStructTy() && !type->isArrayTy()) return false;
  return std::any_of(type->subtype_begin(), type->subtype_end(),
                     [](const llvm::Type* part) { return pointer_inside(part); });
}

bool names_object(const llvm::Constant& constant) {
  if (llvm::isa<llvm::GlobalValue>(constant)) return true;
  if (llvm::isa<llvm::BlockAddress>(constant)) return false;
  return std::any_of(constant.op_begin(), constant.op_end(), [](const llvm::Use& operand) {
    const auto* part = llvm::dyn_cast<llvm::Constant>(operand.get());
    return part != nullptr && names_object(*part);
  });
}

// Is the number visibly an address?
bool plainly_address(const llvm::Value* value) {
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) {
    if (llvm::isa<llvm::PtrToIntInst>(cast)) return true;
    value = cast->getOperand(0);
  }
  return llvm::isa<llvm::PtrToIntOperator>(value);
}

bool through_casts_from_load(const llvm::Value* value, const llvm::LoadInst*& load) {
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
  load = llvm::dyn_cast<llvm::LoadInst>(value);
  return load != nullptr;
}

}  // namespace

// One computation of the flow of numbers through the program.
class AddressFlow {
 public:
  AddressFlow(AddressNumbers& numbers, PointsTo& points_to, Cells& cells, const CallGraph& calls)
      : numbers_(numbers),
        points_to_(points_to),
        graph_(points_to.graph),
        cells_(cells),
        calls_(calls),
        declared_(points_to.module, calls) {}

  std::vector<const llvm::Instruction*> run(const std::vector<Graph::Copy>& copies) {
    find_choices_of_nothing();
    for (const llvm::Function& function : points_to_.module) {
      for (const llvm::Instruction& instruction : llvm::instructions(function)) visit(instruction);
    }
    for (const llvm::GlobalVariable& variable : points_to_.module.globals())
      if (variable.hasInitializer()) initialise(cells_.of(&variable), *variable.getInitializer());
    for (const Graph::Copy& copy : graph_.expanded(copies)) {
      const NodeId from = graph_.find_node(copy.source.node);
      const NodeId to = graph_.find_node(copy.target.node);
      connect(any_byte(from, false), any_byte(to, true), Way::kMoved);
    }
    link_libraries();
    link_any_bytes();
    forward();
    backward();
    bool more = false;
    for (const Slot loaded : cast_loads_) {
      if ((becomes_[loaded] & kCast) == 0 || (holds_[loaded] & kTracked) != 0) continue;
      holds_[loaded] |= kTracked;
      more = true;
    }
    if (more) {
      forward();
      backward();
    }
    return results();
  }

 private:
  // How a value gets from one place to another.
  enum class Way : std::uint8_t {
    kMoved,
    kLostThere,
    kAdded,
    kMixed,
    kReduced,
    kSubtracted,
    kIndex,       // added to null, so an address if the number is one
    kDistance,    // added to nobody knows what
    kKept,        // given to a library that may hand it out again
    kKeptNarrow,  // the same, of too few bits for an address
  };

  struct Edge {
    Slot from;
    Slot to;
    Way way;
    Slot other;
    const llvm::Instruction* at;
  };
  struct Access {
    const llvm::Instruction* at;
    Slot place;
  };
  struct LibraryUse {
    const llvm::Instruction* call;
    NodeId node;
    Range range;
    bool reads;
    bool writes;
  };

  // ---- places ----

  Slot make() {
    holds_.push_back(0);
    becomes_.push_back(0);
    return static_cast<Slot>(holds_.size() - 1);
  }

  Slot place(const llvm::Value* value) {
    if (!number_inside(value->getType()) && !pointer_inside(value->getType())) return kNowhere;
    const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    if (constant != nullptr && !names_object(*constant)) return kNowhere;
    const auto [known, fresh] = places_.try_emplace(value, 0);
    if (!fresh) return known->second;
    const Slot made = make();
    places_[value] = made;
    // Whatever carries a pointer holds an address; so does a constant that names an object.
    if (pointer_inside(value->getType()) || constant != nullptr) holds_[made] |= kTracked;
    if (constant != nullptr && !value->getType()->isPointerTy() && !modelled_constant(*constant)) {
      holds_[made] |= kLost;
    }
    return made;
  }

  // Does the graph know where the number leads?
  static bool modelled_constant(const llvm::Constant& constant) {
    const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
    if (expression == nullptr) return true;
    if (llvm::isa<llvm::GEPOperator>(expression)) return true;
    if (expression->isCast()) return modelled_constant(*llvm::cast<llvm::Constant>(expression->getOperand(0)));
    return false;
  }

  Slot unit(NodeId node, std::int64_t which) {
    const auto [known, fresh] = units_.try_emplace({node, which}, 0);
    if (fresh) known->second = make();
    return known->second;
  }

  Slot any_byte(NodeId node, bool entering) {
    copied_.insert(node);
    return unit(node, kAnyByte + (entering ? 1 : 0));
  }

  static std::int64_t unit_of(std::int64_t offset) {
    return offset >= 0 ? offset / kUnit : -((-offset + kUnit - 1) / kUnit);
  }

  // Are all bytes around one?
  bool blurred(Cell cell) const {
    const Layout& layout = graph_.node(cell).layout;
    return layout.folded(cell.offset) && layout.key(cell.offset) == layout.key(cell.offset + 1);
  }

  std::vector<Slot> units_at(Cell cell, std::int64_t size) {
    cell = graph_.find(cell);
    const Layout& layout = graph_.node(cell).layout;
    std::vector<Slot> found;
    const auto add = [&](std::int64_t which) {
      const Slot made = unit(cell.node, which);
      if (std::find(found.begin(), found.end(), made) == found.end()) found.push_back(made);
    };
    if (blurred(cell)) {
      add(unit_of(layout.key(cell.offset)));
      return found;
    }
    for (std::int64_t byte = 0; byte < std::max<std::int64_t>(size, 1); byte += kUnit)
      add(unit_of(layout.key(cell.offset + byte)));
    add(unit_of(layout.key(cell.offset + std::max<std::int64_t>(size, 1) - 1)));
    return found;
  }

  // The offsets of pointers of which some byte is among these; relative to `cell`.
  std::vector<std::int64_t> pointers_at(Cell cell, std::int64_t size) {
    cell = graph_.find(cell);
    const Graph::Node& node = graph_.node(cell);
    std::vector<std::int64_t> found;
    if (blurred(cell)) {
      if (node.edges.count(node.layout.key(cell.offset)) != 0) found.push_back(-1);  // at an unknown distance
      return found;
    }
    if (node.layout.folded(cell.offset)) {
      for (std::int64_t byte = -7; byte < size; ++byte) {
        if (node.edges.count(node.layout.key(cell.offset + byte)) != 0) found.push_back(byte);
      }
      return found;
    }
    for (auto edge = node.edges.lower_bound(cell.offset - 7);
         edge != node.edges.end() && edge->first < cell.offset + size; ++edge) {
      if (!is_number(edge->first)) found.push_back(edge->first - cell.offset);
    }
    return found;
  }

  // Does a pointer begin before this byte, and end behind it? Where all bytes are one, nobody knows.
  bool inside_a_pointer(Cell cell) const {
    cell = graph_.find(cell);
    const Graph::Node& node = graph_.node(cell);
    if (blurred(cell)) return false;
    for (std::int64_t before = 1; before < kPointerBytes; ++before)
      if (node.edges.contains(node.layout.key(cell.offset - before)) && !blurred(cell.plus(-before))) return true;
    return false;
  }

  std::int64_t size_of(llvm::Type* type) const {
    return static_cast<std::int64_t>(points_to_.module.getDataLayout().getTypeStoreSize(type).getKnownMinValue());
  }

  // ---- edges ----

  void connect(Slot from, Slot to, Way way, const llvm::Instruction* at = nullptr, Slot other = kNowhere) {
    if (from == kNowhere || to == kNowhere) return;
    edges_.push_back({from, to, way, other, at});
  }

  void sink(Slot place) {
    if (place != kNowhere) becomes_[place] |= kPointer | kAddend;
  }

  // An instruction that nothing is known of.
  void unknown(const llvm::Instruction& at) {
    const Slot result = place(&at);
    for (const llvm::Use& operand : at.operands()) connect(place(operand.get()), result, Way::kLostThere, &at);
    if (result != kNowhere && pointer_inside(at.getType())) {
      sink(result);
      always_made_.push_back(&at);
    }
  }

  void visit(const llvm::Instruction& at) {
    switch (model_of_opcode(at.getOpcode())) {
      case Model::kControl:
      case Model::kAnswer:
      case Model::kObject:
        break;
      case Model::kAddress:
        distance(llvm::cast<llvm::GetElementPtrInst>(at));
        break;
      case Model::kMove:
        move(at);
        break;
      case Model::kToNumber:
        connect(place(at.getOperand(0)), place(&at), carries(at.getType()) ? Way::kMoved : Way::kLostThere, &at);
        break;
      case Model::kToPointer: {
        const Slot number = place(at.getOperand(0));
        sink(number);
        if (number != kNowhere) becomes_[number] |= kCast;
        if (number != kNowhere) to_pointer_.push_back({&at, number});
        break;
      }
      case Model::kSum:
      case Model::kDifference:
      case Model::kMask:
        arithmetic(llvm::cast<llvm::BinaryOperator>(at));
        break;
      case Model::kMemory:
        memory(at);
        break;
      case Model::kCall:
        call(at);
        break;
      default:
        unknown(at);
    }
  }

  // A distance from null is an address.
  void distance(const llvm::GetElementPtrInst& at) {
    const llvm::Value* base = at.getPointerOperand();
    if (leads_nowhere(base)) {
      unknown(at);
      return;
    }
    const Cell from = cells_.of(base);
    const bool nothing = !from.valid() || graph_.node(from).objects.empty();
    if (!nothing && !may_lead_nowhere(base)) return;
    for (const llvm::Use& index : at.indices()) {
      if (!index->getType()->isIntegerTy(64) || place(index.get()) == kNowhere) continue;
      const Slot there = make();
      sink(there);
      connect(place(index.get()), there, nothing ? Way::kDistance : Way::kIndex, &at);
      to_pointer_.push_back({&at, there});
    }
  }

  // Null, or a number that stands for none.
  static bool leads_nowhere(const llvm::Value* base) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(base);
    return constant != nullptr && !names_object(*constant) && !is_fixed_address(*constant);
  }

  static bool chooses(const llvm::Value* value) {
    return value->getType()->isPointerTy() && llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(value);
  }

  // All choices between pointers of which one may be null, over however many others.
  void find_choices_of_nothing() {
    std::vector<const llvm::Value*> work;
    const auto add = [&](const llvm::Value* choice) {
      if (nothing_among_.insert(choice).second) work.push_back(choice);
    };
    for (const llvm::Function& function : points_to_.module) {
      for (const llvm::Instruction& at : llvm::instructions(function)) {
        if (!chooses(&at)) continue;
        if (std::any_of(at.op_begin(), at.op_end(), [](const llvm::Use& operand) {
              return operand->getType()->isPointerTy() && leads_nowhere(operand.get());
            }))
          add(&at);
      }
    }
    while (!work.empty()) {
      const llvm::Value* const choice = work.back();
      work.pop_back();
      for (const llvm::User* user : choice->users())
        if (chooses(user)) add(user);
    }
  }

  bool may_lead_nowhere(const llvm::Value* base) const { return leads_nowhere(base) || nothing_among_.contains(base); }

  void move(const llvm::Instruction& at) {
    if (at.getType()->isPtrOrPtrVectorTy()) return;  // pointers have cells
    const Slot result = place(&at);
    if (result == kNowhere) return;
    for (const llvm::Use& operand : at.operands()) {
      const bool followed = carries(at.getType()) && carries(operand->getType());
      connect(place(operand.get()), result, followed ? Way::kMoved : Way::kLostThere, &at);
    }
  }

  void arithmetic(const llvm::BinaryOperator& at) {
    if (!at.getType()->isIntegerTy(64)) {
      unknown(at);
      return;
    }
    const Slot result = place(&at);
    const Slot left = place(at.getOperand(0));
    const Slot right = place(at.getOperand(1));
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(at.getOperand(1));
    if (at.getOpcode() == llvm::Instruction::Sub) {
      const bool plain = plainly_address(at.getOperand(1));
      connect(left, result, plain ? Way::kReduced : Way::kAdded, &at, right);
      connect(right, result, plain && plainly_address(at.getOperand(0)) ? Way::kReduced : Way::kSubtracted, &at, left);
      return;
    }
    const bool mask = at.getOpcode() != llvm::Instruction::Add;
    // The low bits of an address don't lead to its object. Together with another address they may: of two objects in
    // one page, these bits are their distance, but for those that are marks.
    if (at.getOpcode() == llvm::Instruction::And && number != nullptr && number->getValue().ult(kSmallMask)) {
      const bool marks = number->getValue().ult(kMarks);
      connect(left, result, Way::kReduced, &at, marks ? kNowhere : left);
      return;
    }
    connect(left, result, mask ? Way::kMixed : Way::kAdded, &at, right);
    connect(right, result, mask ? Way::kMixed : Way::kAdded, &at, left);
  }

  // ---- memory ----

  // Numbers that are made of addresses stand in memory from the start.
  void initialise(Cell at, const llvm::Constant& value) {
    if (!at.valid() || !names_object(value)) return;
    const llvm::DataLayout& layout = points_to_.module.getDataLayout();
    if (const auto* all = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
      const llvm::StructLayout* members = layout.getStructLayout(all->getType());
      for (unsigned i = 0; i < all->getNumOperands(); ++i)
        initialise(at.plus(static_cast<std::int64_t>(members->getElementOffset(i).getFixedValue())),
                   *all->getOperand(i));
    } else if (llvm::isa<llvm::ConstantAggregate>(value)) {
      const auto stride =
          static_cast<std::int64_t>(layout.getTypeAllocSize(value.getOperand(0)->getType()).getFixedValue());
      for (unsigned i = 0; i < value.getNumOperands(); ++i)
        initialise(at.plus(stride * i), *llvm::cast<llvm::Constant>(value.getOperand(i)));
    } else if (number_inside(value.getType())) {
      std::uint8_t held = kTracked;
      if (!modelled_constant(value)) held |= kLost;
      for (const Slot unit : units_at(at, size_of(value.getType()))) holds_[unit] |= held;
    }
  }

  void memory(const llvm::Instruction& at) {
    if (const auto* from = llvm::dyn_cast<llvm::LoadInst>(&at)) {
      load(at, from->getPointerOperand(), at.getType());
    } else if (const auto* to = llvm::dyn_cast<llvm::StoreInst>(&at)) {
      store(at, to->getValueOperand(), to->getPointerOperand());
    } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&at)) {
      store(at, exchange->getNewValOperand(), exchange->getPointerOperand());
      load(at, exchange->getPointerOperand(), exchange->getNewValOperand()->getType());
    } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&at)) {
      const bool moved = update->getOperation() == llvm::AtomicRMWInst::Xchg;
      store(at, update->getValOperand(), update->getPointerOperand(), moved ? Way::kMoved : Way::kLostThere);
      load(at, update->getPointerOperand(), at.getType());
    }
  }

  void load(const llvm::Instruction& at, const llvm::Value* from, llvm::Type* type) {
    const Cell cell = cells_.of(from);
    if (!cell.valid()) return;
    const std::int64_t size = size_of(type);
    const std::uint8_t declared = declared_.at(from, size);
    const std::vector<Slot> units = units_at(cell, size);
    if (number_inside(type)) {
      const Slot result = place(&at);
      const bool whole = !type->isSingleValueType() || type->isIntegerTy(64);
      for (const Slot unit : units) connect(unit, result, whole ? Way::kMoved : Way::kLostThere, &at);
      look_up(at, *from, result);
      look_for_pieces(at, cell, size, type, (declared & kPointers) != 0);
    }
    // A pointer is made of the numbers that are declared to be there.
    if (!type->isPointerTy() || (declared & kNumbersOnly) == 0) return;
    for (const Slot unit : units) sink(unit);
    const Slot made = make();
    for (const Slot unit : units) connect(unit, made, Way::kMoved);
    to_pointer_.push_back({&at, made});
  }

  // What stands in a table at a piece of an address may be that piece.
  void look_up(const llvm::Instruction& at, const llvm::Value& from, Slot result) {
    const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&from);
    if (element == nullptr) return;
    for (const llvm::Use& index : element->indices())
      if (!llvm::isa<llvm::Constant>(index.get())) connect(place(index.get()), result, Way::kLostThere, &at);
  }

  // A number that is loaded from where pointers are: the graph follows it if it is a whole pointer, or its lower half.
  // Without a declaration, it is taken for a pointer only if the program casts it to one.
  void look_for_pieces(const llvm::Instruction& at, Cell cell, std::int64_t size, llvm::Type* type, bool declared) {
    const Slot result = place(&at);
    const std::vector<std::int64_t> pointers = pointers_at(cell, size);
    if (!declared) {
      if (type->isIntegerTy(64) && !pointers.empty()) cast_loads_.push_back(result);
      return;
    }
    const auto followed = [&](std::int64_t offset) {
      return offset >= 0 && offset % 8 == 0 && (offset + 8 <= size || (offset == 0 && size == 4)) && carries(type);
    };
    if (!blurred(cell) && std::all_of(pointers.begin(), pointers.end(), followed)) {
      if (!pointers.empty()) holds_[result] |= kTracked;
      return;
    }
    if (blurred(cell) && type->isIntegerTy(64)) holds_[result] |= kTracked;
    pieces_.push_back({&at, result});
    holds_[result] |= kLost;
  }

  void store(const llvm::Instruction& at, const llvm::Value* value, const llvm::Value* to, Way way = Way::kMoved) {
    const Slot from = place(value);
    const Cell cell = cells_.of(to);
    if (from == kNowhere || !cell.valid()) return;
    const std::int64_t size = size_of(value->getType());
    const std::uint8_t declared = declared_.at(to, size);
    // A pointer that is stored where numbers are declared to be is read as one of them.
    if (value->getType()->isPointerTy() && (declared & kNumbersOnly) == 0) return;
    const llvm::LoadInst* moved = nullptr;
    if (size == 1 && through_casts_from_load(value, moved)) {
      // A loop that moves bytes is a copy, of which the graph follows the pointers: what moves beside them are numbers
      // that stand there, or pieces by which it looks them up.
      const Cell source = cells_.of(moved->getPointerOperand());
      if (source.valid() && blurred(source) && blurred(cell)) {
        const Slot carried = make();
        for (const Slot unit : units_at(source, size)) connect(unit, carried, Way::kMoved);
        look_up(*moved, *moved->getPointerOperand(), carried);
        for (const Slot unit : units_at(cell, size)) connect(carried, unit, Way::kMoved);
        if (declared & kPointers) spill(at, carried);
        return;
      }
    }
    for (const Slot unit : units_at(cell, size)) {
      connect(from, unit, value->getType()->isPointerTy() ? Way::kLostThere : way, &at);
      if (way != Way::kMoved) connect(unit, unit, way, &at);
    }
    if (number_inside(value->getType()) && (declared & kPointers)) spill(at, from);
  }

  // What the instruction stores is loaded as a pointer.
  void spill(const llvm::Instruction& at, Slot from) {
    const Slot there = make();
    sink(there);
    connect(from, there, Way::kMoved);
    number_stores_.push_back({&at, from});
  }

  void link_libraries() {
    for (const LibraryUse& use : library_uses_) {
      const Layout& layout = graph_.node({use.node, 0}).layout;
      for (auto at = units_.lower_bound({use.node, -kAnyByte}); at != units_.end() && at->first.first == use.node;
           ++at) {
        const std::int64_t offset = at->first.second * kUnit;
        if (at->first.second >= kAnyByte) break;
        const Range bytes{offset, offset + kUnit};
        if (!bytes.overlaps(use.range) && !layout.folded_with(offset, use.range)) continue;
        if (use.reads) connect(at->second, library_, Way::kKept, use.call);
        if (use.writes) connect(library_, at->second, Way::kMoved);
      }
      // What is copied as a whole has no units of its own.
      if (copied_.count(use.node) == 0) continue;
      if (use.reads) connect(any_byte(use.node, true), library_, Way::kKept, use.call);
      if (use.writes) connect(library_, any_byte(use.node, false), Way::kMoved);
    }
  }

  void link_any_bytes() {
    std::vector<std::pair<std::pair<NodeId, std::int64_t>, Slot>> all(units_.begin(), units_.end());
    for (const auto& [key, unit] : all) {
      if (key.second == kAnyByte || key.second == kAnyByte + 1 || copied_.count(key.first) == 0) continue;
      connect(unit, any_byte(key.first, false), Way::kMoved);
      connect(any_byte(key.first, true), unit, Way::kMoved);
    }
    for (const NodeId node : copied_) connect(any_byte(node, true), any_byte(node, false), Way::kMoved);
    // Memory that unknown code holds may be any other such memory.
    const Slot everywhere = make();
    for (const auto& [key, unit] : all) {
      if ((graph_.node({key.first, 0}).flags & kUnknownMemory) == 0) continue;
      connect(unit, everywhere, Way::kMoved);
      connect(everywhere, unit, Way::kMoved);
    }
    // Unknown code may give what it finds there to a library, and put there what it gets from one.
    if (library_ == kNowhere) return;
    connect(everywhere, library_, Way::kKept);
    connect(library_, everywhere, Way::kMoved);
  }

  // ---- calls ----

  void call(const llvm::Instruction& at) {
    if (const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&at)) {
      if (leave->getReturnValue() != nullptr)
        connect(place(leave->getReturnValue()), result_of(*at.getFunction()), Way::kMoved);
      return;
    }
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
    if (call == nullptr || is_array_mark(*call)) return;
    if (call->isInlineAsm()) {
      assembly(*call);
      return;
    }
    const llvm::Function* direct = call->getCalledFunction();
    if (direct != nullptr && direct->isIntrinsic() && intrinsic(*call, *direct)) return;
    for (const CallSite& site : calls_.at(*call)) {
      for (const llvm::Function* body : site.bodies) {
        for (std::size_t i = 0; i < site.actuals.size(); ++i) {
          const llvm::Value* actual = site.actuals[i].value;
          if (actual != nullptr && site.actuals[i].path.empty()) pass(*call, *actual, i, *body);
        }
        if (site.callback == nullptr) connect(result_of(*body), place(call), Way::kMoved);
      }
      if (site.callback != nullptr) continue;
      for (const llvm::Function* external : site.externals) call_external(*call, *external);
    }
  }

  Slot result_of(const llvm::Function& function) {
    const auto [known, fresh] = results_.try_emplace(&function, 0);
    if (fresh) results_[&function] = make();
    return results_[&function];
  }

  void pass(const llvm::CallBase& call, const llvm::Value& actual, std::size_t index, const llvm::Function& body) {
    if (index < body.arg_size()) {
      const llvm::Argument* formal = body.getArg(static_cast<unsigned>(index));
      const bool same = actual.getType()->isPointerTy() == formal->getType()->isPointerTy();
      if (same && formal->getType()->isPointerTy()) return;
      connect(place(&actual), place(formal), Way::kMoved, &call);
      return;
    }
    const Cell values = points_to_.cells(body).variadic;
    if (!values.valid() || !number_inside(actual.getType())) return;
    for (const Slot unit : units_at(values, 8)) connect(place(&actual), unit, Way::kMoved);
  }

  // True if the intrinsic is a value of its operands, and not what a spec says.
  bool intrinsic(const llvm::CallBase& call, const llvm::Function& callee) {
    switch (model_of_intrinsic(callee.getIntrinsicID())) {
      case Model::kControl:
      case Model::kAnswer:
      case Model::kMemory:
        return true;
      case Model::kMove:
        for (const llvm::Use& operand : call.args()) {
          const bool followed = carries(call.getType()) && carries(operand->getType());
          connect(place(operand.get()), place(&call), followed ? Way::kMoved : Way::kLostThere, &call);
        }
        return true;
      default:
        break;
    }
    if (points_to_.specs.find(callee) != nullptr || !callee.doesNotAccessMemory()) return false;
    const Slot result = place(&call);
    for (const llvm::Use& operand : call.args()) connect(place(operand.get()), result, Way::kLostThere, &call);
    if (result != kNowhere && pointer_inside(call.getType())) {
      sink(result);
      always_made_.push_back(&call);
    }
    return true;
  }

  void call_external(const llvm::CallBase& call, const llvm::Function& callee) {
    const Spec* spec = points_to_.specs.find(callee);
    const Slot result = number_inside(call.getType()) ? place(&call) : kNowhere;
    if (library_ == kNowhere) library_ = make();
    if (spec == nullptr) {
      // It may keep what it gets as a number, and hand out as a number what it has: so may libraries that it calls.
      for (const llvm::Use& operand : call.args()) {
        if (number_inside(operand->getType())) kept(call, operand.get());
      }
      if (result != kNowhere) holds_[result] |= kLost;
      holds_[library_] |= kLost;
      return;
    }
    for (const Effect& effect : spec->effects) {
      if (effect.op != Effect::Op::kStore && effect.op != Effect::Op::kKeep) continue;
      const llvm::Value* value = argument(call, effect.other);
      if (value != nullptr && effect.value_path.empty() && number_inside(value->getType())) kept(call, value);
    }
    const bool known = std::any_of(spec->results.begin(), spec->results.end(),
                                   [](const Result& given) { return given.kind != Result::Kind::kNothing; });
    for (const llvm::Use& operand : call.args()) {
      if (!number_inside(operand->getType())) continue;
      connect(place(operand.get()), result, known ? Way::kMoved : Way::kLostThere, &call);
    }
    keep_numbers(call, *spec, result);
    partial_copy(call, *spec);
  }

  // One number becomes each byte of the place.
  void fill(const llvm::CallBase& call) {
    const Cell target = cells_.of(call.getArgOperand(0));
    const Slot byte = place(call.getArgOperand(1));
    if (!target.valid() || byte == kNowhere) return;
    for (const Slot unit : units_at(target, kPointerBytes)) connect(byte, unit, Way::kLostThere, &call);
    if (declared_.at(call.getArgOperand(0), kPointerBytes) & kPointers) spill(call, byte);
  }

  // What a library is given as a number it may hand out again, by another function too: the position of a file, a
  // limit, bytes in a buffer. A text is no number.
  void keep_numbers(const llvm::CallBase& call, const Spec& spec, Slot result) {
    const llvm::Function* direct = call.getCalledFunction();
    if (direct != nullptr && direct->getName().contains("memset") && call.arg_size() > 1) {
      fill(call);
      return;
    }
    const auto of_text = [&](unsigned index) {
      return std::any_of(spec.effects.begin(), spec.effects.end(), [&](const Effect& effect) {
        const bool text = effect.op == Effect::Op::kReadFrom || effect.op == Effect::Op::kWriteFrom;
        return text && effect.arg >= 0 && index >= static_cast<unsigned>(effect.arg);
      });
    };
    const bool to_descriptor = std::any_of(spec.effects.begin(), spec.effects.end(), [](const Effect& effect) {
      return effect.op == Effect::Op::kDescriptorRead || effect.op == Effect::Op::kDescriptorWrite;
    });
    const auto wide = [](const llvm::Type* type) { return !type->isIntegerTy() || type->getIntegerBitWidth() >= 64; };
    for (const llvm::Use& operand : call.args()) {
      if (!number_inside(operand->getType()) || of_text(call.getArgOperandNo(&operand))) continue;
      connect(place(operand.get()), library_, wide(operand->getType()) ? Way::kKept : Way::kKeptNarrow, &call);
    }
    if (result != kNowhere && wide(call.getType())) connect(library_, result, Way::kMoved);
    for (const Effect& effect : spec.effects) {
      const bool reads = effect.op == Effect::Op::kRead || effect.op == Effect::Op::kReachRead;
      const bool writes = effect.op == Effect::Op::kWrite;
      const bool both = effect.op == Effect::Op::kReach;
      const auto copies = [&](const Effect& copy) {
        return copy.op == Effect::Op::kCopy && (copy.arg == effect.arg || copy.other == effect.arg);
      };
      const auto sends = [&](const Effect& copy) {
        return copies(copy) && (copy.arg == kHiddenObject || copy.other == kHiddenObject);
      };
      const bool bytes_of_objects = !to_descriptor && std::any_of(spec.effects.begin(), spec.effects.end(), sends);
      // What a function copies goes where the entry says. What it puts into an object of the library, or takes out of
      // one, may also come out, or have come in, as a number.
      if (!bytes_of_objects && std::any_of(spec.effects.begin(), spec.effects.end(), copies)) continue;
      const llvm::Value* to = argument(call, effect.arg);
      const Cell cell = to != nullptr && effect.path.empty() && (reads || writes || both) ? cells_.of(to) : Cell{};
      if (!cell.valid()) continue;
      const llvm::ConstantInt* bytes = points_to_.number(call, argument(call, effect.bytes_arg));
      const std::int64_t size = bytes != nullptr ? bytes->getSExtValue() : effect.bytes;
      const Range range = size > 0 ? graph_.extent(cell, size) : graph_.extent_to_end(cell);
      library_uses_.push_back({&call, graph_.find_node(cell.node), range, reads || both, writes || both});
      if (!bytes_of_objects || !(declared_.at(to, std::max(size, kPointerBytes)) & kPointers)) continue;
      if (reads) {
        const Slot taken = make();
        holds_[taken] |= kLost;
        pieces_.push_back({&call, taken});
        connect(taken, library_, Way::kKept, &call);
      }
      if (writes) spill(call, library_);
    }
  }

  // The graph follows whole pointers that are copied. It knows nothing of a piece, or of one that becomes a number.
  void partial_copy(const llvm::CallBase& call, const Spec& spec) {
    for (const Effect& effect : spec.effects) {
      if (effect.op != Effect::Op::kCopy || effect.steps > 0 || effect.arg < 0 || effect.other < 0) continue;
      const llvm::ConstantInt* bytes = points_to_.number(call, argument(call, effect.bytes_arg));
      const llvm::Value* to = argument(call, effect.arg);
      const llvm::Value* from = argument(call, effect.other);
      const Cell target = to == nullptr ? Cell{} : cells_.of(to);
      const Cell source = from == nullptr ? Cell{} : cells_.of(from);
      if (!source.valid() || !target.valid()) continue;
      const std::int64_t size = bytes == nullptr ? kPointerBytes : bytes->getSExtValue();
      if (size <= 0) continue;
      const std::uint8_t there = declared_.at(to, size);
      const std::uint8_t here = declared_.at(from, size);
      const bool cut =
          (size % kPointerBytes != 0 && size < kPointerBytes) || inside_a_pointer(source) || inside_a_pointer(target) ||
          (bytes != nullptr && (inside_a_pointer(source.plus(size)) || inside_a_pointer(target.plus(size))));
      const bool split = (here & kPointers) && (cut || there == kNumbersOnly);
      const bool joined = (there & kPointers) && (cut || here == kNumbersOnly);
      if (!split && !joined && !cut) continue;
      const Slot moved = make();
      if (split) {
        holds_[moved] |= kLost;
        pieces_.push_back({&call, moved});
      }
      const std::int64_t few = std::min(size, kMostCopied);
      for (const Slot unit : units_at(source, few)) connect(unit, moved, Way::kMoved);
      for (const Slot unit : units_at(target, few)) connect(moved, unit, Way::kMoved);
      if (joined) spill(call, moved);
    }
  }

  // Whoever gets the number may make a pointer of it.
  void kept(const llvm::CallBase& call, const llvm::Value* number) {
    const Slot given = place(number);
    if (given == kNowhere) return;
    const Slot there = make();
    sink(there);
    connect(given, there, Way::kLostThere, &call);
  }

  // The statement may make anything of its operands. The graph unifies the operands that carry pointers.
  void assembly(const llvm::CallBase& call) {
    const auto operands = assembly_operands(call);
    const bool nothing = operands && llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString().empty();
    const Slot result = place(&call);
    if (!operands) {
      for (const llvm::Use& operand : call.args()) {
        if (number_inside(operand->getType())) kept(call, operand.get());
      }
      if (result != kNowhere) holds_[result] |= kLost;
    } else {
      std::vector<Slot> written;
      for (const AssemblyOperand& operand : *operands) {
        const Cell cell = operand.memory && operand.written && !nothing ? cells_.of(operand.value) : Cell{};
        if (!cell.valid()) continue;
        const auto units = units_at(cell, std::max<std::int64_t>(operand.bytes, 1));
        written.insert(written.end(), units.begin(), units.end());
      }
      for (const AssemblyOperand& operand : *operands) {
        const Cell cell = operand.memory && !nothing ? cells_.of(operand.value) : Cell{};
        std::vector<Slot> read;
        if (cell.valid()) read = units_at(cell, std::max<std::int64_t>(operand.bytes, 1));
        if (!operand.memory) read.push_back(place(operand.value));
        const bool followed = operand.carries && carries(call.getType());
        for (const Slot from : read) {
          connect(from, result, followed || nothing ? Way::kMoved : Way::kLostThere, &call);
          for (const Slot to : written) connect(from, to, operand.carries ? Way::kMoved : Way::kLostThere, &call);
        }
      }
    }
    if (result == kNowhere || !pointer_inside(call.getType())) return;
    sink(result);
    to_pointer_.push_back({&call, result});
  }

  // ---- the two directions ----

  static std::uint8_t given(const Edge& edge, std::uint8_t holds, std::uint8_t others) {
    const bool tracked = (holds & kTracked) != 0;
    const bool apart = (holds & kDistance) != 0;
    std::uint8_t result = holds & (kLost | kDistance);
    const bool meets = (others & (kTracked | kLost)) != 0;
    switch (edge.way) {
      case Way::kMoved:
        return holds;
      case Way::kLostThere:
        return result | (tracked ? kLost : 0);
      case Way::kAdded:
        if (tracked) result |= kTracked | ((others & (kTracked | kDistance | kLost)) ? kLost : 0);
        if (apart && meets) result |= kLost;
        return result;
      case Way::kMixed:
        if (tracked) result |= kTracked | ((others & (kDistance | kLost)) ? kLost : 0);
        if (apart && meets) result |= kLost;
        return result;
      case Way::kReduced:
        if (tracked && edge.other != kNowhere) result |= kDistance;
        if (apart && meets) result |= kLost;
        return result;
      case Way::kSubtracted:
        if (tracked) result |= kLost;
        if (apart && meets) result |= kLost;
        return result;
      case Way::kIndex:
        return tracked ? kLost : 0;
      case Way::kDistance:
        return tracked || apart ? kLost : 0;
      case Way::kKept:
        return tracked || (holds & kLost) ? kLost : 0;
      case Way::kKeptNarrow:
        return holds & kLost;
    }
    return result;
  }

  std::uint8_t others(const Edge& edge) const { return edge.other == kNowhere ? 0 : holds_[edge.other]; }

  void forward() {
    std::vector<std::vector<std::uint32_t>> from(holds_.size());
    for (std::uint32_t i = 0; i < edges_.size(); ++i) {
      from[edges_[i].from].push_back(i);
      if (edges_[i].other != kNowhere) from[edges_[i].other].push_back(i);
    }
    std::vector<Slot> work;
    for (Slot place = 0; place < holds_.size(); ++place) {
      if (holds_[place] != 0) work.push_back(place);
    }
    while (!work.empty()) {
      const Slot at = work.back();
      work.pop_back();
      for (const std::uint32_t i : from[at]) {
        const Edge& edge = edges_[i];
        const std::uint8_t more = given(edge, holds_[edge.from], others(edge)) & ~holds_[edge.to];
        if (more == 0) continue;
        holds_[edge.to] |= more;
        work.push_back(edge.to);
      }
    }
  }

  void backward() {
    std::vector<std::vector<std::uint32_t>> into(holds_.size());
    for (std::uint32_t i = 0; i < edges_.size(); ++i) into[edges_[i].to].push_back(i);
    std::vector<Slot> work;
    for (Slot place = 0; place < becomes_.size(); ++place) {
      if (becomes_[place] != 0) work.push_back(place);
    }
    while (!work.empty()) {
      const Slot at = work.back();
      work.pop_back();
      for (const std::uint32_t i : into[at]) {
        const Edge& edge = edges_[i];
        // As long as no address gets there, the number is a length or an index.
        const bool index = edge.way == Way::kIndex || edge.way == Way::kDistance;
        if (index && given(edge, holds_[edge.from], 0) == 0) continue;
        std::uint8_t wanted = becomes_[at];
        if (edge.way == Way::kKept || edge.way == Way::kKeptNarrow)
          wanted = static_cast<std::uint8_t>(wanted & (kPointer | kAddend));
        if ((wanted & kPointer) && (others(edge) & (kTracked | kLost))) wanted |= kAddend;
        wanted = static_cast<std::uint8_t>(wanted & ~becomes_[edge.from]);
        if (wanted == 0) continue;
        becomes_[edge.from] |= wanted;
        work.push_back(edge.from);
      }
    }
  }

  std::vector<const llvm::Instruction*> results() {
    std::vector<const llvm::Instruction*> changed;
    const auto add = [&](llvm::DenseSet<const llvm::Instruction*>& set, const llvm::Instruction* at) {
      if (set.insert(at).second) changed.push_back(at);
    };
    for (const Edge& edge : edges_) {
      if (edge.at == nullptr) continue;
      if (edge.way == Way::kDistance && (holds_[edge.from] & kDistance)) add(numbers_.escaping_, edge.at);
      if ((holds_[edge.from] & kTracked) == 0) continue;
      const std::uint8_t made = given(edge, kTracked, others(edge));
      const bool lost = (made & kLost) && (becomes_[edge.to] & kPointer);
      const bool apart = (made & kDistance) && (becomes_[edge.to] & kAddend);
      if (lost || apart) add(numbers_.escaping_, edge.at);
    }
    for (const Access& piece : pieces_) {
      if (becomes_[piece.place] & kPointer) add(numbers_.escaping_, piece.at);
    }
    for (const Access& pointer : to_pointer_) {
      if (holds_[pointer.place] & (kLost | kDistance)) add(numbers_.made_, pointer.at);
    }
    for (const llvm::Instruction* pointer : always_made_) {
      add(numbers_.made_, pointer);
      add(numbers_.escaping_, pointer);
    }
    for (const Access& store : number_stores_) {
      if (holds_[store.place] & kLost) add(numbers_.spills_, store.at);
    }
    for (const auto& [value, place] : places_) {
      if (value->getType()->isPointerTy()) continue;
      const auto* loaded = llvm::dyn_cast<llvm::LoadInst>(value);
      if ((holds_[place] & kTracked) && numbers_.held_.insert(value).second) note_users(value, changed);
      if (loaded != nullptr && (becomes_[place] & kCast) && numbers_.wanted_.insert(value).second)
        changed.push_back(loaded);
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    return changed;
  }

  static void note_users(const llvm::Value* value, std::vector<const llvm::Instruction*>& changed) {
    for (const llvm::User* user : value->users()) {
      if (const auto* at = llvm::dyn_cast<llvm::Instruction>(user)) changed.push_back(at);
    }
  }

  AddressNumbers& numbers_;
  PointsTo& points_to_;
  Graph& graph_;
  Cells& cells_;
  const CallGraph& calls_;
  Declared declared_;
  std::vector<std::uint8_t> holds_;    // by place
  std::vector<std::uint8_t> becomes_;  // by place
  std::vector<Edge> edges_;
  llvm::DenseMap<const llvm::Value*, Slot> places_;
  llvm::DenseMap<const llvm::Function*, Slot> results_;
  std::map<std::pair<NodeId, std::int64_t>, Slot> units_;
  std::set<NodeId> copied_;
  llvm::DenseSet<const llvm::Value*> nothing_among_;  // choices between pointers of which one may be null
  Slot library_ = kNowhere;                           // numbers that libraries hold
  std::vector<LibraryUse> library_uses_;
  std::vector<Slot> cast_loads_;
  std::vector<Access> pieces_;
  std::vector<Access> to_pointer_;
  std::vector<Access> number_stores_;
  std::vector<const llvm::Instruction*> always_made_;
};

std::vector<const llvm::Instruction*> AddressNumbers::update(PointsTo& points_to, Cells& cells, const CallGraph& calls,
                                                             const std::vector<Graph::Copy>& copies) {
  return AddressFlow(*this, points_to, cells, calls).run(copies);
}

}  // namespace heddle::elyze
