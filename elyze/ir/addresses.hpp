// Splits an address into what it is computed from and a constant number of bytes, so that accesses to one variable can
// be compared by offset.
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class Value;
}  // namespace llvm

namespace heddle::elyze {

inline constexpr std::int64_t kPointerBytes = 8;  // on the machines that programs are analysed for

// The address `base` + `offset` bytes; no offset where some index is not constant.
struct Address {
  const llvm::Value* base = nullptr;
  std::optional<std::int64_t> offset;
};
Address address_of(const llvm::Value* pointer, const llvm::DataLayout& layout);

}  // namespace heddle::elyze
