#include "multivent/program/declarations.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>

#include "base/user_error.hpp"

namespace heddle::multivent {
namespace {

using Indices = std::vector<std::size_t>;  // of handlers in a document

constexpr const char* kByHand = "declared by the program";

class Editor {
 public:
  Editor(ConstraintsFile& document, const Symbols& symbols) : document_(document), symbols_(symbols) {}

  // All that the document says of the function at `address`; the linker may have folded several into one.
  Indices known(std::uintptr_t address) const {
    Indices found;
    for (std::size_t i = 0; i < document_.handlers.size(); ++i) {
      const std::vector<std::uintptr_t> addresses = symbols_.addresses_of(document_.handlers[i].name);
      if (std::find(addresses.begin(), addresses.end(), address) != addresses.end()) found.push_back(i);
    }
    return found;
  }

  // The same, for a function that is to be promised something: added if the document does not know it.
  Indices promised(std::uintptr_t address) {
    Indices found = known(address);
    if (found.empty()) {
      found.push_back(document_.handlers.size());
      document_.handlers.push_back({name_of(address), ConstraintsFile::SessionKind::kUnknown, 0});
    }
    for (const std::size_t i : found) {
      const std::string& name = document_.handlers[i].name;
      if (symbols_.addresses_of(name).size() == 1) continue;
      throw base::UserError(name + ": several functions of " + symbols_.program_name() +
                            " have this name, so nothing can be promised of one: give it a name of its own");
    }
    return found;
  }

  std::string name_of(std::uintptr_t address) const {
    const std::string_view name = symbols_.name_at(address);
    if (!name.empty()) return std::string(name);
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "0x%zx", static_cast<std::size_t>(address));
    throw base::UserError(std::string(number.data()) + ": no function that " + symbols_.program_name() +
                          " names begins there: declare its own handlers, and do not strip it");
  }

  void raise(const Indices& a, const Indices& b, scheduler::Verdict verdict) {
    for (ConstraintsFile::Pair& pair : document_.pairs) {
      if (!joins(pair, a, b)) continue;
      // What is required holds from the start.
      for (std::optional<scheduler::Verdict>* starts : {&pair.a_starts, &pair.b_starts})
        if (*starts) *starts = std::max(**starts, verdict);
      if (pair.verdict >= verdict) continue;
      pair.verdict = verdict;
      pair.objects.emplace_back(kByHand);
    }
  }

  void replace(const Indices& a, const Indices& b, scheduler::Verdict verdict) {
    std::erase_if(document_.pairs, [&](const ConstraintsFile::Pair& pair) { return joins(pair, a, b); });
    for (const std::size_t i : a) {
      for (const std::size_t j : b) {
        const ConstraintsFile::Pair pair{std::min(i, j), std::max(i, j), verdict, {kByHand}, {}, {}};
        const bool twice = std::any_of(document_.pairs.begin(), document_.pairs.end(),
                                       [&](const auto& other) { return other.a == pair.a && other.b == pair.b; });
        if (!twice) document_.pairs.push_back(pair);
      }
    }
  }

  void set_session(const Indices& handlers, std::intptr_t offset) {
    for (const std::size_t i : handlers) {
      ConstraintsFile::Handler& handler = document_.handlers[i];
      if (handler.session_kind == ConstraintsFile::SessionKind::kObject && handler.session_offset != offset) {
        throw base::UserError(handler.name + ": its argument lies " + std::to_string(handler.session_offset) +
                              " bytes from the start of its session, says " + document_.path +
                              ", and the program promised " + std::to_string(offset) + ": take the promise out");
      }
      handler.session_kind = ConstraintsFile::SessionKind::kObject;
      handler.session_offset = offset;
    }
  }

 private:
  static bool joins(const ConstraintsFile::Pair& pair, const Indices& a, const Indices& b) {
    const auto in = [](const Indices& all, std::size_t i) { return std::find(all.begin(), all.end(), i) != all.end(); };
    return (in(a, pair.a) && in(b, pair.b)) || (in(b, pair.a) && in(a, pair.b));
  }

  ConstraintsFile& document_;
  const Symbols& symbols_;
};

}  // namespace

void Declarations::apply_to(ConstraintsFile& document, const Symbols& symbols) const {
  Editor editor(document, symbols);
  for (const Session& session : sessions_) editor.set_session(editor.promised(session.handler), session.offset);
  for (const Pair& pair : promised_) editor.replace(editor.promised(pair.a), editor.promised(pair.b), pair.verdict);
  for (const Pair& pair : required_) {
    // A handler that the document does not have is unknown or in no pair, and so it runs beside no other already.
    for (const Address address : {pair.a, pair.b}) static_cast<void>(editor.name_of(address));
    editor.raise(editor.known(pair.a), editor.known(pair.b), pair.verdict);
  }
}

}  // namespace heddle::multivent
