// Names, extents, shapes and types as they are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/support/source.h"

namespace frontend::ast {

using dlvm::Location;

struct Name {
  std::string text;
  Location location;
};

enum class ElementType {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  float16,
  bfloat16,
  float32,
  float64,
  any_integer,  ///< `int`, in the signature of a function only
};
/// Returns the type as it is written: "bool", "int8", …, "int".
std::string_view spelling(ElementType type);
/// Returns the element type that is written so; `int` is not one of them.
std::optional<ElementType> element_type(std::string_view text);

/// One axis of a shape, or the value of a `dim`.
struct Extent {
  enum class Kind {
    number,  ///< `text`: decimal digits, underscores removed; may be larger than any integer type
    name,    ///< `text`: a dimension
    member,  ///< `text`: a net of a file, `layers.Linear`; stands in the arguments and defaults of nets alone
    unknown,  ///< `?`
    rest,     ///< `text`: the name before `...`; stands for any number of axes
    negate,   ///< -operands[0]
    chain,    ///< operands[0] operators[0] operands[1] …, left-associative, all `+ -` or all `* /`
  };
  struct Operator {
    char symbol;  ///< + - * /   (/ is floor division)
    Location location;
  };
  Kind kind = Kind::unknown;
  Location location;
  std::string text;
  std::vector<Extent> operands;
  std::vector<Operator> operators;
  std::uint32_t height = 1;
};

/// `[N x 784]`; no extents: `[]`, a scalar.
struct Shape {
  Location location;  ///< the location of the brackets and everything between them
  std::vector<Extent> extents;
};

/// `Tree`, or `trees.Tree` with the file that declares it.
struct TypeName {
  std::optional<Name> file;
  Name name;
};
std::string spelling(const TypeName& name);  ///< as it is written

/// `float32[N x 784]`, `int32`, `[N]`, `[auto]`, `Tree`, or nothing at all (then `location` is that of the
/// role or name before).
struct Type {
  Location location;
  std::optional<TypeName> declared;  ///< a struct or an enum, without element type and shape
  std::optional<ElementType> element;
  Location element_location;
  std::optional<Shape> shape;
  Location
      automatic;  ///< the location of `auto`, which stands for the whole shape; invalid where there is none

  bool is_automatic() const { return automatic.valid(); }
  bool is_written() const { return declared || element || shape || is_automatic(); }
};

}  // namespace frontend::ast
