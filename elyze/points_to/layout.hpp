// Which bytes of a node of the points-to graph are told apart, and which are folded into one.
//
// Two facts about the pointers into a node decide that. A *walk* says that some pointer moves from an offset on by an
// unknown number of strides: it stays in what it was made from (points_to/provenance.hpp), or, where that is not known,
// may reach all of the node. A *join* says that one pointer may stand at either of two offsets. refold() makes ranges
// of these in which offsets count modulo a stride: the *folds*. They are derived and never merged by hand, so a callee
// that walks over "some bytes" folds only the array that a caller passes. An *array* (ir/arrays.hpp) is accessed as
// one.
//
// Numbers (descriptors, integers that may have been pointers) have edges of their own, kNumbers beyond their offset, so
// that folding an array of structures does not mix lengths with pointers.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "elyze/points_to/cell.hpp"

namespace heddle::elyze {

inline constexpr std::int64_t kNumbers = std::int64_t{1} << 44;
inline bool is_number(std::int64_t key) { return key > kNumbers / 2; }
inline std::int64_t plain_offset(std::int64_t key) { return is_number(key) ? key - kNumbers : key; }

// The rest of a division, never negative.
inline std::int64_t modulo(std::int64_t value, std::int64_t by) {
  const std::int64_t rest = value % by;
  return rest < 0 ? rest + by : rest;
}

class Layout {
 public:
  void add_array(std::int64_t at, std::int64_t bytes);  // `bytes` 0: to the end of the block
  // Each returns true if the folds may have changed, so that refold() is due.
  bool add_walk(std::int64_t at, std::int64_t stride, ProvenanceId provenance);
  bool add_join(std::int64_t a, std::int64_t b, ProvenanceId provenance);
  // Makes one offset stand for all of the node, when too much is known about its bytes to tell them apart.
  bool collapse();
  // Adds the arrays, walks and joins of another node, whose offsets are `shift` less than here.
  void absorb(const Layout& other, std::int64_t shift);
  // Two walks from one offset, and two joins of the same two, are one, so what they were made from must be: `meet` is
  // called with each such pair before another node is absorbed.
  using Meet = std::function<void(ProvenanceId, ProvenanceId)>;
  void find_meeting(const Layout& other, std::int64_t shift, const Meet& meet) const;
  // The provenance of a walk, or of a join, that is known already.
  std::optional<ProvenanceId> walk_at(std::int64_t at) const;
  std::optional<ProvenanceId> join_of(std::int64_t a, std::int64_t b) const;
  // Gives each walk and join the provenance that `renamed` returns for its own.
  void rename(const std::function<ProvenanceId(ProvenanceId)>& renamed);

  // Computes the folds; true if they changed. `first_object`: where the first object of the node begins, if it has any.
  // `reach`: the bytes that pointers of a provenance may be moved over.
  using Reach = std::function<Range(ProvenanceId)>;
  bool refold(std::optional<std::int64_t> first_object, const Reach& reach);

  std::size_t walks() const { return walks_.size(); }
  bool moving() const { return !walks_.empty() || !joins_.empty(); }  // some pointer stands at more than one offset
  // More arrays, or more walks and joins, than are worth telling apart.
  bool many_arrays() const;
  bool many_moves() const;

  // The offset that stands for `offset`, a number's or a pointer's, in the edges of the node.
  std::int64_t key(std::int64_t offset) const;
  bool folded(std::int64_t offset) const;
  // Does a fold that overlaps `range` contain the offset?
  bool folded_with(std::int64_t offset, const Range& range) const;
  // The bytes that an access of `size` bytes may touch: an array is one object, a walk covers what it stays in.
  Range extent(std::int64_t offset, std::int64_t size) const;

 private:
  struct Walk {
    std::int64_t at;
    std::int64_t stride;
    ProvenanceId provenance;
  };
  struct Join {
    std::int64_t low;
    std::int64_t high;
    ProvenanceId provenance;
  };
  struct Fold {
    Range range;
    std::int64_t stride;
    friend bool operator==(const Fold&, const Fold&) = default;
  };

  const Walk* find_walk(std::int64_t at) const;
  const Join* find_join(std::int64_t low, std::int64_t high) const;

  bool collapsed_ = false;
  std::vector<Range> arrays_;
  std::vector<Walk> walks_;
  std::vector<Join> joins_;
  std::vector<Fold> folds_;  // what follows from the three above
};

}  // namespace heddle::elyze
