// The side that owns a store: it alone changes the objects, tells its editors of that, and decides on what they
// propose.
//
//   Owner owner(path, Transport::kMapped, {.decide = [](Work& work) { ...; return std::string(); }});
//   for (;;) {
//     owner.serve(-1);                    // edits; or when owner.descriptor() is readable
//     Work work = owner.begin();
//     work.set(object, slot, 3);
//     work.commit();                      // all editors are told
//   }
//
// An owner waits for no editor. One that does not read what it is told, that dies, or that sends what no editor sends,
// is let go; what it proposed before is still decided. An owner is used by one thread.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "objectbase/objectbase.hpp"
#include "objectbase/transport/message.hpp"
#include "objectbase/transport/transport.hpp"

namespace heddle::objectbase {

class Owner;

// A transaction of which editors will be told.
class Work {
 public:
  enum class What : std::uint8_t { kCreated, kSet, kErased };
  struct Touched {
    ObjectId object;
    What what = What::kSet;
    unsigned slot = 0;  // of kSet

    friend auto operator<=>(const Touched&, const Touched&) = default;
  };

  Work(Work&&) noexcept = default;
  Work& operator=(Work&&) = delete;
  ~Work() = default;  // without commit(): nothing has happened

  ObjectId create(const Class& type);
  template <class T>
  void set(ObjectId id, unsigned slot, const T& value) {
    set_value(id, slot, to_value(value));
  }
  void erase(ObjectId id);
  // With the changes made so far. Valid until the object's next change.
  Value get(ObjectId id, unsigned slot) const { return transaction_.get(id, slot); }
  // The class's number, of an object that is there or is made here; 0 if there is none. An object that is erased here
  // has its class still.
  std::uint32_t type(ObjectId id) const;
  // What has been changed so far, in this order; in Program::decide, at first what the edit says.
  const std::vector<Touched>& touched() const { return touched_; }
  // Which editor has proposed it; 0: the owner itself.
  unsigned editor() const { return editor_; }

  // Returns the number of the commit. Nothing may be called afterwards.
  std::uint64_t commit();

 private:
  friend class Owner;
  Work(Owner& owner, unsigned editor);
  void set_value(ObjectId id, unsigned slot, const Value& value);

  Owner* owner_;
  unsigned editor_;
  Transaction transaction_;
  std::vector<Touched> touched_;
  std::map<ObjectId, std::uint32_t> created_;  // and their classes
};

// What the program that owns the store thinks.
struct Program {
  // Of an edit that has been made in `work`, which may be changed further. Returns why it is refused, or nothing; a
  // base::UserError refuses, too. Without this, every edit is accepted that names objects, classes and slots that
  // exist.
  std::function<std::string(Work& work)> decide = {};
  // An editor has gone, or was let go, and why.
  std::function<void(unsigned editor, const std::string& why)> left = {};
  std::size_t most_edit_bytes = std::size_t{16} << 20;
  std::size_t most_editors = 64;
  // So much may be on its way to an editor besides the state that it began with; one that is further behind is let go.
  std::size_t most_kept_bytes = std::size_t{256} << 20;
};

class Owner {
 public:
  // Opens the store. Throws base::UserError: it cannot be opened, or has an owner.
  Owner(const std::filesystem::path& store, Transport transport, Program program = {});
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner();

  const Store& store() const { return store_; }
  // Like Store::define(); editors are told.
  Class define(std::string_view name, std::initializer_list<std::string_view> slots);
  Work begin() { return {*this, 0}; }

  // Readable when serve() has something to do: poll, epoll, libevent.
  int descriptor() const;
  // Does what there is to do; waits for that up to so many milliseconds, for ever if negative.
  void serve(int timeout_ms);

  std::size_t editors() const { return editors_.size(); }
  // Sent to all editors, those that have gone too.
  Traffic traffic() const;

 private:
  friend class Work;
  struct Connected;
  struct Sockets;

  std::uint64_t commit(Work& work, Connected* proposer, std::uint64_t edit, const std::vector<ObjectId>& made);
  Outgoing told(const Work& work, const std::vector<ObjectId>& made) const;
  void tell(const Work& work, Connected* proposer, const End& end, const std::vector<ObjectId>& made);
  void accept_editors();
  void attend(unsigned number, bool ended);
  void hear(Connected& editor);
  unsigned hear_staged(Connected& editor, unsigned may);
  void greet(Connected& editor, const Group& group);
  void decide(Connected& editor, const Group& group);
  void answer(Connected& editor, const Outgoing& group);
  void send_answers(Connected& editor);
  void wake(Connected& editor);
  void settle(Connected& editor);
  void let_go(unsigned number, const std::string& why);
  void let_the_slow_go();

  std::filesystem::path path_;
  Transport transport_;
  Manner manner_;
  Program program_;
  Store store_;
  std::unique_ptr<Sockets> sockets_;
  std::map<unsigned, std::unique_ptr<Connected>> editors_;
  unsigned newest_ = 0;
  Traffic gone_;  // sent to those that have gone
};

}  // namespace heddle::objectbase
