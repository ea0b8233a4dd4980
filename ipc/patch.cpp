#include "ipc/patch.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include <cstring>

namespace heddle::ipc {

namespace {

constexpr std::size_t kJump = 5;      // jmp rel32
constexpr std::size_t kFarJump = 14;  // jmp *0(%rip), and the address
constexpr std::size_t kEntry = 64;    // of room for each function
constexpr std::size_t kRoom = 16384;
constexpr std::size_t kLongestInstruction = 15;  // of an instruction
constexpr std::int64_t kReach = 0x7fff0000;

// What follows the opcode of an instruction with a ModR/M byte; nothing for an opcode that is not known.
std::optional<std::size_t> immediate_of(std::uint8_t opcode) {
  switch (opcode) {
    case 0x01:  // add
    case 0x03:
    case 0x09:  // or
    case 0x0b:
    case 0x21:  // and
    case 0x23:
    case 0x29:  // sub
    case 0x2b:
    case 0x31:  // xor
    case 0x33:
    case 0x39:  // cmp
    case 0x3b:
    case 0x63:  // movslq
    case 0x84:  // test
    case 0x85:
    case 0x88:  // mov
    case 0x89:
    case 0x8a:
    case 0x8b:
    case 0x8d:  // lea
      return 0;
    case 0x80:  // arithmetic with a constant
    case 0x83:
      return 1;
    case 0x81:
    case 0xc7:  // mov of a constant
      return 4;
    default:
      return std::nullopt;
  }
}

void put_far_jump(std::uint8_t* at, const void* target) {
  constexpr std::uint8_t kCode[6] = {0xff, 0x25, 0, 0, 0, 0};
  std::memcpy(at, kCode, sizeof kCode);
  std::memcpy(at + sizeof kCode, static_cast<const void*>(&target), sizeof target);
}

std::int32_t distance_at(const std::uint8_t* code) {
  std::int32_t found = 0;
  std::memcpy(&found, code, sizeof found);
  return found;
}

}  // namespace

std::optional<Instruction> movable(const std::uint8_t* code, std::size_t most) {
  constexpr std::uint8_t kEndbr[4] = {0xf3, 0x0f, 0x1e, 0xfa};
  if (most < kLongestInstruction) return std::nullopt;
  if (std::memcmp(code, kEndbr, sizeof kEndbr) == 0) return Instruction{sizeof kEndbr, 0};
  std::size_t at = 0;
  bool wide = false;
  if (code[at] == 0x64) ++at;  // of the thread's own memory
  if ((code[at] & 0xf0) == 0x40) wide = (code[at++] & 8) != 0;
  const std::uint8_t opcode = code[at++];
  if (opcode >= 0x50 && opcode <= 0x57) return Instruction{at, 0};                     // push
  if (opcode >= 0xb8 && opcode <= 0xbf) return Instruction{at + (wide ? 8U : 4U), 0};  // mov of a constant
  const auto immediate = immediate_of(opcode);
  if (!immediate) return std::nullopt;
  const std::uint8_t operand = code[at++];
  const unsigned mode = operand >> 6U;
  const unsigned base = operand & 7U;
  std::size_t displacement = 0;
  if (mode == 0 && base == 5) {
    displacement = at;
    at += 4;
  } else if (mode != 3) {
    unsigned index_base = base;
    if (base == 4) index_base = code[at++] & 7U;
    if (mode == 1) at += 1;
    if (mode == 2 || (mode == 0 && base == 4 && index_base == 5)) at += 4;
  }
  return Instruction{at + *immediate, displacement};
}

bool may_jump_into(const std::uint8_t* function, std::size_t bytes, std::size_t moved) {
  // Read at every byte, as if an instruction began there: what is none may be taken for a jump, never the other way.
  const auto inside = [moved](std::int64_t target) { return target > 0 && target < static_cast<std::int64_t>(moved); };
  for (std::size_t at = moved; at + 1 < bytes; ++at) {
    const bool is_short = (function[at] & 0xf0) == 0x70 || function[at] == 0xeb || (function[at] & 0xfc) == 0xe0;
    if (is_short && inside(static_cast<std::int64_t>(at) + 2 + static_cast<std::int8_t>(function[at + 1]))) return true;
    const bool is_long = function[at] == 0xe9 || function[at] == 0xe8;
    if (is_long && at + 5 <= bytes && inside(static_cast<std::int64_t>(at) + 5 + distance_at(function + at + 1)))
      return true;
    const bool is_conditional = function[at] == 0x0f && (function[at + 1] & 0xf0) == 0x80;
    if (is_conditional && at + 6 <= bytes && inside(static_cast<std::int64_t>(at) + 6 + distance_at(function + at + 2)))
      return true;
  }
  return false;
}

Patcher::Patcher() {
#ifdef __x86_64__
  if (__libc_single_threaded == 0 || !find_library()) return;
  std::uint8_t* const room = near_page();
  if (room == nullptr) return;
  if (mprotect(text_, text_bytes_, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    munmap(room, kRoom);
    return;
  }
  room_ = room;
#endif
}

Patcher::~Patcher() {
  if (room_ == nullptr) return;
  mprotect(text_, text_bytes_, PROT_READ | PROT_EXEC);
  mprotect(room_, kRoom, PROT_READ | PROT_EXEC);
  dlclose(library_);
}

bool Patcher::find_library() {
  library_ = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  if (library_ == nullptr) return false;
  link_map* map = nullptr;
  if (dlinfo(library_, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) return false;
  struct Search {
    ElfW(Addr) base;
    std::uint8_t* begin = nullptr;
    std::size_t bytes = 0;
  } search{map->l_addr, nullptr, 0};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* given) {
        auto& wanted = *static_cast<Search*>(given);
        if (object->dlpi_addr != wanted.base) return 0;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = object->dlpi_phdr[i];
          if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
          const ElfW(Addr) begin = (object->dlpi_addr + part.p_vaddr) & ~ElfW(Addr){4095};
          const ElfW(Addr) end = (object->dlpi_addr + part.p_vaddr + part.p_memsz + 4095) & ~ElfW(Addr){4095};
          wanted.begin = reinterpret_cast<std::uint8_t*>(begin);  // NOLINT(performance-no-int-to-ptr): as elf(5) has it
          wanted.bytes = end - begin;
          return 1;
        }
        return 1;
      },
      &search);
  text_ = search.begin;
  text_bytes_ = search.bytes;
  return text_ != nullptr;
}

