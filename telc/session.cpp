#include "telc/session.h"

#include <unistd.h>

#include <charconv>
#include <cstdio>

#include "codegen/object/diagnostics.h"
#include "dlvm/interpret/expand.h"
#include "dlvm/interpret/files.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/parse.h"
#include "dlvm/verify/verify.h"
#include "frontend/frontend.h"
#include "telc/diagnostics.h"

namespace telc {

std::optional<std::pair<std::string, std::int64_t>> parse_define(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) return std::nullopt;
  std::int64_t value = 0;
  const char *begin = text.data() + equals + 1, *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end || value < 0) return std::nullopt;
  return std::pair{text.substr(0, equals), value};
}

dlvm::Extent::Bindings Session::dimensions() const {
  dlvm::Extent::Bindings bindings;
  for (const auto& define : options_.defines)
    if (const auto parsed = parse_define(define)) bindings[parsed->first] = parsed->second;
  return bindings;
}

const dlvm::Source* Session::source() {
  if (read_) return source_;
  read_ = true;
  dlvm::FileError error;
  auto text = dlvm::read_file(options_.file, error);
  if (text)
    source_ = sources_.add(options_.file == "-" ? "<standard input>" : options_.file, std::move(*text));
  else
    report_file(error.kind == dlvm::FileError::Kind::system, error.text);
  return source_;
}

bool Session::is_dlvm() {
  if (options_.file != "-") return options_.file.ends_with(".dl");
  const dlvm::Source* read = source();
  return read != nullptr && read->text()->find("module \"") == read->text()->find("module");
}

std::unique_ptr<dlvm::Module> Session::module() {
  const dlvm::Source* read = source();
  if (read == nullptr) return nullptr;
  dlvm::Diagnostics repeated;  // a second time the messages are the same
  dlvm::Diagnostics& diagnostics = compiled_ ? repeated : diagnostics_;
  compiled_ = true;
  if (is_dlvm()) {
    auto module = dlvm::parse(*read, sources_, diagnostics);
    if (module == nullptr || !dlvm::verify(*module, diagnostics)) return nullptr;
    return module;
  }
  frontend::Options options;
  options.import_folders = options_.folders;
  for (const auto& [name, value] : dimensions()) options.dimensions.emplace_back(name, value);
  return frontend::compile(*read, sources_, options, diagnostics);
}

std::unique_ptr<dlvm::Module> Session::expanded() {
  auto expanded = module();
  if (expanded == nullptr || !dlvm::expand_gradients(*expanded, diagnostics_)) return nullptr;
  return expanded;
}

std::unique_ptr<dlvm::Module> Session::optimized() {
  auto optimized = module();
  if (optimized == nullptr || !dlvm::optimize(*optimized, diagnostics_)) return nullptr;
  return optimized;
}

bool Session::check() {
  const dlvm::Source* read = source();
  if (read == nullptr) return false;
  if (is_dlvm()) return module() != nullptr;
  frontend::Options options;
  options.import_folders = options_.folders;
  for (const auto& [name, value] : dimensions()) options.dimensions.emplace_back(name, value);
  if (!frontend::check_only(*read, sources_, options, diagnostics_)) return false;
  // What can be compiled must also have its derivatives; the warnings were given above.
  dlvm::Diagnostics given;
  const auto compiled = frontend::compile(*read, sources_, options, given);
  return compiled == nullptr || dlvm::optimize(*compiled, diagnostics_);
}

void Session::report_file(bool system, const std::string& text) {
  diagnostics_.report(system ? file_failed : bad_file, {}, text);
}

int Session::finish() {
  const std::string messages = options_.json ? dlvm::render_json(diagnostics_)
                                             : dlvm::render(diagnostics_, ::isatty(STDERR_FILENO) != 0);
  std::fwrite(messages.data(), 1, messages.size(), stderr);
  for (const auto& diagnostic : diagnostics_.all())
    if (diagnostic.kind == &file_failed || diagnostic.kind == &codegen::cannot_write) return system_failed;
  return diagnostics_.has_errors() ? wrong_input : done;
}

}  // namespace telc
