#include "telc/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "codegen/diagnostic_kinds.h"
#include "dlvm/diagnostic_kinds.h"
#include "frontend/diagnostic_examples.h"
#include "frontend/diagnostic_kinds.h"
#include "telc/diagnostics.h"

namespace telc {
namespace {

/// Every kind of message that telc and dlopt can give.
std::vector<const dlvm::DiagnosticKind*> all_kinds() {
  std::vector<const dlvm::DiagnosticKind*> all{
      &bad_file,      &bad_call,  &no_entry,         &call_failed,     &gradients_wrong, &needs_source,
      &not_formatted, &no_object, &bad_command_line, &several_results, &warnings_refused};
  for (const auto& kinds :
       {dlvm::diagnostic_kinds(), frontend::diagnostic_kinds(), codegen::diagnostic_kinds()})
    all.insert(all.end(), kinds.begin(), kinds.end());
  return all;
}

}  // namespace

const dlvm::DiagnosticKind* kind_of(std::string_view code) {
  std::string upper(code);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  for (const std::string_view family : {"", "TEL-", "DLVM-"})
    for (const dlvm::DiagnosticKind* kind : all_kinds())
      if (kind->code == std::string(family) + upper) return kind;
  return nullptr;
}

namespace {

/// The text with each line set in.
std::string indented(std::string_view text) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    out += fmt::format("    {}\n", text.substr(from, end - from));
    from = end + 1;
  }
  return out;
}

}  // namespace

std::string explanation(const dlvm::DiagnosticKind& kind) {
  std::string text = fmt::format("{} ({}): {}\n\n{}\n", kind.code,
                                 kind.severity == dlvm::Severity::error ? "error" : "warning",
                                 dlvm::headline(kind), kind.explanation);
  if (const frontend::Example* example = frontend::example_of(kind.code))
    text += fmt::format("\nThis gives it:\n\n{}\nThis does not:\n\n{}", indented(example->wrong),
                        indented(example->right));
  return text;
}

}  // namespace telc
