// How threads of the explorer wait, for the templates that pico's threads wait by (core/completion.hpp, sync/): the
// same Parking, with a mutex and a condition in the place of a worker's queue.
#pragma once

#include "pico/core/parking.hpp"
#include "testing/schedule/explorer.hpp"
#include "testing/schedule/model_sync.hpp"

namespace heddle::pico {

template <class TheSync = schedule::ModelSync>
struct ModelBlocker {
  using Sync = TheSync;

  struct Waiter {
    Parking<Sync> parking;
    typename Sync::Mutex mutex;  // guards what follows
    typename Sync::Condition changed;
    bool runnable = false;
    bool left = false;  // the thread has ended: nobody may unpark it any more
  };

  // The calling thread is `waiter` from now on.
  static void enter(Waiter& waiter) { calling() = &waiter; }

  // The same, until the object goes: then the thread is as good as ended.
  class Entered {
   public:
    explicit Entered(Waiter& waiter) : waiter_(waiter) { enter(waiter); }
    ~Entered() {
      const typename Sync::Lock lock(waiter_.mutex);
      waiter_.left = true;
    }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

   private:
    Waiter& waiter_;
  };

  static Waiter& self() { return *calling(); }

  static void park() {
    Waiter& me = self();
    if (!me.parking.park()) return;
    {
      typename Sync::Lock lock(me.mutex);
      while (!me.runnable) me.changed.wait(lock);
      me.runnable = false;
    }
    me.parking.resume();
  }

  static void unpark(Waiter& waiter) {
    const bool make_ready = waiter.parking.unpark();
    const typename Sync::Lock lock(waiter.mutex);
    if (waiter.left) schedule::fail("a thread was unparked that may be no more");
    if (!make_ready) return;
    waiter.runnable = true;
    waiter.changed.notify_one();
  }

  static void relax() { Sync::relax(); }
  static int looks() { return 1; }

 private:
  static Waiter*& calling() {
    static thread_local Waiter* waiter = nullptr;
    return waiter;
  }
};

// Every operation of an atomic as if it had no order, to see that a test finds what its orders are for.
template <class T>
struct RelaxedAtomic : schedule::ModelAtomic<T> {
  using schedule::ModelAtomic<T>::ModelAtomic;
  T load(std::memory_order) const { return schedule::ModelAtomic<T>::load(std::memory_order_relaxed); }
  void store(T value, std::memory_order) { schedule::ModelAtomic<T>::store(value, std::memory_order_relaxed); }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order, std::memory_order) {
    constexpr auto kNone = std::memory_order_relaxed;
    return schedule::ModelAtomic<T>::compare_exchange_weak(expected, desired, kNone, kNone);
  }
};
struct RelaxedSync : schedule::ModelSync {
  template <class T>
  using Atomic = RelaxedAtomic<T>;
};

}  // namespace heddle::pico
