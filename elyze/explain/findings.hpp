// Everything that the constraints document says of a program, as plain data: numbers, names of the source and places in
// it. Whoever writes it down needs neither LLVM nor the analysis.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "elyze/conflicts/verdict.hpp"
#include "elyze/effects/mode.hpp"
#include "elyze/footprint/anchor.hpp"
#include "elyze/footprint/assumed.hpp"
#include "elyze/handlers/session.hpp"

namespace heddle::elyze {

struct Place {
  std::string file;
  unsigned line = 0;
};

// One step of a call path, or where something stands.
struct Frame {
  std::string function;
  std::string file;
  unsigned line = 0;
  friend bool operator==(const Frame&, const Frame&) = default;
};

// A field of the session object that leads to session objects, the own kind or another handler's.
struct SessionLink {
  std::string field;
  std::string type;  // of the session that it leads to
};

// Each place that a pointer was loaded from, root first.
struct Chain {
  std::vector<std::string> places;  // empty for what has a name of its own (a global)
  bool argument = false;            // it starts at the handler's argument, not at a global
  bool exact = false;               // followed, not an example
};

// What the instructions of the program do with an object.
struct Usage {
  bool complete = false;  // every use is known
  std::size_t reads = 0;
  std::size_t adds = 0;             // x = x + something, and the like
  std::size_t sets = 0;             // any other store
  std::size_t constants = 0;        // those of `sets` that store a constant
  std::size_t calls = 0;            // handed to a library function
  std::size_t atomics = 0;          // atomic instructions
  bool tested = false;              // a value that was read decides a branch
  bool first_use = false;           // handlers write it only where they found that nobody had done so
  bool before_loop = false;         // written outside handlers too
  std::set<std::string> functions;  // of handlers, in which it is used
};

struct Findings {
  struct Registration {
    std::string api;  // the function of the library, or the program's own event loop
    std::vector<Frame> path;
    friend bool operator==(const Registration&, const Registration&) = default;
  };
  struct Dispatch {
    std::string function;
    std::string argument;
  };
  // Where the program depends on the thread that it is on.
  struct ThreadPlace {
    std::string by;     // the function without bitcode, the variable, or what the instruction does
    std::string state;  // thread_state in schemas/contracts/documents.toml
    std::vector<Frame> path;
  };
  struct Pin {
    ThreadPlace place;
    std::optional<std::size_t> tie;  // index: pinned only because of it
  };
  struct Tie {
    ThreadPlace place;
    std::optional<std::size_t> handler;
  };
  struct Handler {
    Frame place;
    std::string kind;  // as its registrations say, in the words of specs
    Session::Kind session = Session::Kind::kUnknown;
    std::int64_t session_offset = 0;
    std::string session_type;  // may be empty
    std::vector<SessionLink> links;
    std::vector<Registration> registrations;  // each once
    bool on_behalf = false;
    std::vector<Dispatch> dispatch;
    std::vector<Pin> pinned;  // empty: any thread may run it
  };

  struct Variable {
    std::string name;
    Place place;
    std::optional<std::string> function;  // that it is a static variable of
  };
  struct Value {
    std::string kind;
    std::string type;
    std::int64_t bytes = 0;
  };
  struct Object {
    std::string name;
    std::string kind;
    std::string type;  // may be empty
    Place place;       // no file where that is not known
    std::optional<Variable> variable;
    std::optional<Value> value;
    std::optional<Usage> use;  // of those in `always` conflicts
  };

  struct Access {
    std::size_t handler = 0;
    std::size_t object = 0;
    Mode mode = Mode::kRead;
    Anchor anchor = Anchor::kOther;
    Chain alias;
    std::string taken_in;  // the function that got hold of the pointer, where the handler did not do it itself
    std::string by;        // the function without bitcode whose effect it is; empty for the program's own
    std::vector<Frame> path;
  };
  struct Conflict {
    std::size_t object = 0;
    Verdict verdict = Verdict::kNever;
    std::size_t a_access = 0;
    std::size_t b_access = 0;
    bool a_late = false;
    bool b_late = false;
  };
  struct Pair {
    std::size_t a = 0;
    std::size_t b = 0;
    Verdict verdict = Verdict::kNever;
    Verdict a_starts = Verdict::kNever;
    Verdict b_starts = Verdict::kNever;
    Verdict apart = Verdict::kNever;
    std::vector<Conflict> conflicts;
    std::size_t unlisted = 0;
  };

  // A late point that a verdict for starting rests on.
  struct LatePoint {
    std::uint64_t number = 0;
    Frame place;
    std::set<std::size_t> handlers;
    std::set<std::size_t> objects;
  };

  // An object that `apart` of some pair takes to be each thread's own.
  struct Scratch {
    std::uint64_t number = 0;
    Variable variable;
  };

  struct Assumption {
    enum class Kind : std::uint8_t {
      kInlineAssembly,
      kUnknownExternal,
      kLimit,
      kAtAnyTime,
      kIndirectCall,
      kUnknownHandler,
    };
    Kind kind;
    std::string name;
    std::size_t count = 0;
    Place place;
    std::vector<std::size_t> handlers = {};
  };

  std::set<std::string> sources;
  std::vector<Handler> handlers;
  std::vector<Object> objects;
  std::vector<Access> accesses;
  std::vector<Pair> pairs;
  std::vector<LatePoint> late_points;
  std::vector<Scratch> scratch;
  std::vector<Tie> ties;
  std::vector<Assumption> assumptions;
  Assumed assumed;
  RestsOn rests_on;
  std::map<std::string, std::string> names;  // of C++ functions: as the linker knows them, as the source does
  std::size_t functions = 0;
  std::size_t instructions = 0;
  std::size_t graph_nodes = 0;
  std::size_t steps = 0;
};

}  // namespace heddle::elyze
