// Which function `optimize with` names, and what its arguments are for.
#include "frontend/check/declarations/optimizer_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/support/suggest.h"
#include "frontend/check/calls/argument_names.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/diagnostics/optimizer_diagnostics.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/types/spelling.h"
#include "frontend/support/other_languages.h"

namespace frontend::check {
namespace {

class CallFinder {
 public:
  CallFinder(Scope& scope, const ast::Optimize& syntax, dlvm::Diagnostics& diagnostics)
      : scope_(scope), syntax_(syntax), diagnostics_(diagnostics) {}

  std::optional<OptimizerCall> run() {
    if (!find_function() || !find_arguments()) return std::nullopt;
    return std::move(call_);
  }

 private:
  bool find_function() {
    const ast::Expression* callee = &*syntax_.call;
    if (const auto* call = ast::if_a<ast::Call>(*callee)) {
      call_.written = call;
      callee = &*call->callee;
    }
    std::string qualifier, name;
    Location where = callee->location;
    if (const auto* plain = ast::if_a<ast::NameReference>(*callee)) {
      name = plain->text;
    } else if (const auto* member = ast::if_a<ast::Member>(*callee);
               member != nullptr && ast::if_a<ast::NameReference>(*member->object) != nullptr) {
      qualifier = ast::if_a<ast::NameReference>(*member->object)->text;
      name = member->member.text;
      if (find_import(scope_, qualifier) == nullptr) {
        diagnostics_.report(unknown_file, member->object->location, qualifier)
            .fix(fmt::format("import it: import {}", qualifier));
        return false;
      }
    } else {
      diagnostics_.report(optimizer_arguments, where).fix("optimize with adam(rate: 0.001)");
      return false;
    }
    const FoundFunctions found = find_functions(scope_, qualifier, name, where, diagnostics_);
    if (found.reported) return false;
    if (found.candidates.empty()) return report_unknown(name, where);
    return choose(found.candidates, name, where);
  }

  bool report_unknown(const std::string& name, Location where) {
    auto& report = diagnostics_.report(unknown_optimizer, where, name);
    std::vector<std::string_view> names;
    std::string all;
    for (const Scope* scope : scope_.visible())
      for (const auto& [each, functions] : scope->functions)
        for (const Function* function : functions) {
          std::string why;
          Location ignored;
          if (!optimizer_form(*function->syntax, why, ignored)) continue;
          if (!scope->main && scope->name == "nn") continue;
          names.push_back(each);
          all += (all.empty() ? "" : ", ") + each;
        }
    if (const auto near = dlvm::closest(name, names); !near.empty())
      report.fix(fmt::format("did you mean '{}'?", near));
    else
      report.note(fmt::format("the optimizers are {}", all));
    return false;
  }

  /// Of several functions of the name the one that has the form of an optimizer.
  bool choose(const std::vector<Function*>& candidates, const std::string& name, Location where) {
    std::string why;
    Location place;
    for (Function* candidate : candidates) {
      candidate->used = true;
      const auto form = optimizer_form(*candidate->syntax, why, place);
      if (!form) continue;
      if (call_.function != nullptr) {
        diagnostics_.report(not_an_optimizer, where, name,
                            "several functions of the name have the form of one");
        return false;
      }
      call_.function = candidate;
      call_.form = *form;
    }
    if (call_.function != nullptr) return true;
    diagnostics_.report(not_an_optimizer, where, name, why)
        .note(place, fmt::format("the function is {}", signature(*candidates.back()->syntax)));
    return false;
  }

  bool find_arguments() {
    if (call_.written == nullptr) return true;
    bool complete = true;
    for (const ast::Argument& argument : call_.written->arguments) {
      const auto with_signature = [&](dlvm::Diagnostic& report) -> dlvm::Diagnostic& {
        complete = false;
        return report.note(call_.function->syntax->name.location,
                           fmt::format("the function is {}", signature(*call_.function->syntax)));
      };
      const std::string& function = call_.function->syntax->name.text;
      if (!argument.name) {
        auto& report = with_signature(
            diagnostics_.report(hyper_parameter_without_name, argument.value->location, function));
        if (quoted(argument.value->location, "").ends_with(".parameters()"))
          report.fix("leave it out: everything that is declared a param is trained");
        else if (!call_.form.hyper.empty())
          report.fix(fmt::format("{}: {}", call_.form.hyper.front()->name.text,
                                 quoted(argument.value->location, "...")));
        continue;
      }
      const std::string& name = argument.name->text;
      const Location where = argument.name->location;
      if (call_.form.supplies(name)) {
        with_signature(diagnostics_.report(optimizer_supplies, where, name, function));
      } else if (const auto* parameter = call_.form.find(name); parameter == nullptr) {
        auto& report = with_signature(diagnostics_.report(hyper_parameter_unknown, where, function, name));
        std::vector<std::string_view> names;
        for (const ast::Parameter* each : call_.form.hyper) names.push_back(each->name.text);
        if (const std::string fix = hyper_parameter_elsewhere(name, names); !fix.empty())
          report.fix(fix);
        else
          suggest_argument(report, name, names);
      } else if (parameter->is_value()) {
        call_.hyper.push_back(&argument);
      }
    }
    return complete;
  }

  Scope& scope_;
  const ast::Optimize& syntax_;
  dlvm::Diagnostics& diagnostics_;
  OptimizerCall call_;
};

}  // namespace

std::optional<OptimizerCall> find_optimizer(Scope& scope, const ast::Optimize& syntax,
                                            dlvm::Diagnostics& diagnostics) {
  return CallFinder(scope, syntax, diagnostics).run();
}

}  // namespace frontend::check
