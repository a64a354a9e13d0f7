#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/kernel/ir/program.h"
#include "codegen/math/simd.h"
#include "codegen/schedule/cpu/schedule_for_cpu.h"
#include "codegen/target/cpu/emit_program.h"
#include "runtime/abi.h"

namespace llvm {
class Module;
class TargetMachine;
namespace orc {
class LLJIT;
}
}  // namespace llvm

/// Compiled code in this process.
namespace test {

/// This machine's; `cpu` as in `--mcpu`, `level` as in `-O2`.
std::unique_ptr<llvm::TargetMachine> machine(const std::string& cpu = "native", int level = 2);

class Jit {
 public:
  /// Optimises the module, at -O0 not at all, and compiles it. Fails the test where the code needs a symbol
  /// that is not among `given`.
  Jit(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module,
      llvm::TargetMachine& machine, const std::vector<std::pair<std::string, void*>>& given = {});
  ~Jit();
  void* find(const std::string& name) const;

 private:
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

/// One kernel for this machine.
class CompiledKernel {
 public:
  explicit CompiledKernel(const codegen::kernel::Kernel& kernel, std::vector<std::string> dimensions = {},
                          std::vector<codegen::kernel::CheckSite> sites = {},
                          const std::string& cpu = "native");
  /// `arguments` are the argument buffers' elements; the workspace is filled with NaN.
  tel_context run(std::vector<void*> arguments, const std::vector<std::int64_t>& dimensions = {}) const;
  const codegen::schedule::Schedule& schedule() const { return schedule_; }
  const std::string& text() const { return text_; }  ///< LLVM IR before optimisation

 private:
  std::vector<std::string> names_;
  codegen::schedule::Schedule schedule_;
  std::vector<dlvm::Extent> workspace_;
  std::string text_;
  std::unique_ptr<Jit> jit_;
};

/// The program of a function for this machine.
class CompiledProgram {
 public:
  explicit CompiledProgram(codegen::kernel::Program program, const std::string& cpu = "native",
                           int level = 2);
  struct Execution {
    std::vector<dlvm::Tensor> outputs;
    tel_context context;
  };
  /// Outputs and workspace are filled with NaN before. The program runs on one core, and again on 2, 3 and 8;
  /// the test fails if the results differ in a bit.
  Execution run(const std::vector<dlvm::Tensor>& inputs, const dlvm::Extent::Bindings& dimensions) const;
  const codegen::schedule::ScheduledProgram& scheduled() const { return scheduled_; }
  const std::string& text() const { return text_; }  ///< LLVM IR before optimisation

 private:
  Execution run(const std::vector<dlvm::Tensor>& inputs, const dlvm::Extent::Bindings& dimensions,
                std::int64_t of_cores) const;

  codegen::schedule::ScheduledProgram scheduled_;
  std::string text_;
  std::unique_ptr<Jit> jit_;
};

}  // namespace test
