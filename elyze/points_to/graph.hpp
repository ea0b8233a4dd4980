// The points-to graph: which memory a pointer may point into, by unification.
//
// A node stands for a set of memory objects, a cell (node, offset) for a byte in each of them, an edge for the pointer
// stored at an offset. When two pointers may be equal their cells are unified: the nodes become one, shifted so that
// the two bytes coincide, and so do the targets of their edges. Every pointer therefore has exactly one cell, and the
// cost is near-linear. (Steensgaard 1996; field-sensitive and per function as in Lattner, Lenharth and Adve, "Making
// context-sensitive points-to analysis with heap cloning practical", PLDI 2007.) Where we differ from the latter:
//   - offsets are plain numbers relative to each other, so container_of with its negative offset needs no special case;
//   - arrays do not collapse a node: which of its bytes are told apart is a view (points_to/layout.hpp) that close()
//     computes anew;
//   - one arena holds the graphs of all functions. What is reachable from globals exists once, is marked kShared, and
//     is never cloned; only what is private to a call is copied into the caller.
//
// A number and a pointer at one offset that is not folded are one piece of memory, read in two ways: their edges are
// unified.
//
// Invariants: find() is idempotent; all pointers of one provenance lead to one node; the keys of edges are those of
// their node's layout; a shared node's edges lead to shared nodes once share_reachable() ran.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "elyze/points_to/cell.hpp"
#include "elyze/points_to/files.hpp"
#include "elyze/points_to/layout.hpp"
#include "elyze/points_to/provenance.hpp"

namespace llvm {
class DIType;
class Value;
}  // namespace llvm

namespace heddle::elyze {

enum class ObjectKind : std::uint8_t { kGlobal, kHeap, kStack, kFunction, kOs, kLibc, kUnknown };

// One source-level object: a global, an allocation site, a piece of hidden state. Its index is its identity.
struct Object {
  ObjectKind kind;
  const llvm::Value* site;  // null for hidden state
  std::string name;
  const llvm::DIType* type;
  std::int64_t size;    // 0: not known
  bool shared = false;  // with a child of fork()
  // An open file, or a mapping of one, with contents that others may get at by its name, `file`; not a socket or a
  // pipe.
  bool regular = false;
  FileName file = kSomeFile;
  bool appends = false;        // whatever is written to it goes to the end of the file
  bool standard = false;       // what 0, 1 or 2 leads to
  bool without_paths = false;  // a socket for which no address is a path
};
using ObjectId = std::uint32_t;

enum NodeFlag : std::uint16_t {
  kShared = 1,         // reachable from a global: exists once in the program
  kUnknownMemory = 2,  // code we can't see holds a pointer to it: may be any other such memory
  kConstant = 4,       // a read-only object is among those it stands for
  kVariable = 8,       // an object that can be written is among those it stands for
  kStored = 32,        // the program stores pointers to it, or keeps its number in a stream
  kFromLibrary = 64,   // a library gave the pointer to it, and no spec says where the library had it from
  kWaitedFor = 16,     // the event loop waits for the descriptor, which it cannot do for a regular file
  kBound = 128,        // a socket that the program gives an address
  kWatched = 512,      // a descriptor that the event loop is given, and gives to the handler
  kReplaced = 256,     // what stands in it is replaced, and nobody knows where
};

class Graph {
 public:
  struct Placed {
    ObjectId object;
    std::int64_t base;  // where the object begins in the node
  };
  // The targets of the pointer at one place. Stores only add targets; the first load unifies them and makes the edge
  // strict. So the targets of an array of pointers that is only handed to a library stay apart.
  struct Edge {
    std::vector<Cell> targets;
    bool strict = false;
    bool filled = false;   // something was stored there, or stands there from the start
    bool written = false;  // by the program, or by whatever but the call that registers what stands there
  };
  struct Node {
    NodeId parent = kNoNode;  // kNoNode: a representative
    std::int64_t shift = 0;   // an offset here is offset + shift in the parent
    std::uint16_t flags = 0;
    std::uint64_t stamp = 0;             // value of clock_ when its edges or layout last changed
    bool dirty = false;                  // its folds are to be computed anew
    std::map<std::int64_t, Edge> edges;  // by the layout's key
    Layout layout;
    std::vector<Placed> objects;
    std::map<std::int64_t, const llvm::DIType*> types;  // structure types that the source gives to what begins there
  };
  struct Copy {  // the bytes from `source` on are copied to `target`
    Cell target;
    Cell source;
    std::int64_t bytes;  // kFar: not known
    // How many pointers to follow from each cell, at whatever offset they stand, before bytes are copied.
    int target_steps = 0;
    int source_steps = 0;
    bool within = false;  // within one object: what stands in it may stand elsewhere in it
  };

  Cell make(std::uint16_t flags = 0);
  Cell make_object(Object object, std::uint16_t flags = 0);

  Cell find(Cell cell) const;
  NodeId find_node(NodeId node) const { return find({node, 0}).node; }
  const Node& node(Cell cell) const { return nodes_[find(cell).node]; }
  const Object& object(ObjectId id) const { return objects_[id]; }
  // From now on the descriptor may be that of a file.
  void set_regular(ObjectId id) { objects_[id].regular = true; }
  std::size_t node_count() const { return nodes_.size(); }

