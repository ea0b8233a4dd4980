// Loads a file into a memory area.
//
// A part reads what the page cache has, without blocking (preadv2(2), RWF_NOWAIT). Where that is nothing, the command
// says that it waits for the disk, and the next part reads all the same: Linux tells nobody when a file can be read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "threadlab/commands/command.hpp"
#include "threadlab/data/memory.hpp"

namespace heddle::threadlab {

class LoadFile : public Command {
 public:
  LoadFile(std::string name, std::string path, std::shared_ptr<Memory> into);
  ~LoadFile() override;

  Step part(Context& context) override;
  void end(Context& context) override;

 private:
  static constexpr std::size_t kPart = 65536;

  const std::string path_;
  const std::shared_ptr<Memory> memory_;
  int descriptor_ = -1;
  bool may_block_ = false;
  std::size_t at_ = 0;
  std::vector<char> buffer_;
};

}  // namespace heddle::threadlab
