#include "elyze/conflicts/conflicts.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_set>

#include "elyze/ir/names.hpp"

namespace heddle::elyze {
namespace {

// A document with more conflicts than this lists, per pair, only as many as fit: those whose objects block most pairs.
constexpr std::size_t kMostConflicts = 50000;
constexpr std::size_t kFewestOfPair = 8;
constexpr std::size_t kMostLockUses = 2000;

// A symmetric relation between handlers: one bit per pair.
class Matrix {
 public:
  bool empty() const { return rows_.empty(); }
  // All pairs of one handler of each set.
  void add(const llvm::BitVector& some, const llvm::BitVector& others) {
    const std::size_t size = some.size();
    if (rows_.empty()) rows_.assign(size, llvm::BitVector(static_cast<unsigned>(size)));
    for (const unsigned i : some.set_bits()) rows_[i] |= others;
    for (const unsigned i : others.set_bits()) rows_[i] |= some;
  }
  bool test(std::size_t a, std::size_t b) const { return !empty() && rows_[a].test(static_cast<unsigned>(b)); }
  std::size_t pairs() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) count += rows_[i].count() + (test(i, i) ? 1 : 0);
    return count / 2;
  }

 private:
  std::vector<llvm::BitVector> rows_;
};

// A relation between handlers that has a direction: one bit per ordered pair.
class Directed {
 public:
  void add(const llvm::BitVector& some, const llvm::BitVector& others) {
    if (rows_.empty()) rows_.assign(some.size(), llvm::BitVector(some.size()));
    for (const unsigned i : some.set_bits()) rows_[i] |= others;
  }
  bool test(std::size_t a, std::size_t b) const { return !rows_.empty() && rows_[a].test(static_cast<unsigned>(b)); }

 private:
  std::vector<llvm::BitVector> rows_;
};

// Handlers with one kind of session.
struct SessionGroup {
  SessionGroup(llvm::BitVector of_session, llvm::BitVector of_relatives)
      : handlers(std::move(of_session)), relatives(std::move(of_relatives)) {}
  llvm::BitVector handlers;
  llvm::BitVector relatives;  // their sessions may own sessions of this kind, or be owned by them
};

// On one object: which pairs meet there, and by which touches.
struct Blocked {
  Matrix always;
  Matrix session;
  // In a program with late points: the pairs that meet by what the first handler touches before any late point.
  Directed always_in_front;
  Directed session_in_front;
  std::vector<std::pair<TouchId, TouchId>> meetings;
  bool whoever = false;        // the meetings count whosever sessions the touches are in
  bool shared = false;         // not all of them are on scratch objects
  std::vector<TouchId> loose;  // in unknown memory: each meets every other touch there
  std::vector<std::size_t> unknown;
};

// The handlers that a function which is called at any time may see half done, each with the first such touch.
struct Seen {
  void add(const llvm::BitVector& others, TouchId id) {
    if (handlers.size() == 0) handlers.resize(others.size());
    if (!others.test(handlers)) return;  // none is new
    for (const unsigned handler : others.set_bits()) first.try_emplace(handler, id);
    handlers |= others;
  }
  llvm::BitVector handlers;
  std::map<unsigned, TouchId> first;
};

class ConflictFinder {
 public:
  ConflictFinder(const Analysis& analysis, const World& world, const Assumed& assumed)
      : analysis_(analysis),
        graph_(analysis.points_to.graph),
        world_(world),
        footprint_(std::make_shared<Footprint>(analysis, world, assumed)),
        naming_(graph_),
        scratch_(find_scratch(analysis, world)),
        size_(static_cast<unsigned>(world.handlers.size())),
        at_any_time_(size_),
        observers_(size_) {
    at_any_time_.set(static_cast<unsigned>(world.dispatched), size_);
    observers_.set(world.beside.loops ? 0 : static_cast<unsigned>(world.dispatched), size_);
  }

