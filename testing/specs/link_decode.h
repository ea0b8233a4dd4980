// Which memory an instruction reads and writes, by libcapstone.
#pragma once

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

enum { kMostDecoded = 1 << 16 };

struct operand {
  x86_reg base, index, segment;
  int scale;
  int64_t shift;
  uint8_t size;
  bool reads, writes;
};
struct decoded {
  uintptr_t code;
  struct operand operands[2];
  uint8_t count, length;
  bool atomic, exchanges, repeats;
};
static struct decoded decoded[kMostDecoded];
static uint32_t decoded_count = 1;  // 0: free()
static uint32_t buckets[kMostDecoded * 2];
static csh engine_of_capstone;
static cs_insn* instruction;

static bool only_reads(unsigned id) {
  switch (id) {
    case X86_INS_TEST:
    case X86_INS_CMP:
    case X86_INS_BT:
    case X86_INS_CALL:
    case X86_INS_JMP:
    case X86_INS_PUSH:
    case X86_INS_MUL:
    case X86_INS_DIV:
    case X86_INS_IDIV:
    case X86_INS_IMUL:
    case X86_INS_SCASB:
    case X86_INS_SCASQ:
    case X86_INS_CMPSB:
    case X86_INS_CMPSQ:
    case X86_INS_UCOMISS:
    case X86_INS_UCOMISD:
    case X86_INS_COMISS:
    case X86_INS_COMISD:
    case X86_INS_PTEST:
      return true;
    default:
      return false;
  }
}

static void decode_operands(struct decoded* made) {
  const cs_x86* about = &instruction->detail->x86;
  const unsigned id = instruction->id;
  if (id == X86_INS_LEA || id == X86_INS_NOP) return;
  for (int i = 0; i < about->op_count; ++i) {
    const cs_x86_op* one = &about->operands[i];
    if (one->type != X86_OP_MEM || made->count == 2) continue;
    struct operand* to = &made->operands[made->count++];
    *to = (struct operand){.base = one->mem.base,
                           .index = one->mem.index,
                           .segment = one->mem.segment,
                           .scale = one->mem.scale,
                           .shift = one->mem.disp,
                           .size = one->size};
    to->reads = (one->access & CS_AC_READ) != 0;
    to->writes = (one->access & CS_AC_WRITE) != 0;
    const char* name = instruction->mnemonic;
    // Capstone is wrong on some, and silent on many that use vectors: of these, those that store are moves.
    const bool moves = strncmp(name, "mov", 3) == 0 || strncmp(name, "vmov", 4) == 0;
    if (!to->reads && !to->writes) to->writes = moves && i == 0;
    if (moves && i == 0 && about->op_count == 2 && about->operands[1].type != X86_OP_MEM) {
      to->writes = true;
      to->reads = false;
    } else if (strncmp(name, "set", 3) == 0) {
      to->writes = true;
      to->reads = false;
    } else if (id == X86_INS_CMPXCHG || id == X86_INS_XCHG || id == X86_INS_XADD) {
      to->writes = to->reads = true;
    } else if (only_reads(id)) {
      to->writes = false;
    }
    if (!to->writes) to->reads = true;
  }
}

static struct decoded* decode(uintptr_t code) {
  size_t place = (code * 0x9E3779B97F4A7C15u) >> 47;  // 17 bits
  for (; buckets[place] != 0; place = (place + 1) % (kMostDecoded * 2))
    if (decoded[buckets[place]].code == code) return &decoded[buckets[place]];
  if (decoded_count == kMostDecoded) return NULL;
  struct decoded* made = &decoded[decoded_count];
  buckets[place] = decoded_count++;
  *made = (struct decoded){.code = code};
  const uint8_t* bytes = (const uint8_t*)code;
  size_t left = 15;
  uint64_t address = code;
  if (!cs_disasm_iter(engine_of_capstone, &bytes, &left, &address, instruction)) {
    made->length = 1;
    return made;
  }
  made->length = (uint8_t)instruction->size;
  const uint8_t* prefix = instruction->detail->x86.prefix;
  made->atomic = prefix[0] == X86_PREFIX_LOCK || instruction->id == X86_INS_XCHG;
  made->exchanges = instruction->id == X86_INS_CMPXCHG;
  made->repeats = prefix[0] == X86_PREFIX_REP || prefix[0] == X86_PREFIX_REPNE;
  decode_operands(made);
  return made;
}

static uintptr_t value_of(const greg_t* registers, x86_reg name, uintptr_t next) {
  switch (name) {
#define REGISTER(letter)  \
  case X86_REG_R##letter: \
    return (uintptr_t)registers[REG_R##letter]
    REGISTER(AX);
    REGISTER(BX);
    REGISTER(CX);
    REGISTER(DX);
    REGISTER(SI);
    REGISTER(DI);
    REGISTER(BP);
    REGISTER(SP);
    REGISTER(8);
    REGISTER(9);
    REGISTER(10);
    REGISTER(11);
    REGISTER(12);
    REGISTER(13);
    REGISTER(14);
    REGISTER(15);
    case X86_REG_RIP:
      return next;
    case X86_REG_EAX:
      return (uint32_t)registers[REG_RAX];
    case X86_REG_ECX:
      return (uint32_t)registers[REG_RCX];
    case X86_REG_EDX:
      return (uint32_t)registers[REG_RDX];
    case X86_REG_EDI:
      return (uint32_t)registers[REG_RDI];
    case X86_REG_ESI:
      return (uint32_t)registers[REG_RSI];
    default:
      return 0;
  }
}

static inline bool start_to_decode(const cs_opt_mem* memory) {
  cs_option(0, CS_OPT_MEM, (size_t)memory);
  if (cs_open(CS_ARCH_X86, CS_MODE_64, &engine_of_capstone) != CS_ERR_OK) return false;
  cs_option(engine_of_capstone, CS_OPT_DETAIL, CS_OPT_ON);
  instruction = cs_malloc(engine_of_capstone);
  return instruction != NULL;
}
