#pragma once

#include <string>

#include "dlvm/analysis/bounds.h"
#include "tests/dlvm/analysis/parsed.h"

namespace parsed {

/// A module as text, and the analyses of its function `f`.
struct Analysed {
  explicit Analysed(const std::string& text) : text(text) {}
  Text text;
  dlvm::ControlFlow flow{text.function()};
  dlvm::DominatorTree dominators{flow};
  dlvm::LoopNest nest{flow, dominators};
  dlvm::Bounds bounds{flow, dominators, nest};

  std::string rounds(std::size_t loop = 0) {
    const auto found = bounds.rounds(*nest.loops()[loop]);
    return found ? found->times.text() : "";
  }
  /// "lower upto upper" of the argument of a block; a bound that is not known is empty.
  std::string of(std::string_view block, std::size_t argument = 0) {
    const dlvm::IntegerBounds found = bounds.of(*text.block(block)->arguments()[argument]);
    const auto written = [](const std::optional<dlvm::Extent>& bound) { return bound ? bound->text() : ""; };
    return written(found.lower) + " upto " + written(found.upper);
  }
};

}  // namespace parsed
