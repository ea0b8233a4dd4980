#include "elyze/compare/debug_info.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>

#include "elyze/ir/names.hpp"

namespace heddle::elyze {
namespace {

void same_record(bool holds, const char* what) {
  if (!holds) throw Different(std::string("debug information: ") + what);
}

// Null where the nodes are of another class.
template <class Node>
std::pair<const Node*, const Node*> both(const llvm::MDNode& before, const llvm::MDNode& now) {
  const auto* one = llvm::dyn_cast<Node>(&before);
  return {one, one == nullptr ? nullptr : &llvm::cast<Node>(now)};  // meet() has checked that the class is the same
}

// The debug record of a string literal, which has no name; see is_text() in modules.cpp.
bool is_text_record(const llvm::DIGlobalVariable& variable) {
  const auto* type = llvm::dyn_cast_or_null<llvm::DICompositeType>(variable.getType());
  return variable.getName().empty() && variable.getLinkageName().empty() && type != nullptr &&
         type->getTag() == llvm::dwarf::DW_TAG_array_type && byte_size(type->getBaseType()) == 1;
}

}  // namespace

void Lines::note(const llvm::DIFile* file, unsigned before, unsigned now) {
  if (before == 0 || now == 0 || file == nullptr) {
    if (before != now) throw Different("a line without a place");
    return;
  }
  if (files_[relative_file(file)].try_emplace(before, now).first->second != now)
    throw Different("what stood on one line stands on several");
}

void Lines::rename(const std::string& before, const std::string& now) {
  if (names_.try_emplace(before, now).first->second != now) throw Different("what had one name has several");
}

bool named_by_line(const llvm::DIGlobalVariable& before, const llvm::DIGlobalVariable& now) {
  const std::string name = before.getName().str();
  const std::string line = std::to_string(before.getLine());
  const std::string line_now = std::to_string(now.getLine());
  const auto at = name.find(line);
  if (at == std::string::npos || line.size() != line_now.size()) return false;
  const auto digit = [&](std::size_t place) { return place < name.size() && name[place] >= '0' && name[place] <= '9'; };
  if (digit(at + line.size()) || (at > 0 && digit(at - 1))) return false;
  return before.isLocalToUnit() && llvm::isa_and_nonnull<llvm::DILocalScope>(before.getScope()) &&
         before.getLinkageName().empty() && std::string(name).replace(at, line.size(), line_now) == now.getName();
}

void Lines::check_order() const {
  for (const auto& [file, moved] : files_) {
    unsigned last = 0;
    for (const auto& [before, now] : moved) {
      if (now <= last) throw Different("lines are in another order");
      last = now;
    }
  }
}

void DebugPairs::meet(const llvm::Metadata* before, const llvm::Metadata* now) {
  if (before == nullptr || now == nullptr) {
    same_record(before == now, "one more node");
    return;
  }
  if (!known_.insert({before, now}).second) return;
  same_record(before->getMetadataID() == now->getMetadataID(), "another kind of node");
  if (const auto* text = llvm::dyn_cast<llvm::MDString>(before)) {
    same_record(text->getString() == llvm::cast<llvm::MDString>(now)->getString(), "a name");
  } else if (const auto* number = llvm::dyn_cast<llvm::ConstantAsMetadata>(before)) {
    const auto* one = llvm::dyn_cast<llvm::ConstantInt>(number->getValue());
    const auto* other = llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::ConstantAsMetadata>(now)->getValue());
    same_record(one != nullptr && other != nullptr && one->getBitWidth() == other->getBitWidth() &&
                    one->getValue() == other->getValue(),
                "a number");
  } else {
    const auto* node = llvm::dyn_cast<llvm::MDNode>(before);
    same_record(node != nullptr, "a kind of node that is not known");
    work_.emplace_back(node, llvm::cast<llvm::MDNode>(now));
  }
}

void DebugPairs::meet(const llvm::DILocation* before, const llvm::DILocation* now) {
  same_record((before == nullptr) == (now == nullptr), "a place more or less");
  if (before == nullptr || !known_.insert({before, now}).second) return;
  lines_.note(before->getFile(), before->getLine(), now->getLine());
  meet(before->getScope(), now->getScope());
  meet(before->getInlinedAt(), now->getInlinedAt());
}

void DebugPairs::finish() {
  while (!work_.empty()) {
    const auto [before, now] = work_.back();
    work_.pop_back();
    compare(*before, *now);
  }
}

