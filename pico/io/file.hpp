// Files: the kernel says of every file that it is ready, and then stops the caller while it fetches a page. So each
// call is made by a helper thread (core/helpers.hpp), and is worth one only if it moves much: read and write large
// pieces.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::pico {

class File {
 public:
  // As open(2). std::system_error.
  static File open(const std::string& path, int flags, mode_t mode = 0666);

  File() = default;
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File();
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept;

  int descriptor() const { return descriptor_; }

  // At the file's position: as many bytes as there are, 0 at the end.
  std::size_t read(std::span<char> into);
  std::string read_all();
  void write(std::string_view bytes);
  // What was written is on the disk (fdatasync(2)).
  void sync();

 private:
  int descriptor_ = -1;
};

}  // namespace heddle::pico
