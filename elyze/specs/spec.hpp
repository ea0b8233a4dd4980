// What one function without bitcode does, as its entry in a YAML file of this folder says (README.md there documents
// the format).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "elyze/specs/signature.hpp"

namespace heddle::elyze {

// As a name in `beside` of a callback: inline assembly with an instruction of which nothing is known.
inline constexpr const char* kUnlistedAssembly = "unlisted assembly";

inline constexpr int kReturnedObject = -1;  // stands for the returned object where an argument's number is expected
inline constexpr int kNoArgument = -3;      // stands for a value that leads nowhere
inline constexpr int kNotAFile = -1;        // stands for the path of what has none: a socket
inline constexpr int kAnyPath = -5;         // stands for a path that is not known
inline constexpr int kNewPath = -6;         // stands for a path that nothing has yet
inline constexpr int kHiddenObject = -2;    // stands for the hidden object called `name`
inline const std::string kEventsHandedOut = "events handed out";  // the hidden object for any event
inline const std::string kSent = "what pipes carry";              // the hidden object for what is sent and received
inline const std::string kStateOfSystem = "state of the system";  // the hidden object for what `complete` rules out
inline const std::string kVariables = "variables of libraries";   // the hidden object for those that have no entry
inline const std::string kAddresses = "addresses of sockets";     // the hidden object for what bind() takes
inline const std::string kSignalHandlers = "signal handlers";     // the hidden object for what sigaction() sets
inline const std::string kAccessTimes = "times at which files were read";  // the hidden object for st_atime
inline constexpr int kCalledFunction = -4;                                 // stands for what a call calls

// Holds at a call, unless its argument `arg` is a constant that is none of `numbers`; is one of them; has none of their
// bits. kSurely: only where it is a constant, and one of them.
struct NumberCondition {
  enum class Test : std::uint8_t { kIs, kIsNot, kHas, kSurely };
  int arg = kNoArgument;
  std::set<std::int64_t> numbers = {};
  Test test = Test::kIs;
  bool allows(std::int64_t number) const {
    if (test != Test::kHas) return numbers.contains(number) == (test != Test::kIsNot);
    return std::any_of(numbers.begin(), numbers.end(), [&](std::int64_t bits) { return (number & bits) != 0; });
  }
};

// A place in what an argument (or kReturnedObject) points to.
struct Field {
  int arg = 0;
  std::int64_t offset = 0;
  std::vector<std::int64_t> path = {};  // not the argument, but what this path from it leads to (see Effect)
};

struct Effect {
  enum class Op : std::uint8_t {
    kRead,            // reads the object that argument `arg` points to
    kWrite,           // writes it
    kFree,            // writes the whole block and ends its life
    kReach,           // reads and writes everything reachable from `arg`
    kReachRead,       // reads everything reachable from `arg`
    kReadFrom,        // reads what the arguments from `arg` on point to (printf)
    kWriteFrom,       // writes what the arguments from `arg` on point to (scanf)
    kReadVariadic,    // reads what the arguments in the va_list `arg` point to
    kCopy,            // moves pointers from what `other` points to into what `arg` points to
    kStore,           // stores the value of `other` (or what it leads to by `value_path`) at `offset` of what `arg` (or
                      // kReturnedObject, kHiddenObject) points to
    kStoreFresh,      // stores a new block (or descriptor, if `other` is 1) at `offset` of what `arg` points to
    kKeep,            // the same, for a value that the library only hands back to its owner
    kSame,            // `arg` and `other` are from now on descriptors of one open file
    kHiddenWrite,     // writes hidden state `name`
    kHiddenRead,      // reads it
    kDescriptorRead,  // reads the open file behind descriptor `arg`
    kDescriptorWrite,  // writes it
    kContents,         // uses what is in the file behind descriptor `arg`, in `use`
    kFile,             // the same for the file whose path is argument `arg`; kNoArgument: for some file
    kOpened,           // empties that file if argument `other`, flags or a mode, does not say that it stays as it is
    kName,             // makes the path `arg` lead elsewhere, or nowhere; kNoArgument: some path; kNewPath
    kAppend,           // adds a record to the stream `arg`, or to the one that the variable `name` of the library holds
    kFlush,            // writes out what was added to that stream
    kWaits,            // descriptor `arg` is no regular file
    kBinds,            // gives descriptor `arg` an address, which others can't have until it is closed
    kCall,             // calls the function `arg`, or the one at `offset` of hidden object `name` or at `path` of what
                       // `arg` points to, with `actuals`
    kCallReachable,    // calls every function reachable from `arg` with `actuals`
    kPublish,          // from here on other invocations may use what `arg` points to
    kPublishOwner,     // the same for what `arg` was loaded from, at `offset`
  };
  struct Actual {
    int arg;      // or kReturnedObject; kHiddenObject: the pointer at `offset` of the hidden object of the function
    bool inside;  // somewhere in what the argument points to
    std::int64_t offset = 0;
    std::vector<std::int64_t> path = {};  // the pointer at the end of this path (as below) from the argument
  };
  // kMap: as the protection in argument `other` says; kSeek: a read, if argument `other` may be SEEK_END; kLock: takes
  // a lock of the file, gives it back or asks for it; kProcessLock: one that the process loses with any descriptor of
  // it; kConnect: not the contents, but the path that the address of a peer may be; kEntry: what decides who may open
  // it, which belongs to the directory entry here; kTakeAddress, kGiveAddress: the address that a socket has.
  enum class Use : std::uint8_t {
    kRead,
    kWrite,
    kMap,
    kSeek,
    kLock,
    kProcessLock,
    kConnect,
    kEntry,
    kTakeAddress,
    kGiveAddress
  };
  // kAppend: what is known of the text of the record. kLine: the text of argument `other` and a newline; kFormat: what
  // printf() makes of it.
  enum class Text : std::uint8_t { kUnknown, kText, kLine, kFormat, kByte };
  Op op;
  int arg = 0;
  int other = 0;
  Use use = Use::kRead;
  int file = kNotAFile;    // kStoreFresh of a descriptor: the argument that is the path of the opened file
  std::int64_t bytes = 0;  // 0: not constant. kStore: in each of the elements of an array, which are so large; 0: none
  NumberCondition condition = {};
  std::string beside = {};   // the condition is for calls of this function: it must hold at one of them
  NumberCondition own = {};  // with `beside`: what must hold at the call itself
  bool if_named = false;     // kHiddenWrite: nothing, in a program that does not name what the hidden object is
  bool part = false;         // kHiddenWrite: a part of it that nobody else writes at that time
  Text text = Text::kUnknown;
  bool in_pieces = false;  // kAppend: in several writes, if the stream has no buffer
  bool undone = false;     // kPublish, kPublishOwner: not if the call returns anything but 0
  bool one_step = false;   // kReach, kReachRead: the block and what it points to, no further
  bool all = false;        // kDescriptorRead: each descriptor in the array that `arg` points to, whose elements have
                           // `bytes` bytes; with `arg` kNoArgument, any open file
  int bytes_arg = -1;      // the argument that holds the number of bytes; -1: none
  std::int64_t offset = 0;
  // Not `arg`, but the pointer (or descriptor) at the first of these bytes of what it points to; the one at the second
  // byte of what that points to; and so on. For stores: where `offset` counts from.
  std::vector<std::int64_t> path = {};
  std::vector<std::int64_t> value_path = {};  // kStore, kKeep: the same for `other`
  std::string name;
  bool closes = false;  // kDescriptorWrite: only gives the descriptor up, so in a child nothing happens to the file
  bool number = false;  // kKeep with a `value_path`: a descriptor
  // kStore: not the value, but a pointer to somewhere in what it points to. kCopy: within one object.
  bool inside = false;
  // kCall: what the function returns is sent, as by kCopy into the hidden object of pipes. kDescriptorWrite: something
  // is sent, which may raise a signal.
  bool sends = false;
  std::optional<Field> result = {};  // kCall: where what the function returns stands
  int steps = 0;                     // kCopy from or to a hidden object: how many pointers to follow from the argument
  std::vector<Actual> actuals;
};

// The effects of a function, in their order. Many functions share one, which whoever has read the specs keeps.
class Effects {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Effect;
    using difference_type = std::ptrdiff_t;
    using pointer = const Effect*;
    using reference = const Effect&;
    Iterator() = default;
    explicit Iterator(const Effect* const* at) : at_(at) {}
    const Effect& operator*() const { return **at_; }
    const Effect* operator->() const { return *at_; }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    const Effect* const* at_ = nullptr;
  };
  Iterator begin() const { return Iterator(shared_.data()); }
  Iterator end() const { return Iterator(shared_.data() + shared_.size()); }
  std::size_t size() const { return shared_.size(); }
  const Effect& operator[](std::size_t index) const { return *shared_[index]; }
  void add(const Effect* effect) { shared_.push_back(effect); }

