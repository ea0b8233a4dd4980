// Looks through memory that only one invocation of a function can see: what is loaded from there is what the function
// itself has stored.
//
// That holds for local variables and fresh blocks until they are published (effects/publication.hpp). The root of a
// published block is what can be loaded from the one place that it is stored in, or `other` if there is no such place.
#pragma once

#include <vector>

#include "elyze/effects/analysis.hpp"
#include "elyze/effects/gather.hpp"
#include "elyze/effects/publication.hpp"
#include "elyze/points_to/cells.hpp"

namespace heddle::elyze {

class LocalMemory {
 public:
  LocalMemory(Analysis& analysis, const Unit& unit, Cells& cells, const llvm::Function& function,
              const Gathered& gathered, const Publication& publication)
      : analysis_(analysis),
        unit_(unit),
        cells_(cells),
        function_(function),
        gathered_(gathered),
        publication_(publication) {}

  Derivation resolve(RootId root, const llvm::Instruction& at, int depth = 0) const;
  Derivation resolve(const Derivation& from, const llvm::Instruction& at) const;
  // What may be loaded from `offset` of memory that only this function's own stores can have changed; with `optimistic`
  // nothing, where no store is known yet.
  Derivation forwarded(RootId local, std::int64_t offset, const llvm::Instruction& at, int depth,
                       bool optimistic = false) const;
  // The root by which callers judge an access; none for memory that is still this invocation's own.
  // `given`: as in Access.
  RootId judged(RootId root, bool late, RootId given, const llvm::Instruction& at) const;

 private:
  // As resolve(), or kUniqueRoot for a block that was made for the place in local memory that it is loaded from.
  Derivation look_through(RootId root, const llvm::Instruction& at, int depth) const;
  // Where in `local`, which is at `cell`, a place is that was derived so; not exact where nobody knows, of no root
  // where it is in other memory.
  Derivation in_local(RootId local, Cell cell, Cell place, const Derivation& derived, const llvm::Instruction& at,
                      int depth) const;

  Analysis& analysis_;
  const Unit& unit_;
  Cells& cells_;
  const llvm::Function& function_;
  const Gathered& gathered_;
  const Publication& publication_;
};

}  // namespace heddle::elyze
