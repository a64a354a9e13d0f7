#include "frontend/check/declarations/file_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/support/suggest.h"
#include "frontend/check/diagnostics/file_name_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

bool has_path(const ast::NameInFiles& written) {
  return written.text.find(path_placeholder) != std::string::npos;
}

/// Returns the text with {path} in the place of the first other word in braces, or before it.
std::string with_placeholder(const std::string& text) {
  const std::size_t open = text.find('{'), close = text.find('}', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos)
    return fmt::format("{}.{}", path_placeholder, text);
  return fmt::format("{}{}{}", text.substr(0, open), path_placeholder, text.substr(close + 1));
}

/// Returns the texts in braces, without them, in order.
std::vector<std::string> placeholders(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t open = 0; (open = text.find('{', open)) != std::string::npos; ++open) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    all.push_back(text.substr(open + 1, close - open - 1));
  }
  return all;
}

/// Returns the first text in braces that is neither {path} nor a dimension of the net, with its braces.
std::string unknown_placeholder(const std::string& text, const Net& net) {
  for (const std::string& name : placeholders(text)) {
    const std::string found = fmt::format("{{{}}}", name);
    if (found == path_placeholder) continue;
    if (!net.has_dimension(name) || net.net_parameters.contains(name)) return found;
  }
  return {};
}

void check_placeholders(const ast::NameInFiles& written, const Net& net, dlvm::Diagnostics& diagnostics) {
  const std::string found = unknown_placeholder(written.text, net);
  if (found.empty()) return;
  std::vector<std::string_view> names{"path"};
  for (const ast::Dimension& each : net.syntax->parameters)
    if (!net.net_parameters.contains(each.name.text)) names.push_back(each.name.text);
  auto& report = diagnostics.report(placeholder_unknown, written.location, net.name(), found);
  if (const auto parameter = net.net_parameters.find(found.substr(1, found.size() - 2));
      parameter != net.net_parameters.end()) {
    report.note(fmt::format("'{}' is a net, which has no extent", parameter->first));
    return;
  }
  const std::string_view near = dlvm::closest(found.substr(1, found.size() - 2), names);
  if (!near.empty()) report.fix(fmt::format("did you mean '{{{}}}'?", near));
}

std::string name_of(ast::Role role) {
  return with_article(role) + (role == ast::Role::constant ? " with an expression" : "");
}

void report_path_outside(const ast::NameInFiles& written, dlvm::Diagnostics& diagnostics) {
  std::string own = written.text;
  const std::size_t path = own.find(path_placeholder);
  own.erase(path, path_placeholder.size());
  // With it goes the dot behind it, or that in front of it where it stands last.
  if (own.substr(path).starts_with('.')) own.erase(path, 1);
  if (path == own.size() && own.ends_with('.')) own.pop_back();
  auto& report = diagnostics.report(path_outside_net, written.location, path_placeholder);
  if (!own.empty() && own.find(path_placeholder) == std::string::npos)
    report.fix(fmt::format("the whole name: from \"{}\"{}", own, written.transposed ? "^T" : ""));
}

/// The mistake in a name as it is written; `net` is null outside of nets.
void check_written(const ast::Declaration& d, const Net* net, dlvm::Diagnostics& diagnostics) {
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
    diagnostics.report(file_name_without_path, location, net->name(), text, name)
        .fix(fmt::format("from \"{}\"{}", with_placeholder(text), transposed ? "^T" : ""));
  else if (net != nullptr)
    check_placeholders(*d.in_files, *net, diagnostics);
  else if (has_path(*d.in_files))
    report_path_outside(*d.in_files, diagnostics);
}

/// The mistake in the path of an instance.
void check_written(const ast::NetInstance& instance, const Net* net, dlvm::Diagnostics& diagnostics) {
  if (!instance.in_files) return;
  const auto& [text, location, transposed] = *instance.in_files;
  if (net != nullptr && !has_path(*instance.in_files))
    diagnostics.report(file_name_without_path, location, net->name(), text, instance.names.front().text)
        .fix(fmt::format("from \"{}\"", with_placeholder(text)));
  else if (net != nullptr)
    check_placeholders(*instance.in_files, *net, diagnostics);
  else if (has_path(*instance.in_files))
    report_path_outside(*instance.in_files, diagnostics);
}

void check_written(const Scope& scope, dlvm::Diagnostics& diagnostics) {
  const auto check_all = [&](const std::vector<ast::Declaration>& declarations, const Net* net) {
    for (const ast::Declaration& each : declarations) check_written(each, net, diagnostics);
  };
  check_all(scope.syntax->declarations, nullptr);
  for (const ast::NetInstance& each : scope.syntax->instances) check_written(each, nullptr, diagnostics);
  for (const ast::Net& syntax : scope.syntax->nets) {
    const Net* net = scope.nets.find(syntax.name.text)->second;
    if (net->syntax != &syntax) continue;  // another net of the name, which is reported
    check_all(syntax.declarations, net);
    for (const ast::NetInstance& each : syntax.instances) check_written(each, net, diagnostics);
  }
  std::vector<const ast::Recurrence*> blocks;
  for (const ast::Recurrence& each : scope.syntax->recurrences) blocks.push_back(&each);
  while (!blocks.empty()) {
    const ast::Recurrence& block = *blocks.back();
    blocks.pop_back();
    check_all(block.declarations, nullptr);
    for (const ast::Recurrence& each : block.recurrences) blocks.push_back(&each);
  }
}

