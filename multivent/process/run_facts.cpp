#include "multivent/process/run_facts.hpp"

namespace heddle::multivent {

telemetry::Program described(const Symbols& program) { return {program.program_name(), program.build_id()}; }

std::vector<telemetry::HandlerName> handler_names(const HandlerRegistry& registry) {
  std::vector<telemetry::HandlerName> names;
  for (const Handler* handler : registry.handlers())
    names.push_back({handler->name, handler->known || handler->judged});
  return names;
}

void add_names(telemetry::RunFacts& facts, const HandlerRegistry& registry, const Symbols& program) {
  facts.program = described(program);
  facts.handlers = handler_names(registry);
  facts.missing = registry.missing();
  const std::vector<const Handler*> handlers = registry.handlers();
  for (const telemetry::Contention& pair : facts.statistics.contention()) {
    const Handler& waiter = *handlers.at(pair.waiter);
    const Handler& holder = *handlers.at(pair.holder);
    const bool session = registry.constraints().verdict(waiter.klass, holder.klass) == scheduler::Verdict::kSession;
    const std::span<const std::string> objects = registry.objects(waiter, holder);
    facts.held_back.push_back({pair, session, {objects.begin(), objects.end()}});
  }
}

}  // namespace heddle::multivent
