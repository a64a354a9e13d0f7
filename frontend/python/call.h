// One call of a function of another language, with its arguments in TEL.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/python/translate.h"

namespace frontend::python {

/// An expression that has been put into TEL.
struct Value {
  std::string text;
  bool operation = false;  ///< an operator stands in it outside of brackets
  bool list = false;       ///< a tuple or a list, of `elements`
  bool changed = false;    ///< it differs from what was written
  bool type = false;       ///< an element type, `np.float32`
  std::vector<std::string> elements = {};
  bool quoted = false;         ///< a text, which stands in quotation marks, or what could not be read
  std::string positions = {};  ///< where the call gives values and where they are in Python: the latter
  bool several = false;        ///< the call gives several values in Python, which are the `elements`
  bool infinite = false;       ///< a large number stands in it for an infinite one
};

/// The text of an argument that Python writes where it means none.
inline constexpr std::string_view absent = "None";

struct Argument {
  std::string name;  ///< empty for one that is given by its position
  Value value;
};

struct Called {
  Value value;
  std::string advice;  ///< instead of a value
};

/// Returns the value as an operand: in parentheses where it is an operation.
std::string operand(const Value& value);

/// Returns the call in TEL; neither a value nor advice if no row of the table fits it. `library` is the one
/// in which the function was named, if one was.
Called call(std::string_view name, std::string_view library, std::span<const Argument> arguments,
            const Surroundings& surroundings);

}  // namespace frontend::python
