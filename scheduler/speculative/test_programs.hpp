// Random programs of events, run by a loop that speculates and by a model that is a queue and plain variables.
//
// Every value that an event writes depends on all that it has read, so an event that saw anything wrong leaves other
// values behind. What every attempt has read is recorded, also of those that did not count: it must be what stood in
// the cells at one moment between two commits (opacity).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/speculative/cell.hpp"
#include "scheduler/speculative/containers.hpp"
#include "scheduler/speculative/loop.hpp"

namespace heddle::speculative::programs {

using Value = std::uint64_t;

inline Value mix(Value a, Value b) {
  Value mixed = (a ^ (b + 0x9E3779B97F4A7C15U + (a << 6) + (a >> 2))) * 0xBF58476D1CE4E5B9U;
  return mixed ^ (mixed >> 29);
}

struct Planned {
  Value id = 0;
  unsigned depth = 0;
  bool exclusive = false;
};

struct Thrown {
  Value value;
};

struct Size {
  std::size_t cells = 4;
  unsigned roots = 6;
  unsigned depth = 2;
  unsigned steps = 5;  // in an event
  unsigned spin = 0;   // how long a step takes at most
  bool exceptions = true;
  bool fails = false;  // some events need to run with nobody beside, as if memory were short
};

enum class Step : std::uint8_t {
  kRead,
  kWrite,
  kUpdate,
  kSpawn,
  kDecide,
  kPrint,
  kAct,
  kThrow,
  kPut,
  kFind,
  kErase,
  kCount,
  kAppend,
  kLength,
  kFail,
  kReadGuarded,
  kSteps
};

class Program {
 public:
  Program(Value seed, const Size& size) : seed_(seed), size_(size) {}

  const Size& size() const { return size_; }
  std::vector<Planned> roots() const {
    std::vector<Planned> planned;
    for (unsigned i = 0; i < size_.roots; ++i) {
      const Value id = mix(seed_, i);
      planned.push_back({id, 0, id % 16 == 0});
    }
    return planned;
  }

  // What the event does, to a world.
  template <class World>
  void run(const Planned& event, World& world) const {
    std::minstd_rand random(static_cast<std::minstd_rand::result_type>(mix(seed_, event.id) % 2147483646 + 1));
    const auto draw = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
    Value seen = event.id;
    const std::size_t steps = 1 + draw(size_.steps);
    for (std::size_t i = 0; i < steps; ++i) {
      if (size_.spin > 0)
        for (volatile unsigned n = static_cast<unsigned>(draw(size_.spin)); n > 0;) n = n - 1;
      const std::size_t cell = draw(size_.cells);
      const Value key = draw(5);
      const Planned child{mix(event.id, i), event.depth + 1, draw(8) == 0};
      switch (static_cast<Step>(draw(static_cast<std::size_t>(Step::kSteps)))) {
        case Step::kRead:
          seen = mix(seen, world.get(cell));
          seen = mix(seen, world.get((cell + 1) % size_.cells));
          break;
        case Step::kWrite:
          world.set(cell, mix(seen, i));
          break;
        case Step::kUpdate:
          world.update(cell, mix(event.id, i));
          break;
        case Step::kSpawn:
          if (child.depth <= size_.depth) world.spawn(child);
          break;
        case Step::kDecide:
          seen = mix(seen, world.get(cell));
          if (seen % 2 == 0 && child.depth <= size_.depth) {
            world.spawn(child);
          } else {
            world.set((cell + 1) % size_.cells, seen);
          }
          break;
        case Step::kPrint:
          world.print(seen);
          break;
        case Step::kAct:
          if (key == 0) world.act(seen);
          break;
        case Step::kThrow:
          if (size_.exceptions && key == 0) throw Thrown{seen};
          break;
        case Step::kPut:
          seen = mix(seen, world.put(key, seen) ? 1 : 0);
          break;
        case Step::kFind:
          seen = mix(seen, world.find(key).value_or(0));
          break;
        case Step::kErase:
          seen = mix(seen, world.erase(key) ? 1 : 0);
          break;
        case Step::kCount:
          seen = mix(seen, world.count());
          break;
        case Step::kAppend:
          world.append(seen);
          break;
        case Step::kLength:
          seen = mix(seen, world.length());
          break;
        case Step::kFail:
          if (size_.fails && key < 3) world.fail();
          break;
        case Step::kReadGuarded:  // it may catch what is not for it, and goes on
          try {
            seen = mix(seen, world.get(cell));
            if (size_.fails && key == 0) world.fail_on_behalf();
          } catch (...) {
            seen = 0;
          }
          break;
        case Step::kSteps:
          break;
      }
    }
  }

