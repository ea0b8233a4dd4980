// Runs one external function on arguments whose memory is watched, and tells what it did.
//
// A case makes the arguments, calls watch(), the function and unwatch(), hands over what was returned, and ends with
// finish_round(); twice, so that what is set up by the first call is not taken for what each call does. Each case has a
// process of its own, in an empty folder with a few files.
//
// Memory is known in four ways:
//   blocks      arguments and what they point to, each in pages of its own that end where the block ends; the kernel
//               refuses what the spec does not say
//   heap        all memory of malloc(), which is replaced; compared with a copy
//   objects     blocks of the heap that an argument is a handle of, or that a getter gives out by themselves
//   variables   of the libraries; each access faults, is noted and then done by a single step
// A name ("2", "2@8": what byte 8 of argument 2 points to) says whose a block or an object is.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spec_case {
  const char* name;
  void (*run)(void);
  bool unwatched;  // variables are only compared: the call makes the kernel use them, or blocks all signals
};
extern const struct spec_case kCases[];
extern const size_t kCaseCount;
void prepare_library(void);  // once, before the processes part

// Starts over: blocks and objects of the round before are forgotten.
void start_round(int round);
int current_round(void);

// The argument's memory: `size` bytes; a text; a text in a larger buffer. What is not set is filled with one value in
// the first round and with another in the second.
void* block(const char* name, size_t size);
void* zeros(const char* name, size_t size);
char* text(const char* name, const char* content);
char* text_in(const char* name, const char* content, size_t size);
// What the function may do to each block: name, use, name, use, ..., null. "n" nothing, "r" read, "w" anything.
void restrict_blocks(const char* const* uses);
// A handle into the heap, or into a block.
void* object(const char* name, const void* pointer);
// Memory that the library locks, and all that hangs from it alone.
void* locked(const void* pointer);
// A function that does nothing but note that it was called: argument `index`.
void* callback(int index);
void note_call(int index);

void watch(void);
void unwatch(void);
void returned_pointer(const void* pointer);
void returned_number(long number);
void finish_round(void);

// Ends the case where arguments can't be made on this machine.
void* need(void* pointer, const char* what);
int need_descriptor(int descriptor, const char* what);
#define NEED(expression) need((void*)(expression), #expression)
#define NEED_DESCRIPTOR(expression) need_descriptor((expression), #expression)
