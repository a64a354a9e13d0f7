// telc FILE: text, or an object with its header.
#include "codegen/compile.h"

#include <fmt/format.h>

#include <filesystem>

#include "codegen/header/header.h"
#include "codegen/object/files.h"
#include "dlvm/text/print.h"
#include "frontend/ast/print.h"
#include "frontend/parse/parse.h"
#include "telc/commands.h"
#include "telc/diagnostics.h"

namespace telc {
namespace {

/// The text of a level above code generation; nothing after an error.
std::optional<std::string> text_of(const std::string& level, Session& session) {
  if (level == "ast") {
    const dlvm::Source* source = session.source();
    if (source == nullptr) return std::nullopt;
    if (session.is_dlvm()) {
      session.diagnostics().report(needs_source, {}, "--emit=ast");
      return std::nullopt;
    }
    const auto tree = frontend::parse(*source, session.diagnostics());
    if (tree == nullptr || session.diagnostics().has_errors()) return std::nullopt;
    return frontend::ast::print(*tree);
  }
  const auto module = level == "dlvm" ? session.module() : session.optimized();
  if (module == nullptr) return std::nullopt;
  return dlvm::print(*module);
}

std::optional<codegen::Form> form_of(const std::string& level) {
  constexpr std::pair<std::string_view, codegen::Form> forms[]{{"kernels", codegen::Form::kernels},
                                                               {"schedule", codegen::Form::schedule},
                                                               {"llvm", codegen::Form::llvm},
                                                               {"asm", codegen::Form::assembly},
                                                               {"obj", codegen::Form::object}};
  for (const auto& [name, form] : forms)
    if (name == level) return form;
  return std::nullopt;
}

/// A path as a word of a make rule.
std::string make_word(const std::string& path) {
  std::string word;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\\') word += '\\';
    if (c == '$') word += '$';
    word += c;
  }
  return word;
}

std::string make_rule(const std::string& target, const dlvm::Sources& sources) {
  std::string rule = make_word(target) + ":";
  for (const auto& source : sources.all())
    if (source->text() && std::filesystem::exists(source->name())) rule += " " + make_word(source->name());
  return rule + "\n";
}

/// Where the object goes when nothing says so: `mlp.o` for `nets/mlp.tel`.
std::string default_output(const CompileOptions& options) {
  if (options.emit != "obj") return "-";
  const std::string& file = options.source.file;
  return file == "-" ? "out.o" : std::filesystem::path(file).stem().string() + ".o";
}

}  // namespace

int compile(const CompileOptions& options) {
  Session session(options.source);
  const std::string output = options.output.empty() ? default_output(options) : options.output;
  codegen::OutputFiles files;
  if (const auto form = form_of(options.emit)) {
    const auto module = session.optimized();
    if (module == nullptr) return session.finish();
    codegen::CompileOptions compile_options;
    compile_options.target.cpu = options.cpu;
    compile_options.target.optimization = options.optimization;
    compile_options.form = *form;
    compile_options.source = options.source.file;
    auto compiled = codegen::compile(*module, compile_options, session.diagnostics());
    if (!compiled) return session.finish();
    files.add(output, std::move(compiled->bytes));
    if (!options.header.empty()) files.add(options.header, codegen::print_header(compiled->interface));
    if (!options.manifest.empty()) files.add(options.manifest, codegen::print_manifest(compiled->interface));
  } else {
    auto text = text_of(options.emit, session);
    if (!text) return session.finish();
    files.add(output, std::move(*text));
  }
  if (!options.depfile.empty()) files.add(options.depfile, make_rule(output, session.sources()));
  files.write(session.diagnostics());
  return session.finish();
}

}  // namespace telc
