#include "ipc/patch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace {

using heddle::ipc::may_jump_into;
using heddle::ipc::movable;
using Code = std::vector<std::uint8_t>;

// Length and displacement; {0, 0} for what cannot be moved.
std::pair<std::size_t, std::size_t> read(Code code) {
  code.resize(15, 0xcc);
  const auto found = movable(code.data(), code.size());
  return found ? std::pair{found->length, found->displacement} : std::pair<std::size_t, std::size_t>{0, 0};
}

using Pair = std::pair<std::size_t, std::size_t>;

TEST(Movable, KnowsWhatTheCLibraryBeginsWith) {
  EXPECT_EQ(read({0xf3, 0x0f, 0x1e, 0xfa}), Pair(4, 0));                 // endbr64
  EXPECT_EQ(read({0x80, 0x3d, 1, 2, 3, 4, 0}), Pair(7, 2));              // cmpb $0, x(%rip)
  EXPECT_EQ(read({0xb8, 0x29, 0, 0, 0}), Pair(5, 0));                    // mov $41, %eax
  EXPECT_EQ(read({0x41, 0xb8, 0, 0, 0, 0}), Pair(6, 0));                 // mov $0, %r8d
  EXPECT_EQ(read({0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}), Pair(10, 0));    // movabs
  EXPECT_EQ(read({0x41, 0x57}), Pair(2, 0));                             // push %r15
  EXPECT_EQ(read({0x48, 0x83, 0xec, 0x18}), Pair(4, 0));                 // sub $24, %rsp
  EXPECT_EQ(read({0x48, 0x81, 0xec, 0, 1, 0, 0}), Pair(7, 0));           // sub $256, %rsp
  EXPECT_EQ(read({0x48, 0x89, 0xf8}), Pair(3, 0));                       // mov %rdi, %rax
  EXPECT_EQ(read({0x48, 0x8b, 0x35, 1, 2, 3, 4}), Pair(7, 3));           // mov x(%rip), %rsi
  EXPECT_EQ(read({0x64, 0x8b, 0x04, 0x25, 0x18, 0, 0, 0}), Pair(8, 0));  // mov %fs:24, %eax
  EXPECT_EQ(read({0x48, 0x8d, 0x44, 0x24, 0x08}), Pair(5, 0));           // lea 8(%rsp), %rax
  EXPECT_EQ(read({0x48, 0x89, 0x84, 0x24, 0, 1, 0, 0}), Pair(8, 0));     // mov %rax, 256(%rsp)
  EXPECT_EQ(read({0x31, 0xc0}), Pair(2, 0));                             // xor %eax, %eax
  EXPECT_EQ(read({0xc7, 0x44, 0x24, 0x08, 1, 0, 0, 0}), Pair(8, 0));     // movl $1, 8(%rsp)
}

TEST(Movable, RefusesWhatIsNotTheSameElsewhere) {
  for (const Code& code : {Code{0xe9, 1, 2, 3, 4},        // jmp
                           Code{0xe8, 1, 2, 3, 4},        // call
                           Code{0x74, 0x10},              // je
                           Code{0x0f, 0x05},              // syscall
                           Code{0x0f, 0x84, 1, 2, 3, 4},  // je
                           Code{0xff, 0x25, 1, 2, 3, 4},  // jmp *x(%rip)
                           Code{0xc3}, Code{0xcc}})
    EXPECT_EQ(read(code), Pair(0, 0)) << std::hex << unsigned{code[0]};
}

TEST(Movable, RefusesWhatIsCutShort) {
  const Code code{0xb8, 0x29, 0, 0, 0};
  EXPECT_FALSE(movable(code.data(), code.size()));
}

TEST(MayJumpInto, FindsJumpsOfAllLengths) {
  const auto with = [](Code jump) {
    Code code(20, 0x90);
    std::copy(jump.begin(), jump.end(), code.begin() + 10);
    return may_jump_into(code.data(), code.size(), 7);
  };
  EXPECT_TRUE(with({0x74, 0xf7}));                          // to byte 3
  EXPECT_TRUE(with({0xeb, 0xfa}));                          // to byte 6
  EXPECT_TRUE(with({0xe9, 0xf2, 0xff, 0xff, 0xff}));        // to byte 1
  EXPECT_TRUE(with({0x0f, 0x85, 0xf2, 0xff, 0xff, 0xff}));  // to byte 2
  EXPECT_TRUE(with({0xe2, 0xf7}));                          // loop
  EXPECT_FALSE(with({0xeb, 0xfb}));                         // to byte 7, which was not moved
  EXPECT_FALSE(with({0xeb, 0xf4}));                         // to the function itself
  EXPECT_FALSE(with({0xeb, 0x02}));
}

}  // namespace
