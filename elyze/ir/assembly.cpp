#include "elyze/ir/assembly.hpp"

#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "elyze/ir/segments.hpp"
#include "elyze/ir/symbols.hpp"

namespace heddle::elyze {
namespace {

// Instructions and directives that touch no memory of the program and give no value; as they stand alone in a
// statement.
constexpr std::array<std::string_view, 12> kTouchNothing = {"nop",     "rep",    "pause",    "mfence",
                                                            "lfence",  "sfence", "cld",      "vzeroupper",
                                                            "endbr64", ".align", ".p2align", ".balign"};

// Calls `see` with each statement of the text, without blanks around it.
template <class See>
void each_statement(llvm::StringRef text, const See& see) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n;"), text.size());
    if (const llvm::StringRef statement = text.substr(0, end).trim(); !statement.empty()) see(statement);
    text = text.drop_front(std::min(end + 1, text.size()));
  }
}

// A statement without operands, "basic asm" in GCC's manual, keeps to nothing: it may change any memory.
bool harmless(llvm::StringRef text) {
  bool all = true;
  each_statement(text, [&](llvm::StringRef statement) {
    const std::string verb = statement.split(' ').first.split('\t').first.str();
    const bool known = std::find(kTouchNothing.begin(), kTouchNothing.end(), verb) != kTouchNothing.end();
    all &= statement.starts_with("#") || (known && (verb.starts_with(".") || verb == statement));
  });
  return all;
}

// Does it name something that the program defines or uses, other than by an operand?
bool names_symbol(llvm::StringRef text, const llvm::Module& module) {
  const std::vector<std::string> names = names_beside_operands(text);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return module.getNamedValue(name) != nullptr; });
}

bool may_carry(const llvm::Type* type) {
  if (type == nullptr || type->isPointerTy() || type->isAggregateType() || type->isVectorTy()) return true;
  return type->isIntegerTy() && (type->getIntegerBitWidth() == 32 || type->getIntegerBitWidth() >= 64);
}

// Instructions that set neither the rounding mode nor a control register, and read no register that belongs to the
// thread, or to the processor that it runs on (`cpuid`). Intel's Software Developer's Manual, volume 2. Suffixes for
// the size of operands are left out.
constexpr std::array kHarmlessInstructions = {
    "adc",    "adcx",   "add",   "adox",    "and",    "andn",    "bextr",    "blsi",   "blsr",   "bsf",
    "bsr",    "bswap",  "bt",    "bts",     "btr",    "clflush", "cmp",      "cmova",  "cmovb",  "cmovc",
    "cmove",  "cmovne", "cmovz", "cmpxchg", "crc32",  "dec",     "div",      "imul",   "inc",    "lea",
    "lfence", "lock",   "lzcnt", "mfence",  "mov",    "movzb",   "mul",      "mulx",   "neg",    "nop",
    "not",    "or",     "pause", "pdep",    "pext",   "popcnt",  "prefetch", "rdrand", "rdseed", "rdtsc",
    "rep",    "rol",    "ror",   "rorx",    "sar",    "sarx",    "sbb",      "seta",   "setae",  "setb",
    "setc",   "sete",   "setne", "setz",    "sfence", "shl",     "shld",     "shlx",   "shr",    "shrd",
    "shrx",   "sub",    "test",  "tzcnt",   "xadd",   "xchg",    "xgetbv",   "xor"};

bool harmless_assembly(std::string_view word) {
  const auto known = [](std::string_view name) {
    return std::find(kHarmlessInstructions.begin(), kHarmlessInstructions.end(), name) != kHarmlessInstructions.end();
  };
  if (known(word)) return true;
  return !word.empty() && std::string_view("bwlq").find(word.back()) != std::string_view::npos &&
         known(word.substr(0, word.size() - 1));
}

