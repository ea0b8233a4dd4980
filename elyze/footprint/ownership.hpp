// Which objects belong to one session alone.
//
// An object reached through a field of the session is private to it only if it is owned: each pointer to such an
// object was, in the whole program, stored exactly once, straight from its allocation ("unique" in effects/finish.hpp).
// Then two different fields never hold the same object, and what is loaded along a chain of such fields from the own
// session can't be reached from another one. Moving a pointer within one object is allowed (it stays owned); any other
// store, a structure copied with it, or unknown code that sees it ends ownership for all objects of the node.
//
// A session may be owned as well. Where each of its handlers is registered with an object (an event, a bufferevent)
// that the session keeps and that holds the session in turn, this is the one field that holds it, and a chain of owned
// fields that comes to a session through such an object has come from that same session: no other one owns it.
//
// An object may hold its own address: `w->data = session`, where the watcher `w` is in the session. A pointer that is
// loaded from such a field leads into the object that it was loaded from, whoever else holds that object. A field is
// one if each store to it, in the whole program, computes place and value from one pointer, and nothing is copied
// there.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "elyze/handlers/world.hpp"

namespace heddle::elyze {

class Ownership {
 public:
  Ownership(const Analysis& analysis, const World& world);

  // Each object of the node is held by at most one field.
  bool exclusive(NodeId node) const;
  // The access of `handler` with this root is in its session, or in something that the session owns.
  bool own(const Handler& handler, RootId root);
  // The same for what one of its parameters points to.
  bool own_parameter(const Handler& handler, unsigned index) const;
  // What a parameter points to was made for the invocation: is what is loaded through it by this root the library's, or
  // that object's own? The program may have put pointers to anything there.
  bool inside_given(const llvm::Function& function, RootId root) const;
  bool given_with(NodeId node) const;
  // Is what `function` loads by this root, from what is its own, an object that at most one field holds? Then it is
  // followed.
  bool own_load(const llvm::Function& function, RootId root);
  // Is what stands there, in each object of the node, a pointer into that object?
  bool holds_own_address(Cell place) const;
  // Is what `function` loads by this root a pointer into the object that it is loaded from?
  bool leads_back(const llvm::Function& function, RootId root) const;
  // Some access that counts as one to the own session leads there over an owned field.
  void follow(NodeId node) { followed_.insert(node); }
  // What counts as the handler's own beside its session itself: the nodes that followed fields lead to from there.
  std::unordered_set<NodeId> belongings(const Handler& handler) const;

 private:
  bool exclusive_load(const llvm::Function& function, RootId root) const;
  bool held_by_its_own(const Registration& registration) const;
  void note_own_address(const Store& store);
  void note_copy(const Graph::Copy& copy);
  bool finds_own_address(Cell place) const;

  const Analysis& analysis_;
  std::unordered_set<NodeId> followed_;
  std::unordered_set<NodeId> stored_elsewhere_;  // nodes of objects that some store may have put into a second field
  std::unordered_set<NodeId> returning_;         // sessions that only objects of their own hold
  // By node: where its objects hold pointers into objects of that node; true: into the same object.
  std::unordered_map<NodeId, std::vector<std::pair<Cell, bool>>> own_addresses_;
  std::unordered_set<NodeId> copied_;  // nodes to whose objects pointers are copied
  mutable std::map<std::pair<NodeId, std::int64_t>, bool> holds_own_address_;
};

}  // namespace heddle::elyze
