#include "telc/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "codegen/targets.h"
#include "dlvm/pipeline.h"
#include "dlvm/support/system_diagnostics.h"
#include "dlvm/text/parse.h"
#include "dlvm/verify/verify.h"
#include "frontend/frontend.h"
#include "telc/arguments.h"
#include "telc/diagnostics.h"
#include "telc/refuse.h"
#include "telc/streams.h"

namespace telc {

namespace {

/// Behind white space and comments `module "`, where TEL has a name.
bool starts_with_dlvm(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const auto skip_to = [&](std::size_t at) { text.remove_prefix(std::min(at, text.size())); };
  for (skip_to(text.find_first_not_of(space)); text.starts_with("//"); skip_to(text.find_first_not_of(space)))
    skip_to(text.find('\n'));
  if (!text.starts_with("module")) return false;
  skip_to(6);
  skip_to(text.find_first_not_of(space));
  return text.starts_with('"');
}

bool specialize(dlvm::Module& module, const dlvm::Extent::Bindings& dimensions,
                dlvm::Diagnostics& diagnostics) {
  dlvm::PipelineOptions options;
  options.dimensions = dimensions;
  return dlvm::run_passes(module, std::vector{dlvm::pass_named("SS")}, diagnostics, options);
}

}  // namespace

bool is_dlvm(const std::string& file, std::string_view text) {
  return file == "-" ? starts_with_dlvm(text) : file.ends_with(".dl");
}

int finish(dlvm::Diagnostics& diagnostics, bool json) {
  if (const auto failed = flush_output()) diagnostics.report(dlvm::file_failed, {}, *failed);
  print_error(json ? dlvm::render_json(diagnostics)
                   : dlvm::render(diagnostics, ::isatty(STDERR_FILENO) != 0));
  for (const auto& diagnostic : diagnostics.all()) {
    if (diagnostic.kind == &dlvm::file_failed) return system_failed;
    if (codegen::is_tool_failure(*diagnostic.kind)) return tool_failed;
  }
  return diagnostics.has_errors() ? wrong_input : done;
}

dlvm::Extent::Bindings Session::dimensions() const { return dimensions_of(options_.defines); }

const dlvm::Source* Session::source() {
  if (read_) return source_;
  read_ = true;
  dlvm::FileError error;
  auto text = dlvm::read_text(options_.file, error);
  if (text)
    source_ = sources_.add(options_.file == "-" ? "<standard input>" : options_.file, std::move(*text));
  else if (error.kind == dlvm::FileError::Kind::format)
    diagnostics_.report(dlvm::not_text, {}, error.text);
  else
    report_file(error);
  return source_;
}

bool Session::is_dlvm() {
  const dlvm::Source* read = source();
  return telc::is_dlvm(options_.file, read == nullptr ? "" : std::string_view(*read->text()));
}

dlvm::Diagnostics& Session::once(bool& done) { return std::exchange(done, true) ? repeated_ : diagnostics_; }

std::unique_ptr<dlvm::Module> Session::module() {
  const dlvm::Source* read = source();
  if (read == nullptr) return nullptr;
  dlvm::Diagnostics& diagnostics = once(compiled_);
  if (is_dlvm()) {
    const dlvm::ScopedTimer timer(times_, "parse");
    auto module = dlvm::parse(*read, sources_, diagnostics);
    if (module == nullptr || !dlvm::verify(*module, diagnostics)) return nullptr;
    if (!dimensions().empty() && !specialize(*module, dimensions(), diagnostics)) return nullptr;
    return unless_warned(std::move(module));
  }
  frontend::Options options;
  options.import_folders = options_.folders;
  options.times = times_;
  for (const auto& [name, value] : dimensions()) options.dimensions.emplace_back(name, value);
  return unless_warned(frontend::compile(*read, sources_, options, diagnostics));
}

bool Session::refuses_warnings() {
  const auto is_warning = [](const dlvm::Diagnostic& each) {
    return each.kind->severity == dlvm::Severity::warning;
  };
  const auto warnings = std::ranges::count_if(diagnostics_.all(), is_warning);
  if (options_.warnings != Warnings::error || warnings == 0) return false;
  if (!diagnostics_.has_errors())
    diagnostics_.report(warnings_refused, {},
                        fmt::format("{} warning{}", warnings, warnings == 1 ? "" : "s"));
  return true;
}

std::unique_ptr<dlvm::Module> Session::unless_warned(std::unique_ptr<dlvm::Module> module) {
  return refuses_warnings() ? nullptr : std::move(module);
}

int Session::finish() {
  if (options_.warnings != Warnings::none) return telc::finish(diagnostics_, options_.json);
  dlvm::Diagnostics errors;
  for (const dlvm::Diagnostic& each : diagnostics_.all())
    if (each.kind->severity == dlvm::Severity::error) errors.append(each);
  return telc::finish(errors, options_.json);
}

std::unique_ptr<dlvm::Module> Session::expanded() {
  auto expanded = module();
  if (expanded == nullptr || !dlvm::expand_gradients(*expanded, once(differentiated_))) return nullptr;
  return unless_warned(std::move(expanded));
}

std::unique_ptr<dlvm::Module> Session::optimized() {
  auto optimized = module();
  if (optimized == nullptr) return nullptr;
  const dlvm::ScopedTimer timer(times_, "optimize");
  dlvm::Diagnostics& diagnostics = once(differentiated_);
  dlvm::PipelineOptions pipeline;
  pipeline.memory_budget = dlvm::parse_memory_budget(options_.memory_budget);
  pipeline.fast_math = options_.fast_math;
  pipeline.dimensions = dimensions();
  checkpointing_.clear();
  pipeline.checkpointing = &checkpointing_;
  const bool good = dlvm::optimize(*optimized, diagnostics, pipeline) &&
                    dlvm::lower_control_flow(*optimized, diagnostics, pipeline);
  return good ? unless_warned(std::move(optimized)) : nullptr;
}

bool Session::check() {
  const dlvm::Source* read = source();
  if (read == nullptr) return false;
  if (is_dlvm()) return module() != nullptr;
  frontend::Options options;
  options.import_folders = options_.folders;
  for (const auto& [name, value] : dimensions()) options.dimensions.emplace_back(name, value);
  return frontend::check_only(*read, sources_, options, diagnostics_) && !refuses_warnings();
}

void Session::report_file(const dlvm::FileError& error) {
  diagnostics_.report(error.kind == dlvm::FileError::Kind::format ? bad_file : dlvm::file_failed, {},
                      error.text);
}

int Session::refuse(const std::string& why) {
  if (!options_.json) {
    finish();
    return telc::refuse(why, false);
  }
  diagnostics_.report(bad_command_line, {}, why);
  finish();
  return wrong_command_line;
}

}  // namespace telc
