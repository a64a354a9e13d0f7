#pragma once

namespace dlvm {

/// A function object with the call operators of all its parts: `std::visit(Overloaded{…}, variant)` takes one
/// lambda for each alternative, and does not compile where an alternative has none.
template <typename... Parts>
struct Overloaded : Parts... {
  using Parts::operator()...;
};
template <typename... Parts>
Overloaded(Parts...) -> Overloaded<Parts...>;

}  // namespace dlvm
