// The points-to graph: which memory a pointer may point into, by unification.
//
// A node stands for a set of memory objects, a cell (node, offset) for a byte in each of them, an edge for the pointer
// stored at an offset. When two pointers may be equal their cells are unified: the nodes become one, shifted so that
// the two bytes coincide, and so do the targets of their edges. Every pointer therefore has exactly one cell, and the
// cost is near-linear. (Steensgaard 1996; field-sensitive and per function as in Lattner, Lenharth and Adve, "Making
// context-sensitive points-to analysis with heap cloning practical", PLDI 2007.) Where we differ from the latter:
//   - offsets are plain numbers relative to each other, so container_of with its negative offset needs no special case;
//   - arrays do not collapse a node. A walk (pointer arithmetic by an unknown number of strides) is recorded where it
//     starts and stays inside the array it starts in, if that array's extent is known (ir/arrays.hpp); else it covers
//     the node. Folding is a view computed by close(), so a callee that walks over "some bytes" folds only the array
//     that a caller passes;
//   - one arena holds the graphs of all functions. What is reachable from globals exists once, is marked kShared, and
//     is never cloned; only what is private to a call is copied into the caller.
//
// Invariants: find() is idempotent; edge keys are folded by `folds` of their node; a shared node's edges lead to shared
// nodes once share_reachable() ran.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::elyze {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;
inline constexpr std::int64_t kFar = std::int64_t{1} << 40;  // beyond any object

struct Cell {
  NodeId node = kNoNode;
  std::int64_t offset = 0;
  bool valid() const { return node != kNoNode; }
  Cell plus(std::int64_t bytes) const { return {node, offset + bytes}; }
  friend bool operator==(const Cell&, const Cell&) = default;
};

struct Range {  // bytes [low, high)
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool overlaps(const Range& other) const { return low < other.high && other.low < high; }
  bool contains(std::int64_t byte) const { return low <= byte && byte < high; }
  friend bool operator==(const Range&, const Range&) = default;
};

inline constexpr Range kEverything{-kFar, kFar};

// The smallest array around `offset`, or everything.
Range array_around(const std::vector<Range>& arrays, std::int64_t offset);

// Numbers (descriptors, integers that may have been pointers) have edges of their own, kNumbers beyond their offset, so
// that folding an array of structures does not mix lengths with pointers. Where a number and a pointer stand at the
// same unfolded offset, memory is reinterpreted, and both edges are unified.
inline constexpr std::int64_t kNumbers = std::int64_t{1} << 44;
inline bool is_number(std::int64_t key) { return key > kNumbers / 2; }
inline std::int64_t plain_offset(std::int64_t key) { return is_number(key) ? key - kNumbers : key; }

enum class ObjectKind : std::uint8_t { kGlobal, kHeap, kStack, kFunction, kOs, kLibc, kUnknown };

// One source-level object: a global, an allocation site, a piece of hidden state. Its index is its identity.
struct Object {
  ObjectKind kind;
  const llvm::Value* site;  // null for hidden state
  std::string name;
  const llvm::DIType* type;
  std::int64_t size;    // 0: not known
  bool shared = false;  // with a child of fork()
};
using ObjectId = std::uint32_t;

enum NodeFlag : std::uint8_t {
  kShared = 1,         // reachable from a global: exists once in the program
  kUnknownMemory = 2,  // code we can't see holds a pointer to it: may be any other such memory
  kConstant = 4,       // a read-only object is among those it stands for
  kVariable = 8,       // an object that can be written is among those it stands for
};

class Graph {
 public:
  struct Placed {
    ObjectId object;
    std::int64_t base;  // where the object begins in the node
  };
  // What is stored at one place. Stores alone only collect targets; they are unified when the pointer is first loaded
  // (the edge becomes strict). An array of pointers that is only handed to a library so keeps its targets apart.
  struct Edge {
    std::vector<Cell> targets;
    bool strict = false;
  };
  struct Walk {
    std::int64_t at;
    std::int64_t stride;
  };
  struct Join {  // one pointer may be at either offset
    std::int64_t low;
    std::int64_t high;
    friend bool operator==(const Join&, const Join&) = default;
  };
  struct Fold {
    Range range;
    std::int64_t stride;
  };
  struct Node {
    NodeId parent = kNoNode;  // kNoNode: a representative
    std::int64_t shift = 0;   // an offset here is offset + shift in the parent
    std::uint16_t flags = 0;
    std::uint64_t stamp = 0;  // when its edges or folds last changed
    bool dirty = false;
    bool collapsed = false;  // too much is known about it to be told apart: one byte stands for all of it
    std::map<std::int64_t, Edge> edges;
    std::vector<Range> arrays;
    std::vector<Walk> walks;
    std::vector<Join> joins;
    std::vector<Fold> folds;  // what follows from arrays, walks and joins; computed by close()
    std::vector<Placed> objects;
    std::map<std::int64_t, const llvm::DIType*> types;  // structure types that the source gives to what begins there
  };
  struct Copy {  // the bytes from `source` on are copied to `target`
    Cell target;
    Cell source;
    std::int64_t bytes;  // kFar: not known
    // How many pointers to follow from the cell, whatever they stand at, before bytes are copied.
    int target_steps = 0;
    int source_steps = 0;
  };