 private:
  const Value seed_;
  const Size size_;
};

// What a run leaves behind.
struct Outcome {
  std::vector<Value> cells;
  std::map<Value, Value> map;
  std::vector<Value> log;
  std::vector<Value> outside;  // printed, done and thrown, in order
  bool operator==(const Outcome&) const = default;
};

inline std::string told(const Outcome& outcome) {
  std::ostringstream text;
  text << "cells";
  for (const Value value : outcome.cells) text << ' ' << value % 1000;
  text << " map";
  for (const auto& [key, value] : outcome.map) text << ' ' << key << ':' << value % 1000;
  text << " log";
  for (const Value value : outcome.log) text << ' ' << value % 1000;
  text << " outside";
  for (const Value value : outcome.outside) text << ' ' << value % 1000;
  return text.str();
}

// A queue and plain variables.
class Model {
 public:
  explicit Model(const Program& program) : program_(program) {
    outcome_.cells.resize(program.size().cells);
    states_.push_back(outcome_.cells);
    for (const Planned& planned : program.roots()) queue_.push_back(planned);
  }

  void run() {
    while (!queue_.empty()) run_at(0);
  }

  // The same in another order, by identity; false if one of them is not due.
  bool run(const std::vector<Value>& order) {
    for (const Value id : order) {
      const auto at = std::find_if(queue_.begin(), queue_.end(), [&](const Planned& one) { return one.id == id; });
      if (at == queue_.end()) return false;
      run_at(static_cast<std::size_t>(at - queue_.begin()));
    }
    return queue_.empty();
  }

  const Outcome& outcome() const { return outcome_; }
  // The cells before the first event, and after each.
  const std::vector<std::vector<Value>>& states() const { return states_; }
  std::size_t events() const { return states_.size() - 1; }

  Value get(std::size_t cell) const { return outcome_.cells[cell]; }
  void set(std::size_t cell, Value value) { outcome_.cells[cell] = value; }
  void update(std::size_t cell, Value by) { set(cell, mix(get(cell), by)); }
  void spawn(const Planned& child) { queue_.push_back(child); }
  void print(Value value) { printed_.push_back(value); }
  void act(Value value) { outcome_.outside.push_back(value); }
  bool put(Value key, Value value) { return outcome_.map.insert_or_assign(key, value).second; }
  std::optional<Value> find(Value key) const {
    const auto at = outcome_.map.find(key);
    return at == outcome_.map.end() ? std::nullopt : std::optional(at->second);
  }
  bool erase(Value key) { return outcome_.map.erase(key) != 0; }
  Value count() const { return outcome_.map.size(); }
  void append(Value value) { outcome_.log.push_back(value); }
  Value length() const { return outcome_.log.size(); }
  void fail() {}
  void fail_on_behalf() {}

 private:
  void run_at(std::size_t index) {
    const Planned event = queue_[index];
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(index));
    std::optional<Thrown> thrown;
    try {
      program_.run(event, *this);
    } catch (const Thrown& exception) {
      thrown = exception;
    }
    outcome_.outside.insert(outcome_.outside.end(), printed_.begin(), printed_.end());
    printed_.clear();
    if (thrown) outcome_.outside.push_back(thrown->value);
    states_.push_back(outcome_.cells);
  }

  const Program& program_;
  std::deque<Planned> queue_;
  std::vector<Value> printed_;
  Outcome outcome_;
  std::vector<std::vector<Value>> states_;
};

// The same on a loop.
template <class Sync>
class Speculated {
 public:
  Speculated(const Program& program, const Options& options)
      : program_(program),
        alone_in_transaction_(options.events_at_once == 1),
        cells_(program.size().cells),
        map_(3),
        loop_(options) {
    for (const Planned& planned : program.roots()) post(planned);
  }

  void run() {
    for (bool over = false; !over;) {
      try {
        loop_.run();
        over = true;
      } catch (const Thrown& thrown) {
        outside_.push_back(thrown.value);
      }
    }
  }

  Outcome outcome() {
    Outcome outcome;
    for (std::size_t i = 0; i < cells_.size(); ++i) outcome.cells.push_back(cells_[i].outside());
    BasicTransaction<Sync>* transaction = nullptr;
    loop_.post(
        [&, this](BasicTransaction<Sync>& given) {
          transaction = &given;
          for (Value key = 0; key < 5; ++key)
            if (const auto value = map_.find(given, key)) outcome.map[key] = *value;
        },
        Effects::kExclusive);
    loop_.run();
    outcome.log.assign(log_.outside().begin(), log_.outside().end());
    outcome.outside = outside_;
    return outcome;
  }

  // Empty if every attempt saw one of the states that the model went through, and none after its own event.
  std::string check_opacity(const Model& model) const {
    if (!alone_in_transaction_) return {};
    for (const Attempt& attempt : attempts_) {
      const auto& states = model.states();
      const bool fits = std::any_of(states.begin(), states.end(), [&](const std::vector<Value>& state) {
        return std::all_of(attempt.begin(), attempt.end(),
                           [&](const auto& read) { return state[read.first] == read.second; });
      });
      if (!fits) return "an attempt saw cells of two moments";
    }
    return {};
  }

