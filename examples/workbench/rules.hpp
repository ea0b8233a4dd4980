// The rules of a Workshop: files for CLIPS 6.30, which a user edits. CLIPS has a fact for each object, and fires the
// rules whose patterns match; they call functions that change objects, and so other facts.
//
//   (Function (id ?i) (file ?f) (place ?p) (name ?n) (lines ?l) (parent ?c) (hidden ?h) (readonly ?r) (sum ?x)), Class,
//   Text
//                                                  `sum` is another number when the source is another
//   (File (id ?i) (path ?p) (mode ?m)), (Note ...), (Link ...): slots as objects.cpp has them; 0 is no object
//   (item (id ?i) (class ?c))                    each of them
//   (definition (id ?i) (class Function|Class) (file ?f) (name ?n))
//   (reference (id ?i) (from ?s) (to ?s) (name ?n) (rule ?r))
//                                                a function or class, and a link: the fact stays the same as long as
//                                                these slots do, whatever else changes, so it costs less to match
//   (mention (from ?s) (file ?f) (name ?n) (call yes|no))  a section's source names what is, or was, defined
//   (changed (id ?i) (class ?c) (slot ?s) (old ?o) (new ?n)), (created (id ?i) (class ?c)),
//   (erased (id ?i) (class ?c) (name ?n) (readonly ?r))  what an edit says; gone when the rules have come to their end
//
//   (make CLASS SLOT VALUE ...) -> id, (put ID SLOT VALUE), (drop ID), (source ID) -> text, (refuse TEXT)
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "objects.hpp"

namespace workbench {

// A rule file is broken: FILE:LINE: why.
class RulesError : public Error {
 public:
  RulesError(std::filesystem::path its_file, const std::string& what) : Error(what), file(std::move(its_file)) {}
  std::filesystem::path file;
};

// The objects that rules change. Each may throw.
class Objects {
 public:
  virtual ~Objects() = default;
  virtual ObjectId make(const ClassForm& form) = 0;
  virtual void put(ObjectId id, const ClassForm& form, unsigned slot, const Value& value) = 0;
  virtual void done(ObjectId id, const ClassForm& form) = 0;  // with what is made or put: facts follow
  virtual void drop(ObjectId id) = 0;
  virtual const ClassForm* form(ObjectId id) = 0;  // null: there is no such object
  virtual Value get(ObjectId id, unsigned slot) = 0;
};

class Rules {
 public:
  // Loads the files. Throws RulesError.
  explicit Rules(const std::vector<std::filesystem::path>& files);
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;
  ~Rules();

  // --- Facts ---
  // Whom rules ask for sources, also while facts are put; as long as nothing else is said.
  void look_at(Objects& objects) { objects_ = &objects; }
  // An object as it is now; each Value by its slot. Of sections' sources, their sum.
  void put(ObjectId id, const ClassForm& form, std::span<const Value> slots);
  void drop(ObjectId id);
  // Names by their numbers, which the caller gives.
  void mention(ObjectId from, ObjectId file, std::uint32_t number, const std::string& name, bool call);
  void forget_mention(ObjectId from, std::uint32_t number);
  void changed(ObjectId id, const ClassForm& form, unsigned slot, const Value& before, const Value& after);
  void created(ObjectId id, const ClassForm& form);
  void erased(ObjectId id, const ClassForm& form, std::string_view name, bool readonly);

  // Fires rules until none matches; they change the objects that are looked at. They are stopped after so much
  // processor time. Returns why an edit is refused, or nothing. What rules print is added to `said`.
  std::string run(double most_seconds, std::string& said);

  std::size_t count(const std::filesystem::path& file) const;  // of rules
  std::uint64_t fired() const { return fired_; }

 private:
  friend struct Functions;
  struct Clips;
  void load(const std::filesystem::path& file);
  void define_templates();
  void release(void* fact);
  void keep(void* fact);
  void add_event(void* fact);

  std::unique_ptr<Clips> clips_;
  struct Facts {  // of an object
    void* object = nullptr;
    void* item = nullptr;
    void* name = nullptr;  // the definition or reference, if it has one
  };
  std::unordered_map<std::uint64_t, Facts> facts_;
  std::map<std::pair<ObjectId, std::uint32_t>, void*> mentioned_;  // by section and name
  std::vector<void*> events_;                                      // changed, created, erased
  std::map<std::filesystem::path, std::size_t> counts_;
  Objects* objects_ = nullptr;
  bool runs_ = false;  // only then rules change objects
  std::string refused_;
  std::string failed_;
  std::uint64_t fired_ = 0;
};

}  // namespace workbench
