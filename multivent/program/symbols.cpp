#include "multivent/program/symbols.hpp"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <tuple>

#include "base/user_error.hpp"
#include "schemas/agreements.hpp"

namespace heddle::multivent {
namespace {

// As the pass of `heddle build --late` calls it: numbers of eight bytes.
constexpr std::string_view kLatePoints = schemas::late_points::kSection;
constexpr std::string_view kScratch = schemas::scratch::kSection;

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

std::string to_hexadecimal(const unsigned char* bytes, std::size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

std::optional<std::string> build_id_in(Elf_Data& notes) {
  GElf_Nhdr note;
  std::size_t name_at = 0;
  std::size_t contents_at = 0;
  for (std::size_t at = 0; (at = gelf_getnote(&notes, at, &note, &name_at, &contents_at)) != 0;) {
    const auto* bytes = static_cast<const unsigned char*>(notes.d_buf);
    const bool is_gnu = note.n_namesz == sizeof ELF_NOTE_GNU && std::memcmp(bytes + name_at, ELF_NOTE_GNU, 4) == 0;
    if (is_gnu && note.n_type == NT_GNU_BUILD_ID) return to_hexadecimal(bytes + contents_at, note.n_descsz);
  }
  return std::nullopt;
}

std::string file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

void add_functions(Elf* elf, const GElf_Shdr& header, Elf_Data& table, std::uintptr_t load_bias,
                   std::vector<Symbols::Function>& functions) {
  if (header.sh_entsize == 0) return;
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  std::string file;  // a symbol for the source stands before those that are local to it
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(&table, i, &symbol) == nullptr) break;
    const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (GELF_ST_TYPE(symbol.st_info) == STT_FILE) file = name == nullptr ? "" : file_name(name);
    if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    const bool local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
    if (name != nullptr && *name != 0)
      functions.push_back({symbol.st_value + load_bias, symbol.st_size, name, local ? file : ""});
  }
}

bool has_name(Elf* elf, const GElf_Shdr& header, std::string_view wanted) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return false;
  const char* name = elf_strptr(elf, names, header.sh_name);
  return name != nullptr && name == wanted;
}

struct LoadedLibrary {
  std::string_view build_id;
  std::string path;  // empty until it is found
  std::uintptr_t load_bias;
};

int find_library(dl_phdr_info* info, std::size_t, void* wanted_library) {
  auto& wanted = *static_cast<LoadedLibrary*>(wanted_library);
  if (info->dlpi_name == nullptr || *info->dlpi_name == 0) return 0;  // the program itself
  for (const ElfW(Phdr) & segment : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
    if (segment.p_type != PT_NOTE) continue;
    Elf_Data notes{};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the dynamic linker gives addresses as numbers
    notes.d_buf = reinterpret_cast<void*>(info->dlpi_addr + segment.p_vaddr);
    notes.d_size = segment.p_memsz;
    notes.d_type = segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
    notes.d_version = EV_CURRENT;
    if (build_id_in(notes) != wanted.build_id) continue;
    wanted.path = info->dlpi_name;
    wanted.load_bias = info->dlpi_addr;
    return 1;
  }
  return 0;
}

std::vector<std::uintptr_t> each_once(std::vector<std::uintptr_t> addresses) {
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return addresses;
}

std::string path_of_this_program() {
  std::array<char, 4096> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0)
    throw base::UserError("cannot read /proc/self/exe: mount /proc, heddle needs it to find the handlers");
  return {path.data(), static_cast<std::size_t>(length)};
}

}  // namespace

Symbols Symbols::of_this_process() {
  std::uintptr_t load_bias = 0;
  // The first object that is reported is the main program.
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* bias) {
        *static_cast<std::uintptr_t*>(bias) = info->dlpi_addr;
        return 1;
      },
      &load_bias);
  const std::string path = path_of_this_program();
  Symbols symbols = of_file("/proc/self/exe", load_bias);
  symbols.program_name_ = file_name(path);
  return symbols;
}

