#pragma once

#include <vector>

#include "dlvm/analysis/call_graph.h"

namespace dlvm {

/// Returns, for each number of declarations that lie one below the other, those that have so many below them:
/// the order in which gradients of gradients are made. `components` are those of the module's call graph.
std::vector<std::vector<Function*>> declaration_orders(const std::vector<Component>& components);

}  // namespace dlvm
