// The Workshop: owns the objects, checks each edit, derives what follows of it, and has the rules check and change the
// rest. An edit and all that rules make of it are one transaction; one that is refused leaves nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "objectbase/transport/owner.hpp"
#include "objects.hpp"
#include "outline.hpp"
#include "rules.hpp"
#include "words.hpp"

namespace workbench {

using heddle::objectbase::Owner;
using heddle::objectbase::Transport;
using heddle::objectbase::Work;

class Workshop {
 public:
  using Say = std::function<void(const std::string& line)>;

  // Throws base::UserError: the store has an owner, or none can be; Error: it is no workbench's; RulesError.
  Workshop(const std::filesystem::path& store, Transport transport, std::vector<std::filesystem::path> rule_files,
           Say say);
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  ~Workshop();

  Owner& owner() { return owner_; }
  // Takes these rule files, as they are now; if one is broken, says so and goes on with the rules that there were.
  void load_rules(std::vector<std::filesystem::path> files);
  std::uint64_t fired() const { return fired_ + rules_->fired(); }

 private:
  class Changes;
  class Stored;

  std::string decide(Work& work);
  // --- What an edit says ---
  void check(const Work& work) const;
  void derive(Work& work);
  void derive_section(Work& work, ObjectId id, const ClassForm& form);
  void cut(Work& work, ObjectId id, const std::vector<Cut>& cuts, std::size_t own);
  void announce(const Work& work);
  // --- Facts ---
  void reflect(const Work& work);
  template <class Get>
  void put_facts(ObjectId id, const ClassForm& form, const Get& get);
  void drop_facts(ObjectId id);
  void know(std::string_view name);
  void mention(ObjectId section, ObjectId file, std::string_view name, std::string_view source, std::int64_t sum);
  void forget_mentions(ObjectId section);
  void take_back(const std::vector<ObjectId>& objects);
  void fill_rules();
  void settle_rules(const std::filesystem::path& broken_file, const std::string& why);

  const heddle::objectbase::Class& type(Kind kind) const { return types_[static_cast<std::size_t>(kind)]; }
  bool is_there(const Work& work, ObjectId id) const { return work.type(id) != 0 && !erased_.contains(id); }
  const Words& words_of(std::string_view source, Style style);
  Style style_in(ObjectId file) const;
  const ClassForm* form_of(const Work& work, ObjectId id) const;
  std::string path_of(const Work& work, ObjectId section) const;
  // Of the sections of the same file: the one before, the one behind.
  std::pair<ObjectId, ObjectId> neighbours(const Work& work, ObjectId section) const;

  std::vector<std::filesystem::path> rule_files_;
  Say say_;
  Owner owner_;
  Kinds kinds_;
  Outliner outliner_;
  std::unique_ptr<Stored> stored_;
  std::unique_ptr<Rules> rules_;
  std::uint64_t fired_ = 0;  // by rules that were replaced

  std::vector<heddle::objectbase::Class> types_;  // by Kind

  Names names_;
  struct About {            // a name
    bool known = false;     // it is defined, was, or is linked to
    std::set<ObjectId> by;  // sections that mention it
  };
  std::vector<About> about_;  // by the name's number
  About& about(std::uint32_t name);

  struct Section {
    ObjectId file;
    std::uint32_t name = 0;  // its own, which is left out of its words
    std::int64_t sum = 0;    // of the source whose words these are
    Words words;
  };
  std::map<ObjectId, Section> sections_;
  std::set<ObjectId> erased_;           // in the transaction that is being made
  std::pair<std::string, Words> read_;  // what was read last, which is asked for twice
  Style read_style_ = Style::kOther;
  std::unordered_map<std::uint64_t, Style> styles_;  // of files

  // Of the edit before: if it did not become a commit after all, its facts are taken back.
  std::vector<ObjectId> last_;
  std::uint64_t last_commit_ = 0;
};

}  // namespace workbench
