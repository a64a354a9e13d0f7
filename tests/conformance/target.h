#pragma once

#include <string>
#include <vector>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"
#include "tests/support/object.h"

/// What every target is held to: results of a module's entry points on it against the interpreter.
namespace conformance {

using namespace dlvm;
using Arguments = std::vector<Value*>;

/// Entry points of one module with inputs for each.
struct Cases {
  Module module{"cases"};
  std::vector<std::vector<Tensor>> inputs;

  /// An entry point that takes `given` and returns what `body(builder, arguments)` makes. Its parameters have
  /// the tensors' types; axis i of argument k is a dimension `k_i` where `free` says so.
  template <typename Body>
  void add(const std::string& name, std::vector<Tensor> given, Body body, bool free = false) {
    std::vector<Type> types;
    for (std::size_t k = 0; k < given.size(); ++k) types.push_back(type_of(given[k], k, free));
    Module scratch("scratch");
    Function* probe = scratch.add_function("probe", Type::function(types, Type()));
    Builder in_probe(*probe->add_entry());
    const Type result = body(in_probe, arguments_of(*probe))->type();
    Function* function = module.add_function(name, Type::function(types, Type::tuple({result})));
    Builder b(*function->add_entry());
    b.return_(b.tuple({body(b, arguments_of(*function))}));
    EntryPoint entry{EntryKind::forward, name, name, {}, {{ResultRole::output, "y", ""}}, "", {}};
    for (std::size_t k = 0; k < given.size(); ++k)
      entry.arguments.push_back({ArgumentRole::input, "x" + std::to_string(k), ""});
    module.entries.push_back(std::move(entry));
    inputs.push_back(std::move(given));
  }

 private:
  static Type type_of(const Tensor& tensor, std::size_t k, bool free) {
    Shape shape;
    for (std::size_t i = 0; i < tensor.extents().size(); ++i)
      shape.push_back(free && tensor.extents()[i] != 1
                          ? Extent::dimension("d" + std::to_string(k) + "_" + std::to_string(i))
                          : Extent(tensor.extents()[i]));
    return Type::tensor(tensor.element(), std::move(shape));
  }
  static Arguments arguments_of(Function& function) {
    Arguments all;
    for (const auto& argument : function.entry().arguments()) all.push_back(argument.get());
    return all;
  }
};

/// Where the environment's TEL_TEST_DEVICE says: `emulator`, `cuda`, else the processor; and for what objects
/// are compiled beside that.
codegen::jit::CallTarget place_under_test();
test::Devices devices_under_test();

/// Compiles the module for the target under test, calls every entry, and lists what does not agree, at most
/// one line an entry; twice the tolerance is left to devices. Each element is judged alone: its own
/// magnitude, or 1, is the scale. While recording (tests/support/object.h) it is only compiled.
std::vector<std::string> disagreements(const Cases& cases);

/// Numbers that a type has: small ones with both signs, halves, ends of the range, what is not finite.
Tensor samples(ElementType element);

}  // namespace conformance
