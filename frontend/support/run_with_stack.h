#pragma once

#include <functional>

namespace frontend {

/// Runs `work` on a stack large enough for a walk over any expression that the parser accepts, and waits for
/// it. The pages are used only as far as they are touched.
void run_with_stack(const std::function<void()>& work);

}  // namespace frontend
