#include "threadlab/data/tree.hpp"

#include <libxml/uri.h>
#include <strings.h>

#include <string_view>
#include <unordered_set>

#include "threadlab/data/digest.hpp"

namespace heddle::threadlab {
namespace {

bool has_name(const xmlNode* node, const char* name) {
  return node->type == XML_ELEMENT_NODE && strcasecmp(reinterpret_cast<const char*>(node->name), name) == 0;
}

// The next node in the order of the document; null behind the last. Without recursion: a document may be deep.
const xmlNode* node_after(const xmlNode* node) {
  // The children of a reference are those of the entity that it names, which has them, too.
  if (node->children != nullptr && node->type != XML_ENTITY_REF_NODE) return node->children;
  while (node != nullptr && node->next == nullptr) node = node->parent;
  return node != nullptr ? node->next : nullptr;
}

std::string attribute_of(const xmlNode* node, const char* name) {
  for (const xmlAttr* attribute = node->properties; attribute != nullptr; attribute = attribute->next) {
    if (strcasecmp(reinterpret_cast<const char*>(attribute->name), name) != 0) continue;
    xmlChar* const text = xmlNodeListGetString(node->doc, attribute->children, 1);
    std::string value = text != nullptr ? reinterpret_cast<const char*>(text) : "";
    xmlFree(text);
    return value;
  }
  return "";
}

std::string absolute(const std::string& url, const std::string& base) {
  xmlChar* const text =
      xmlBuildURI(reinterpret_cast<const xmlChar*>(url.c_str()), reinterpret_cast<const xmlChar*>(base.c_str()));
  std::string built = text != nullptr ? reinterpret_cast<const char*>(text) : "";
  xmlFree(text);
  return built;
}

}  // namespace

std::vector<std::string> Tree::images(const std::string& base) const {
  std::vector<std::string> found;
  if (!document_) return found;
  std::unordered_set<std::string> seen;
  std::string from = base;
  bool has_base = false;
  const xmlNode* const root = xmlDocGetRootElement(document_.get());
  for (const xmlNode* node = root; node != nullptr; node = node_after(node)) {
    if (!has_base && has_name(node, "base")) {
      const std::string given = attribute_of(node, "href");
      if (!given.empty()) from = absolute(given, base);
      has_base = true;
    }
    if (!has_name(node, "img")) continue;
    const std::string source = attribute_of(node, "src");
    if (source.empty()) continue;
    std::string url = absolute(source, from);
    if (!url.empty() && seen.insert(url).second) found.push_back(std::move(url));
  }
  return found;
}

std::string Tree::result() const {
  Digest digest;
  const xmlNode* const root = document_ ? xmlDocGetRootElement(document_.get()) : nullptr;
  const auto add = [&](const xmlChar* text) {
    const std::string_view view = text != nullptr ? reinterpret_cast<const char*>(text) : "";
    digest.add(view.data(), view.size());
    digest.add("", 1);
  };
  for (const xmlNode* node = root; node != nullptr; node = node_after(node)) {
    const auto type = static_cast<unsigned char>(node->type);
    digest.add(&type, 1);
    add(node->name);
    if (node->type != XML_ELEMENT_NODE) {
      add(node->content);
      continue;
    }
    for (const xmlAttr* attribute = node->properties; attribute != nullptr; attribute = attribute->next) {
      add(attribute->name);
      const std::string value = attribute_of(node, reinterpret_cast<const char*>(attribute->name));
      digest.add(value.c_str(), value.size() + 1);
    }
  }
  return quoted(digest.hex());
}

}  // namespace heddle::threadlab
