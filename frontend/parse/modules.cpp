#include "frontend/parse/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "dlvm/support/files.h"
#include "dlvm/support/system_diagnostics.h"
#include "frontend/parse/import_diagnostics.h"
#include "frontend/parse/parse.h"
#include "frontend/support/stdlib.h"

namespace frontend {
namespace {

using ast::File;
using dlvm::Location;

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
  Loader(dlvm::Sources& sources, const Options& options, dlvm::Diagnostics& diagnostics)
      : sources_(sources), options_(options), diagnostics_(diagnostics) {}

  ast::Files load(const dlvm::Source& source) {
    auto syntax = parse(source, diagnostics_);
    if (!syntax) return {};
    std::string name = syntax->name ? syntax->name->text : stem(source.name());
    files_.push_back({std::move(name), &source, std::move(syntax), false, {}});
    for (std::size_t i = 0; i < files_.size(); ++i) resolve_imports(files_[i]);
    report_cycle();
    return std::move(files_);
  }

 private:
  struct Found {
    std::string name;
    std::string text;
    bool library = false;
  };

  /// Where the module's text is. A file that is there and cannot be read is reported and taken for empty.
  std::optional<Found> find(const File& from, const ast::Name& name) {
    const std::string& module = name.text;
    if (!from.library) {
      std::vector<std::string> paths{folder(from.source->name()) + module + ".tel"};
      for (const std::string& each : options_.import_folders)
        paths.push_back(
            fmt::format("{}{}{}.tel", each, each.empty() || each.ends_with('/') ? "" : "/", module));
      for (const std::string& path : paths) {
        if (path == files_.front().source->name()) return Found{path, "", false};
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

  void resolve_imports(File& file) {
    if (!(file.library && file.name == "nn")) add_import(file, {"nn", {}});
    if (!file.syntax->optimizers.empty()) add_import(file, {"optimizers", {}});
    for (const ast::Import& import : file.syntax->imports) add_import(file, import.module);
  }

  void add_import(File& file, const ast::Name& module) {
    std::optional<Found> found;
    if (module.location.valid()) {
      found = find(file, module);
    } else if (const auto text = standard_library(module.text)) {
      found = Found{"<stdlib>/" + module.text + ".tel", std::string(*text), true};
    }
    if (!found) {
      auto& report = diagnostics_.report(syntax::import_not_found, module.location, module.text);
      report.note(fmt::format("looked for {}{}.tel, in the -I folders, and in the standard library",
                              folder(file.source->name()), module.text));
      return;
    }
    File* known = nullptr;
    for (File& other : files_)
      if (other.source->name() == found->name) known = &other;
    if (known == nullptr) {
      const dlvm::Source* source = sources_.add(found->name, std::move(found->text));
      known =
          &files_.emplace_back(File{module.text, source, parse(*source, diagnostics_), found->library, {}});
      if (!known->syntax) known->syntax = std::make_unique<ast::Module>();
    }
    if (std::find(file.imports.begin(), file.imports.end(), known) != file.imports.end()) return;
    file.imports.push_back(known);
    places_[{&file, known}] = module.location;
  }

  void report_cycle() {
    enum class State { unseen, open, closed };
    std::map<const File*, State> states;
    struct Step {
      File* file;
      std::size_t next = 0;
    };
    std::vector<Step> path{{&files_.front()}};
    states[path[0].file] = State::open;
    while (!path.empty()) {
      Step& top = path.back();
      if (top.next == top.file->imports.size()) {
        states[top.file] = State::closed;
        path.pop_back();
        continue;
      }
      File* import = top.file->imports[top.next++];
      if (states[import] == State::unseen) {
        states[import] = State::open;
        path.push_back({import});
      } else if (states[import] == State::open) {
        std::string text;
        bool inside = false;
        for (const Step& step : path) {
          inside = inside || step.file == import;
          if (inside) text += step.file->name + " → ";
        }
        auto& report =
            diagnostics_.report(syntax::import_cycle, places_[{top.file, import}], text + import->name);
        if (standard_library(import->name))
          report.fix("the library has a file of this name, which this one hides: give this one another name");
        return;
      }
    }
  }

  dlvm::Sources& sources_;
  const Options& options_;
  dlvm::Diagnostics& diagnostics_;
  ast::Files files_;
  std::map<std::pair<const File*, const File*>, Location> places_;
};

}  // namespace

ast::Files parse_modules(const dlvm::Source& source, dlvm::Sources& sources, const Options& options,
                         dlvm::Diagnostics& diagnostics) {
  return Loader(sources, options, diagnostics).load(source);
}

}  // namespace frontend
