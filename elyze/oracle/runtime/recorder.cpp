#include "elyze/oracle/runtime/recorder.hpp"

#include <algorithm>
#include <cstring>

#include "elyze/oracle/runtime/process.hpp"

namespace heddle::oracle {
namespace {

using schemas::AccessRecord;
using schemas::ObjectKind;

// A published block is searched for pointers to what it publishes with it, as far as this.
constexpr std::uint64_t kMostSearched = std::uint64_t{1} << 20;

std::string field(const char* text) { return text == nullptr || *text == '\0' ? "-" : text; }

}  // namespace

// --- Loops and invocations ---

void Recorder::enter_loop(ThreadState& thread, const void* base, Address stack_end) {
  if (!file.is_open() && !file.is_finished()) open_file();
  Loop loop;
  loop.base = base;
  loop.stack_end = stack_end;
  thread.loops.push_back(std::move(loop));
}

void Recorder::leave_loop(ThreadState& thread) {
  if (thread.loops.empty()) return;
  end(thread);  // a handler that jumped out of the loop
  thread.loops.pop_back();
}

bool Recorder::begin(ThreadState& thread, HeddleOracleSite* handler, const void* function,
                     const std::uint64_t* arguments, unsigned count, const Cause& cause) {
  if (thread.loops.empty() || thread.loops.back().running != nullptr || !file.is_open()) return false;
  auto invocation = spare_ != nullptr ? std::move(spare_) : std::make_unique<Invocation>();
  invocation->id = next_invocation_++;
  invocation->step = 0;
  invocation->late = false;
  describe(handler);
  schemas::InvocationRecord record{};
  record.id = invocation->id;
  record.handler = handler->id;
  record.parent = cause.invocation;
  record.parent_step = cause.step;
  record.session = count == 0 ? 0 : arguments[count - 1];
  if (Block* block = blocks.find(record.session)) {
    describe(*block);
    record.session_object = block->id;
  }
  file.add(record);
  const auto [first, last] = fresh_parameters_.equal_range(function);
  for (auto parameter = first; parameter != last; ++parameter) {
    if (parameter->second >= count) continue;
    Block* block = blocks.find(arguments[parameter->second]);
    if (block == nullptr) continue;
    block->private_to = invocation->id;
    invocation->own_blocks.push_back(block->start);
  }
  thread.loops.back().running = std::move(invocation);
  return true;
}

void Recorder::end(ThreadState& thread) {
  Invocation* invocation = thread.current();
  if (invocation == nullptr) return;
  emit(*invocation);
  invocation->own_blocks.clear();
  spare_ = std::move(thread.loops.back().running);
}

void Recorder::pass_late_point(ThreadState& thread) {
  if (Invocation* invocation = thread.current(); invocation != nullptr) invocation->late = true;
}

Cause Recorder::depart(ThreadState& thread) {
  Invocation* invocation = thread.current();
  if (invocation == nullptr) return {};
  // The last step stands for all later ones. Causes then say less about order than they could, never more.
  constexpr std::uint32_t kLastStep = 0xfffe;
  if (invocation->step == kLastStep) return {};
  return {invocation->id, invocation->step++};
}

// --- Accesses ---

bool Recorder::is_own_stack(const ThreadState& thread, Address at) const {
  const auto here = reinterpret_cast<Address>(__builtin_frame_address(0));
  return at >= here && at < thread.loops.back().stack_end;
}

void Recorder::touch(ThreadState& thread, Address at, std::uint64_t bytes, std::uint16_t flags,
                     HeddleOracleSite* site) {
  Invocation* invocation = thread.current();
  if (invocation == nullptr || at == 0 || bytes == 0 || is_own_stack(thread, at)) return;
  Block* block = blocks.find(at);
  if (block == nullptr) {
    for (const AddressRange& range : thread.own_storage)
      if (at >= range.low && at < range.high) return;
    add(*invocation, {at, bytes, 0, 0, flags, site});
    return;
  }
  if (block->private_to == invocation->id) return;
  if (block->written_in != file.number()) describe(*block);
  const std::uint64_t offset = at - block->start;
  add(*invocation, {offset, std::min(bytes, block->bytes - offset), block->id, 0, flags, site});
}

void Recorder::touch_block(ThreadState& thread, Address at, HeddleOracleSite* site) {
  Block* block = blocks.find(at);
  if (block == nullptr) {
    touch(thread, at, 1, AccessRecord::kWrites, site);
  } else {
    touch(thread, block->start, block->bytes, AccessRecord::kWrites, site);
  }
}

void Recorder::touch_hidden(ThreadState& thread, const char* name, std::uint16_t flags, HeddleOracleSite* site) {
  Invocation* invocation = thread.current();
  if (invocation == nullptr) return;
  HiddenState& state = hidden_[name];
  if (state.id == 0) state.id = next_object_++;
  if (state.written_in != file.number()) {
    state.written_in = file.number();
    file.add(schemas::ObjectRecord{state.id, ObjectKind::kHidden, 0, 1, 0, 0});
    file.text("hidden\t" + std::to_string(state.id) + '\t' + name + '\n');
  }
  add(*invocation, {0, 1, state.id, 0, flags, site});
}

Recorder::OpenFile& Recorder::file_of(int descriptor) {
  OpenFile& open = files_[descriptor];
  if (open.id == 0) open.id = next_object_++;
  return open;
}

void Recorder::touch_file(ThreadState& thread, int descriptor, std::uint16_t flags, HeddleOracleSite* site) {
  Invocation* invocation = thread.current();
  if (invocation == nullptr || descriptor < 0) return;
  const bool known = files_.count(descriptor) != 0;
  OpenFile& open = file_of(descriptor);
  // A descriptor that the recorder sees first here may be new, made for this invocation by a listener for example.
  if (!known && descriptor > 2) open.made_by = invocation->id;
  if (open.made_by == invocation->id) return;
  if (open.written_in != file.number()) {
    open.written_in = file.number();
    if (open.site != nullptr) describe(open.site);
    file.add(schemas::ObjectRecord{open.id, ObjectKind::kFile, static_cast<std::uint64_t>(descriptor), 1,
                                   open.site == nullptr ? 0 : open.site->id, open.made_by});
  }
  add(*invocation, {0, 1, open.id, 0, flags, site});
}

void Recorder::add(Invocation& invocation, const Touch& touch) {
  Touch here = touch;
  here.step = static_cast<std::uint16_t>(invocation.step);
  if (invocation.late) here.flags |= AccessRecord::kLate;
  invocation.touched.add(here);
  if (invocation.touched.full()) emit(invocation);
}

void Recorder::emit(Invocation& invocation) {
  for (const Touch& touch : invocation.touched.sorted()) {
    describe(touch.site);
    file.add(
        AccessRecord{invocation.id, touch.object, touch.offset, touch.bytes, touch.site->id, touch.step, touch.flags});
  }
  invocation.touched.clear();
}

// --- Objects ---

void Recorder::allocated(ThreadState& thread, Address at, std::uint64_t bytes, bool may_be_private) {
  Invocation* invocation = thread.current();
  Block& block = blocks.add(at, bytes, next_object_++);
  block.site = thread.allocates;
  if (invocation == nullptr) return;
  block.made_by = invocation->id;
  if (!may_be_private) return;
  block.private_to = invocation->id;
  invocation->own_blocks.push_back(at);
}

void Recorder::freed(Address at) {
  Block* block = blocks.find(at);
  if (block != nullptr && block->start == at) blocks.remove(*block);
}

void Recorder::unmapped(Address at, std::uint64_t bytes) { blocks.remove_any_of(at, bytes); }

void Recorder::opened(ThreadState& thread, int descriptor, HeddleOracleSite* site) {
  if (descriptor < 0) return;
  const Invocation* invocation = thread.current();
  files_[descriptor] = {next_object_++, invocation == nullptr ? 0 : invocation->id, 0, site};
}

void Recorder::closed(int descriptor) { files_.erase(descriptor); }

void Recorder::same_file(int a, int b) {
  if (a >= 0 && b >= 0) files_[b] = file_of(a);
}

void Recorder::unit(const HeddleOracleGlobal* globals, std::uint64_t count) { units_.push_back({globals, count}); }

void Recorder::fresh_parameter(const void* function, unsigned index) {
  const auto [first, last] = fresh_parameters_.equal_range(function);
  if (std::none_of(first, last, [&](const auto& known) { return known.second == index; }))
    fresh_parameters_.emplace(function, index);
}

// --- Publication ---

void Recorder::stored(ThreadState& thread, Address at, Address value) {
  const Invocation* invocation = thread.current();
  if (invocation == nullptr || invocation->own_blocks.empty()) return;
  const Block* pointee = blocks.find(value);
  if (pointee == nullptr || pointee->private_to != invocation->id || is_own_stack(thread, at)) return;
  const Block* holder = blocks.find(at);
  if (holder == nullptr || holder->private_to != invocation->id) publish(thread, value);
}

// Called before the bytes are copied.
void Recorder::copied(ThreadState& thread, Address to, Address from, std::uint64_t bytes) {
  const Invocation* invocation = thread.current();
  if (invocation == nullptr || invocation->own_blocks.empty() || is_own_stack(thread, to)) return;
  const Block* holder = blocks.find(to);
  if (holder == nullptr || holder->private_to != invocation->id) publish_bytes(thread, from, bytes);
}

void Recorder::publish(ThreadState& thread, Address value) {
  const Invocation* invocation = thread.current();
  if (invocation == nullptr || invocation->own_blocks.empty()) return;
  Block* block = blocks.find(value);
  if (block == nullptr || block->private_to != invocation->id) return;
  block->private_to = 0;
  publish_bytes(thread, block->start, std::min(block->bytes, kMostSearched));
}

void Recorder::publish_bytes(ThreadState& thread, Address at, std::uint64_t bytes) {
  const Invocation* invocation = thread.current();
  if (invocation == nullptr || invocation->own_blocks.empty()) return;
  const Address first = (at + sizeof(Address) - 1) / sizeof(Address) * sizeof(Address);
  for (Address word = first; word + sizeof(Address) <= at + bytes; word += sizeof(Address)) {
    Address value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(word), sizeof value);  // NOLINT: the program's memory
    publish(thread, value);
  }
}