  const std::vector<Value>& commit_order() const { return order_; }
  Figures figures() { return loop_.figures(); }

 private:
  using Attempt = std::vector<std::pair<std::size_t, Value>>;

  struct World {
    Speculated& all;
    BasicTransaction<Sync>& transaction;
    Attempt attempt{};
    std::set<std::size_t> written{};
    bool acted = false;

    ~World() {
      const std::unique_lock lock(all.attempts_mutex_);
      all.attempts_.push_back(std::move(attempt));
    }
    Value get(std::size_t cell) {
      const Value value = all.cells_[cell].get(transaction);
      if (written.count(cell) == 0) attempt.emplace_back(cell, value);
      return value;
    }
    void set(std::size_t cell, Value value) {
      written.insert(cell);
      all.cells_[cell].set(transaction, value);
    }
    void update(std::size_t cell, Value by) {
      written.insert(cell);
      all.cells_[cell].update(transaction, [by](Value& value) { value = mix(value, by); });
    }
    void spawn(const Planned& child) {
      transaction.spawn(
          [&speculated = all, child](BasicTransaction<Sync>& given) { speculated.run_event(child, given); },
          child.exclusive ? Effects::kExclusive : Effects::kNone);
    }
    void print(Value value) {
      transaction.at_commit([&speculated = all, value] { speculated.note(value); });
    }
    void act(Value value) {
      transaction.exclusive();
      acted = true;
      all.note(value);
    }
    bool put(Value key, Value value) { return all.map_.put(transaction, key, value); }
    std::optional<Value> find(Value key) { return all.map_.find(transaction, key); }
    bool erase(Value key) { return all.map_.erase(transaction, key); }
    Value count() { return all.map_.size(transaction); }
    void append(Value value) { all.log_.append(transaction, value); }
    Value length() { return all.log_.size(transaction); }
    // As if memory were short: for what the event does itself, and for what is done on its behalf.
    void fail() {
      if (!may_fail()) return;
      if (attempt.size() % 2 == 0) throw std::bad_alloc();
      fail_on_behalf();
    }
    void fail_on_behalf() {
      if (may_fail()) transaction.catch_up([] { throw std::bad_alloc(); });
    }
    // What has acted on the world may not run again, and is told.
    bool may_fail() const { return !transaction.direct() && !acted; }
  };

  void post(const Planned& planned) {
    loop_.post([this, planned](BasicTransaction<Sync>& given) { run_event(planned, given); },
               planned.exclusive ? Effects::kExclusive : Effects::kNone);
  }

  void run_event(const Planned& planned, BasicTransaction<Sync>& given) {
    given.at_commit([this, planned] { order_.push_back(planned.id); });
    World world{*this, given};
    if (planned.exclusive) world.acted = note_act(planned);
    program_.run(planned, world);
  }

  // An exclusive event runs once, so this is written once for it.
  bool note_act(const Planned& planned) {
    exclusive_runs_.push_back(planned.id);
    return true;
  }
  void note(Value value) { outside_.push_back(value); }

  const Program& program_;
  const bool alone_in_transaction_;
  BasicArray<Sync, Value> cells_;
  BasicMap<Sync, Value, Value> map_;
  BasicLog<Sync, Value> log_;
  std::mutex attempts_mutex_;
  std::vector<Attempt> attempts_;
  std::vector<Value> outside_;         // by whoever has the turn
  std::vector<Value> order_;           // likewise
  std::vector<Value> exclusive_runs_;  // likewise
  BasicLoop<Sync> loop_;

 public:
  // Empty if each event with exclusive effects ran once.
  std::string check_exclusive() const {
    std::vector<Value> runs = exclusive_runs_;
    std::sort(runs.begin(), runs.end());
    const bool twice = std::adjacent_find(runs.begin(), runs.end()) != runs.end();
    return twice ? "an event with exclusive effects ran twice" : "";
  }
};

// Empty if the run was as it must be.
template <class Sync>
std::string check(const Program& program, const Options& options) {
  Speculated<Sync> speculated(program, options);
  speculated.run();
  Model model(program);
  if (options.order == Order::kEvents) {
    model.run();
  } else if (!model.run(speculated.commit_order())) {
    return "an event ran twice or not at all";
  }
  const Outcome outcome = speculated.outcome();
  if (outcome != model.outcome()) return "it left " + told(outcome) + ", the model " + told(model.outcome());
  if (std::string wrong = speculated.check_opacity(model); !wrong.empty()) return wrong;
  return speculated.check_exclusive();
}

}  // namespace heddle::speculative::programs
