#include "frontend/support/run_with_stack.h"

#include <pthread.h>

#include <cstddef>

namespace frontend {
namespace {

void* run(void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  return nullptr;
}

}  // namespace

void run_with_stack(const std::function<void()>& work) {
  constexpr std::size_t bytes = std::size_t{256} << 20;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  const bool started =
      pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)) == 0;
  pthread_attr_destroy(&attributes);
  if (started)
    pthread_join(thread, nullptr);
  else
    work();  // the system gives no such stack: the ordinary one holds all but extreme expressions
}

}  // namespace frontend