void Recorder::publish_owner(ThreadState& thread, Address value, std::uint64_t offset) {
  const Invocation* invocation = thread.current();
  if (invocation == nullptr) return;
  const std::vector<Address> own = invocation->own_blocks;
  for (const Address start : own) {
    const Block* block = blocks.find(start);
    if (block == nullptr || block->private_to != invocation->id || block->bytes < offset + sizeof value) continue;
    Address held = 0;
    std::memcpy(&held, reinterpret_cast<const void*>(start + offset), sizeof held);  // NOLINT: the program's memory
    if (held == value) publish(thread, start);
  }
}

// --- The trace ---

void Recorder::open_file() {
  if (!process::open_trace(file)) return;
  file.text("program\t" + process::program() + '\t' + process::build_id() + '\n');
  for (const UnitRecord& unit : units_) {
    for (const HeddleOracleGlobal* global = unit.globals; global != unit.globals + unit.count; ++global)
      file.text("global\t" + std::to_string(reinterpret_cast<Address>(global->address)) + '\t' +
                std::to_string(global->size) + '\t' + field(global->name) + '\t' + field(global->file) + '\t' +
                std::to_string(global->line) + '\n');
  }
  for (HeddleOracleSite* site : sites_) site->id = 0;
  sites_.clear();
}

void Recorder::describe(HeddleOracleSite* site) {
  if (site->id != 0) return;
  site->id = next_site_++;
  sites_.push_back(site);
  file.text("site\t" + std::to_string(site->id) + '\t' + std::to_string(site->line) + '\t' + field(site->function) +
            '\t' + field(site->file) + '\t' + field(site->object) + '\n');
}

void Recorder::describe(Block& block) {
  if (block.written_in == file.number()) return;
  block.written_in = file.number();
  if (block.site != nullptr) describe(block.site);
  file.add(schemas::ObjectRecord{block.id, ObjectKind::kHeap, block.start, block.bytes,
                                 block.site == nullptr ? 0 : block.site->id, block.made_by});
}

void Recorder::after_fork(ThreadState& thread) {
  file.forget();
  thread.loops.clear();
}

void Recorder::finish(ThreadState& thread) {
  for (Loop& loop : thread.loops)
    if (loop.running != nullptr) emit(*loop.running);
  file.finish();
}

}  // namespace heddle::oracle