  Conflicts run() {
    group_sessions();
    meet_in_nodes();
    meet_in_unknown_memory();
    meet_unknown_code();
    meet_before_functions_called_at_any_time();
    for (unsigned i = 0; i < size_; ++i) waits_.push_back(analysis_.late_points.any() && !footprint_->may_hold(i));
    result_.accesses.resize(world_.handlers.size());
    list_pairs();
    list_locks();
    for (const UnknownReach& unknown : footprint_->unknown()) {
      result_.unknown.push_back(unknown.code);
      for (const unsigned handler : unknown.handlers.set_bits()) result_.unknown.back().handlers.push_back(handler);
    }
    for (const NodeId node : met_) result_.scratch.push_back(scratch_.at(node));
    result_.steps = footprint_->steps();
    result_.footprint = footprint_;
    return std::move(result_);
  }

 private:
  const Touch& touch(TouchId id) const { return footprint_->touches()[id]; }
  NodeId session_node(std::size_t handler) const {
    return graph_.find_node(world_.handlers[handler].session.cell.node);
  }

  // ---- which handlers meet where ----

  void group_sessions() {
    std::map<NodeId, SessionGroup> groups;
    for (std::size_t i = 0; i < world_.handlers.size(); ++i) {
      if (!world_.handlers[i].session.cell.valid()) continue;
      const auto place = groups.try_emplace(session_node(i), llvm::BitVector(size_), llvm::BitVector(size_)).first;
      place->second.handlers.set(static_cast<unsigned>(i));
    }
    // Two chains of owned fields that end at one object have the same fields all the way back, until one of them comes
    // to its beginning: a session that is an owned field of the other chain.
    for (auto& [node, group] : groups) {
      std::unordered_set<NodeId> owned;
      for (const unsigned i : group.handlers.set_bits())
        owned.merge(footprint_->ownership().belongings(world_.handlers[i]));
      for (auto& [other, kin] : groups) {
        if (!owned.contains(other)) continue;
        kin.relatives |= group.handlers;
        group.relatives |= kin.handlers;
      }
    }
    for (auto& [node, group] : groups) sessions_.push_back(std::move(group));
  }

  void meet_in_nodes() {
    std::map<NodeId, std::vector<TouchId>> nodes;
    for (TouchId id = 0; id < footprint_->touches().size(); ++id) nodes[touch(id).node].push_back(id);
    for (auto& [node, here] : nodes) {
      std::sort(here.begin(), here.end(),
                [&](TouchId a, TouchId b) { return touch(a).range.low < touch(b).range.low; });
      for (std::size_t i = 0; i < here.size(); ++i) {
        for (std::size_t j = i; j < here.size() && touch(here[j]).range.low < touch(here[i]).range.high; ++j)
          meet(here[i], here[j]);
      }
    }
  }

  void meet(TouchId a, TouchId b) {
    const Touch& first = touch(a);
    const Touch& second = touch(b);
    if (!clash(first.mode, second.mode) || !first.range.overlaps(second.range)) return;
    if (apart(first.anchor, second.anchor)) return;
    const bool own = in_own_sessions(first.anchor, second.anchor);
    if (own && !meet_in_session(first.handlers, second.handlers)) return;
    const Range common{std::max(first.range.low, second.range.low), std::min(first.range.high, second.range.high)};
    note_seen(a, b, own);
    Blocked& blocked = blocked_[object(first.node, common)];
    blocked.meetings.emplace_back(a, b);
    const auto scratch = scratch_.find(graph_.find_node(first.node));
    if (scratch == scratch_.end()) {
      blocked.shared = true;
    } else {
      met_.insert(scratch->first);
    }
    block(blocked, own, {first.handlers, first.behind}, {second.handlers, second.behind});
  }

