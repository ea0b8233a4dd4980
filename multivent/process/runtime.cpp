#include "multivent/process/runtime.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "base/user_error.hpp"
#include "multivent/loop/base.hpp"
#include "multivent/process/alone.hpp"
#include "multivent/process/run_facts.hpp"
#include "multivent/program/constraints_file.hpp"
#include "schemas/reasons.hpp"
#include "telemetry/run_report.hpp"
#include "telemetry/say.hpp"

namespace heddle::multivent {

namespace {

// This thread is one of Runtime::loop_threads_.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool has_run_a_loop = false;

}  // namespace

Runtime& Runtime::get() {
  static Runtime& runtime = *new Runtime;
  return runtime;
}

Runtime::Family& Runtime::family() {
  static Family& family = *[] {
    void* const memory = mmap(nullptr, sizeof(Family), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? new Family : new (memory) Family;
  }();
  return family;
}

Runtime::Runtime() : owner_(getpid()) {
  family();
  mode_.why_serial = schemas::reasons::kNoConstraints;
  pthread_key_create(&loop_thread_, thread_ends);
  pthread_atfork(before_fork, [] { after_fork(false); }, [] { after_fork(true); });
}

void Runtime::configure(const Settings& settings, const Mode& mode, const ConstraintsFile* constraints) {
  Runtime& runtime = get();
  runtime.settings_ = settings;
  runtime.mode_ = mode;
  runtime.open(constraints);
}

void Runtime::open(const ConstraintsFile* constraints) {
  trace_file_.reset();
  registry_.reset();
  owner_ = getpid();
  signals_are_tied_ = constraints != nullptr && constraints->signals_are_tied;
  const bool records = settings_.statistics || !settings_.trace_file_path.empty();
  if (!records && (constraints == nullptr || !parallel())) return;
  symbols_ = Symbols::of_this_process();
  if (constraints != nullptr) {
    for (const ConstraintsFile::Library& library : constraints->libraries) symbols_.add_library(library.build_id);
  }
  registry_ = constraints != nullptr ? std::make_unique<HandlerRegistry>(symbols_, *constraints)
                                     : std::make_unique<HandlerRegistry>(symbols_);
  if (!settings_.trace_file_path.empty())
    trace_file_ =
        std::make_unique<telemetry::TraceFile>(settings_.trace_file_path, described(symbols_),
                                               handler_names(*registry_), parallel() ? mode_.threads.least + 1 : 1);
}

LoopOptions Runtime::loop_options() const {
  LoopOptions options{.oracle = settings_.oracle,
                      .signals_are_tied = signals_are_tied_,
                      .registry = registry_.get(),
                      .statistics = settings_.statistics,
                      .trace_file = trace_file_.get()};
  if (settings_.in_turn) options.crewed = Crewed::kInTurn;
  if (mode_.threads.of_cores && settings_.promotion == scheduler::Promotion::kAdaptive && !settings_.in_turn)
    options.crewed = Crewed::kWhereItPays;
  if (!parallel()) return options;
  options.crew = {.handlers_at_once = mode_.threads.least,
                  .most_handlers_at_once = mode_.threads.most,
                  .promotion = settings_.promotion};
  if (options.crewed == Crewed::kWhereItPays && !settings_.metrics) options.looks = look;
  return options;
}

void Runtime::add(event_base& base) {
  const std::lock_guard guard(mutex_);
  if (started_ns_ == 0) started_ns_ = heddle::base::monotonic_ns();
  bases_.push_back(&base);
}

void Runtime::runs_loop() {
  if (!runs_loop_.load(std::memory_order_relaxed)) takes_over();
  if (!has_run_a_loop && current_task() == nullptr) thread_begins();
}

void Runtime::takes_over() {
  const std::lock_guard guard(mutex_);
  if (runs_loop_.exchange(true, std::memory_order_relaxed)) return;
  if (trace_file_ != nullptr && !family().traced.exchange(true, std::memory_order_relaxed)) trace_file_->take_over();
}

void Runtime::thread_begins() {
  const std::lock_guard guard(mutex_);
  has_run_a_loop = true;
  pthread_setspecific(loop_thread_, this);
  ++loop_threads_;
  if (live_ == nullptr) start_live();
}

// Not with the mutex: what ends may run functions of the program, for the values that its threads keep.
bool Runtime::one_crew_is_let_go() {
  std::unique_lock guard(mutex_);
  for (event_base* base : bases_) {
    std::unique_lock lock(base->mutex);
    if (!base->driver.has_hired()) continue;
    guard.unlock();
    base->driver.let_go(lock);
    return true;
  }
  return false;
}

void Runtime::thread_ends(void* runtime) {
  Runtime& self = *static_cast<Runtime*>(runtime);
  while (self.one_crew_is_let_go()) {
  }
  std::unique_ptr<telemetry::Live> live;
  {
    const std::lock_guard guard(self.mutex_);
    if (std::exchange(has_run_a_loop, false) && --self.loop_threads_ == 0) live = std::move(self.live_);
  }
  if (live != nullptr) live->end();
}

// A serial run stays a process of one thread, unless its figures were asked for.
void Runtime::start_live() {
  if (!settings_.statistics || registry_ == nullptr) return;
  if (settings_.live_folder.empty() && !(parallel() && settings_.summary)) return;
  try {
    live_ = std::make_unique<telemetry::Live>(
        settings_.live_folder, [this] { return telemetry::run_summary(facts()); }, [this] { return document(); },
        loop_options().looks != nullptr ? telemetry::Live::Thread::kWhenAsked : telemetry::Live::Thread::kNow);
  } catch (const std::system_error&) {
    live_ = nullptr;  // no more threads can be made: the program comes first
  }
}

// It is called by a thread of a loop, and live_ exists as long as there is one.
void Runtime::look(bool for_good) {
  telemetry::Live* live = nullptr;
  {
    const std::lock_guard guard(get().mutex_);
    live = get().live_.get();
  }
  if (live != nullptr) live->look(for_good);
}

void Runtime::remove(event_base& base) {
  const std::lock_guard guard(mutex_);
  bases_.erase(std::remove(bases_.begin(), bases_.end(), &base), bases_.end());
  const BaseLock lock(base);  // its watchdog may still note how many threads suit
  if (base.recorder.statistics() != nullptr) finished_.merge(*base.recorder.statistics());
  base.recorder.flush();
}

telemetry::RunFacts Runtime::facts() {
  telemetry::RunFacts facts;
  if (parallel()) {
    facts.threads = mode_.threads.least;
    facts.most_threads = mode_.threads.most;
  }
  facts.constraints_path = settings_.constraints_path;
  facts.oracle = settings_.oracle;
  facts.why_serial = mode_.why_serial;
  collect(facts);
  if (registry_ != nullptr) add_names(facts, *registry_, symbols_);  // of all that was counted: after that
  return facts;
}

Runtime::Lock Runtime::lock_unless_interrupted() {
  if (base::QuickMutex::is_any_mine()) return {mutex_, std::try_to_lock};
  return mutex_.lock_unless_mine() ? Lock(mutex_, std::adopt_lock) : Lock();
}

void Runtime::collect(telemetry::RunFacts& facts) {
  const Lock all = lock_unless_interrupted();
  if (!all.owns_lock()) return;
  facts.seconds = started_ns_ == 0 ? 0 : static_cast<double>(heddle::base::monotonic_ns() - started_ns_) / 1e9;
  facts.statistics.merge(finished_);
  for (event_base* base : bases_) {
    const BaseLock lock(*base);
    if (base->recorder.statistics() != nullptr) facts.statistics.merge(*base->recorder.statistics());
  }
}

// By a thread with the program's descriptors: the one that answers `heddle top` has a table of its own.
void Runtime::write_traces() {
  const Lock all = lock_unless_interrupted();
  if (!all.owns_lock()) return;
  for (event_base* base : bases_) {
    const BaseLock lock(*base);
    base->recorder.flush();
  }
}

std::string Runtime::document() { return telemetry::run_document(facts()); }

std::string Runtime::run_file_of_this_process() {
  const bool first = family().run_files.fetch_add(1, std::memory_order_relaxed) == 0;
  return settings_.run_file_path + (first ? "" : "." + std::to_string(getpid()));
}

void Runtime::report() {
  if (registry_ == nullptr) return;
  if (!runs_loop_.load(std::memory_order_relaxed) &&
      (getpid() != owner_ || has_children_.load(std::memory_order_relaxed)))
    return;
  {
    const Lock lock = lock_unless_interrupted();
    if (!lock.owns_lock()) {
      telemetry::say("heddle: a signal's function has ended the process while its figures were in use: no report\n");
      return;
    }
    if (live_ != nullptr) live_->stop();
  }
  write_traces();
  if (!settings_.summary && settings_.run_file_path.empty()) return;
  const telemetry::RunFacts facts = this->facts();
  if (settings_.summary) telemetry::say(telemetry::run_summary(facts));
  if (settings_.run_file_path.empty()) return;
  try {
    telemetry::write_run_file(run_file_of_this_process(), facts);
  } catch (const base::UserError& error) {
    telemetry::say(std::string("heddle: ") + error.what() + "\n");
  }
}

// A child of fork() has only the thread that called it. All mutexes are taken before, so that none is left locked by a
// thread that the child does not have; but those that this thread has already, for fork() may be called by a signal's
// function.
void Runtime::before_fork() {
  Alone::begin();
  Runtime& runtime = get();
  Lock lock = runtime.lock_unless_interrupted();
  runtime.locked_for_fork_ = lock.owns_lock();
  static_cast<void>(lock.release());
  for (event_base* base : runtime.bases_) base->locked_for_fork = base->lock_unless_mine();
  Owners::get().lock();
}

void Runtime::after_fork(bool in_child) {
  Runtime& runtime = get();
  Owners::get().unlock();
  for (event_base* base : runtime.bases_) {
    if (in_child) base->after_fork_in_child();
    if (std::exchange(base->locked_for_fork, false)) base->mutex.unlock();
  }
  if (in_child) {
    if (runtime.live_ != nullptr) telemetry::Live::give_signal_back();
    [[maybe_unused]] const auto* lost = runtime.live_.release();  // its thread does not exist
    has_run_a_loop = false;
    runtime.loop_threads_ = 0;
    runtime.runs_loop_.store(false, std::memory_order_relaxed);
    runtime.started_ns_ = 0;
    runtime.finished_ = {};
  } else {
    runtime.has_children_.store(true, std::memory_order_relaxed);
  }
  if (runtime.locked_for_fork_) {
    runtime.mutex_.unlock();
  } else if (in_child && !runtime.mutex_.is_mine()) {
    new (&runtime.mutex_) base::QuickMutex;  // whoever has it does not exist
  }
  if (in_child) Alone::after_fork_in_child();
  Alone::end();
}

}  // namespace heddle::multivent