// Each instruction is the first word behind the start, a new line or a semicolon. A dot begins a directive.
bool only_harmless_instructions(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(";\n"), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    for (bool prefix = true; prefix;) {
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      const std::string_view word = line.substr(0, line.find_first_of(" \t"));
      if (word.empty()) break;
      if (!harmless_assembly(word)) return false;
      prefix = word == "lock" || word == "rep";  // the instruction follows
      line.remove_prefix(word.size());
    }
  }
  return true;
}

// Registers that belong to nobody. Those of the stack tell how deep it is.
constexpr std::array<std::string_view, 4> kOfTheStack = {"sp", "bp", "spl", "bpl"};

// Is the word `rsp`, `%esp`, `sp` or the like?
bool names_stack(llvm::StringRef word) {
  if (!word.consume_front("r")) word.consume_front("e");
  return std::find(kOfTheStack.begin(), kOfTheStack.end(), std::string_view(word)) != kOfTheStack.end();
}

bool names_stack_anywhere(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) { return names_stack(word); });
}

}  // namespace

std::vector<std::string> names_beside_operands(llvm::StringRef text) {
  std::vector<std::string> found;
  each_statement(text, [&](llvm::StringRef statement) {
    std::string rest = statement.str();
    for (auto at = rest.find('%'); at != std::string::npos; at = rest.find('%', at + 1)) {
      while (at + 1 < rest.size() && std::isalnum(static_cast<unsigned char>(rest[at + 1]))) rest.erase(at + 1, 1);
    }
    std::vector<std::string> words = words_of(rest);
    if (!words.empty()) words.erase(words.begin());  // the instruction
    for (std::string& word : words)
      for (std::string& name : names_in(std::move(word))) found.push_back(std::move(name));
  });
  return found;
}

bool free_of_its_thread(const llvm::InlineAsm& assembly) {
  const std::string text(assembly.getAsmString());
  return only_harmless_instructions(text) && !names_segment(text) && !names_stack_anywhere(text) &&
         !names_stack_anywhere(std::string(assembly.getConstraintString()));
}

std::optional<std::vector<AssemblyOperand>> assembly_operands(const llvm::CallBase& call) {
  const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const llvm::InlineAsm::ConstraintInfoVector constraints = assembly->ParseConstraints();
  if (constraints.empty() && !assembly->getConstraintString().empty()) return std::nullopt;
  const llvm::StringRef text = assembly->getAsmString();
  const bool nothing = harmless(text);
  if (call.arg_empty() && call.getType()->isVoidTy() && !nothing) return std::nullopt;
  if (names_symbol(text, *call.getModule()) || names_segment(text)) return std::nullopt;
  if (std::any_of(call.arg_begin(), call.arg_end(), [](const llvm::Use& use) { return of_segment(*use->getType()); }))
    return std::nullopt;
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  std::vector<AssemblyOperand> operands;
  unsigned next = 0;
  for (const llvm::InlineAsm::ConstraintInfo& constraint : constraints) {
    if (constraint.Type == llvm::InlineAsm::isClobber) {
      const bool memory =
          std::find(constraint.Codes.begin(), constraint.Codes.end(), "{memory}") != constraint.Codes.end();
      if (memory && !nothing) return std::nullopt;
      continue;
    }
    if (!constraint.hasArg()) continue;
    if (next >= call.arg_size()) return std::nullopt;
    const unsigned index = next++;
    const llvm::Value* value = call.getArgOperand(index);
    if (!constraint.isIndirect) {
      operands.push_back({value, false, false, 0, may_carry(value->getType())});
      continue;
    }
    llvm::Type* type = call.getParamElementType(index);
    const auto bytes = type == nullptr || !type->isSized() ? 0 : layout.getTypeStoreSize(type).getKnownMinValue();
    operands.push_back(
        {value, true, constraint.Type == llvm::InlineAsm::isOutput, static_cast<std::int64_t>(bytes), may_carry(type)});
  }
  if (next != call.arg_size()) return std::nullopt;
  return operands;
}

}  // namespace heddle::elyze
