// What an editor sees of the objects: a state that one commit has left, which stays as it is until the editor asks for
// news. Either a copy that messages keep up to date, or a snapshot of the store that is mapped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "objectbase/objectbase.hpp"
#include "objectbase/transport/message.hpp"
#include "objectbase/transport/transport.hpp"

namespace heddle::objectbase {

class View {
 public:
  View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  virtual ~View() = default;

  // The class's number; 0 if there is no such object.
  virtual std::uint32_t type(ObjectId id) const = 0;
  // Valid until changed() is called.
  virtual Value get(ObjectId id, unsigned slot) const = 0;
  virtual void each(const std::function<void(ObjectId)>& call) const = 0;
  virtual std::optional<Form> form(std::string_view name) const = 0;
  virtual std::optional<Form> form(std::uint32_t number) const = 0;
  virtual std::uint64_t commit() const = 0;

  // What the owner says of a transaction. Throws Malformed.
  virtual void take(const Group& group) = 0;
  // Objects that have changed since the last call, by their numbers. From now on their new state is seen.
  virtual std::vector<ObjectId> changed() = 0;
  // Readable when there may be changes that no message tells of; -1 if there are no such changes.
  virtual int descriptor() const { return -1; }
  virtual void look() {}         // it is readable
  virtual void look_at_all() {}  // the owner is gone: it may have changed something and told nobody
};

class Copy final : public View {
 public:
  std::uint32_t type(ObjectId id) const override;
  Value get(ObjectId id, unsigned slot) const override;
  void each(const std::function<void(ObjectId)>& call) const override;
  std::optional<Form> form(std::string_view name) const override;
  std::optional<Form> form(std::uint32_t number) const override;
  std::uint64_t commit() const override { return commit_; }
  void take(const Group& group) override;
  std::vector<ObjectId> changed() override;

 private:
  struct Object {
    std::uint32_t type = 0;
    std::vector<std::pair<Head, std::string>> slots;  // as they came
  };
  void touch(std::uint64_t object);
  void make(const Message& message);
  void set(const Message& message);
  void learn(const Message& message);

  std::map<std::uint64_t, Object> objects_;
  std::map<std::uint32_t, Form> forms_;
  std::map<std::uint64_t, bool> touched_;  // was there such an object before?
  std::uint64_t commit_ = 0;
};

class Mapping final : public View {
 public:
  Mapping(const std::filesystem::path& store, bool watches);

  std::uint32_t type(ObjectId id) const override;
  Value get(ObjectId id, unsigned slot) const override;
  void each(const std::function<void(ObjectId)>& call) const override;
  std::optional<Form> form(std::string_view name) const override;
  std::optional<Form> form(std::uint32_t number) const override;
  std::uint64_t commit() const override { return seen_ ? seen_->commit() : 0; }
  void take(const Group& group) override;
  std::vector<ObjectId> changed() override;
  int descriptor() const override { return watch_ ? watch_->descriptor() : -1; }
  void look() override;
  void look_at_all() override { noted_.all = true; }

 private:
  bool is_news(ObjectId id, const Snapshot& now);
  const Pinned& found(ObjectId id) const;

  Store store_;
  std::optional<Watch> watch_;
  std::optional<Snapshot> seen_;
  // What was asked for last, as `seen_` has it: most are asked for one slot after the other.
  mutable ObjectId last_id_;
  mutable Pinned last_;
  Changes noted_;  // what this side was told of, and has not looked at

  // A snapshot may have commits that this side is told of only afterwards. What changed in them is news when it is
  // told, and not once more if it was reported by chance, for another change.
  struct Reported {
    std::uint64_t version;  // the commit of the version that was seen; 0: none
    std::uint64_t seen;     // the commit of the snapshot
  };
  std::uint64_t told_ = 0;                 // of commits up to this one, all has been told
  std::uint64_t reported_until_ = 0;       // and reported
  std::map<ObjectId, Reported> reported_;  // in snapshots behind told_
  std::optional<Snapshot> before_;         // what was seen before, if `seen_` is behind told_
};

}  // namespace heddle::objectbase
