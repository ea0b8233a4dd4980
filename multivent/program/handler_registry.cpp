#include "multivent/program/handler_registry.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "base/user_error.hpp"
#include "multivent/program/own_functions.hpp"
#include "multivent/program/scratch.hpp"
#include "schemas/agreements.hpp"

namespace heddle::multivent {
namespace {

using SessionKind = ConstraintsFile::SessionKind;

std::size_t slot_of(std::uintptr_t address, std::size_t slots) {
  // Functions are aligned to 16 bytes, seldom to more.
  return (address >> 4) % slots;
}

// Disjoint sets of handlers that cannot be told apart.
class Groups {
 public:
  explicit Groups(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }

  std::size_t find(std::size_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }

  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

// What holds for every member of a group: nothing if two members disagree on where the session object begins.
struct GroupSession {
  SessionKind kind = SessionKind::kNull;
  std::intptr_t offset = 0;

  void add(const ConstraintsFile::Handler& handler) {
    if (handler.session_kind == SessionKind::kNull || kind == SessionKind::kUnknown) return;
    const bool agrees = kind == SessionKind::kNull || offset == handler.session_offset;
    kind = agrees ? handler.session_kind : SessionKind::kUnknown;
    offset = handler.session_offset;
  }
};

std::string_view without_folders(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

scheduler::Verdict without_session(scheduler::Verdict verdict) {
  return verdict == scheduler::Verdict::kSession ? scheduler::Verdict::kAlways : verdict;
}

const char connection_mark = 0;
const OwnFunction connections(&connection_mark, schemas::figures::kConnections, /*is_judged=*/true);

}  // namespace

const void* connections_of_evhttp() { return &connection_mark; }

HandlerRegistry::HandlerRegistry(const Symbols& symbols) : symbols_(symbols) {}

HandlerRegistry::HandlerRegistry(const Symbols& symbols, const ConstraintsFile& file) : symbols_(symbols) {
  check_fits(file);
  check_late_points(file);
  set_scratch_apart(file);
  add_known_handlers(file);
  add_verdicts(file);
}

void HandlerRegistry::check_fits(const ConstraintsFile& file) const {
  const std::string& program = symbols_.program_name();
  if (symbols_.stripped()) {
    throw base::UserError(
        program + ": stripped, so its handlers cannot be found: run the program as it was linked, before strip");
  }
  if (symbols_.build_id() == "none") {
    throw base::UserError(program +
                          ": has no build id, so constraints cannot be matched to it: link it with -Wl,--build-id");
  }
  if (file.build_id != symbols_.build_id()) {
    throw base::UserError(file.path + ": made for another build of " + program + ": run heddle analyze again");
  }
  for (const ConstraintsFile::Library& library : file.libraries) {
    const std::vector<std::string>& added = symbols_.libraries();
    if (std::find(added.begin(), added.end(), library.build_id) == added.end()) {
      throw base::UserError(file.path + ": made for another build of " + library.name + ": run heddle analyze again");
    }
  }
}

void HandlerRegistry::check_late_points(const ConstraintsFile& file) const {
  for (const ConstraintsFile::LatePoint& point : file.late_points) {
    if (symbols_.has_late_point(point.number)) continue;
    throw base::UserError(file.path + ": rests on a late point at " + point.place + " that " + symbols_.program_name() +
                          " does not have: build it with heddle build --late and run heddle analyze again");
  }
}

void HandlerRegistry::set_scratch_apart(const ConstraintsFile& file) const {
  for (const ConstraintsFile::Scratch& one : file.scratch) {
    if (const ScratchBuffer* buffer = symbols_.scratch_buffer(one.number)) {
      set_apart(*buffer);
      continue;
    }
    throw base::UserError(file.path + ": rests on the buffer " + one.name + " that " + symbols_.program_name() +
                          " does not have: build it with heddle build --scratch and run heddle analyze again");
  }
}

// By handler: it shares its name with others, and the symbol table says of each function of that name to which of them
// it belongs.
std::vector<bool> HandlerRegistry::told_apart(const ConstraintsFile& file) const {
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < file.handlers.size(); ++i) by_name[file.handlers[i].name].push_back(i);
  std::vector<bool> apart(file.handlers.size(), false);
  for (const auto& [name, here] : by_name) {
    if (here.size() < 2) continue;
    std::size_t found = 0;
    std::unordered_set<std::string_view> files;
    for (const std::size_t i : here) {
      const std::string_view source = without_folders(file.handlers[i].file);
      const std::size_t own = symbols_.addresses_of(name, source).size();
      found = own == 1 && files.insert(source).second ? found + own : here.size() + 1;
    }
    if (found != here.size() || symbols_.addresses_of(name).size() != found) continue;
    for (const std::size_t i : here) apart[i] = true;
  }
  return apart;
}

void HandlerRegistry::add_known_handlers(const ConstraintsFile& file) {
  const std::vector<bool> apart = told_apart(file);
  Groups groups(file.handlers.size());
  std::unordered_map<std::string_view, std::size_t> by_name;
  std::unordered_map<std::uintptr_t, std::size_t> by_address;
  for (std::size_t i = 0; i < file.handlers.size(); ++i) {
    const std::string& name = file.handlers[i].name;
    if (!apart[i]) groups.join(i, by_name.emplace(name, i).first->second);
    const std::vector<std::uintptr_t> addresses =
        apart[i] ? symbols_.addresses_of(name, without_folders(file.handlers[i].file)) : symbols_.addresses_of(name);
    if (addresses.empty()) missing_.push_back(name);
    for (const std::uintptr_t address : addresses) groups.join(i, by_address.emplace(address, i).first->second);
  }
  if (by_address.empty() && !file.handlers.empty()) {
    throw base::UserError(symbols_.program_name() + ": has none of the handlers that " + file.path +
                          " names: run heddle analyze again");
  }

  std::vector<GroupSession> sessions(file.handlers.size());
  for (std::size_t i = 0; i < file.handlers.size(); ++i) sessions[groups.find(i)].add(file.handlers[i]);

  std::vector<bool> on_behalf(file.handlers.size(), true);
  for (std::size_t i = 0; i < file.handlers.size(); ++i)
    on_behalf[groups.find(i)] = on_behalf[groups.find(i)] && file.handlers[i].on_behalf;

  std::vector<bool> pinned(file.handlers.size(), false);
  for (std::size_t i = 0; i < file.handlers.size(); ++i)
    if (!file.handlers[i].pinned_by.empty()) pinned[groups.find(i)] = true;

  std::vector<scheduler::ClassId> classes(file.handlers.size(), scheduler::kUnknownClass);
  for (std::size_t i = 0; i < file.handlers.size(); ++i) {
    const std::size_t group = groups.find(i);
    const std::string name = (apart[i] ? file.handlers[i].file + ":" : "") + file.handlers[i].name;
    if (classes[group] == scheduler::kUnknownClass) classes[group] = constraints_.add_class(name);
    const GroupSession& session = sessions[group];
    handlers_.push_back({.index = static_cast<std::uint32_t>(i),
                         .klass = classes[group],
                         .known = true,
                         .on_behalf = on_behalf[group],
                         .pinned = pinned[group],
                         .has_session = session.kind == SessionKind::kObject,
                         .session_offset = session.offset,
                         .name = name});
  }
  known_ = handlers_.size();
  for (const auto& [address, i] : by_address) by_address_.emplace(address, &handlers_[i]);
}

// Two handlers of one group are judged by every pair between the two groups: the strongest verdict holds, and a pair
// that the document leaves out is `always`. The same for each direction of what suffices to start.
void HandlerRegistry::add_verdicts(const ConstraintsFile& file) {
  using scheduler::Verdict;
  struct Judged {
    Verdict verdict = Verdict::kNever;
    Verdict a_starts = Verdict::kNever;
    Verdict b_starts = Verdict::kNever;
    void strengthen(const Judged& other) {
      verdict = std::max(verdict, other.verdict);
      a_starts = std::max(a_starts, other.a_starts);
      b_starts = std::max(b_starts, other.b_starts);
    }
    // Seen with the two in the other order.
    Judged turned() const { return {verdict, b_starts, a_starts}; }
  };
  struct Entry {
    std::size_t pairs = 0;
    Judged judged;
  };
  std::vector<std::size_t> members(constraints_.size());
  std::vector<bool> session_unknown(constraints_.size());
  for (std::size_t i = 0; i < known_; ++i) {
    ++members[handlers_[i].klass];
    // A handler whose argument is always null has no session, and yet its `session` verdicts hold: they never apply.
    if (!handlers_[i].has_session && file.handlers[i].session_kind != SessionKind::kNull) {
      session_unknown[handlers_[i].klass] = true;
    }
  }

  std::map<std::pair<std::size_t, std::size_t>, Judged> verdicts;
  for (const ConstraintsFile::Pair& pair : file.pairs) {
    const Judged here{pair.verdict, pair.a_starts.value_or(pair.verdict), pair.b_starts.value_or(pair.verdict)};
    verdicts[std::minmax(pair.a, pair.b)].strengthen(pair.a <= pair.b ? here : here.turned());
    const auto key = std::minmax(handlers_[pair.a].klass, handlers_[pair.b].klass);
    std::vector<std::string>& objects = objects_[key];
    for (const std::string& object : pair.objects) {
      if (std::find(objects.begin(), objects.end(), object) == objects.end()) objects.push_back(object);
    }
  }

  std::map<std::pair<scheduler::ClassId, scheduler::ClassId>, Entry> entries;
  for (const auto& [pair, judged] : verdicts) {
    const scheduler::ClassId first = handlers_[pair.first].klass;
    const scheduler::ClassId second = handlers_[pair.second].klass;
    Entry& entry = entries[std::minmax(first, second)];
    ++entry.pairs;
    if (first <= second) entry.judged.strengthen(judged);
    if (second <= first) entry.judged.strengthen(judged.turned());
  }
  for (const auto& [classes, entry] : entries) {
    const auto [a, b] = classes;
    const std::size_t expected = a == b ? members[a] * (members[a] + 1) / 2 : members[a] * members[b];
    if (entry.pairs < expected) continue;
    const bool unknown = session_unknown[a] || session_unknown[b];
    const auto known = [&](Verdict verdict) { return unknown ? without_session(verdict) : verdict; };
    constraints_.set(a, b, known(entry.judged.verdict));
    constraints_.set_starts(a, b, known(entry.judged.a_starts));
    constraints_.set_starts(b, a, known(entry.judged.b_starts));
  }
}

const Handler& HandlerRegistry::find(std::uintptr_t address) {
  const ByAddress::value_type* const cached = cache_[slot_of(address, kCacheSlots)].load(std::memory_order_acquire);
  if (cached != nullptr && cached->first == address) return *cached->second;
  return find_slowly(address);
}

const Handler& HandlerRegistry::find_slowly(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  auto found = by_address_.find(address);
  if (found == by_address_.end()) {
    Handler& added = handlers_.emplace_back();
    added.index = static_cast<std::uint32_t>(handlers_.size() - 1);
    const OwnFunction* const own = OwnFunction::find(address);
    added.name = own != nullptr ? own->name : name_of(address);
    added.judged = own != nullptr && own->judged;
    found = by_address_.emplace(address, &added).first;
  }
  cache_[slot_of(address, kCacheSlots)].store(&*found, std::memory_order_release);
  return *found->second;
}

std::string HandlerRegistry::name_of(std::uintptr_t address) const {
  const std::string_view own = symbols_.name_at(address);
  if (!own.empty()) return std::string(own);
  Dl_info info{};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses are kept as numbers and only dladdr() wants a pointer
  const bool found = dladdr(reinterpret_cast<const void*>(address), &info) != 0;
  if (found && info.dli_sname != nullptr && reinterpret_cast<std::uintptr_t>(info.dli_saddr) == address) {
    return info.dli_sname;
  }
  std::string module = found && info.dli_fname != nullptr ? info.dli_fname : "";
  const std::uintptr_t start = found ? reinterpret_cast<std::uintptr_t>(info.dli_fbase) : 0;
  if (const std::size_t slash = module.rfind('/'); slash != std::string::npos) module.erase(0, slash + 1);
  std::array<char, 32> offset{};
  std::snprintf(offset.data(), offset.size(), "+0x%zx", static_cast<std::size_t>(address - start));
  return module + offset.data();
}

std::vector<const Handler*> HandlerRegistry::handlers() const {
  const std::lock_guard lock(mutex_);
  std::vector<const Handler*> all;
  all.reserve(handlers_.size());
  for (const Handler& handler : handlers_) all.push_back(&handler);
  return all;
}

std::span<const std::string> HandlerRegistry::objects(const Handler& a, const Handler& b) const {
  const auto found = objects_.find(std::minmax(a.klass, b.klass));
  if (!a.known || !b.known || found == objects_.end()) return {};
  return found->second;
}

}  // namespace heddle::multivent