  // A thread of the program, or a signal function, may see handlers half done, whoever holds which lock meanwhile: with
  // one thread for all handlers, one of them at most. So two handlers that both do something which such a function
  // depends on, or depend on what it does, never overlap. A record, or an atomic access, that is the handler's only one
  // leaves no half. Where threads run loops of their own, so may the handlers of these; what two do to their own
  // sessions only, they do one after the other.
  void note_seen(TouchId a, TouchId b, bool own) {
    const llvm::BitVector& observers = own ? at_any_time_ : observers_;
    if (observers.none()) return;
    for (const auto& [of_function, of_others] : {std::pair(a, b), {b, a}}) {
      if (!touch(of_function).handlers.anyCommon(observers)) continue;
      const Mode mode = touch(of_others).mode;
      const bool leaves_halves = !of_stream(mode) && !atomic(mode);
      llvm::BitVector others = touch(of_others).handlers;
      if (others.anyCommon(observers)) group(touch(of_function).handlers, others, observers);
      if (!leaves_halves) continue;
      others.reset(static_cast<unsigned>(world_.dispatched), size_);
      for (const unsigned function : touch(of_function).handlers.set_bits())
        if (observers.test(function)) seen_[function].add(others, of_others);
    }
  }

  // Functions that are called at any time and depend on each other count as one.
  void group(llvm::BitVector functions, const llvm::BitVector& others, const llvm::BitVector& observers) {
    functions |= others;
    functions &= observers;
    const auto among = [&](const llvm::BitVector& known) { return known.anyCommon(functions); };
    const auto first = std::find_if(groups_.begin(), groups_.end(), among);
    if (first == groups_.end()) {
      groups_.push_back(std::move(functions));
      return;
    }
    if (!functions.test(*first)) return;  // none is new
    for (auto other = std::find_if(first + 1, groups_.end(), among); other != groups_.end();
         other = std::find_if(other, groups_.end(), among)) {
      *first |= *other;
      other = groups_.erase(other);
    }
    *first |= functions;
  }

  unsigned group_of(unsigned function) const {
    const auto found = std::find_if(groups_.begin(), groups_.end(), [&](auto& group) { return group.test(function); });
    return found == groups_.end() ? function : static_cast<unsigned>(found->find_first());
  }

  void meet_before_functions_called_at_any_time() {
    std::map<unsigned, std::map<unsigned, TouchId>> seen;  // by group: handlers, each with one of its touches
    for (const auto& [function, handlers] : seen_)
      seen[group_of(function)].insert(handlers.first.begin(), handlers.first.end());
    for (const auto& [group, handlers] : seen) {
      llvm::BitVector all(size_);
      for (const auto& [handler, id] : handlers) all.set(handler);
      const std::string name = source_name(*world_.handlers[group].function);
      Blocked& blocked = blocked_[object({"what " + name + " may see half done", "os", "", "", 0})];
      blocked.whoever = blocked.shared = true;
      for (const auto& [a, first] : handlers)
        for (const auto& [b, second] : handlers)
          if (a <= b) blocked.meetings.emplace_back(first, second);
      block(blocked, false, {all, false}, {all, false});
    }
  }

  struct Side {
    const llvm::BitVector& handlers;
    bool behind;
  };

  void block(Blocked& blocked, bool own, const Side& first, const Side& second) const {
    const bool late = analysis_.late_points.any();
    const auto in_front = [&](Directed& found, const llvm::BitVector& some, const llvm::BitVector& others) {
      if (late && !first.behind) found.add(some, others);
      if (late && !second.behind) found.add(others, some);
    };
    const auto always = [&](const llvm::BitVector& some, const llvm::BitVector& others) {
      blocked.always.add(some, others);
      in_front(blocked.always_in_front, some, others);
    };
    if (!own) {
      always(first.handlers, second.handlers);
      return;
    }
    for (const SessionGroup& group : sessions_) {
      llvm::BitVector some = first.handlers;
      some &= group.handlers;
      if (some.none()) continue;
      llvm::BitVector others = second.handlers;
      others &= group.relatives;
      if (others.any()) always(some, others);
      others = second.handlers;
      others &= group.handlers;
      if (others.none()) continue;
      blocked.session.add(some, others);
      in_front(blocked.session_in_front, some, others);
    }
  }