 private:
  std::vector<const Effect*> shared_;
};

// All effects of another entry, with what this path from argument `arg` leads to in the place of its argument 0.
struct Likeness {
  std::string name;
  int arg = 0;
  std::vector<std::int64_t> path = {};
};

struct Result {
  enum class Kind : std::uint8_t { kNothing, kFresh, kDescriptor, kArgument, kInside, kHidden, kLoaded };
  Kind kind = Kind::kNothing;
  int arg = 0;
  std::int64_t offset = 0;
  std::string name;
  bool shared = false;       // kFresh: a child of fork() has the same block, not a copy
  int file = kNotAFile;      // kDescriptor: the argument that is the path of the opened file
  int mapped = kNoArgument;  // kFresh: the argument that is the descriptor of the file that the block stands for
  // kDescriptor: where this holds, a socket for which no address is a path.
  std::optional<NumberCondition> without_paths = {};
  NumberCondition condition = {};  // as in Effect
  std::string beside = {};
};

struct Parameter {  // what a callback gets in one of its parameters
  enum class Kind : std::uint8_t { kNothing, kArgument, kReturned, kDescriptor, kFresh, kLoaded, kHidden };
  Kind kind = Kind::kNothing;
  int arg = 0;
  std::int64_t offset = 0;         // kLoaded: the pointer there in what `arg` points to
  std::string hidden = {};         // kHidden: a pointer to the object of this name
  std::optional<Field> kept = {};  // or what the program itself stores there
};

