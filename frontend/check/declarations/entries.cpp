#include "frontend/check/declarations/entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dlvm/support/suggest.h"
#include "frontend/check/declarations/outer_parts.h"
#include "frontend/check/declarations/reach.h"
#include "frontend/check/declarations/unchanged_states.h"
#include "frontend/check/diagnostics/declared_type_diagnostics.h"
#include "frontend/check/diagnostics/entry_diagnostics.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

class Entries {
 public:
  Entries(Program& program, dlvm::Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

  void find() {
    std::vector<const Declaration*> outs, losses, metrics, parameters;
    for (const Declaration& d : program_.declarations) {
      if (!d.scope->main) continue;
      if (d.role() == ast::Role::out) outs.push_back(&d);
      if (d.role() == ast::Role::loss) losses.push_back(&d);
      if (d.role() == ast::Role::metric) metrics.push_back(&d);
      if (d.role() == ast::Role::param) parameters.push_back(&d);
    }
    std::vector<const Declaration*> all = losses;
    all.insert(all.end(), outs.begin(), outs.end());
    all.insert(all.end(), metrics.begin(), metrics.end());
    if (!outs.empty())
      add_updating({dlvm::EntryKind::forward, "forward", "", {}, outs, {}, {}, {}, false, nullptr});
    if (!losses.empty() || !metrics.empty())
      add_updating({dlvm::EntryKind::evaluate, "evaluate", "", {}, all, {}, {}, {}, false, nullptr});
    if (!parameters.empty()) {
      std::vector<const Declaration*> seeded;
      if (losses.empty())
        std::copy_if(outs.begin(), outs.end(), std::back_inserter(seeded),
                     [](const Declaration* out) { return dlvm::is_floating(out->type.element.type); });
      if (!losses.empty() || !outs.empty())
        add_updating(
            {dlvm::EntryKind::gradient, "gradient", "", {}, all, losses, seeded, parameters, true, nullptr});
    }
    if (program_.optimizer) add_step(all, losses, parameters);
    for (const ast::Gradient& syntax : program_.main().syntax->gradients)
      if (!program_.main().derivatives.contains(syntax.name.text)) declared(syntax);
  }

 private:
  void add(Entry entry) { program_.entries.push_back(std::move(entry)); }

  /// Adds an entry point that also computes the next values that it can, of the states that it changes.
  void add_updating(Entry entry) {
    auto next = next_values(program_, entry.results);
    std::erase_if(next, [&](const Declaration* d) { return keeps_state(*d, entry.training); });
    entry.results.insert(entry.results.end(), next.begin(), next.end());
    add(std::move(entry));
  }

  void add_step(const std::vector<const Declaration*>& results, const std::vector<const Declaration*>& losses,
                const std::vector<const Declaration*>& parameters) {
    const Optimizer& optimizer = *program_.optimizer;
    Entry entry{dlvm::EntryKind::step,
                "step",
                optimizer.syntax->doc,
                optimizer.syntax->location,
                results,
                losses,
                {},
                parameters,
                true,
                &optimizer};
    add_updating(entry);
    if (optimizer.count != nullptr) program_.entries.back().results.push_back(optimizer.count->next);
  }

  using Declarations = std::vector<const Declaration*>;

  /// What a name stands for: one value, the tensors of a struct, or those of a struct in one.
  struct Found {
    Declarations tensors;
    Location location;
    std::string type;
  };

  /// The values of the module that have a derivative, or by which one can be taken. None after an error.
  Declarations floating(const ast::Name& name) {
    std::optional<Found> found = values(name);
    if (!found) return {};
    Declarations& all = found->tensors;
    std::erase_if(all, [](const Declaration* d) { return !dlvm::is_floating(d->type.element.type); });
    if (all.empty())
      diagnostics_.report(not_differentiable, name.location, name.text, found->type)
          .note(found->location, fmt::format("'{}' is declared here", name.text));
    return all;
  }

  /// The values of the module that an entry point can return. None after an error.
  Declarations returned(const ast::Name& name) {
    const std::optional<Found> found = values(name);
    if (!found) return {};
    if (found->tensors.empty())
      diagnostics_.report(tensor_wanted, name.location, found->type)
          .note(found->location, fmt::format("'{}' is declared here", name.text));
    return found->tensors;
  }

  std::optional<Found> values(const ast::Name& name) {
    if (auto inner = inner_structure(name.text)) return inner;
    const Declaration* found = value(name);
    if (found == nullptr) return std::nullopt;
    Declarations tensors{found->tensors.begin(), found->tensors.end()};
    if (found->type.is_tensor()) tensors = {found};
    return Found{std::move(tensors), found->location, written_type(*found)};
  }

  /// The tensors of a field that is a struct, `start.line`.
  std::optional<Found> inner_structure(const std::string& name) {
    const std::string prefix = name + ".";
    const auto first = program_.dotted_tensors.lower_bound(prefix);
    if (first == program_.dotted_tensors.end() || !first->first.starts_with(prefix)) return std::nullopt;
    if (first->second->pattern != nullptr) return structure_of_net(name, *first->second);
    Declaration* whole = first->second->structure;
    if (whole == nullptr || !name.starts_with(whole->name + ".")) return std::nullopt;
    Found found{{}, whole->location, {}};
    for (Declaration* tensor : whole->tensors) {
      if (!tensor->name.starts_with(prefix)) continue;
      tensor->used = true;
      found.tensors.push_back(tensor);
    }
    whole->used = true;
    const DeclaredType* type = whole->type_of_tensors;
    const auto depth = std::count(name.begin() + std::ptrdiff_t(whole->name.size()), name.end(), '.');
    for (std::ptrdiff_t i = 0; i < depth; ++i)
      type = type->members[first->second->fields[std::size_t(i)]].types[0].declared;
    found.type = type->name;
    return found;
  }

  /// The tensors of a struct that a net declares, `fc.start`, or of a struct in it; `first` has its name in
  /// front of its own.
  std::optional<Found> structure_of_net(const std::string& name, const Declaration& first) {
    const Declaration& pattern = *first.pattern;
    if (pattern.structure == nullptr) return std::nullopt;
    const Declaration& whole = *pattern.structure;
    const std::size_t begin = first.name.size() - pattern.name.size();
    if (name.size() < begin + whole.name.size()) return std::nullopt;
    const auto depth = std::count(name.begin() + std::ptrdiff_t(begin + whole.name.size()), name.end(), '.');
    const DeclaredType* type = whole.type_of_tensors;
    for (std::ptrdiff_t i = 0; i < depth; ++i)
      type = outer_parts(*type)[pattern.fields[std::size_t(i)]].type.declared;
    Found found{{}, first.location, type->name};
    for (Declaration& each : program_.declarations)
      if (each.pattern != nullptr && each.name.starts_with(name + ".")) found.tensors.push_back(&each);
    return found;
  }

  const Declaration* value(const ast::Name& name) {
    Scope& main = program_.main();
    if (const auto found = main.values.find(name.text); found != main.values.end()) {
      Declaration* value = found->second->whole != nullptr ? found->second->whole : found->second;
      value->used = true;
      return value;
    }
    if (const auto found = program_.dotted_tensors.find(name.text); found != program_.dotted_tensors.end()) {
      found->second->used = true;
      if (found->second->structure != nullptr) found->second->structure->used = true;
      return found->second;
    }
    std::vector<std::string_view> candidates;
    for (const auto& [each, declaration] : main.values) candidates.push_back(each);
    for (const auto& [each, declaration] : program_.dotted_tensors) candidates.push_back(each);
    if (const auto net = main.instances.find(name.text); net != main.instances.end()) {
      const auto& tensors = net->second->tensors;
      auto& report = diagnostics_.report(net_as_value, name.location, name.text);
      report.note(net->second->location, fmt::format("'{}' is declared here", name.text));
      if (!tensors.empty()) report.fix(fmt::format("name what it declares: {}", tensors.front()->name));
      return nullptr;
    }
    auto& report = diagnostics_.report(unknown_name_kind, name.location, name.text);
    if (const auto near = dlvm::closest(name.text, candidates); !near.empty())
      report.fix(fmt::format("did you mean '{}'?", near));
    return nullptr;
  }

  void declared(const ast::Gradient& syntax) {
    Entry entry{dlvm::EntryKind::named_gradient,
                syntax.name.text,
                syntax.doc,
                syntax.location,
                {},
                {},
                {},
                {},
                false,
                nullptr};
    const auto same = [&](const Entry& other) { return other.name == entry.name; };
    const bool reserved = entry.name == "forward" || entry.name == "evaluate" || entry.name == "gradient";
    if (const auto other = std::find_if(program_.entries.begin(), program_.entries.end(), same);
        other != program_.entries.end() || reserved) {
      auto& report = diagnostics_.report(entry_twice, syntax.name.location, entry.name);
      if (other != program_.entries.end() && other->location.valid())
        report.note(other->location, "the other is declared here");
      else
        report.note("forward, evaluate and gradient are made from the outs, losses and metrics");
      return;
    }
    bool complete = true;
    std::set<const Declaration*> seen;
    const auto take = [&](const ast::Name& name, const Declarations& found, Declarations& into) {
      complete = complete && !found.empty();
      const bool twice =
          std::ranges::count_if(found, [&](const Declaration* d) { return !seen.insert(d).second; }) > 0;
      if (twice) diagnostics_.report(named_twice, name.location, name.text);
      complete = complete && !twice;
      into.insert(into.end(), found.begin(), found.end());
    };
    Declarations all;
    for (const ast::Name& name : syntax.of) take(name, floating(name), all);
    seen.clear();
    for (const ast::Name& name : syntax.wrt) take(name, floating(name), entry.wrt);
    seen.clear();
    for (const ast::Name& name : syntax.keeping) take(name, returned(name), entry.results);
    if (!complete) return;
    for (const Declaration* of : all) (of->type.is_scalar() ? entry.losses : entry.seeded).push_back(of);
    add(std::move(entry));
  }

  Program& program_;
  dlvm::Diagnostics& diagnostics_;
};

}  // namespace

void find_entries(Program& program, dlvm::Diagnostics& diagnostics) { Entries(program, diagnostics).find(); }

}  // namespace frontend::check
