#include "codegen/schedule/interpret/cores.h"

#include <algorithm>

#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule::machine {

void run_cores(InterpreterRun& interpreter, Thread& around, const Loop& loop) {
  constexpr std::int64_t most_cores = 3;
  const std::int64_t iterations = interpreter.run.extent(core_iterations(loop));
  const std::int64_t cores = std::min(iterations, most_cores);
  const std::uint32_t grid = ++interpreter.grids;
  for (std::int64_t i = 0; i < cores && !interpreter.run.error; ++i) {
    const std::int64_t number = interpreter.order.at(i, cores, grid);
    Touch touch;
    touch.grid = grid;
    touch.block = static_cast<std::uint32_t>(number);
    Thread core(around, touch);
    core.start(loop, iterations * number / cores, iterations * (number + 1) / cores);
    core.run();
  }
}

}  // namespace codegen::schedule::machine