  // Two touches in own sessions meet only if some handlers of both sets have the same kind of session, or sessions of
  // which one may own the other.
  bool meet_in_session(const llvm::BitVector& first, const llvm::BitVector& second) const {
    return std::any_of(sessions_.begin(), sessions_.end(), [&](const SessionGroup& group) {
      return group.handlers.anyCommon(first) && (group.handlers.anyCommon(second) || group.relatives.anyCommon(second));
    });
  }

  // Any two touches of unknown memory meet, since both may be of the same object.
  void meet_in_unknown_memory() {
    for (TouchId id = 0; id < footprint_->touches().size(); ++id) {
      if (graph_.node({touch(id).node, 0}).flags & kUnknownMemory) loose_.push_back(id);
    }
    // Touches that differ in none of these meet the same others.
    std::map<std::tuple<Mode, Anchor, bool>, llvm::BitVector> kinds;
    for (const TouchId id : loose_) {
      const Touch& here = touch(id);
      const auto place = kinds.try_emplace({here.mode, here.anchor, here.behind}, llvm::BitVector(size_)).first;
      place->second |= here.handlers;
    }
    for (const TouchId id : loose_) {
      const Touch& first = touch(id);
      if (first.handlers.anyCommon(observers_)) {
        for (const TouchId other : loose_) {
          const bool own = in_own_sessions(first.anchor, touch(other).anchor);
          if (clash(first.mode, touch(other).mode)) note_seen(id, other, own);
        }
      }
      for (const auto& [kind, others] : kinds) {
        const auto [mode, anchor, behind] = kind;
        if (!clash(first.mode, mode) || apart(first.anchor, anchor)) continue;
        const bool own = in_own_sessions(first.anchor, anchor);
        if (own && !meet_in_session(first.handlers, others)) continue;
        Blocked& blocked = blocked_[object(first.node, first.range)];
        blocked.shared = true;
        if (blocked.loose.empty() || blocked.loose.back() != id) blocked.loose.push_back(id);
        block(blocked, own, {first.handlers, first.behind}, {others, behind});
      }
    }
  }

  void meet_unknown_code() {
    const llvm::BitVector all(size_, true);
    // Threads and signal handlers run their own loops, and end the process in the middle of a handler of one thread
    // too.
    llvm::BitVector in_turn(size_, true);
    for (std::size_t i = world_.dispatched; i < size_; ++i) in_turn.reset(static_cast<unsigned>(i));
    for (std::size_t i = 0; i < footprint_->unknown().size(); ++i) {
      const UnknownReach& unknown = footprint_->unknown()[i];
      const UnknownUse::Kind kind = unknown.code.kind;
      const bool external = kind == UnknownUse::Kind::kExternal;
      const std::size_t what = object({(external ? "unknown external " : "") + unknown.code.name,
                                       UnknownUse::known(kind) ? "os" : "unknown", "", "", 0});
      blocked_[what].unknown.push_back(i);
      blocked_[what].shared = true;
      llvm::BitVector handlers = unknown.handlers;
      // Unknown code in a thread or a signal function may see whatever handlers do.
      if (!UnknownUse::known(kind) && handlers.anyCommon(observers_)) handlers = all;
      if (kind == UnknownUse::Kind::kAlone) handlers &= in_turn;
      block(blocked_[what], false, {handlers, false}, {kind == UnknownUse::Kind::kAlone ? in_turn : all, false});
    }
  }

  std::size_t object(NodeId node, Range range) {
    const auto [place, fresh] = names_.try_emplace({node, range.low, range.high}, 0);
    if (fresh && node == analysis_.points_to.contents().node) {
      place->second = object({"contents of " + analysis_.points_to.files.name(range), "os", "", "", 0});
    } else if (fresh && node == analysis_.points_to.entries().node) {
      place->second = object({"directory entry of " + analysis_.points_to.files.name(range), "os", "", "", 0});
    } else if (fresh) {
      place->second = object(naming_.name(node, range));
    }
    return place->second;
  }

