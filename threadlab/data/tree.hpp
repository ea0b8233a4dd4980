// The tree of an HTML or XML document. It belongs to its parser until it is closed; then anybody reads it.
#pragma once

#include <libxml/tree.h>

#include <memory>
#include <string>
#include <vector>

#include "threadlab/data/data.hpp"

namespace heddle::threadlab {

class Tree : public Data {
 public:
  using Data::Data;

  // By the writer, before it closes the tree. Takes the document over.
  void set_document(xmlDocPtr document) { document_.reset(document); }

  // The `src` of each <img>, in the order of the document, each once, as an absolute URL. Needs closed().
  std::vector<std::string> images(const std::string& base) const;
  std::string result() const override;

 private:
  struct Free {
    void operator()(xmlDocPtr document) const { xmlFreeDoc(document); }
  };
  std::unique_ptr<xmlDoc, Free> document_;
};

}  // namespace heddle::threadlab