  Cell make(std::uint16_t flags = 0);
  Cell make_object(Object object, std::uint16_t flags = 0);
  void place_object(Cell cell, ObjectId object);

  Cell find(Cell cell) const;
  NodeId find_node(NodeId node) const { return find({node, 0}).node; }
  const Node& node(Cell cell) const { return nodes_[find(cell).node]; }
  const Object& object(ObjectId id) const { return objects_[id]; }
  std::size_t node_count() const { return nodes_.size(); }

  void unify(Cell a, Cell b);
  // The target of the pointer (or number) at `at`; edge() makes one where there is none, the other is invalid then.
  Cell edge(Cell at, bool number = false);
  // Stores `target` at `at`; true if that changed anything.
  bool add_target(Cell at, Cell target, bool number = false);
  Cell edge_if_any(Cell at, bool number = false) const;
  void add_flags(Cell cell, std::uint16_t flags);
  void add_array(Cell at, std::int64_t bytes);
  void add_walk(Cell at, std::int64_t stride);
  void add_type(Cell at, const llvm::DIType* type);

  // Folds what was walked and carries out `copies` until nothing changes.
  void close(const std::vector<Copy>& copies);
  // The copies without steps that `copies` stand for by now.
  std::vector<Copy> expanded(const std::vector<Copy>& copies) const;
  // Marks everything reachable from shared nodes as shared.
  void share_reachable();
  // Marks everything reachable from unknown memory as unknown memory.
  void spread_unknown();

  // The bytes that an access of [cell, cell + size) may touch: an array is one object, a walk covers its array or,
  // where no array is known, the node.
  Range extent(Cell cell, std::int64_t size) const;
  // The bytes from `cell` to the end of the array it lies in, or to the end of the object.
  Range extent_to_end(Cell cell) const;
  bool walked_at(Cell cell) const;
  bool bounded(Cell cell) const;  // the cell lies in a known array

  // Copies what is reachable from a cell out of a finished graph; shared nodes stay themselves.
  using CloneMap = std::unordered_map<NodeId, Cell>;
  Cell clone(Cell cell, CloneMap& map);
  // Where the clone of `cell` is; invalid if clone() never reached it.
  Cell cloned(Cell cell, const CloneMap& map) const;

  std::vector<NodeId> reachable(Cell from) const;  // numbers included
  // By pointers alone, and only from the bytes that each pointer may be moved over: one into an array inside a
  // structure does not lead to the rest of the structure. Cells, each standing for everything up to extent_to_end().
  std::vector<Cell> pointed_to(Cell from, bool one_step = false) const;

 private:
  static std::int64_t key(const Node& node, std::int64_t offset);
  static bool folded(const Node& node, std::int64_t offset);
  void link_reinterpreted(NodeId id, std::int64_t key);
  bool add_targets(NodeId id, std::int64_t key, const Edge& edge);
  void merge(Cell a, Cell b);
  void add_join(NodeId node, std::int64_t a, std::int64_t b);
  void drain();
  bool fold(NodeId id);
  void collapse(NodeId id);
  void mark_dirty(NodeId id);
  bool run_copy(const Copy& copy);
  bool copy_edges(Cell from, Cell to, Range range, bool backwards);

  mutable std::vector<Node> nodes_;
  std::vector<Object> objects_;
  std::vector<std::pair<Cell, Cell>> pending_;
  bool draining_ = false;
  std::uint64_t clock_ = 0;
  std::vector<NodeId> dirty_;
  std::vector<NodeId> newly_shared_;
};

}  // namespace heddle::elyze
