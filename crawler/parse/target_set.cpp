#include "crawler/parse/target_set.hpp"

#include <string>
#include <utility>

namespace heddle::crawler {

bool TargetSet::add(std::string_view text, Naming naming) {
  auto target = base_.resolve(text);
  if (!target) return false;
  note(find(std::move(*target)), naming);
  return true;
}

void TargetSet::add_lasting(std::string_view text, Naming naming) {
  // A first `#` starts the fragment, which no target has (URL standard, section 4.4).
  text = text.substr(0, text.find('#'));
  const auto next = static_cast<std::uint32_t>(spellings_.size());
  const std::uint32_t place =
      spelling_index_.find_or_add(text, next, [this](std::uint32_t i) { return spellings_[i].text; });
  if (place == next) {
    auto target = base_.resolve(text);
    spellings_.push_back({text, target ? find(std::move(*target)) : kNoLink});
  }
  note(spellings_[place].link, naming);
}

std::uint32_t TargetSet::find(Url&& target) {
  if (target.text().size() > Page::kMostUrlBytes || bytes_ > Page::kMostBytes) return kNoLink;
  const bool is_web = target.is_web();
  TextIndex& index = is_web ? link_index_ : other_index_;
  const auto next = static_cast<std::uint32_t>(is_web ? links_.size() : others_.size());
  const std::uint32_t place = index.find_or_add(target.text(), next, [&](std::uint32_t i) {
    return std::string_view(is_web ? links_[i].target.text() : others_[i]);
  });
  if (place != next) return is_web ? place : kNoLink;
  bytes_ += target.text().size();
  if (!is_web) {
    others_.push_back(target.text());
    return kNoLink;
  }
  links_.push_back({.target = std::move(target)});
  return place;
}

void TargetSet::note(std::uint32_t link, Naming naming) {
  if (link == kNoLink) return;
  links_[link].follow |= naming.follow;
  links_[link].resource |= naming.resource;
  links_[link].nofollow |= naming.nofollow;
}

}  // namespace heddle::crawler
