#include "frontend/python/sequential.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frontend/python/translate.h"
#include "frontend/python/translator.h"
#include "frontend/support/stdlib.h"

namespace frontend::python {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Returns what stands between the commas inside the parentheses at `open`, and moves it behind them; nothing
/// where they are not closed.
std::optional<std::vector<std::string_view>> split_arguments(std::string_view text, std::size_t& open) {
  std::vector<std::string_view> all;
  std::size_t depth = 0, first = open + 1;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth > 0 && (depth > 1 || c != ',')) continue;
    if (const auto part = trimmed(text.substr(first, i - first)); !part.empty()) all.push_back(part);
    first = i + 1;
    if (depth > 0) continue;
    open = first;
    return all;
  }
  return std::nullopt;
}

/// Returns the layer as TEL declares it: `Conv2d(1, 8, kernel: 3)` for `Conv2d(1, out_channels=8,
/// kernel_size=3)`; nothing where it has an argument of which that is not known.
std::optional<std::string> translate_layer(std::string_view layer) {
  constexpr std::string_view places[] = {"in_features", "out_features", "in_channels", "out_channels"},
                             names[] = {"stride", "padding"};
  std::size_t open = layer.find('(');
  const std::string_view name = layer.substr(0, open);
  const auto arguments = split_arguments(layer, open);
  if (!arguments) return std::nullopt;
  std::vector<std::string> all;
  for (const std::string_view argument : *arguments) {
    const std::size_t equals = argument.find('=');
    const std::string_view key = trimmed(argument.substr(0, equals));
    const bool is_positional = equals == std::string_view::npos;
    const std::string_view value = is_positional ? argument : trimmed(argument.substr(equals + 1));
    if (is_positional || std::ranges::find(places, key) != std::end(places))
      all.emplace_back(value);
    else if (key == "kernel_size" || std::ranges::find(names, key) != std::end(names))
      all.push_back(fmt::format("{}: {}", key == "kernel_size" ? "kernel" : key, value));
    else
      return std::nullopt;
  }
  return fmt::format("{}({})", name, fmt::join(all, ", "));
}

/// Returns the step of a pipe for a layer without parameters, `relu` for `ReLU()`; empty where none is known.
std::string step_of_pipe(std::string_view layer) {
  if (layer.starts_with("Flatten(")) return "as [N x ?]";
  const Surroundings one_value{[](std::string_view name) { return name == "x"; },
                               [](std::string_view) { return false; },
                               [](std::string_view) { return std::nullopt; }};
  const auto applied = translate(fmt::format("nn.{}(x)", layer), 0, one_value);
  if (!applied) return "";
  const std::string_view tel = applied->tel;
  const std::size_t open = tel.find("(x");
  if (open == std::string_view::npos || open == 0 || !tel.ends_with(')')) return "";
  const std::string_view name = tel.substr(0, open), rest = tel.substr(open + 2);
  if (rest == ")") return std::string(name);
  return rest.starts_with(", ") ? fmt::format("{}({}", name, rest.substr(2)) : "";
}

}  // namespace

std::optional<SequentialAdvice> advice_of_sequential(std::string_view text, std::size_t open) {
  const auto layers = split_arguments(text, open);
  if (!layers) return std::nullopt;
  std::set<std::string> imports;
  std::vector<std::string> declared;
  std::string value = "x";
  for (std::string_view layer : *layers) {
    const std::size_t call = layer.find('('), dot = layer.substr(0, call).rfind('.');
    if (call == std::string_view::npos || layer.starts_with('*') || !layer.ends_with(')'))
      return std::nullopt;
    if (dot != std::string_view::npos) layer.remove_prefix(dot + 1);
    const std::string_view name = layer.substr(0, layer.find('('));
    const std::string_view module = library_module_with("net", name);
    std::string step = module.empty() ? step_of_pipe(layer) : fmt::format("layer{}", declared.size() + 1);
    if (step.empty()) return std::nullopt;
    if (!module.empty()) {
      const auto translated = translate_layer(layer);
      if (!translated) return std::nullopt;
      imports.insert(fmt::format("import {}", module));
      declared.push_back(fmt::format("{}: {}", step, *translated));
    }
    value = step.starts_with("as ") ? fmt::format("(({}) {})", value, step)
                                    : fmt::format("{} |> {}", value, step);
  }
  constexpr std::size_t longest = 400;
  std::string advice = fmt::format("each layer is declared, and they are applied in turn: {}, {}, and {}",
                                   fmt::join(imports, ", "), fmt::join(declared, ", "), value);
  // Both libraries declare a Linear.
  const bool is_ambiguous = imports.size() > 1 && imports.contains("import torch");
  if (declared.empty() || is_ambiguous || advice.size() > longest) return std::nullopt;
  return SequentialAdvice{std::move(advice), open};
}

}  // namespace frontend::python