  void unify(Cell a, Cell b);
  // Are they one place? Two bytes of a node are where it is folded.
  bool same(Cell a, Cell b) const;
  // The target of the pointer (or number) at `at`. Where there is none, edge() makes one and edge_if_any() returns an
  // invalid cell.
  Cell edge(Cell at, bool number = false);
  // Stores `target` at `at`; true if that changed anything.
  bool add_target(Cell at, Cell target, bool number = false, bool written = true);
  // Was anything stored there but by registering it?
  bool written(Cell at, bool number = false) const;
  Cell edge_if_any(Cell at, bool number = false) const;
  bool add_flags(Cell cell, std::uint16_t flags);  // true if one is new
  // A pointer to an array of so many bytes, or to an element of it, that is made from a pointer to where it begins.
  Cell add_array(Cell at, std::int64_t bytes);
  // A pointer to the same place, made from the same, that may become one with others without this one.
  Cell made_again(Cell pointer);
  void add_walk(Cell at, std::int64_t stride);
  // Some pointer into the node may stand anywhere in it.
  void fold_all(Cell at) { collapse(find(at).node); }
  void add_type(Cell at, const llvm::DIType* type);

  // Folds what pointers move over and carries out `copies` until nothing changes.
  void close(const std::vector<Copy>& copies);
  // `copies` with their steps followed in the graph as it is now.
  std::vector<Copy> expanded(const std::vector<Copy>& copies) const;
  // The files that a descriptor may be of: those that the node shows as opened; some file if it shows nothing, unless
  // `if_any`, and the event loop does not wait for the descriptor.
  std::vector<FileName> files_behind(Cell descriptor, bool if_any) const;
  // May it be a socket whose peers have paths for addresses? So it may, if nothing shows where it comes from, unless
  // `if_any`.
  bool may_connect_to_a_path(Cell descriptor, bool if_any) const;
  // May it be a socket, rather than an opened file? So it may, if nothing shows, unless `if_any`.
  bool may_be_a_socket(Cell descriptor, bool if_any) const;
  // Does nothing show where the descriptor comes from? Then it may be any; with `if_any`, where unknown code may have
  // put it there.
  bool of_unknown_origin(Cell descriptor, bool if_any) const;
  // Marks everything reachable from shared nodes as shared.
  void share_reachable();
  // Memory that objects of libraries lead to, and in which nothing of the program is seen, may be written.
  void spread_variable();
  // Marks everything reachable from unknown memory as unknown memory.
  void spread_unknown();

  // See the functions of these names in Layout.
  Range extent(Cell cell, std::int64_t size) const;
  bool walked_at(Cell cell) const;
  // The bytes that a pointer may be moved over; everything where nothing is known.
  Range reach(Cell cell) const;
  // From where a pointer stands to the end of what it was made from, or of everything.
  Range extent_to_end(Cell cell) const;
  // Was the pointer made from arrays alone, and does it stand in what it was made from?
  bool bounded(Cell cell) const;

  // Copies what is reachable from a cell out of a finished graph; shared nodes stay themselves.
  struct CloneMap {
    std::unordered_map<NodeId, NodeId> nodes;
    std::unordered_map<ProvenanceId, ProvenanceId> provenances;
  };
  Cell clone(Cell cell, CloneMap& map);
  // Where the clone of `cell` is; invalid if clone() never reached it.
  Cell cloned(Cell cell, CloneMap& map);

  std::vector<NodeId> reachable(Cell from) const;  // numbers included
  // By pointers alone, and only from the bytes that each pointer may be moved over: one into an array inside a
  // structure does not lead to the rest of the structure. Cells, each standing for everything up to extent_to_end().
  std::vector<Cell> pointed_to(Cell from, bool one_step = false) const;

 private:
  void link_reinterpreted(NodeId id, std::int64_t key);
  bool put(Cell at, const Edge& edge, bool number);
  bool add_targets(NodeId id, std::int64_t key, const Edge& edge);
  void merge(Cell a, Cell b);
  void unite(Cell a, Cell b);
  bool join(Cell a, Cell b);
  std::optional<Provenances::Bytes> bytes_of(ProvenanceId id) const;
  Range reach_of(ProvenanceId id) const;
  void moved_further(ProvenanceId id);
  ProvenanceId clone_of(ProvenanceId id, NodeId node, CloneMap& map);
  void drain();
  bool fold(NodeId id);
  void collapse(NodeId id);
  void mark_dirty(NodeId id);
  bool run_copy(const Copy& copy);
  bool write_over(NodeId id, Range bytes);
  bool copy_edges(Cell from, Cell to, Range range, bool backwards);

  mutable std::vector<Node> nodes_;
  Provenances provenances_;
  std::vector<Object> objects_;
  std::vector<std::pair<Cell, Cell>> pending_;  // unifications that drain() has yet to carry out
  bool draining_ = false;
  std::uint64_t clock_ = 0;
  std::vector<NodeId> dirty_;
  std::vector<NodeId> newly_shared_;
  std::vector<NodeId> newly_unknown_;
};

}  // namespace heddle::elyze
