#include "frontend/python/call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "frontend/python/binding.h"
#include "frontend/python/names.h"
#include "frontend/python/rules.h"

namespace frontend::python {
namespace {

/// Whether an operator stands in the text outside of brackets. ^T binds like a subscript.
bool is_operation(std::string_view text) {
  constexpr std::string_view operators = " +-*/%";
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth > 0) continue;
    if (operators.find(c) != std::string_view::npos) return true;
    if (c == '^' && !text.substr(i).starts_with("^T")) return true;
  }
  return false;
}

}  // namespace

std::string operand(const Value& value) { return value.operation ? "(" + value.text + ")" : value.text; }

Called call(std::string_view name, std::string_view library, std::span<const Argument> arguments,
            const Surroundings& surroundings) {
  const auto uses = [&](std::string_view keyword) {
    return std::ranges::any_of(arguments, [&](const Argument& each) { return each.name == keyword; });
  };
  const bool numpy = is_numpy(library) || uses("axis") || uses("keepdims") || uses("ddof");
  const bool torch = (!library.empty() && !numpy) || uses("dim") || uses("keepdim") || uses("unbiased") ||
                     uses("correction");
  // What ends with an underscore works in place in PyTorch.
  if (name.ends_with('_') && !has_rows(name)) name.remove_suffix(1);
  Called called;
  Binding binding(arguments, surroundings);
  for (const Row& row : rows()) {
    if (const auto names = words(row.names); std::ranges::find(names, name) == names.end()) continue;
    std::string_view parameters = row.parameters;
    if (parameters.starts_with("numpy:") && !numpy) continue;
    if (parameters.starts_with("torch:") && !torch) continue;
    if (parameters.starts_with("not_numpy:") && numpy) continue;
    if (const std::size_t colon = parameters.find(':'); colon != std::string_view::npos)
      parameters.remove_prefix(colon + 1);
    const bool advises = row.tel.starts_with('!') || !row.sentence.empty();
    if ((advises && !called.advice.empty()) || !binding.bind(parameters)) continue;
    if (row.tel == several_parts) {
      auto parts = rules::parts(binding);
      if (!parts) continue;
      called.value.text = fmt::format("[{}]", fmt::join(*parts, ", "));
      called.value.list = called.value.changed = called.value.several = true;
      called.value.elements = std::move(*parts);
      return called;
    }
    const auto text = binding.fill(name, row.tel);
    if (!text) continue;
    if (advises) {
      called.advice = row.sentence.empty() ? text->substr(1) : fmt::format("{}{}", row.sentence, *text);
      continue;
    }
    called.value = {*text, is_operation(*text), false, true, false, {}};
    called.value.infinite = row.tel == "1e30" || row.tel == "-1e30";
    if (!numpy && !row.positions.empty())
      called.value.positions = binding.fill(name, row.positions).value_or("");
    if (row.tel == "{x}" && arguments.front().value.list) {
      called.value.list = true;
      called.value.elements = arguments.front().value.elements;
    }
    return called;
  }
  return called;
}

}  // namespace frontend::python
