// The files of a store: the store itself, which only its writers can write, and `NAME.readers`, in which all who read
// say what they pin. Each is mapped once, as far as the store may grow, so that nothing ever moves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace heddle::objectbase {

class File {
 public:
  // Throws base::UserError with the name and the reason.
  static File create(const std::filesystem::path& path, unsigned mode);  // refuses one that exists
  static File open(const std::filesystem::path& path, bool write);
  File() = default;
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  void map(std::uint64_t bytes, bool write);
  // Room on the disk for all up to `bytes`; false if there is none.
  bool reserve(std::uint64_t bytes);
  std::uint64_t size() const;
  char* start() const { return start_; }
  const std::filesystem::path& path() const { return path_; }

  // A lock of one byte, which belongs to this File and is given back when its process ends, in whatever way (fcntl(2),
  // "Open file description locks"). The first waits, the second returns false if somebody has it.
  void lock(std::uint64_t byte);
  bool try_lock(std::uint64_t byte);
  void unlock(std::uint64_t byte);

  std::string about(const std::string& what) const { return path_.string() + ": " + what; }

 private:
  explicit File(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::filesystem::path path_;
  int descriptor_ = -1;
  char* start_ = nullptr;
  std::uint64_t mapped_ = 0;
};

}  // namespace heddle::objectbase
