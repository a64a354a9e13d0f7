// One table, which is data alone, says what PyTorch, NumPy and Python call by other names than TEL.
#pragma once

#include <span>
#include <string_view>

namespace frontend::python {

/// A function, method or layer of another language, and what TEL writes for it. Several rows may have one
/// name: the first one that the arguments of a call fit is taken.
struct Row {
  std::string_view names;  ///< the names, with a blank between
  /// The parameters, with a blank between. `dim` stands for the axis that NumPy calls `axis`. A parameter
  /// that may be left out ends with `?`, one that takes all further arguments with `*`; `start=0` stands for
  /// one that has this value. Those behind a `|` are given by their names alone. `torch:` or `numpy:` before
  /// the first one says that the row holds for that library alone, `not_numpy:` that it holds for PyTorch,
  /// and for methods that both might have.
  std::string_view parameters;
  /// TEL writes this: `{x}` is the argument of a parameter, `{name}` the name in the call, `{=last}` follows
  /// from the shape of `x` and other numbers (computed.cpp), and what stands between `<` and `>` is left out
  /// where its argument is. A text that begins with `!` is advice rather than a replacement.
  std::string_view tel;
  /// TEL writes this for the positions, where PyTorch gives a pair of values and positions.
  std::string_view positions = {};
  /// A sentence of advice that several rows have, which ends with what this row's `tel` says.
  std::string_view sentence = {};
};

/// What the row of a call that gives several values has in the place of TEL.
inline constexpr std::string_view several_parts = "{=parts}";

std::span<const Row> rows();
/// Returns whether a row has the name.
bool has_rows(std::string_view name);

/// A class whose objects are called, `nn.Softmax(dim=1)(x)`, and the function that does the same. If that has
/// the name of the class, its rows take the operand as the argument `of`: a net of the library is declared.
struct Layer {
  std::string_view name, function;
};
std::span<const Layer> layers();

/// A value that a library or Python gives a name: `np.pi`, `True`.
struct Constant {
  std::string_view name, tel;  ///< as in a Row
};
std::span<const Constant> constants();

/// Returns what to do in the place of a method that all modules of PyTorch have and no net has; empty for
/// others.
std::string_view advice_on_method(std::string_view method);

/// Returns whether libraries give the name to a number that is infinite.
bool is_infinite(std::string_view name);

/// The names under which programs import libraries: `np`, `torch`, `F`.
bool is_library(std::string_view name);
/// Returns whether the library's functions are those of NumPy, where they differ from PyTorch's.
bool is_numpy(std::string_view library);

}  // namespace frontend::python
