#include "telemetry/program.hpp"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace heddle::telemetry {
namespace {

// The note of GNU's build id, among others (elf(5), "Notes"): each has a name and a content, padded to four bytes.
std::string build_id_in(const char* notes, std::size_t size) {
  const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  std::size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= size) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const std::size_t name_at = at + sizeof note;
    const std::size_t content_at = name_at + padded(note.n_namesz);
    at = content_at + padded(note.n_descsz);
    if (at > size) break;
    if (note.n_type != NT_GNU_BUILD_ID ||
        std::string_view(notes + name_at, note.n_namesz) != std::string_view("GNU\0", 4))
      continue;
    std::string text;
    for (std::size_t i = 0; i < note.n_descsz; ++i) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(notes[content_at + i]);
      text += {kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return text;
  }
  return {};
}

// The program comes first (dl_iterate_phdr(3)); to return 1 ends the visit.
int visit(dl_phdr_info* loaded, std::size_t, void* found) {
  for (std::size_t i = 0; i < loaded->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = loaded->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers
    const auto* const notes = reinterpret_cast<const char*>(loaded->dlpi_addr + part.p_vaddr);
    const std::string id = build_id_in(notes, part.p_memsz);
    if (!id.empty()) *static_cast<std::string*>(found) = id;
  }
  return 1;
}

}  // namespace

Program this_program() {
  Program program{.name = {}, .build_id = "none"};
  std::error_code error;
  program.name = std::filesystem::read_symlink("/proc/self/exe", error).filename().string();
  dl_iterate_phdr(visit, &program.build_id);
  return program;
}

}  // namespace heddle::telemetry
