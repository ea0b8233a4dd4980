// err(), error() and their kin: names that C and POSIX leave to the program (C17 7.1.3, POSIX.1-2017 2.2.2).
//
// So a library of the program may define one for itself, with whatever parameters it likes. The linker finds ours
// first, for we are loaded before that library. Therefore each is a jump, with all arguments as they are, to where the
// call would go without us; where that is the C library, to ours (leaving.cpp).
#include <dlfcn.h>

#include <cstdarg>

#include "multivent/libevent/next.hpp"

extern "C" {

void heddle_err(int, const char*, ...);
void heddle_errx(int, const char*, ...);
void heddle_verr(int, const char*, va_list);
void heddle_verrx(int, const char*, va_list);
void heddle_error(int, int, const char*, ...);
void heddle_error_at_line(int, int, const char*, unsigned, const char*, ...);

// Written before main, then constant.
#define HEDDLE_TARGET [[gnu::used, gnu::visibility("hidden")]]
HEDDLE_TARGET void (*heddle_to_err)(int, const char*, ...) = heddle_err;
HEDDLE_TARGET void (*heddle_to_errx)(int, const char*, ...) = heddle_errx;
HEDDLE_TARGET void (*heddle_to_verr)(int, const char*, va_list) = heddle_verr;
HEDDLE_TARGET void (*heddle_to_verrx)(int, const char*, va_list) = heddle_verrx;
HEDDLE_TARGET void (*heddle_to_error)(int, int, const char*, ...) = heddle_error;
HEDDLE_TARGET void (*heddle_to_error_at_line)(int, int, const char*, unsigned, const char*, ...) = heddle_error_at_line;
#undef HEDDLE_TARGET

#if defined(__x86_64__)
// Without prototypes: the headers that have them are not included.
[[gnu::naked]] void err() { asm("endbr64\n\tjmp *heddle_to_err(%rip)"); }
[[gnu::naked]] void errx() { asm("endbr64\n\tjmp *heddle_to_errx(%rip)"); }
[[gnu::naked]] void verr() { asm("endbr64\n\tjmp *heddle_to_verr(%rip)"); }
[[gnu::naked]] void verrx() { asm("endbr64\n\tjmp *heddle_to_verrx(%rip)"); }
[[gnu::naked]] void error() { asm("endbr64\n\tjmp *heddle_to_error(%rip)"); }
[[gnu::naked]] void error_at_line() { asm("endbr64\n\tjmp *heddle_to_error_at_line(%rip)"); }
#endif

}  // extern "C"

namespace {

template <class Function>
void find(const char* name, Function*& target) {
  void* const meant = dlsym(RTLD_NEXT, name);
  auto* const of_c = heddle::multivent::of_the_c_library<Function>(name);
  if (meant != nullptr && meant != reinterpret_cast<void*>(of_c)) target = reinterpret_cast<Function*>(meant);
}

[[gnu::constructor]] void find_who_is_meant() {
  find("err", heddle_to_err);
  find("errx", heddle_to_errx);
  find("verr", heddle_to_verr);
  find("verrx", heddle_to_verrx);
  find("error", heddle_to_error);
  find("error_at_line", heddle_to_error_at_line);
}

}  // namespace
