#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/kernel/build/build.h"
#include "dlvm/ir/builder.h"

/// Programs of kernels against the interpreter of DLVM.
namespace kernel_tests {

/// A function under construction; its parameters are named a, b, c …
struct Scene {
  explicit Scene(std::vector<dlvm::Type> parameters, std::vector<std::string> names = {});

  dlvm::Value* operator[](std::size_t i) const { return function->entry().arguments()[i].get(); }
  /// Returns a tuple, or the value where it is one.
  const dlvm::Function& results(std::vector<dlvm::Value*> values);

  std::unique_ptr<dlvm::Function> function;
  dlvm::Builder b;
};

/// `tensor("f32", {N, 4})`
dlvm::Type tensor(dlvm::ElementType element, dlvm::Shape shape);
inline dlvm::Type f32(dlvm::Shape shape) { return tensor(dlvm::ElementType::f32, std::move(shape)); }
inline dlvm::Type i32(dlvm::Shape shape) { return tensor(dlvm::ElementType::i32, std::move(shape)); }
inline const dlvm::Extent N = dlvm::Extent::dimension("N"), M = dlvm::Extent::dimension("M");

/// Builds the program (which must verify), runs it fused and not, for several values of the dimensions, on
/// random inputs (integers in [0, `integers`)), and compares with the interpreter of DLVM; index errors must
/// be errors in both. Returns what differs, or nothing.
std::string differences(const dlvm::Function& function, const std::vector<std::int64_t>& sizes = {0, 1, 2, 7},
                        std::int64_t integers = 3, bool compile = true);

/// Arguments by position.
struct Call {
  std::vector<dlvm::Tensor> inputs;
  dlvm::Extent::Bindings dimensions;
};

/// Returns what differs where the interpreter of DLVM calls the other function instead, or nothing. `factor`
/// widens the tolerances. The call may give dimensions that one of the functions lacks.
std::string interpreter_differences(const dlvm::Function& expected, const dlvm::Function& actual,
                                    const Call& call, double factor);

/// What schedules are compared for.
struct Sweep {
  std::vector<bool> fused{false, true};
  std::vector<std::uint32_t> seeds{0, 1, 2};  ///< orders of a device's threads, which must give the same bits
  double factor = 1;                          ///< widens the tolerances
};

/// The same of the program's schedules for processors and devices, run by their interpreter.
std::string schedule_differences(const dlvm::Function& function, const std::vector<Call>& calls,
                                 const Sweep& sweep);
/// On random inputs, as in `differences`.
std::string schedule_differences(const dlvm::Function& function, const std::vector<std::int64_t>& sizes,
                                 std::int64_t integers, const Sweep& sweep);

/// The fused program.
codegen::kernel::Program program(const dlvm::Function& function);
/// Points of all its stages, where all dimensions are n: what an interpreter's time depends on.
double steps(const codegen::kernel::Program& program, std::int64_t n);

}  // namespace kernel_tests
