#include <algorithm>
#include <utility>

#include "dlvm/text/diagnostics.h"
#include "dlvm/text/number.h"
#include "dlvm/text/reader.h"

namespace dlvm::reading {

/// `zero`, `undefined` and `null`; null for another word, or where the type has no such value.
Value* BodyReader::literal_word(std::string_view word, const Type& type) {
  if (word == "undefined") return function_->literal(type, Literal::Form::undefined);
  if (word == "null" && (type.is_pointer() || type.is_box()))
    return function_->literal(type, Literal::Form::null);
  if (word == "zero" && has_zero(type)) return function_->literal(type, Literal::Form::zero);
  return nullptr;
}

std::string BodyReader::number_text(antlr4::ParserRuleContext& tree) const { return source_text(tree); }

/// Whether the list is no constant whose elements are all written as numbers: it has values, constants of
/// rows, `2: <2 x f32>`, or words such as `undefined`.
bool BodyReader::is_stacked(Grammar::DenseContext& tree) {
  return std::ranges::any_of(tree.element(), [&](auto* each) {
    if (each->VALUE() != nullptr) return true;
    if (each->dense() != nullptr) return is_stacked(*each->dense());
    const std::string text = number_text(*each->number());
    return text == "undefined" || text == "zero" || number_text(*each->type()).starts_with('<');
  });
}

/// A number, or a nested list, with its type.
Value* BodyReader::literal(Grammar::ArgumentContext& tree) {
  if (tree.dense() != nullptr) {
    const auto written = type(*tree.type());
    if (!written) return nullptr;
    if (is_stacked(*tree.dense())) return stacked(*tree.dense(), *written, span(tree));
    return dense(*tree.dense(), *written, span(tree));
  }
  const auto written = type(*tree.type());
  return written ? constant(number_text(*tree.shape()), *written, span(tree)) : nullptr;
}

Value* BodyReader::constant(const std::string& text, const Type& type, Location location) {
  if (Value* word = literal_word(text, type)) return word;
  if (!type.is_tensor()) {
    diagnostics_.report(bad_number, location, text.substr(0, 40), type.text());
    return nullptr;
  }
  Tensor data(type.element(), {});
  if (set_number(data, 0, text)) return function_->literal(type, std::move(data));
  diagnostics_.report(bad_number, location, text.substr(0, 40), info(type.element()).name);
  return nullptr;
}

Literal* BodyReader::dense(Grammar::DenseContext& tree, const Type& type, Location location) {
  std::vector<std::int64_t> extents;
  std::size_t count = 0;
  bool constant = type.is_tensor() && type.rank() > 0;
  if (constant)
    for (const Extent& extent : type.shape()) {
      constant = constant && extent.constant().has_value();
      extents.push_back(extent.constant().value_or(0));
    }
  if (!constant) {
    diagnostics_.report(bad_type, location, "a list of elements has constant extents, not " + type.text());
    return nullptr;
  }
  // The list must hold what the type says before anything of that size is allocated.
  const std::size_t listed = tree.element().size();
  if (static_cast<std::int64_t>(listed) != extents[0]) {
    diagnostics_.report(bad_type, location, fmt::format("{} elements for {}", listed, type.text()));
    return nullptr;
  }
  const auto tokens = tree.getStop()->getTokenIndex() - tree.getStart()->getTokenIndex();
  const auto total = unit_count(type.shape()).constant();
  if (!total || static_cast<std::uint64_t>(*total) > tokens) {
    diagnostics_.report(bad_type, location, "fewer elements are listed than there are in " + type.text());
    return nullptr;
  }
  Tensor data(type.element(), std::move(extents));
  return fill(tree, type, 0, data, count) ? function_->literal(type, std::move(data)) : nullptr;
}

bool BodyReader::fill(Grammar::DenseContext& tree, const Type& whole, std::size_t axis, Tensor& data,
                      std::size_t& next) {
  if (static_cast<std::int64_t>(tree.element().size()) != data.extents()[axis]) {
    diagnostics_.report(
        bad_type, span(tree),
        fmt::format("{} elements along axis {} of {}", tree.element().size(), axis, whole.text()));
    return false;
  }
  const Shape& shape = whole.shape();
  const Type expected =
      whole.with_shape(Shape(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end()));
  for (auto* each : tree.element()) {
    const auto written = type(*each->type());
    if (!written) return false;
    if (!(*written == expected) || (each->dense() != nullptr) == expected.is_scalar()) {
      diagnostics_.report(wrong_use, span(*each), "an element", written->text(), expected.text());
      return false;
    }
    if (each->dense() != nullptr) {
      if (!fill(*each->dense(), whole, axis + 1, data, next)) return false;
      continue;
    }
    const std::string text = number_text(*each->number());
    if (!set_number(data, next++, text)) {
      diagnostics_.report(bad_number, span(*each), text.substr(0, 40), expected.text());
      return false;
    }
  }
  return true;
}

}  // namespace dlvm::reading
