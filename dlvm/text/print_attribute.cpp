// Literals, attributes and locations as text.
#include <fmt/format.h>

#include "dlvm/ir/module.h"
#include "dlvm/text/number.h"
#include "dlvm/text/print_parts.h"

namespace dlvm::printing {

std::string location_text(const Location& location) {
  if (!location.valid()) return "";
  return fmt::format(" at {}:{}:{}", quoted_text(location.source->name()), location.line, location.column);
}

namespace {

/// Elements from `next` on, of the axes from `axis` on, as nested lists with their types.
std::string dense_text(const Type& type, const Tensor& data, std::size_t axis, std::size_t& next) {
  const std::string scalar(info(data.element()).name);
  std::string out = "<";
  for (std::int64_t i = 0; i < data.extents()[axis]; ++i) {
    if (i > 0) out += ", ";
    if (axis + 1 == data.extents().size()) {
      out += number_text(data, next++) + ": " + scalar;
    } else {
      const Shape rest(type.shape().begin() + static_cast<std::ptrdiff_t>(axis) + 1, type.shape().end());
      out += dense_text(type, data, axis + 1, next) + ": " + type.with_shape(rest).text();
    }
  }
  return out + ">";
}

/// The words of literals without data, in the order of their forms; an address is written by its name.
constexpr std::string_view literal_words[]{"", "zero", "undefined", "null", ""};

}  // namespace

std::string literal_text(const Literal& literal, const Numbering& numbers) {
  std::size_t next = 0;
  const std::string value = literal.global() != nullptr ? written_name('@', literal.global()->name)
                            : literal.form() != Literal::Form::data
                                ? std::string(literal_words[static_cast<std::size_t>(literal.form())])
                            : literal.data().extents().empty()
                                ? number_text(literal.data(), 0)
                                : dense_text(literal.type(), literal.data(), 0, next);
  return value + ": " + numbered(literal.type(), numbers).text();
}

namespace {

/// Extents are a list in `slice` and a shape everywhere else.
std::string_view separator(Clause clause) {
  return clause == Clause::from || clause == Clause::upto ? ", " : " x ";
}

std::string combinator_text(const Combinator& combinator) {
  if (combinator.function != nullptr) return written_name('@', combinator.function->name());
  return std::string(definition(combinator.opcode).name);
}

std::string pairs_text(const AxisPairs& pairs) {
  if (pairs.empty()) return "() with ()";
  const auto left = [](const auto& pair) { return number(pair.first); };
  const auto right = [](const auto& pair) { return number(pair.second); };
  return joined(pairs, ", ", left) + " with " + joined(pairs, ", ", right);
}

}  // namespace

std::string attribute_text(const Attribute& attribute, Clause clause, const Numbering& numbers) {
  struct Text {
    Clause clause;
    const Numbering& numbers;
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(const Integers& list) const {
      return list.empty() ? "()" : joined(list, ", ", number);
    }
    std::string operator()(const Shape& shape) const {
      if (shape.empty()) return "scalar";
      return joined(shape, separator(clause),
                    [this](const Extent& extent) { return numbered(extent, numbers).text(); });
    }
    std::string operator()(const ExtentPairs& pairs) const {
      if (pairs.empty()) return "()";
      return joined(pairs, ", ", [this](const auto& pair) {
        return fmt::format("({}, {})", numbered(pair.first, numbers).text(),
                           numbered(pair.second, numbers).text());
      });
    }
    std::string operator()(const AxisPairs& pairs) const { return pairs_text(pairs); }
    std::string operator()(ElementType element) const { return std::string(info(element).name); }
    std::string operator()(const Combinator& combinator) const { return combinator_text(combinator); }
    std::string operator()(WindowPadding padding) const { return std::string(word(padding)); }
    std::string operator()(Failure failure) const { return std::string(word(failure)); }
    std::string operator()(const Type& type) const { return numbered(type, numbers).text(); }
    std::string operator()(const Function* function) const { return written_name('@', function->name()); }
  };
  return std::visit(Text{clause, numbers}, attribute);
}

}  // namespace dlvm::printing
