#include "frontend/check/modules.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/support/system_diagnostics.h"
#include "dlvm/support/files.h"
#include "frontend/check/name_diagnostics.h"
#include "frontend/check/spelling.h"
#include "frontend/parse/parse.h"
#include "frontend/stdlib.h"

namespace frontend::check {
namespace {

/// `dir/mlp.tel` → `mlp`, as a name.
std::string stem(const std::string& file) {
  const std::size_t slash = file.find_last_of('/');
  std::string name = file.substr(slash == std::string::npos ? 0 : slash + 1);
  if (name.ends_with(".tel")) name.resize(name.size() - 4);
  for (char& c : name)
    if (!(std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 0x80)) c = '_';
  if (name.empty() || name == "_") return "module";
  if (name[0] >= '0' && name[0] <= '9') name = "_" + name;
  return name;
}

std::string folder(const std::string& file) {
  const std::size_t slash = file.find_last_of('/');
  return slash == std::string::npos ? "" : file.substr(0, slash + 1);
}

class Loader {
 public:
  Loader(dlvm::Sources& sources, const Options& options, dlvm::Diagnostics& diagnostics, Program& program)
      : sources_(sources), options_(options), diagnostics_(diagnostics), program_(program) {}

  bool load(const dlvm::Source& source) {
    Scope& main = program_.scopes.emplace_back();
    main.main = true;
    main.source = &source;
    main.syntax = parsed(source);
    if (!main.syntax) return false;
    main.name = main.syntax->name ? main.syntax->name->text : stem(source.name());
    for (std::size_t i = 0; i < program_.scopes.size(); ++i) resolve_imports(program_.scopes[i]);
    report_cycle();
    return true;
  }

 private:
  struct Found {
    std::string name;
    std::string text;
    bool library = false;
  };

  std::unique_ptr<ast::Module> parsed(const dlvm::Source& source) {
    const dlvm::Step step(options_.times, "parse");
    return parse(source, diagnostics_);
  }

  /// Where the module's text is. A file that is there and cannot be read is reported and taken for empty.
  std::optional<Found> find(const Scope& from, const ast::Name& name) {
    const std::string& module = name.text;
    if (!from.library) {
      std::vector<std::string> paths{folder(from.source->name()) + module + ".tel"};
      for (const std::string& each : options_.import_folders)
        paths.push_back(
            fmt::format("{}{}{}.tel", each, each.empty() || each.ends_with('/') ? "" : "/", module));
      for (const std::string& path : paths) {
        if (path == program_.main().source->name()) return Found{path, "", false};
        dlvm::FileError error;
        if (auto text = dlvm::read_text(path, error)) return Found{path, std::move(*text), false};
        if (error.kind == dlvm::FileError::Kind::absent) continue;
        const bool binary = error.kind == dlvm::FileError::Kind::format;
        diagnostics_.report(binary ? dlvm::not_text : dlvm::file_failed, name.location, error.text);
        return Found{path, "", false};
      }
    }
    if (const auto text = standard_library(module))
      return Found{"<stdlib>/" + module + ".tel", std::string(*text), true};
    return std::nullopt;
  }

  void resolve_imports(Scope& scope) {
    if (!(scope.library && scope.name == "nn")) add_import(scope, {"nn", {}});
    for (const ast::Import& import : scope.syntax->imports) add_import(scope, import.module);
  }

  void add_import(Scope& scope, const ast::Name& module) {
    std::optional<Found> found;
    if (module.location.valid()) {
      found = find(scope, module);
    } else if (const auto text = standard_library(module.text)) {
      found = Found{"<stdlib>/" + module.text + ".tel", std::string(*text), true};
    }
    if (!found) {
      auto& report = diagnostics_.report(import_not_found, module.location, module.text);
      report.note(fmt::format("looked for {}{}.tel, in the -I folders, and in the standard library",
                              folder(scope.source->name()), module.text));
      return;
    }
    Scope* known = nullptr;
    for (Scope& other : program_.scopes)
      if (other.source->name() == found->name) known = &other;
    if (known == nullptr) {
      known = &program_.scopes.emplace_back();
      known->name = module.text;
      known->library = found->library;
      known->source = sources_.add(found->name, std::move(found->text));
      known->syntax = parsed(*known->source);
      if (!known->syntax) known->syntax = std::make_unique<ast::Module>();
    }
    if (std::find(scope.imports.begin(), scope.imports.end(), known) != scope.imports.end()) return;
    scope.imports.push_back(known);
    places_[{&scope, known}] = module.location;
  }

  void report_cycle() {
    enum class State { unseen, open, closed };
    std::map<const Scope*, State> states;
    struct Step {
      Scope* scope;
      std::size_t next = 0;
    };
    std::vector<Step> path{{&program_.main()}};
    states[path[0].scope] = State::open;
    while (!path.empty()) {
      Step& top = path.back();
      if (top.next == top.scope->imports.size()) {
        states[top.scope] = State::closed;
        path.pop_back();
        continue;
      }
      Scope* import = top.scope->imports[top.next++];
      if (states[import] == State::unseen) {
        states[import] = State::open;
        path.push_back({import});
      } else if (states[import] == State::open) {
        std::string text;
        bool inside = false;
        for (const Step& step : path) {
          inside = inside || step.scope == import;
          if (inside) text += step.scope->name + " → ";
        }
        diagnostics_.report(import_cycle, places_[{top.scope, import}], text + import->name);
        return;
      }
    }
  }

  dlvm::Sources& sources_;
  const Options& options_;
  dlvm::Diagnostics& diagnostics_;
  Program& program_;
  std::map<std::pair<const Scope*, const Scope*>, Location> places_;
};

}  // namespace

ElementType Scope::element() const {
  return syntax->element_type ? element_of(*syntax->element_type) : ElementType::f32;
}

bool load(const dlvm::Source& source, dlvm::Sources& sources, const Options& options,
          dlvm::Diagnostics& diagnostics, Program& program) {
  return Loader(sources, options, diagnostics, program).load(source);
}

}  // namespace frontend::check