// Where a jump of four bytes leads to from all of the library's code.
std::uint8_t* Patcher::near_page() const {
  constexpr std::size_t kStep = std::size_t{1} << 20U;
  for (std::size_t step = 1; step < 1024; ++step) {
    for (std::uint8_t* const wanted : {text_ - step * kStep, text_ + text_bytes_ + step * kStep}) {
      void* const got = mmap(wanted, kRoom, PROT_READ | PROT_WRITE | PROT_EXEC,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      if (got == wanted) return static_cast<std::uint8_t*>(got);
      if (got != MAP_FAILED) munmap(got, kRoom);  // a kernel that does not know the flag
    }
  }
  return nullptr;
}

bool Patcher::replace(const char* name, void* ours, void** next) {
  void* found = dlsym(library_, name);
  // The C library closes streams by it.
  if (found == nullptr) found = dlvsym(library_, name, "GLIBC_PRIVATE");
  auto* const function = static_cast<std::uint8_t*>(found);
  if (function == nullptr || function < text_ || function >= text_ + text_bytes_) return false;
  if (used_ + kEntry > kRoom) return false;
  Dl_info about{};
  const ElfW(Sym)* symbol = nullptr;
  if (dladdr1(found, &about, const_cast<void**>(reinterpret_cast<const void**>(&symbol)), RTLD_DL_SYMENT) == 0 ||
      symbol == nullptr)
    return false;
  std::uint8_t* const entry = room_ + used_;
  std::size_t moved = 0;
  while (moved < kJump) {
    const std::size_t left = static_cast<std::size_t>(text_ + text_bytes_ - function) - moved;
    const auto instruction = movable(function + moved, left);
    if (!instruction) return false;
    std::memcpy(entry + moved, function + moved, instruction->length);
    if (instruction->displacement != 0) {
      const std::int64_t distance = distance_at(function + moved + instruction->displacement) + (function - entry);
      if (distance > kReach || distance < -kReach) return false;
      const auto narrow = static_cast<std::int32_t>(distance);
      std::memcpy(entry + moved + instruction->displacement, &narrow, sizeof narrow);
    }
    moved += instruction->length;
  }
  if (symbol->st_size < moved || may_jump_into(function, symbol->st_size, moved)) return false;
  static_assert(kJump - 1 + kLongestInstruction + 2 * kFarJump <= kEntry);
  std::uint8_t* const to_ours = entry + kEntry - kFarJump;
  const std::int64_t distance = to_ours - (function + kJump);
  if (distance > kReach || distance < -kReach) return false;
  put_far_jump(entry + moved, function + moved);
  put_far_jump(to_ours, ours);
  *next = entry;  // before the first call may come by
  const auto narrow = static_cast<std::int32_t>(distance);
  std::memset(function, 0xcc, moved);
  std::memcpy(function + 1, &narrow, sizeof narrow);
  function[0] = 0xe9;
  used_ += kEntry;
  return true;
}

}  // namespace heddle::ipc