bool Symbols::add_library(std::string_view build_id) {
  LoadedLibrary wanted{.build_id = build_id, .path = {}, .load_bias = 0};
  dl_iterate_phdr(find_library, &wanted);
  if (wanted.path.empty()) return false;
  const Symbols library = of_file(wanted.path, wanted.load_bias);
  if (library.build_id_ != build_id) return false;  // the file was replaced since it was loaded
  functions_.insert(functions_.end(), library.functions_.begin(), library.functions_.end());
  late_points_.insert(library.late_points_.begin(), library.late_points_.end());
  scratch_.insert(library.scratch_.begin(), library.scratch_.end());
  libraries_.emplace_back(build_id);
  index();
  return true;
}

Symbols Symbols::of_file(const std::string& path, std::uintptr_t load_bias) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw base::UserError(path + ": " + base::errno_text() + ": check the name and its permissions");
  elf_version(EV_CURRENT);
  const ElfHandle elf(elf_begin(file.get(), ELF_C_READ_MMAP, nullptr));
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) {
    throw base::UserError(path + ": not an ELF file: name the linked program, not a script");
  }

  Symbols symbols;
  symbols.program_name_ = file_name(path);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const bool late_points = header.sh_type == SHT_PROGBITS && has_name(elf.get(), header, kLatePoints);
    const bool scratch = header.sh_type == SHT_PROGBITS && has_name(elf.get(), header, kScratch);
    if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_NOTE && !late_points && !scratch) continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (data == nullptr) continue;
    if (late_points) {
      for (std::size_t at = 0; at + sizeof(std::uint64_t) <= data->d_size; at += sizeof(std::uint64_t)) {
        std::uint64_t number = 0;
        std::memcpy(&number, static_cast<const char*>(data->d_buf) + at, sizeof number);
        symbols.late_points_.insert(number);
      }
    } else if (scratch) {
      for (std::size_t at = 0; at + sizeof(ScratchBuffer) <= data->d_size; at += sizeof(ScratchBuffer)) {
        std::uint64_t number = 0;
        std::memcpy(&number, static_cast<const char*>(data->d_buf) + at + offsetof(ScratchBuffer, number),
                    sizeof number);
        symbols.scratch_.emplace(number, load_bias + header.sh_addr + at);
      }
    } else if (header.sh_type == SHT_SYMTAB) {
      symbols.stripped_ = false;
      add_functions(elf.get(), header, *data, load_bias, symbols.functions_);
    } else if (const auto build_id = build_id_in(*data)) {
      symbols.build_id_ = *build_id;
    }
  }
  symbols.index();
  return symbols;
}

void Symbols::index() {
  by_name_.clear();  // its keys point into what moves now
  std::sort(functions_.begin(), functions_.end(), [](const Function& a, const Function& b) {
    return std::tie(a.address, a.name) < std::tie(b.address, b.name);
  });
  by_name_.reserve(functions_.size());
  for (const Function& function : functions_) by_name_.emplace(function.name, &function);
}

std::vector<std::uintptr_t> Symbols::addresses_of(std::string_view name) const {
  std::vector<std::uintptr_t> addresses;
  const auto [begin, end] = by_name_.equal_range(name);
  for (auto at = begin; at != end; ++at) addresses.push_back(at->second->address);
  return each_once(std::move(addresses));
}

std::vector<std::uintptr_t> Symbols::addresses_of(std::string_view name, std::string_view file) const {
  std::vector<std::uintptr_t> addresses;
  const auto [begin, end] = by_name_.equal_range(name);
  for (auto at = begin; at != end; ++at)
    if (!file.empty() && at->second->file == file) addresses.push_back(at->second->address);
  return each_once(std::move(addresses));
}

std::string_view Symbols::name_at(std::uintptr_t address) const {
  const auto found =
      std::lower_bound(functions_.begin(), functions_.end(), address,
                       [](const Function& function, std::uintptr_t wanted) { return function.address < wanted; });
  if (found == functions_.end() || found->address != address) return {};
  return found->name;
}

}  // namespace heddle::multivent