void DebugPairs::compare(const llvm::MDNode& before, const llvm::MDNode& now) {
  if (const auto [a, b] = both<llvm::DIFile>(before, now); a != nullptr) {
    same_record(a->getFilename() == b->getFilename() && a->getDirectory() == b->getDirectory(), "the name of a file");
    return;  // the file's checksum may differ
  }
  if (const auto [a, b] = both<llvm::DIGlobalVariable>(before, now);
      a != nullptr && is_text_record(*a) && is_text_record(*b)) {
    lines_.note(a->getFile(), a->getLine(), b->getLine());
    meet(a->getScope(), b->getScope());
    return;
  }
  if (const auto [a, b] = both<llvm::DILocation>(before, now); a != nullptr) {
    lines_.note(a->getFile(), a->getLine(), b->getLine());
  } else if (const auto [one, other] = both<llvm::DINode>(before, now); one != nullptr) {
    same_record(one->getTag() == other->getTag(), "a tag");
    same_record(compare_named(before, now), "a kind of node that is not known");
  } else if (const auto [c, d] = both<llvm::DIExpression>(before, now); c != nullptr) {
    same_record(c->getElements() == d->getElements(), "an expression");
  } else {
    same_record(llvm::isa<llvm::MDTuple, llvm::DIGlobalVariableExpression, llvm::DIMacroNode>(before),
                "a kind of node that is not known");
  }
  const llvm::Metadata* renamed = nullptr;
  if (const auto [a, b] = both<llvm::DIGlobalVariable>(before, now); a != nullptr && a->getName() != b->getName()) {
    same_record(named_by_line(*a, *b), "a name");
    const std::string function = llvm::cast<llvm::DILocalScope>(a->getScope())->getSubprogram()->getName().str();
    lines_.rename(function + "." + a->getName().str(), function + "." + b->getName().str());
    renamed = a->getRawName();
  }
  same_record(before.getNumOperands() == now.getNumOperands(), "one more part");
  for (unsigned i = 0; i < before.getNumOperands(); ++i) {
    if (renamed != nullptr && before.getOperand(i).get() == renamed) continue;
    meet(before.getOperand(i).get(), now.getOperand(i).get());
  }
}

// Compares what a node has besides its operands. False for a class that is not known here. Left out, for no part of the
// analysis reads it: the line of a function's body, the value of an enumerator, what concerns debuggers only.
bool DebugPairs::compare_named(const llvm::MDNode& before, const llvm::MDNode& now) {
  if (const auto [a, b] = both<llvm::DIType>(before, now); a != nullptr) {
    compare_types(*a, *b);
  } else if (const auto [c, d] = both<llvm::DISubprogram>(before, now); c != nullptr) {
    lines_.note(c->getFile(), c->getLine(), d->getLine());
    same_record(c->getFlags() == d->getFlags() && c->getSPFlags() == d->getSPFlags() &&
                    c->getVirtualIndex() == d->getVirtualIndex() && c->getThisAdjustment() == d->getThisAdjustment(),
                "what a function is");
  } else if (const auto [e, f] = both<llvm::DILexicalBlock>(before, now); e != nullptr) {
    lines_.note(e->getFile(), e->getLine(), f->getLine());
  } else if (const auto [g, h] = both<llvm::DIVariable>(before, now); g != nullptr) {
    lines_.note(g->getFile(), g->getLine(), h->getLine());
    same_record(g->getAlignInBits() == h->getAlignInBits(), "how a variable is aligned");
    if (const auto* local = llvm::dyn_cast<llvm::DILocalVariable>(g)) {
      const auto* other = llvm::cast<llvm::DILocalVariable>(h);
      same_record(local->getArg() == other->getArg() && local->getFlags() == other->getFlags(), "what a variable is");
    } else {
      const auto* global = llvm::cast<llvm::DIGlobalVariable>(g);
      const auto* other = llvm::cast<llvm::DIGlobalVariable>(h);
      same_record(global->isLocalToUnit() == other->isLocalToUnit() && global->isDefinition() == other->isDefinition(),
                  "what a variable is");
    }
  } else if (const auto [i, j] = both<llvm::DILabel>(before, now); i != nullptr) {
    lines_.note(i->getFile(), i->getLine(), j->getLine());
  } else if (const auto [k, l] = both<llvm::DIImportedEntity>(before, now); k != nullptr) {
    lines_.note(k->getFile(), k->getLine(), l->getLine());
  } else if (const auto [m, n] = both<llvm::DINamespace>(before, now); m != nullptr) {
    same_record(m->getExportSymbols() == n->getExportSymbols(), "a namespace");
  } else if (const auto [o, p] = both<llvm::DITemplateParameter>(before, now); o != nullptr) {
    same_record(o->isDefault() == p->isDefault(), "a template parameter");
  } else {
    return llvm::isa<llvm::DICompileUnit, llvm::DILexicalBlockFile, llvm::DISubrange, llvm::DIEnumerator>(before);
  }
  return true;
}

void DebugPairs::compare_types(const llvm::DIType& before, const llvm::DIType& now) {
  lines_.note(before.getFile(), before.getLine(), now.getLine());
  same_record(before.getSizeInBits() == now.getSizeInBits() && before.getAlignInBits() == now.getAlignInBits() &&
                  before.getOffsetInBits() == now.getOffsetInBits() && before.getFlags() == now.getFlags(),
              "how a type is laid out");
  if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(&before)) {
    same_record(basic->getEncoding() == llvm::cast<llvm::DIBasicType>(now).getEncoding(), "what a type is");
  } else if (const auto* function = llvm::dyn_cast<llvm::DISubroutineType>(&before)) {
    same_record(function->getCC() == llvm::cast<llvm::DISubroutineType>(now).getCC(), "how a function is called");
  } else if (const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(&before)) {
    same_record(composite->getRuntimeLang() == llvm::cast<llvm::DICompositeType>(now).getRuntimeLang(),
                "what a type is");
  } else {
    same_record(llvm::isa<llvm::DIDerivedType>(before), "a kind of type that is not known");
  }
}

}  // namespace heddle::elyze
