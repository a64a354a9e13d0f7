// Expressions as PyTorch and NumPy write them, in TEL: for the fixes of messages.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace frontend::python {

/// Answers what the module around an expression knows.
struct Surroundings {
  /// Returns whether a value, a parameter or a dimension has the name.
  std::function<bool(std::string_view)> is_value;
  /// Returns whether a call of the name is a call of the module's own or an imported function, or of one that
  /// is always there.
  std::function<bool(std::string_view)> is_function;
  /// Returns the extents of a value as TEL writes them, if each has a name or a number.
  std::function<std::optional<std::vector<std::string>>(std::string_view)> shape;
};

/// An operand of the text and what TEL writes for it.
struct Translation {
  std::size_t begin = 0, end = 0;  ///< the bytes of the operand
  std::string tel;                 ///< empty if there is only advice
  std::string advice;              ///< a sentence, where TEL has nothing that replaces the operand
  bool advises_all = false;        ///< the sentence goes before those about operands inside
  bool infinite = false;           ///< the sentence says what stands for an infinite number
};

/// Returns what TEL writes for the smallest operand around the byte `at` of the text that the libraries of
/// Python know: a chain of names, calls and subscripts. A replacement stands in parentheses where its
/// surroundings need them. Nothing if no such operand is there.
std::optional<Translation> translate(std::string_view text, std::size_t at, const Surroundings& surroundings);

/// Returns what TEL writes for the expression from the byte `begin` to the end of the text; empty if it is
/// not known, or is TEL already.
std::string translate_expression(std::string_view text, std::size_t begin, const Surroundings& surroundings);

/// Returns the advice for a layer of PyTorch that is declared as if it were a net, `Dropout(0.1)`; empty
/// where the library is not known to have it.
std::string advice_for_layer(std::string_view instance);

/// Returns the call of TEL's optimizer for one of PyTorch or Keras, `adam(rate: 0.1)` for `adam(lr=0.1)`;
/// empty if it is not known.
std::string optimizer(std::string_view call);

/// Returns what TEL writes for the name of a value, as `true` for `True`; advice begins with `!`. Empty if it
/// is not known.
std::string_view constant(std::string_view name);

/// Returns whether Python's libraries have a function of the name.
bool is_function(std::string_view name);

}  // namespace frontend::python
