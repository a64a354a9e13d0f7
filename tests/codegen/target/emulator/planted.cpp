#include "planted.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "../../kernel/compare.h"
#include "codegen/schedule/gpu/target.h"
#include "dlvm/call/random_inputs.h"
#include "dlvm/interpret/agreement.h"
#include "dlvm/interpret/interpret.h"
#include "dlvm/pipeline.h"
#include "frontend/frontend.h"
#include "tests/codegen/scheduled.h"

namespace test {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Where the pattern ends that begins at `at`, with the numbers in it; npos where it is not there.
std::size_t match(const std::string& text, std::size_t at, const std::string& pattern,
                  std::vector<std::string>& numbers) {
  numbers.clear();
  for (const char c : pattern) {
    if (c == '#') {
      const std::size_t first = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      if (at == first) return std::string::npos;
      numbers.push_back(text.substr(first, at - first));
    } else {
      if (at == text.size() || text[at] != c) return std::string::npos;
      ++at;
    }
  }
  return at;
}

/// `#1` becomes the first of the numbers.
std::string filled(const std::string& pattern, const std::vector<std::string>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '#')
      text += numbers.at(static_cast<std::size_t>(pattern[++i] - '1'));
    else
      text += pattern[i];
  }
  return text;
}

/// Whether the text has one of the parts, `|` between.
bool has_one(const std::string& text, const std::string& parts) {
  std::istringstream all(parts);
  for (std::string part; std::getline(all, part, '|');)
    if (text.find(part) != std::string::npos) return true;
  return false;
}

std::vector<dlvm::Tensor> tensors(const dlvm::RuntimeValue& value) {
  std::vector<dlvm::Tensor> result;
  if (value.is_tensor()) result.push_back(value.tensor());
  for (const dlvm::RuntimeValue& element : value.elements()) result.push_back(element.tensor());
  return result;
}

std::vector<dlvm::Tensor> interpreted(const dlvm::Function& function, const EmulatedProgram::Call& call,
                                      bool float64) {
  const std::vector<dlvm::RuntimeValue> arguments(call.inputs.begin(), call.inputs.end());
  dlvm::InterpretOptions options;
  options.dimensions = call.dimensions;
  options.float64 = float64;
  const auto result = dlvm::interpret(function, arguments, options);
  REQUIRE(result);
  return tensors(result.value);
}

}  // namespace

std::string planted(const std::string& text, const Fault& fault) {
  std::string result;
  std::vector<std::string> numbers;
  int place = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = match(text, at, fault.from, numbers);
    const bool here = end != std::string::npos && (fault.place == place++ || fault.place < 0);
    result += here ? filled(fault.to, numbers) : text.substr(at, 1);
    at = here ? end : at + 1;
  }
  return result;
}

Planting::Planting(const std::string& source, std::int64_t n, const std::string& entry) {
  dlvm::Diagnostics diagnostics;
  module_ = frontend::compile(*sources_.add("planted.tel", source), sources_, {}, diagnostics);
  REQUIRE_MESSAGE(module_ != nullptr, dlvm::render(diagnostics));
  REQUIRE(optimize(*module_, diagnostics));
  for (const auto& one : module_->entries)
    if (one.name == entry) entry_ = &one;
  REQUIRE(entry_ != nullptr);
  function_ = module_->function(entry_->function);
  call_ = call(n);
  rounded_ = interpreted(*function_, call_, false);
  exact_ = interpreted(*function_, call_, true);
}

EmulatedProgram::Call Planting::call(std::int64_t n) const {
  dlvm::Draw draw(1);
  std::string why;
  const auto drawn = dlvm::random_call(*module_, *entry_, {}, n, {-2, 2}, draw, why);
  REQUIRE_MESSAGE(drawn.has_value(), why);
  EmulatedProgram::Call call{{}, drawn->dimensions};
  for (const auto& argument : drawn->arguments) call.inputs.push_back(argument.tensor());
  return call;
}

EmulatedProgram Planting::compile(const Edit& edit) const {
  return EmulatedProgram(scheduled_for_gpu(kernel_tests::program(*function_), 80), edit);
}

std::string Planting::difference(const std::vector<dlvm::Tensor>& outputs) const {
  std::vector<dlvm::Comparison> comparisons;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    comparisons.push_back({fmt::format("output {}", i), outputs[i], rounded_[i], exact_[i]});
  for (const auto& agreement : dlvm::compare(comparisons, 2))
    if (!agreement.agrees) return agreement.name + " " + agreement.why;
  return "";
}

std::string Planting::wrong() const {
  const EmulatedProgram program = compile();
  for (const std::uint64_t order : {0, 1, 2}) {
    const auto execution = program.run(call_, order);
    if (!execution.error.empty()) return execution.error;
    if (auto text = difference(execution.outputs); !text.empty()) return text;
  }
  return "";
}

std::string Planting::missed(const EmulatedProgram& program, const std::string& found,
                             const std::vector<std::int64_t>& words) const {
  for (const std::uint64_t order : {0, 1, 2}) {
    const auto execution = program.run(call_, order, words);
    const std::string& error = execution.error;
    if (found.empty() ? !error.empty() : !has_one(error, found))
      return fmt::format("order {}: reports '{}', not '{}'", order, error, found);
    if (found.empty() && difference(execution.outputs).empty()) return "the results are right";
  }
  return "";
}

std::string Planting::missed(const Fault& fault, const std::string& more) const {
  int texts = 0;
  const auto program = compile([&](Level level, std::string text) {
    if (level != fault.level || texts > 0) return text;
    std::string other = planted(text, fault);
    if (other == text) return text;
    ++texts;
    return level == Level::kernels ? other + more : other;
  });
  return texts == 0 ? "there is no place for it" : missed(program, fault.found);
}

std::string Planting::missed_words_of(std::int64_t n, const std::string& found) const {
  const EmulatedProgram program = compile();
  const auto earlier = program.run(call(n));
  return earlier.error.empty() ? missed(program, found, earlier.words) : earlier.error;
}

}  // namespace test
