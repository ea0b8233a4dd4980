#include "elyze/ir/symbols.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace heddle::elyze {
namespace {

// Made by GNU ld, gold and lld; see ld's default script (`ld --verbose`).
constexpr std::array kBounds = {"end",          "_end",
                                "edata",        "_edata",
                                "etext",        "_etext",
                                "__bss_start",  "data_start",
                                "__data_start", "__executable_start",
                                "__ehdr_start", "__dso_handle",
                                "_DYNAMIC",     "__GNU_EH_FRAME_HDR"};

// Directives that say something of symbols, but define none.
constexpr std::array kHarmless = {".globl",       ".global",     ".weak",   ".hidden", ".protected",
                                  ".internal",    ".local",      ".type",   ".size",   ".section",
                                  ".pushsection", ".popsection", ".text",   ".data",   ".previous",
                                  ".p2align",     ".align",      ".balign", ".ident"};

bool part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$'; }

// The symbols that one statement may define: its label or the name it sets. Where it is no plain instruction either, it
// may define whatever it names.
void note_defined(const std::string& statement, std::vector<std::string> words,
                  std::set<std::string, std::less<>>& found) {
  while (!words.empty()) {
    const std::size_t after = statement.find(words.front()) + words.front().size();
    if (after >= statement.size() || statement[after] != ':') break;
    found.insert(words.front());
    words.erase(words.begin());
  }
  if (words.empty()) return;
  if (words.front().front() != '.') {  // an instruction, or `name = value`
    if (statement.find('=') != std::string::npos) found.insert(words.front());
    return;
  }
  if (words.front() == ".symver") {  // gives the first name's symbol a version; the first name itself stays
    found.insert(words.begin() + std::min<std::size_t>(2, words.size()), words.end());
    return;
  }
  if (std::find(kHarmless.begin(), kHarmless.end(), words.front()) == kHarmless.end())
    found.insert(words.begin() + 1, words.end());
}

}  // namespace

std::vector<std::string> words_of(const std::string& statement) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < statement.size();) {
    if (!part_of_name(statement[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < statement.size() && part_of_name(statement[end])) ++end;
    words.push_back(statement.substr(i, end - i));
    i = end;
  }
  return words;
}

AssemblySymbols assembly_symbols(const llvm::Module& module) {
  AssemblySymbols symbols;
  std::string statement;
  const auto finish = [&] {
    const std::vector<std::string> words = words_of(statement);
    symbols.named.insert(words.begin(), words.end());
    if (!words.empty()) note_defined(statement, words, symbols.defined);
    statement.clear();
  };
  for (const char c : module.getModuleInlineAsm()) {
    if (c == '\n' || c == ';') {
      finish();
    } else {
      statement += c;
    }
  }
  finish();
  return symbols;
}

void join_labelled_names(llvm::Module& module) {
  std::vector<llvm::GlobalValue*> labelled;
  for (llvm::GlobalValue& value : module.global_values()) {
    if (value.getName().starts_with("\x01")) labelled.push_back(&value);
  }
  for (llvm::GlobalValue* value : labelled) {
    const std::string plain = value->getName().drop_front().str();
    llvm::GlobalValue* other = module.getNamedValue(plain);
    if (other == nullptr) {
      value->setName(plain);
      continue;
    }
    llvm::GlobalValue* kept = value->isDeclaration() ? other : value;
    llvm::GlobalValue* gone = kept == value ? other : value;
    gone->replaceAllUsesWith(kept);
    gone->eraseFromParent();
    kept->setName(plain);
  }
}

void mark_defined_by_assembly(llvm::Module& program) {
  if (program.getModuleInlineAsm().empty()) return;
  const AssemblySymbols symbols = assembly_symbols(program);
  for (llvm::Function& function : program) {
    if (function.isDeclaration() && symbols.defined.contains(function.getName()))
      function.addFnAttr(kDefinedByAssembly);
  }
}

const llvm::Function* wrapper_of(const llvm::GlobalValue& value) {
  if (!llvm::isa<llvm::Function>(value) || value.getName().starts_with("__wrap_")) return nullptr;
  const llvm::Function* wrapper = value.getParent()->getFunction(("__wrap_" + value.getName()).str());
  return wrapper == nullptr || wrapper->isDeclaration() ? nullptr : wrapper;
}

const llvm::Function* wrapped_by(const llvm::Function& real) {
  llvm::StringRef name = real.getName();
  if (!real.isDeclaration() || !name.consume_front("__real_")) return nullptr;
  return real.getParent()->getFunction(name);
}

bool names_bounds_of_data(const llvm::Module& program) {
  return llvm::any_of(program.globals(), [](const llvm::GlobalVariable& variable) {
    return variable.isDeclaration() && std::find(kBounds.begin(), kBounds.end(), variable.getName()) != kBounds.end();
  });
}

std::string unnumbered(llvm::StringRef name) {
  const auto dot = name.rfind('.');
  const bool numbered = dot != llvm::StringRef::npos && name.find_first_not_of("0123456789", dot + 1) == name.npos;
  return (numbered ? name.substr(0, dot) : name).str();
}

}  // namespace heddle::elyze
