#include "crawler/parse/namespaces.hpp"

#include <string>

#include "crawler/parse/character_reference.hpp"

namespace heddle::crawler {
namespace {

Namespaces::Space space_of(std::string_view value) {
  using enum Namespaces::Space;
  const std::string name = resolve_references(std::string(value), Syntax::xml);
  if (name == "http://www.w3.org/1999/xhtml") return html;
  if (name == "http://www.w3.org/2000/svg") return svg;
  if (name == "http://www.w3.org/1999/xlink") return xlink;
  return name.empty() ? html : other;
}

struct QualifiedName {
  std::string_view prefix;
  std::string_view local;
};

QualifiedName split_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return {"", name};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

}  // namespace

void Namespaces::start(std::span<const Attribute> attributes) {
  ++depth_;
  for (const Attribute& attribute : attributes) {
    const auto [prefix, local] = split_name(attribute.name);
    if (prefix != "xmlns" && attribute.name != "xmlns") continue;
    const std::string_view declared = prefix.empty() ? "" : local;
    const Space space = space_of(attribute.value);
    if (space != of_prefix(declared) && bindings_.size() < kMost) bindings_.push_back({declared, space, depth_});
  }
}

void Namespaces::end() {
  while (!bindings_.empty() && bindings_.back().depth >= depth_) bindings_.pop_back();
  if (depth_ > 0) --depth_;
}

Namespaces::Name Namespaces::of_element(std::string_view name) const {
  const auto [prefix, local] = split_name(name);
  return {of_prefix(prefix), local};
}

const std::string_view* Namespaces::xlink(std::span<const Attribute> attributes, std::string_view local) const {
  for (const Attribute& attribute : attributes) {
    const QualifiedName name = split_name(attribute.name);
    if (name.local == local && !name.prefix.empty() && of_prefix(name.prefix) == Space::xlink) return &attribute.value;
  }
  return nullptr;
}

Namespaces::Space Namespaces::of_prefix(std::string_view prefix) const {
  for (std::size_t i = bindings_.size(); i > 0; --i)
    if (bindings_[i - 1].prefix == prefix) return bindings_[i - 1].space;
  return prefix.empty() ? Space::html : Space::other;
}

}  // namespace heddle::crawler
