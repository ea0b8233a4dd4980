#include "elyze/driver.hpp"

#include "base/clock.hpp"
#include "elyze/conflicts/conflicts.hpp"
#include "elyze/conflicts/pinned.hpp"
#include "elyze/effects/bottom_up.hpp"
#include "elyze/explain/explain.hpp"
#include "elyze/handlers/world.hpp"
#include "elyze/ir/load.hpp"
#include "elyze/marks/casts.hpp"
#include "elyze/marks/on_behalf.hpp"
#include "elyze/points_to/call_graph.hpp"

namespace heddle::elyze {
namespace {

class Stopwatch {
 public:
  explicit Stopwatch(const std::function<void(const Timing&)>& progress)
      : progress_(progress), last_(base::monotonic_ns()) {}
  void lap(const char* step) {
    const base::Nanoseconds now = base::monotonic_ns();
    if (progress_) progress_({step, static_cast<double>(now - last_) * 1e-9});
    last_ = now;
  }

 private:
  const std::function<void(const Timing&)>& progress_;
  base::Nanoseconds last_;
};

}  // namespace

nlohmann::ordered_json analyse_program(const Specs& specs, const Job& job,
                                       const std::function<void(const Timing&)>& progress, NumbersRead* read) {
  Stopwatch watch(progress);
  llvm::LLVMContext context;
  Modules modules = read_program(context, job.bitcode);
  watch.lap("read");
  mark_casts(modules, specs);
  Preparation preparation;
  for (const auto& part : modules) preparation.run(*part);
  watch.lap("prepare");
  const std::unique_ptr<llvm::Module> module = link(std::move(modules), job.bitcode);
  specs.check_dispatchers(*module);
  add_work_on_behalf(*module, specs);
  watch.lap("link");
  const CallGraph calls = build_call_graph(*module, specs);
  watch.lap("call graph");
  const std::unique_ptr<Analysis> analysis = analyse_functions(*module, specs, calls, job.limits);
  watch.lap("effects");
  const World world = build_world(*analysis);
  watch.lap("handlers");
  const Conflicts conflicts = find_conflicts(*analysis, world, job.assumed);
  watch.lap("conflicts");
  const Pinned pinned = find_pinned(*analysis, world, *conflicts.footprint);
  watch.lap("threads");
  Findings findings = explain(*analysis, world, conflicts, pinned);
  findings.assumed = job.assumed;
  findings.rests_on = conflicts.footprint->rests_on();
  nlohmann::ordered_json document = constraints_document(findings, job.program);
  if (read != nullptr) {
    read->add(calls.numbers_read);
    read->add(analysis->points_to.numbers_read);
  }
  watch.lap("document");
  return document;
}

}  // namespace heddle::elyze
