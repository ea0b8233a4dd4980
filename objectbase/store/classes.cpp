// Classes: a name and the names of slots, in a block that is never changed.
#include <algorithm>
#include <cstring>

#include "base/on_exit.hpp"
#include "base/user_error.hpp"
#include "objectbase/objectbase.hpp"
#include "objectbase/store/space.hpp"

namespace heddle::objectbase {

unsigned Class::slot(std::string_view name) const {
  for (unsigned i = 0; i < slots_.size(); ++i)
    if (slots_[i] == name) return i;
  std::string known;
  for (const std::string& each : slots_) known += (known.empty() ? "" : ", ") + each;
  throw base::UserError("objectbase: class " + name_ + " has no slot " + std::string(name) + "; it has: " + known);
}

Class Store::type(std::uint32_t number) const {
  Class type;
  if (number == 0 || number > types()) return type;
  const Offset place = space_->header().names[number - 1].load(std::memory_order_acquire);
  const auto* names = space_->at<ClassNames>(place);
  if (names == nullptr || space_->at<char>(place, sizeof(ClassNames) + names->bytes) == nullptr) return type;
  const char* text = names->text();
  const char* const end = text + names->bytes;
  for (unsigned i = 0; i <= names->slots && end - text >= 2; ++i) {
    std::uint16_t length = 0;
    std::memcpy(&length, text, sizeof length);
    text += sizeof length;
    if (length > end - text) break;
    (i == 0 ? type.name_ : type.slots_.emplace_back()).assign(text, length);
    text += length;
  }
  type.number_ = number;
  return type;
}

std::size_t Store::slots(std::uint32_t number) const {
  if (number == 0 || number > types()) return 0;
  const auto* names = space_->at<ClassNames>(space_->header().names[number - 1].load(std::memory_order_acquire));
  return names == nullptr ? 0 : names->slots;
}

std::uint32_t Store::types() const {
  return std::min(space_->header().classes.load(std::memory_order_acquire), std::uint32_t{kMostClasses});
}

std::optional<Class> Store::find(std::string_view name) const {
  for (std::uint32_t number = 1; number <= types(); ++number)
    if (Class found = type(number); found.name_ == name) return found;
  return std::nullopt;
}

Class Store::define(std::string_view name, std::span<const std::string_view> slots) {
  if (!space_->writes()) throw base::UserError("objectbase: the store was opened to read");
  if (name.empty()) throw base::UserError("objectbase: a class has a name");
  space_->lock();
  const base::OnExit unlock([this] { space_->unlock(); });
  Class type = find(name).value_or(Class{});
  const bool known = type.number_ != 0;
  bool changed = !known;
  type.name_ = name;
  for (const std::string_view slot : slots) {
    if (std::find(type.slots_.begin(), type.slots_.end(), slot) != type.slots_.end()) continue;
    type.slots_.emplace_back(slot);
    changed = true;
  }
  if (!changed) return type;
  Header& header = space_->header();
  if (!known && header.classes.load(std::memory_order_relaxed) == kMostClasses)
    throw base::UserError("objectbase: a store has at most " + std::to_string(kMostClasses) + " classes");
  std::string text;
  const auto add = [&](const std::string& word) {
    if (word.size() > 0xffff) throw base::UserError("objectbase: a name has at most 65535 bytes");
    const auto length = static_cast<std::uint16_t>(word.size());
    text.append(reinterpret_cast<const char*>(&length), sizeof length).append(word);
  };
  add(type.name_);
  for (const std::string& slot : type.slots_) add(slot);
  const Offset place = space_->allocate(sizeof(ClassNames) + text.size(), Kind::kClass);
  auto& names = space_->needed<ClassNames>(place);
  if (!known) type.number_ = header.classes.load(std::memory_order_relaxed) + 1;
  names.older = header.names[type.number_ - 1].load(std::memory_order_relaxed);
  names.slots = static_cast<std::uint32_t>(type.slots_.size());
  names.bytes = static_cast<std::uint32_t>(text.size());
  std::memcpy(names.text(), text.data(), text.size());
  header.names[type.number_ - 1].store(place, std::memory_order_release);  // with the acquire in type()
  if (!known) header.classes.store(type.number_, std::memory_order_release);
  return type;
}

}  // namespace heddle::objectbase
