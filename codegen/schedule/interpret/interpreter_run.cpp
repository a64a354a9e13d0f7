#include "codegen/schedule/interpret/interpreter_run.h"

#include <numeric>

#include "codegen/schedule/ir/threads.h"

namespace codegen::schedule::machine {

/// Shuffled: i -> a * i + b modulo n, with an `a` that has no divisor in common with n.
std::int64_t Order::at(std::int64_t i, std::int64_t n, std::uint32_t round) const {
  if (seed == 0) return i;
  if (seed == 1) return n - 1 - i;
  const std::int64_t mixed = std::int64_t{seed} * 7919 + std::int64_t{round} * 104729 + 13;
  std::int64_t a = mixed % n;
  while (std::gcd(a, n) != 1) ++a;
  return (a % n * i + mixed / 7 % n) % n;
}

InterpreterRun::InterpreterRun(kernel::Run& run, const Schedule& schedule, Order order)
    : run(run), schedule(schedule), order(order) {
  for (const Buffer& buffer : schedule.buffers) placements.emplace_back(run, buffer);
}

std::int64_t InterpreterRun::threads_inside(const Loop& loop) {
  const auto known = threads_.find(&loop);
  if (known != threads_.end()) return known->second;
  return threads_[&loop] = threads_of(loop.body);
}

const std::vector<dlvm::Tensor>& InterpreterRun::reduced(const Reduce& reduce, const Components& parts) {
  if (reduce_ == &reduce && parts_ == parts) return result_;
  reduce_ = &reduce;
  parts_ = parts;
  std::vector<std::vector<dlvm::Tensor>> states;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ElementType element = schedule.buffers[reduce.from[i].buffer].element;
    const std::size_t bytes = dlvm::info(element).bytes;
    states.resize(parts[i].size() / bytes);
    for (std::size_t j = 0; j < states.size(); ++j)
      states[j].push_back(kernel::element_at(element, parts[i].data() + j * bytes));
  }
  for (std::size_t half = states.size() / 2; half >= 1; half /= 2)
    for (std::size_t i = 0; i < half; ++i)
      states[i] = combined(run, reduce.reduction, states[i], states[i + half]);
  return result_ = states.front();
}

std::shared_ptr<Memory> TeamMemory::allocate(BufferId buffer, std::size_t n, const Placement& placement) {
  Allocations& allocations = buffers_[buffer];
  if (allocations.touches == nullptr) allocations.touches = placement.touches();
  if (allocations.all.size() <= n) allocations.all.resize(n + 1);
  if (auto known = allocations.all[n].lock()) return known;
  auto memory = std::make_shared<Memory>(placement.bytes());
  memory->touches = allocations.touches;
  allocations.all[n] = memory;
  return memory;
}

}  // namespace codegen::schedule::machine
