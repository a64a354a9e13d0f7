#pragma once

#include <utility>

namespace codegen::kernel {

/// A part of a node that speaks to people: a name, a source location. It takes no part in comparisons, so that two
/// nodes are equal where the code made of them is.
template <typename T>
struct Annotation : T {
  using T::T;
  Annotation() = default;
  Annotation(T value) : T(std::move(value)) {}  // NOLINT: an annotated value is a value
};
template <typename T>
bool operator==(const Annotation<T>&, const Annotation<T>&) {
  return true;
}

}  // namespace codegen::kernel
