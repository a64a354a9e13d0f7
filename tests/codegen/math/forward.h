#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "../../../dlvm/interpret/interpret.h"
#include "../../../dlvm/pipeline.h"
#include "../../../frontend/frontend.h"
#include "../kernel/compare.h"
#include "../target/cpu/jit.h"

namespace test {

/// The entry point `forward` of a TEL program with one output, compiled for this processor and interpreted.
class Forward {
 public:
  explicit Forward(const std::string& text, const std::string& cpu = "native") {
    dlvm::Diagnostics diagnostics;
    module_ = frontend::compile(*sources_.add("program.tel", text), sources_, {}, diagnostics);
    REQUIRE_MESSAGE(module_ != nullptr, text << dlvm::render(diagnostics));
    REQUIRE(optimize(*module_, diagnostics));
    compiled_ = std::make_unique<CompiledProgram>(kernel_tests::program(function()), cpu);
  }
  const dlvm::Function& function() const { return *module_->function(module_->entries.front().function); }
  const CompiledProgram& compiled() const { return *compiled_; }

  dlvm::Tensor run(const std::vector<dlvm::Tensor>& inputs, std::int64_t n) const {
    return compiled_->run(inputs, {{"N", n}}).outputs[0];
  }
  dlvm::Tensor interpreted(const std::vector<dlvm::Tensor>& inputs, std::int64_t n) const {
    dlvm::InterpretOptions options;
    options.dimensions = {{"N", n}};
    const std::vector<dlvm::RuntimeValue> arguments(inputs.begin(), inputs.end());
    const auto meant = interpret(function(), arguments, options);
    REQUIRE(meant);
    return meant.value.is_tensor() ? meant.value.tensor() : meant.value.elements()[0].tensor();
  }

 private:
  dlvm::Sources sources_;
  std::unique_ptr<dlvm::Module> module_;
  std::unique_ptr<CompiledProgram> compiled_;
};

}  // namespace test
