#include "tests/pipeline/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "dlvm/analysis/gradient_type.h"
#include "dlvm/analysis/work.h"
#include "dlvm/call/random_inputs.h"
#include "tests/pipeline/measures.h"

namespace pipeline {
namespace {

using namespace dlvm;

constexpr std::int64_t first_extent = 3, most_work = 200'000, most_steps = 2'000;
constexpr std::size_t most_shown = 80;  // characters

bool takes_tensors(const Function& function) {
  const auto is_tensor = [](const Type& type) { return type.is_tensor(); };
  return function.has_body() && std::ranges::all_of(function.type().parameters(), is_tensor) &&
         std::ranges::all_of(results_of(function.type()), is_tensor);
}

/// The function as if a program could call it.
EntryPoint entry_of(const Function& function) {
  EntryPoint entry;
  entry.name = entry.function = function.name();
  for (std::size_t i = 0; i < function.type().parameters().size(); ++i)
    entry.arguments.push_back({ArgumentRole::input, std::to_string(i), ""});
  for (std::size_t i = 0; i < results_of(function.type()).size(); ++i)
    entry.results.push_back({ResultRole::output, std::to_string(i), ""});
  return entry;
}

/// Whether one run of each block is little work.
bool is_small(const Function& function) {
  std::set<std::string> names;
  function.type().collect_names(names);
  Extent::Bindings dimensions;
  for (const std::string& name : names)
    dimensions.emplace(name, first_extent + static_cast<std::int64_t>(dimensions.size()));
  std::int64_t all = 0;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      all += work(*instruction, dimensions) + typical_bytes(instruction->type(), dimensions);
  return all <= most_work;
}

/// How large the elements are, each with a weight for its place, and how near their sum is to that. Digits
/// beyond these may depend on the machine.
std::string digits(const Tensor& tensor) {
  double sum = 0, size = 0;
  std::size_t special = 0;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const double weight = 1 + static_cast<double>(i % 7), element = tensor.real(i);
    special += std::isfinite(element) ? 0 : i + 1;
    if (!std::isfinite(element)) continue;
    sum += weight * element;
    size += weight * std::abs(element);
  }
  const auto balance = static_cast<int>(std::lround(size > 0 ? 100 * sum / size : 0));
  return fmt::format("{:.3g} ({} %){}", size, balance, special > 0 ? fmt::format(" #{}", special) : "");
}

std::string result(const Module& module, const EntryPoint& entry) {
  Draw draw(1);
  std::string why;
  const auto call = random_call(module, entry, {}, first_extent, {0.1, 0.9}, draw, why);
  if (!call) return why;
  InterpretOptions options;
  options.byte_limit = 1 << 24;
  options.step_limit = most_steps;
  options.dimensions = call->dimensions;
  const Interpretation run = interpret(*module.function(entry.function), call->arguments, options);
  if (!run) return run.error->text;
  if (run.value.is_tensor()) return digits(run.value.tensor());
  std::string text;
  for (const RuntimeValue& each : run.value.elements())
    text += (text.empty() ? "" : ", ") + digits(each.tensor());
  return text;
}

}  // namespace

std::string results(Module& module) {
  if (module.entries.empty())
    for (const auto& function : module.functions())
      if (takes_tensors(*function)) module.entries.push_back(entry_of(*function));
  std::string all;
  for (const EntryPoint& entry : module.entries)
    if (is_small(*module.function(entry.function)))
      all += fmt::format("@{}: {}; ", entry.name, result(module, entry));
  return all.empty() ? ""
                     : all.substr(0, most_shown) + (all.size() > most_shown ? "… " : "") + fingerprint(all);
}

}  // namespace pipeline
