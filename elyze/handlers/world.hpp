// The handlers of the program, and the one part of the graph in which all of them are seen.
//
// Starting from main (and constructors), each registration found in a summary names functions that the loop will call
// with the registered argument: handlers. A handler's own formals are unified with those arguments in place, so that
// afterwards the same object has the same node whichever handler looks at it. New handlers may register further ones.
#pragma once

#include <list>
#include <set>
#include <string>
#include <vector>

#include "elyze/effects/analysis.hpp"
#include "elyze/handlers/beside.hpp"
#include "elyze/handlers/session.hpp"

namespace heddle::elyze {

struct RegistrationSite {
  const llvm::Function* root;  // the handler (or main) during which it is registered
  const Registration* registration;
};

struct Handler {
  const llvm::Function* function;
  std::string kind;
  int session_parameter = -1;
  Session session;
  std::vector<RegistrationSite> registrations;
  bool event_owned = true;            // every event it is registered with belongs to the session
  bool descriptor_owned = true;       // and so does every descriptor
  std::uint32_t objects_owned = ~0U;  // and, by parameter, every object that it was registered with
  bool at_any_time = false;           // not called by the loop: a thread's start routine, a signal handler, main
  bool by_unknown_code = false;       // stands for all that code without a spec was given: either of the first two

  bool is_main() const { return at_any_time && !by_unknown_code && registrations.empty(); }
};

// A function of the program that a library may call during any call of that library: an allocator, a log callback; the
// program's own close(), which a library finds by its name. Or one that is called whatever the handler calls: code
// without a spec was given it, or the compiler adds calls of it.
struct Intruder {
  const llvm::Function* function;
  const Registration* registration;      // null where no spec says that a library gets it
  std::set<std::string> libraries = {};  // calls of them may call it
  bool any_library = false;              // and those of every one but the C library
  bool anywhere = false;                 // whatever the handler does
  bool by_the_loop = false;              // between handlers, too

  // May a handler that calls into these libraries end up in it?
  bool enters(const std::set<std::string>& called) const;
};

// Has the program put something else where the library keeps what it was registered with for this parameter?
bool replaced(const Graph& graph, const Registration& registration, std::size_t parameter);
// Does the library make what it passes in the parameter for this invocation alone: an accepted connection, a request?
bool made_for_invocation(const Handler& handler, unsigned parameter);
// Is it a block that no other invocation is given as long as this one has it?
bool block_for_invocation(const Handler& handler, unsigned parameter);

struct World {
  World() = default;
  World(World&&) = default;  // handlers point into `substituted`, whose elements stay where they are
  World& operator=(World&&) = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() = default;

  std::vector<Handler> handlers;  // those that the loop calls first, then those that run at any time
  std::size_t dispatched = 0;     // how many the loop calls
  Beside beside;                  // with `loops`, main is among the handlers
  std::vector<Intruder> intruders;
  std::vector<const llvm::Function*> roots;  // main, constructors, handlers: their graphs are in place
  std::list<Registration> substituted;       // those of large recursive components, as each root function makes them
};

World build_world(Analysis& analysis);

}  // namespace heddle::elyze
