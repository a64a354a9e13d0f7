#include "frontend/check/declarations/file_names.h"

#include <fmt/format.h>

#include "frontend/check/diagnostics/file_name_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

constexpr std::string_view path = "{path}";

bool has_path(const ast::NameInFiles& written) { return written.text.find(path) != std::string::npos; }

/// Returns the text with {path} in the place of the first other word in braces, or before it.
std::string with_path(const std::string& text) {
  const std::size_t open = text.find('{'), close = text.find('}', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return fmt::format("{}.{}", path, text);
  return fmt::format("{}{}{}", text.substr(0, open), path, text.substr(close + 1));
}

std::string name_of(ast::Role role) {
  if (role == ast::Role::in || role == ast::Role::out) return fmt::format("an '{}'", ast::spelling(role));
  if (role == ast::Role::constant) return "a 'const' with an expression";
  return fmt::format("a '{}'", ast::spelling(role));
}

/// The mistake in a name as it is written; `net` is null outside of nets.
void check_written(const ast::Declaration& d, const ast::Net* net, dlvm::Diagnostics& diagnostics) {
  if (!d.in_files) return;
  const auto& [text, location, transposed] = *d.in_files;
  const bool stored =
      d.role == ast::Role::param || d.role == ast::Role::state || (d.role == ast::Role::constant && !d.value);
  const std::string& name = d.names.front().text;
  if (!stored)
    diagnostics.report(file_name_of_role, location, name, name_of(d.role)).fix("leave the 'from' out");
  else if (text.empty() || text == "__metadata__")
    diagnostics.report(file_name_not_possible, location, text);
  else if (net != nullptr && !d.type.declared && !has_path(*d.in_files))
    diagnostics.report(file_name_without_path, location, net->name.text, text, name)
        .fix(fmt::format("from \"{}\"{}", with_path(text), transposed ? "^T" : ""));
  else if (net == nullptr && has_path(*d.in_files))
    diagnostics.report(path_outside_net, location, path);
}

void check_written(const Scope& scope, dlvm::Diagnostics& diagnostics) {
  const auto check_all = [&](const std::vector<ast::Declaration>& declarations, const ast::Net* net) {
    for (const ast::Declaration& each : declarations) check_written(each, net, diagnostics);
  };
  check_all(scope.syntax->declarations, nullptr);
  for (const ast::Net& net : scope.syntax->nets) check_all(net.declarations, &net);
  std::vector<const ast::Recurrence*> blocks;
  for (const ast::Recurrence& each : scope.syntax->recurrences) blocks.push_back(&each);
  while (!blocks.empty()) {
    const ast::Recurrence& block = *blocks.back();
    blocks.pop_back();
    check_all(block.declarations, nullptr);
    for (const ast::Recurrence& each : block.recurrences) blocks.push_back(&each);
  }
}

bool is_stored(const Declaration& d) { return d.is_given() && d.role() != ast::Role::in && d.net == nullptr; }

void check_axes(const Declaration& d, dlvm::Diagnostics& diagnostics) {
  if (d.failed || !d.syntax->in_files || !d.syntax->in_files->transposed || d.type.shape.size() >= 2) return;
  diagnostics.report(transposed_in_files, d.syntax->in_files->location, spelling(d.type))
      .fix("leave the ^T out");
}

}  // namespace

std::string file_name(const Declaration& stored) {
  if (!stored.syntax->in_files) return "";
  std::string text = stored.syntax->in_files->text;
  const std::string instance = stored.name.substr(0, stored.name.rfind('.'));
  for (std::size_t at = 0; stored.pattern != nullptr && (at = text.find(path, at)) != std::string::npos;
       at += instance.size())
    text.replace(at, path.size(), instance);
  return text;
}

void check_file_names(const Program& program, dlvm::Diagnostics& diagnostics) {
  for (const Scope& scope : program.scopes) check_written(scope, diagnostics);
  for (const Declaration& d : program.net_declarations)
    if (d.net->sample) check_axes(d, diagnostics);
  std::map<std::string, const Declaration*, std::less<>> names;
  for (const Declaration& d : program.declarations) {
    if (!is_stored(d)) continue;
    if (d.pattern == nullptr) check_axes(d, diagnostics);
    const bool is_reported = d.pattern != nullptr && d.syntax->in_files && !has_path(*d.syntax->in_files);
    if (is_reported) continue;  // all instances have one name
    std::string name = file_name(d);
    if (name.empty()) name = d.name;
    const auto [other, is_new] = names.emplace(std::move(name), &d);
    if (is_new) continue;
    const Declaration& first = *other->second;
    const Declaration& named = d.syntax->in_files ? d : first;
    if (!named.syntax->in_files) continue;  // two declarations of one name, which is reported
    const Declaration& rest = &named == &d ? first : d;
    diagnostics.report(file_name_twice, named.syntax->in_files->location, first.name, d.name, other->first)
        .note(rest.syntax->in_files ? rest.syntax->in_files->location : rest.location,
              fmt::format("'{}' is here", rest.name));
  }
}

}  // namespace frontend::check