  std::size_t object(const NamedObject& named) {
    const auto [place, fresh] = objects_.try_emplace(
        named.kind + " " + named.name + " " + named.file + std::to_string(named.line), result_.objects.size());
    if (fresh) {
      result_.objects.push_back(named);
      blocked_.emplace_back();
    }
    return place->second;
  }

  // ---- the pairs ----

  void list_pairs() {
    std::vector<std::size_t> order(blocked_.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::size_t> blocks(blocked_.size());
    std::size_t total = 0;
    for (std::size_t i = 0; i < blocked_.size(); ++i) {
      blocks[i] = blocked_[i].always.pairs();
      total += blocks[i] + blocked_[i].session.pairs();
    }
    std::size_t most = blocked_.size();
    if (total > kMostConflicts) {
      most = std::max(kFewestOfPair, 2 * kMostConflicts / (world_.handlers.size() * (world_.handlers.size() + 1)));
      std::sort(order.begin(), order.end(),
                [&](std::size_t a, std::size_t b) { return blocks[a] != blocks[b] ? blocks[a] > blocks[b] : a < b; });
    }
    // A thread or a signal handler runs beside handlers in a serial program too: it is paired with handlers only.
    for (std::size_t a = 0; a < world_.dispatched; ++a) {
      for (std::size_t b = a; b < world_.handlers.size(); ++b) {
        Pair pair;
        pair.a = a;
        pair.b = b;
        for (const std::size_t object : order) list(pair, object, most);
        result_.pairs.push_back(std::move(pair));
      }
    }
  }

  void list(Pair& pair, std::size_t object, std::size_t most) {
    const Blocked& blocked = blocked_[object];
    const Verdict here = blocked.always.test(pair.a, pair.b)    ? Verdict::kAlways
                         : blocked.session.test(pair.a, pair.b) ? Verdict::kSession
                                                                : Verdict::kNever;
    if (here == Verdict::kNever) return;
    pair.verdict = std::max(pair.verdict, here);
    if (blocked.shared) pair.apart = std::max(pair.apart, here);
    const Verdict a_starts = starts(blocked, pair.a, pair.b, here);
    const Verdict b_starts = starts(blocked, pair.b, pair.a, here);
    pair.a_starts = std::max(pair.a_starts, a_starts);
    pair.b_starts = std::max(pair.b_starts, b_starts);
    if (pair.conflicts.size() >= most) {
      ++pair.unlisted;
      return;
    }
    list(pair, object, here, blocked);
    pair.conflicts.back().a_late = a_starts == Verdict::kNever;
    pair.conflicts.back().b_late = b_starts == Verdict::kNever;
  }

  // For the report only, so in a large program not all of them.
  void list_locks() {
    std::set<std::pair<std::size_t, std::size_t>> listed;
    for (TouchId id = 0; id < footprint_->touches().size(); ++id) {
      if (touch(id).mode != Mode::kLock) continue;
      const std::size_t lock = object(graph_.find_node(touch(id).node), touch(id).range);
      for (const unsigned handler : touch(id).handlers.set_bits()) {
        if (handler >= world_.dispatched || listed.size() >= kMostLockUses) continue;
        if (listed.insert({lock, handler}).second) result_.locks.push_back({lock, handler, access(handler, id)});
      }
    }
  }

  // The verdict on starting `first` while `second` runs: of `first` only what it touches before any late point counts.
  Verdict starts(const Blocked& blocked, std::size_t first, std::size_t second, Verdict all) const {
    if (!waits_[first]) return all;
    return blocked.always_in_front.test(first, second)    ? Verdict::kAlways
           : blocked.session_in_front.test(first, second) ? Verdict::kSession
                                                          : Verdict::kNever;
  }

  void list(Pair& pair, std::size_t object, Verdict here, const Blocked& blocked) {
    for (const auto& [first, second] : blocked.meetings) {
      if (list(pair, object, here, first, second, blocked.whoever)) return;
    }
    for (const TouchId first : blocked.loose) {
      for (const TouchId second : loose_) {
        if (clash(touch(first).mode, touch(second).mode) && !apart(touch(first).anchor, touch(second).anchor) &&
            list(pair, object, here, first, second, false))
          return;
      }
    }
    const std::size_t unknown = blocked.unknown.front();
    pair.conflicts.push_back({object, here, unknown_access(pair.a, unknown), unknown_access(pair.b, unknown)});
  }

  // Lists the conflict if the pair makes these two touches, and they have this verdict.
  bool list(Pair& pair, std::size_t object, Verdict verdict, TouchId first, TouchId second, bool whoever) {
    const bool own = in_own_sessions(touch(first).anchor, touch(second).anchor) && !related(pair.a, pair.b);
    if (!whoever && own != (verdict == Verdict::kSession)) return false;
    const auto makes = [&](TouchId id, std::size_t handler) {
      return touch(id).handlers.test(static_cast<unsigned>(handler));
    };
    const bool straight = makes(first, pair.a) && makes(second, pair.b);
    if (!straight && !(makes(second, pair.a) && makes(first, pair.b))) return false;
    pair.conflicts.push_back(
        {object, verdict, access(pair.a, straight ? first : second), access(pair.b, straight ? second : first)});
    return true;
  }

  // May the session of one of them own that of the other?
  bool related(std::size_t a, std::size_t b) const {
    return std::any_of(sessions_.begin(), sessions_.end(), [&](const SessionGroup& group) {
      return group.handlers.test(static_cast<unsigned>(a)) && group.relatives.test(static_cast<unsigned>(b));
    });
  }

  std::size_t access(std::size_t handler, TouchId id) {
    std::vector<HandlerAccess>& all = result_.accesses[handler];
    const auto [place, fresh] = accesses_.try_emplace({handler, id}, all.size());
    if (fresh) all.push_back(footprint_->access(id, handler));
    return place->second;
  }

  std::size_t unknown_access(std::size_t handler, std::size_t unknown) {
    std::vector<HandlerAccess>& all = result_.accesses[handler];
    const auto [place, fresh] = unknown_accesses_.try_emplace({handler, unknown}, all.size());
    if (fresh) all.push_back(footprint_->unknown_access(unknown, handler));
    return place->second;
  }

  const Analysis& analysis_;
  const Graph& graph_;
  const World& world_;
  std::vector<bool> waits_;  // per handler: it may be made to wait at a late point
  std::shared_ptr<Footprint> footprint_;
  Naming naming_;
  const llvm::DenseMap<NodeId, ScratchObject> scratch_;
  std::set<NodeId> met_;  // of these, those on which somebody meets
  unsigned size_;
  llvm::BitVector at_any_time_;
  llvm::BitVector observers_;            // those that run at any time, and handlers of loops that threads run
  std::vector<llvm::BitVector> groups_;  // of functions that are called at any time; no function is in two
  std::map<unsigned, Seen> seen_;        // per such function
  Conflicts result_;
  std::vector<SessionGroup> sessions_;
  std::vector<Blocked> blocked_;  // per object
  std::vector<TouchId> loose_;    // in unknown memory
  std::map<std::tuple<NodeId, std::int64_t, std::int64_t>, std::size_t> names_;
  std::map<std::string, std::size_t> objects_;
  std::map<std::pair<std::size_t, TouchId>, std::size_t> accesses_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> unknown_accesses_;
};

}  // namespace

Conflicts find_conflicts(const Analysis& analysis, const World& world, const Assumed& assumed) {
  return ConflictFinder(analysis, world, assumed).run();
}

}  // namespace heddle::elyze