/// Reports a dimension in braces that has no constant extent in the net for these extents.
void check_extents(const NetType& net, const std::string& tensor, const ast::NameInFiles& written,
                   dlvm::Diagnostics& diagnostics) {
  for (const std::string& name : placeholders(written.text)) {
    const auto dimension = net.dimensions.find(name);
    const bool is_open = dimension != net.dimensions.end() && !dimension->second.constant();
    if (!is_open || path_placeholder == fmt::format("{{{}}}", name)) continue;
    const std::string extent = spelling(dimension->second);
    auto& report = diagnostics.report(placeholder_not_constant, net.location, fmt::format("{{{}}}", name),
                                      tensor, extent);
    report.note(written.location, fmt::format("the net '{}' gives the name here", net.net->name()));
    if (dimension->second.name())
      report.fix(fmt::format("give the dimension a value, dim {0} = 2, or compile with -D {0}=2", extent));
    return;
  }
}

void check_extents(const NetType& net, dlvm::Diagnostics& diagnostics) {
  for (const NetType::Member& member : net.members) {
    const Net::Member& written = *member.written;
    const auto& name =
        written.instance != nullptr ? written.instance->in_files : written.declaration->in_files;
    if (name) check_extents(net, written.name, *name, diagnostics);
  }
}

bool is_stored(const Declaration& d) { return d.is_given() && d.role() != ast::Role::in && d.net == nullptr; }

void check_axes(const Declaration& d, dlvm::Diagnostics& diagnostics) {
  if (d.failed || !d.syntax->in_files || !d.syntax->in_files->transposed || d.type.shape.size() >= 2) return;
  diagnostics.report(transposed_in_files, d.syntax->in_files->location, spelling(d.type))
      .fix("leave the ^T out");
}

}  // namespace

std::string with_path(std::string text, std::string_view path) {
  for (std::size_t at = 0; (at = text.find(path_placeholder, at)) != std::string::npos; at += path.size()) {
    const bool is_first_of_dotted =
        path.empty() && text.substr(at + path_placeholder.size()).starts_with('.');
    text.replace(at, path_placeholder.size() + (is_first_of_dotted ? 1 : 0), path);
  }
  return text;
}

std::string with_extents(std::string text, const NetType& net) {
  for (std::size_t open = 0; (open = text.find('{', open)) != std::string::npos; ++open) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    if (text.substr(open, close + 1 - open) == path_placeholder) continue;  // also of a dimension `path`
    const auto named = net.dimensions.find(text.substr(open + 1, close - open - 1));
    const auto value = named == net.dimensions.end() ? std::nullopt : named->second.constant();
    if (value) text.replace(open, close + 1 - open, fmt::format("{}", *value));
  }
  return text;
}

std::string inside_path(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

std::string path_in_files(const ast::NetInstance& instance, const std::string& name, std::string_view outer,
                          const NetType* around) {
  const bool is_possible = instance.in_files && (outer.empty() || has_path(*instance.in_files));
  if (!is_possible) return inside_path(outer, name);
  const std::string& text = instance.in_files->text;
  const std::string named = with_path(text, outer);
  return around == nullptr ? named : with_extents(named, *around);
}

std::string file_name(const Declaration& stored) {
  const auto& written = stored.syntax->in_files;
  if (stored.pattern == nullptr) return written ? written->text : "";
  if (written) return with_extents(with_path(written->text, stored.path_in_files), *stored.pattern->net);
  std::string name = inside_path(stored.path_in_files, stored.pattern->name);
  return name == stored.name ? "" : name;
}

namespace {

/// Returns the location of the text that gives a tensor its name in files, or that of its declaration.
Location place_of_name(const Declaration& stored) {
  if (stored.syntax->in_files) return stored.syntax->in_files->location;
  const bool has_path = stored.instance != nullptr && stored.instance->syntax->in_files;
  return has_path ? stored.instance->syntax->in_files->location : stored.location;
}

}  // namespace

void check_file_names(const Program& program, dlvm::Diagnostics& diagnostics) {
  for (const Scope& scope : program.scopes) check_written(scope, diagnostics);
  for (const Declaration& d : program.net_declarations)
    if (d.net->sample) check_axes(d, diagnostics);
  for (const NetType& net : program.net_types)
    if (!net.sample) check_extents(net, diagnostics);
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
    if (first.name == d.name) continue;  // two declarations of one name, which is reported
    const Declaration& named = file_name(d).empty() ? first : d;
    const Declaration& rest = &named == &d ? first : d;
    diagnostics.report(file_name_twice, place_of_name(named), first.name, d.name, other->first)
        .note(place_of_name(rest), fmt::format("'{}' is here", rest.name));
  }
}

}  // namespace frontend::check