struct Callback {
  // Who calls the function: the loop, as a handler; nobody in particular, at any time (a thread, a signal); or the
  // library, in the middle of any handler (an allocator).
  enum class When : std::uint8_t { kLoop, kAnyTime, kInHandlers };
  int function = 0;                    // the argument that is the function
  std::optional<std::int64_t> stored;  // or the function stored at this offset of it (argument or kReturnedObject)
  std::optional<Field> kept;           // or what the program itself stores there
  std::string kind;
  When when = When::kLoop;
  std::string result;                 // what the function returns is this hidden object
  bool allocates = false;             // blocks that the library hands out are what the function returns
  bool anywhere = false;              // kInHandlers: in every handler, whatever that calls
  NumberCondition condition = {};     // for the registration
  std::set<std::string> beside = {};  // the registration counts if the program names one of these; empty: in any case
  std::optional<Signature> type;
  std::string on_behalf;  // the entry for what else the library does to the handler's object (marks/on_behalf.hpp)
  std::vector<Parameter> parameters;
  int session = -1;  // which parameter is the session
  int handed = -1;   // the parameter whose object no two invocations are given at once
  int event = -3;    // the argument (or kReturnedObject) that is the event structure; -3: the library keeps it
  std::int64_t event_bytes = 128;  // of the event structure; struct event of libevent 2.1 on 64-bit systems
  int flags = -1;                  // the argument with EV_READ and the like
  int descriptor = -1;             // the argument with the descriptor

  // Does the loop wait for the descriptor, if these are the flags (none: not known)? Otherwise it only hands it on.
  bool waits(const std::optional<std::int64_t>& with) const {
    constexpr std::int64_t kReadOrWrite = 0x02 | 0x04;  // libevent's flags
    constexpr std::int64_t kSignal = 0x08;
    return flags < 0 || (with && (*with & kReadOrWrite) && !(*with & kSignal));
  }
};

// A function of the program that is its event loop: calls in its body start handlers.
struct Dispatch {
  std::string file;                 // the spec file that declares it
  std::vector<std::string> calls;   // a call of one of these starts a handler; empty: each indirect call does
  int session = -1;                 // which argument of the call is the session
  std::vector<Callback> callbacks;  // by the number of arguments
};

// What a function has to do with the thread that calls it, in the words of "on any thread" (README.md). Each includes
// those before it.
enum class ThreadUse : std::uint8_t {
  kNothing,  // free: nothing
  kMode,     // mode: its rounding mode, the flags of its floating-point unit, or its locale
  kSystem,   // system: what the kernel keeps for it, and what it had from the thread that started it
  kItself,   // not listed: only one thread may be the right one
};

// What must hold at a call, so that it has no more to do with the thread than the spec says; otherwise with the thread
// itself.
struct ThreadCondition {
  enum class Kind : std::uint8_t {
    kNone,
    kNumber,  // argument `arg` is one of `numbers`, which the call names
    kLocal,   // argument `arg` points into a local variable of the caller: setjmp()
    kWithin,  // all calls with kLocal in the program hold, and none of them can be gone back to from a handler:
              // longjmp()
    kTakes,   // argument `arg` is a lock that the caller gives back on every path
    kGives,   // the same for the call that gives it back
  };
  Kind kind = Kind::kNone;
  int arg = 0;
  std::set<std::int64_t> numbers = {};
};

struct Spec {
  std::string library;  // the name of its spec file up to the first dot
  Effects effects;
  std::vector<Likeness> likenesses;  // none, once their effects stand among the effects
  std::vector<Result> results;       // what may be returned
  std::vector<Callback> callbacks;
  bool forks = false;  // returns 0 in a new process, which has a copy of memory
  std::optional<Dispatch> dispatch;
  bool locks = false;    // takes a lock that none of its effects shows
  bool undone = false;   // a result other than 0 says that the call has done nothing
  bool resumes = false;  // the program may go on in an event loop from here, or jump out of the function
  std::string alone;     // what the caller changes that every handler depends on: it conflicts with all; empty: nothing
  int ends = -1;         // the argument that is the status with which it ends the process; -1: it does not
  int exchanges = -1;  // the argument, an object for which a call may be running that goes on to what stands there now
  std::optional<NumberCondition> processor_time;  // tells, where this holds, how much of it the process has used
  std::optional<NumberCondition> sleeps;          // waits, where this holds, until a signal at the latest
  ThreadUse thread = ThreadUse::kItself;
  ThreadCondition thread_if;
  ThreadUse ties = ThreadUse::kNothing;  // kMode, kSystem: it changes that state of its thread
  bool ties_anywhere = false;            // so that new threads don't have it: even before a loop is entered
  bool exposes_events = false;           // whoever calls it may get at any event
  bool moves_no_pointers = false;        // what it writes holds no pointers but those that its effects name
  std::string variable;  // not a function: a variable of the library, which is the hidden object of this name
};

}  // namespace heddle::elyze
