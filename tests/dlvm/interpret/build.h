#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"

/// Short forms for building functions and tensors in tests.
namespace test {

using namespace dlvm;

inline Tensor tensor(ElementType element, std::vector<std::int64_t> extents,
                     const std::vector<double>& values) {
  Tensor result(element, std::move(extents));
  for (std::size_t i = 0; i < values.size(); ++i) result.set(i, values[i]);
  return result;
}
inline Tensor f32(std::vector<std::int64_t> extents, const std::vector<double>& values) {
  return tensor(ElementType::f32, std::move(extents), values);
}
inline Tensor i32(std::vector<std::int64_t> extents, const std::vector<double>& values) {
  return tensor(ElementType::i32, std::move(extents), values);
}

inline std::vector<double> values(const Tensor& tensor) {
  std::vector<double> all;
  for (std::size_t i = 0; i < tensor.size(); ++i) all.push_back(tensor.real(i));
  return all;
}

inline Type type(ElementType element, Shape shape) { return Type::tensor(element, std::move(shape)); }
inline Type f32(Shape shape) { return type(ElementType::f32, std::move(shape)); }

/// A function of one module each, built by `body(builder, arguments)`, which gives the result.
struct Built {
  Module module{"test"};
  Function* function = nullptr;

  template <typename Body>
  Built(const std::vector<Type>& parameters, Body body) {
    Module scratch("scratch");
    Function* probe = scratch.add_function("f", Type::function(parameters, Type()));
    Builder in_probe(*probe->add_entry());
    const Type result = body(in_probe, arguments(*probe))->type();
    function = module.add_function("f", Type::function(parameters, result));
    Builder b(*function->add_entry());
    b.return_(body(b, arguments(*function)));
  }

  static std::vector<Value*> arguments(Function& function) {
    std::vector<Value*> all;
    for (const auto& argument : function.entry().arguments()) all.push_back(argument.get());
    return all;
  }

  Interpretation run(std::vector<RuntimeValue> inputs, const InterpretOptions& options = {}) const {
    return interpret(*function, inputs, options);
  }
};

/// The elements of the function's result, a tensor.
inline std::vector<double> result_of(const Built& built, std::vector<RuntimeValue> inputs) {
  const auto result = built.run(std::move(inputs));
  REQUIRE_MESSAGE(result, (result.error ? result.error->text : ""));
  return values(result.value.tensor());
}

}  // namespace test
