#pragma once

#include <stdint.h>

/// The pool: threads that all networks of a program share. They start when they are first needed, sleep
/// between calls, and end when the program ends or the library that has them is unloaded. One call at a time
/// has the pool. A process that was forked begins with a pool of its own.
namespace runtime {

/// Takes the pool for one call. Returns false if another call has it, or there is no memory for it: then the
/// caller computes alone.
bool take_pool();
/// Ends what `take_pool` began.
void leave_pool();

/// Calls body(data, i) for 0 <= i < count, at most `most_cores` times, and returns when all are done. The
/// caller has taken the pool. It computes number 0 while a thread of the pool computes each of the others. It
/// then computes those that no thread has begun: it never waits for a thread that wakes late.
void run_in_pool(int64_t count, void (*body)(void* data, int64_t i), void* data);

}  // namespace runtime
