// Parses HTML or XML, as far as it has arrived, by libxml2's push parser.
//
// Broken HTML has a tree all the same, as in a browser; the command's error then says what is wrong, and commands that
// read the tree go on. Broken XML has none.
#pragma once

#include <libxml/parser.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "threadlab/commands/command.hpp"
#include "threadlab/data/memory.hpp"
#include "threadlab/data/tree.hpp"

namespace heddle::threadlab {

class Parse : public Command {
 public:
  enum class Language : std::uint8_t { kHtml, kXml };

  Parse(std::string name, Language language, std::shared_ptr<Memory> from, std::shared_ptr<Tree> into);
  ~Parse() override;

  Step part(Context& context) override;
  void end(Context& context) override;

 private:
  // The parser is fed pieces of this size, whatever comes at once: it looks ahead in a piece, for the encoding say, so
  // other pieces could make another tree.
  static constexpr std::size_t kPiece = 8192;

  static void on_error(void* parser, xmlErrorPtr error);
  void begin(const char* bytes, int count);
  void feed(const char* bytes, int count, bool last);
  Step finish();

  const Language language_;
  const std::shared_ptr<Memory> from_;
  const std::shared_ptr<Tree> into_;
  xmlParserCtxtPtr parser_ = nullptr;
  std::size_t at_ = 0;
  std::size_t errors_ = 0;
  std::string first_error_;
};

}  // namespace heddle::threadlab
