// Where in a source its functions and classes are: Universal Ctags says so. It runs beside this process, and is sent
// one source after the other; started again if it has ended.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "objects.hpp"

namespace workbench {

struct Cut {
  Kind kind = Kind::kText;
  std::string name;       // of Text, none
  std::string_view text;  // of the source
  int parent = -1;        // the class that it lies in, by its place among the cuts; -1: none
};

class Outliner {
 public:
  Outliner() = default;
  Outliner(const Outliner&) = delete;
  Outliner& operator=(const Outliner&) = delete;
  ~Outliner();

  // The sections of a source, of whole lines, all of its bytes in their order. `path` says the language. A source that
  // Ctags does not know, or cannot cope with, is one section. Throws Error: Ctags cannot be run.
  std::vector<Cut> cuts(std::string_view path, std::string_view source);

 private:
  struct Tag {
    Kind kind;
    std::string name;
    std::size_t first;  // lines, from 0
    std::size_t last;
  };
  void start();
  void stop();
  std::vector<Tag> ask(std::string_view path, std::string_view source);
  std::vector<Tag> tags(std::string_view path, std::string_view source);

  int process_ = 0;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

}  // namespace workbench
