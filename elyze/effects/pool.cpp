// What callers of a large recursive component take from it, and what they leave there: see pool.hpp.
#include "elyze/effects/pool.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "elyze/effects/collect.hpp"

namespace heddle::elyze {
namespace {

constexpr Derivation kOther{kOtherRoot, 0, true};
constexpr std::ptrdiff_t kMostCalls = 8;  // of one callee by one function that are told apart

bool by_number(const Root& root, const Access& access, const llvm::Function& function) {
  return root.kind == Root::Kind::kParam && access.extent == Extent::kWhole && root.index < function.arg_size() &&
         function.getArg(root.index)->getType()->isIntegerTy();
}

}  // namespace

// A descriptor given as a number: standard output and the like. The callee's cell is nobody's.
void Collector::use_numbers(const CallSite& site, const Summary& callee) {
  for (const Access& inner : callee.numbers) {
    const Root root = analysis_.roots[inner.root];
    if (root.index >= site.actuals.size()) continue;
    Access access = inner;
    access.witness = analysis_.witnesses.add(*site.call, inner.witness);
    const llvm::Value* actual = site.actuals[root.index].value;
    if (const llvm::ConstantInt* number = analysis_.points_to.number(*site.call, actual)) {
      if (number->isNegative()) continue;
      access.cell = cells_.descriptor(*site.call, number);
      access.root = kGlobalRoot;
      add(*site.call, access, inner.witness);
      continue;
    }
    access.root = derivation(actual).base;
    note_number(access);
  }
}

void Collector::note_number(const Access& access) {
  if (!by_number(analysis_.roots[access.root], access, function_)) return;
  for (const Access& known : summary_.numbers) {
    if (known.root == access.root && known.mode == access.mode && known.child == access.child &&
        known.behind == access.behind && known.closes == access.closes) {
      return;
    }
  }
  summary_.numbers.push_back(access);
}

void Collector::use_pooled(const CallSite& site, const llvm::Function& callee) {
  const Summary& summary = analysis_.summaries.at(&callee);
  PooledCall call{&callee, {}, analysis_.children.executes(*site.call), analysis_.late_points.behind(*site.call)};
  for (std::size_t i = 0; i < callee.arg_size(); ++i) {
    const Derivation actual = i < site.actuals.size() ? of(site.actuals[i]) : kOther;
    call.actuals.push_back({actual, actual, actual, false});
  }
  pooled_calls_.push_back({site.call, std::move(call)});
  for (const Access& access : summary.open) {
    const bool variadic =
        access.extent == Extent::kVariadic || analysis_.roots[access.root].kind == Root::Kind::kVariadic;
    if (variadic) use_access(site, access, nullptr);
  }
  if (!summary.keeps_all) {
    use_stores(site, summary, nullptr);
    return;
  }
  for (const Actual& actual : site.actuals) {
    if (actual.value == nullptr || !carries(actual.value->getType())) continue;
    Store store;
    store.value = cells_.cell(actual);
    store.number = actual.value->getType()->isIntegerTy();
    store.source = of(actual);
    store.target = kOther;
    store.repeated = true;
    add_store(*site.call, store);
  }
}

void Collector::use_pooled_calls(const CallSite& site, const Summary& callee) {
  for (const PooledCall& inner : callee.pooled_calls) {
    PooledCall call{inner.callee,
                    {},
                    inner.child || analysis_.children.executes(*site.call),
                    inner.behind || analysis_.late_points.behind(*site.call)};
    for (const PooledActual& actual : inner.actuals) {
      call.actuals.push_back(
          {moved(actual.early, site), moved(actual.late, site), moved(actual.through, site), actual.early_is_late});
    }
    pooled_calls_.push_back({site.call, std::move(call)});
  }
}

// From now on derivations mean something to callers of this function, as in finish_access().
void Collector::finish_pooled_calls(const Publication& publication) {
  for (auto& [at, call] : pooled_calls_) {
    const auto seen = [&](const Derivation& from, bool late) -> Derivation {
      const RootId judgement = judged(from.base, late, *at, publication);
      if (judgement == kNoRoot || judgement == from.base) return judgement == kNoRoot ? Derivation{} : from;
      return {judgement, 0, false};
    };
    for (PooledActual& actual : call.actuals) {
      const bool own =
          analysis_.roots[actual.late.base].kind == Root::Kind::kFresh && !publication.published(actual.late.base);
      actual.early = seen(actual.early, actual.early_is_late);
      actual.late = own ? Derivation{} : seen(actual.late, true);
      actual.early_is_late |=
          analysis_.roots[actual.early.base].kind == Root::Kind::kParam && publication.after(actual.early.base, *at);
      actual.through = resolve(actual.through, *at, publication);
      if (analysis_.roots[actual.through.base].kind == Root::Kind::kFresh) {
        actual.through.base = kUniqueRoot;  // callers need to know that it is the start of a block, not which
      } else if (analysis_.roots[analysis_.roots.origin(actual.through.base)].kind == Root::Kind::kFresh) {
        actual.through = kOther;
      }
    }
    std::vector<PooledCall>& calls = summary_.pooled_calls;
    if (std::find(calls.begin(), calls.end(), call) != calls.end()) continue;
    const auto same = [&](const PooledCall& other) {
      return other.callee == call.callee && other.child == call.child && other.behind == call.behind;
    };
    if (std::count_if(calls.begin(), calls.end(), same) < kMostCalls) {
      calls.push_back(std::move(call));
      continue;
    }
    PooledCall& known = *std::find_if(calls.begin(), calls.end(), same);
    for (std::size_t i = 0; i < known.actuals.size(); ++i) {
      PooledActual& all = known.actuals[i];
      const PooledActual& one = call.actuals[i];
      all.early = Roots::join(all.early, one.early);
      all.late = Roots::join(all.late, one.late);
      all.through = Roots::join(all.through, one.through);
      all.early_is_late |= one.early_is_late;
    }
  }
}

}  // namespace heddle::elyze
