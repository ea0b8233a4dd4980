// The `constraints` document (schemas/constraints.schema.json, version 2) as the runtime needs it.
//
// Only what admission and the reports use is kept: handlers with their sessions, and per pair the verdict and the names
// of the objects. What the document leaves out is `always`; what contradicts the schema is an error, because a document
// that is half understood must not let handlers run at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/admission/constraints.hpp"

namespace heddle::multivent {

struct ConstraintsFile {
  enum class SessionKind : std::uint8_t { kObject, kNull, kUnknown };

  // A shared library that was analysed with the program.
  struct Library {
    std::string name;
    std::string build_id;
  };

  struct Handler {
    std::string name;
    SessionKind session_kind = SessionKind::kUnknown;
    std::intptr_t session_offset = 0;
    // The verdicts cover what libevent does to the object that it calls the handler for, beside the handler itself.
    bool on_behalf = false;
    // Why only the thread that entered the loop may run it; empty: any may.
    std::string pinned_by = {};
    std::string file = {};  // where it is defined; empty if that is not known
  };

  struct Pair {
    std::size_t a = 0;  // indices in `handlers`
    std::size_t b = 0;
    scheduler::Verdict verdict = scheduler::Verdict::kAlways;
    std::vector<std::string> objects;  // in the document's order, each once
    // Weaker verdicts that suffice for a to start while b runs, and for b to start while a runs; never stronger than
    // `verdict`, which holds where one is missing.
    std::optional<scheduler::Verdict> a_starts = {};
    std::optional<scheduler::Verdict> b_starts = {};

    bool may_overlap() const;
  };

  // A place of the program that weaker verdicts rest on.
  struct LatePoint {
    std::uint64_t number = 0;
    std::string place;  // "server.c:17"
  };

  std::string path;
  std::string program_name;
  std::string build_id;
  std::vector<Library> libraries;
  std::vector<Handler> handlers;
  std::vector<Pair> pairs;
  std::vector<LatePoint> late_points;
  // Buffers of which each thread must have its own, for the verdicts rest on that.
  struct Scratch {
    std::uint64_t number;
    std::string name;
  };
  std::vector<Scratch> scratch;
  std::vector<std::string> assumed;  // what the verdicts take for granted, by name
  // Handlers change state of their thread that others depend on, perhaps the signal mask: other threads have no
  // signals.
  bool signals_are_tied = false;

  // False if no two handlers may ever run at once, by their verdicts; or because those that may are all pinned.
  bool verdicts_allow_anything() const;
  bool allow_anything() const;

  // UserError, which begins with the path, if it cannot be read or is not such a document.
  static ConstraintsFile read(const std::string& path);
  static ConstraintsFile parse(std::string_view text, const std::string& path);
};

}  // namespace heddle::multivent
