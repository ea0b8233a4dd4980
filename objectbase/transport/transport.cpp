#include "objectbase/transport/transport.hpp"

#include "base/user_error.hpp"

namespace heddle::objectbase {
namespace {

struct Described {
  std::string_view name;
  Manner manner;
};

// In the order of Transport.
constexpr std::array<Described, kTransports.size()> kDescribed = {{
    {"V1", {.threads = false, .values = true, .watches = false, .objects = false, .together = false}},
    {"V1c", {.threads = false, .values = true, .watches = false, .objects = false, .together = true}},
    {"V2", {.threads = true, .values = true, .watches = false, .objects = false, .together = false}},
    {"V3a", {.threads = true, .values = false, .watches = false, .objects = false, .together = false}},
    {"V3b", {.threads = true, .values = false, .watches = false, .objects = true, .together = false}},
    {"V4", {.threads = false, .values = false, .watches = true, .objects = true, .together = true}},
}};

const Described& described(Transport transport) { return kDescribed.at(static_cast<std::size_t>(transport)); }

}  // namespace

std::string_view name_of(Transport transport) { return described(transport).name; }
Manner manner_of(Transport transport) { return described(transport).manner; }

std::optional<Transport> transport_named(std::string_view name) {
  for (const Transport each : kTransports)
    if (name_of(each) == name) return each;
  return std::nullopt;
}

unsigned Form::slot(std::string_view slot_name) const {
  std::string known;
  for (unsigned i = 0; i < slots.size(); ++i) {
    if (slots[i] == slot_name) return i;
    known += (known.empty() ? "" : ", ") + slots[i];
  }
  throw base::UserError("objectbase: class " + name + " has no slot " + std::string(slot_name) + "; it has: " + known);
}

}  // namespace heddle::objectbase
