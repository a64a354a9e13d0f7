#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "dlvm/pipeline.h"
#include "frontend/frontend.h"

namespace kernel_tests {

/// A module whose declarations are `text`, compiled and optimized.
struct Network {
  explicit Network(const std::string& text) {
    dlvm::Diagnostics diagnostics;
    module =
        frontend::compile(*sources.add("network.tel", "module network\n" + text), sources, {}, diagnostics);
    REQUIRE(module != nullptr);
    REQUIRE(optimize(*module, diagnostics));
  }
  const dlvm::Function& function(std::size_t entry = 0) const {
    return *module->function(module->entries[entry].function);
  }
  dlvm::Sources sources;
  std::unique_ptr<dlvm::Module> module;
};

}  // namespace kernel_tests
