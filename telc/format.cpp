// telc fmt.
#include "frontend/format/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "dlvm/support/output_files.h"
#include "dlvm/support/system_diagnostics.h"
#include "telc/commands.h"
#include "telc/diagnostics.h"
#include "telc/refuse.h"
#include "telc/streams.h"

namespace telc {
namespace {

namespace fs = std::filesystem;

/// Formats files, one after the other, and gathers what is to be written and said.
class Formatter {
 public:
  explicit Formatter(const FormatOptions& options) : options_(options) {}

  void add(const std::string& file) {
    std::error_code failed;
    if ((options_.write || options_.check) && fs::is_directory(file, failed))
      add_folder(file);
    else
      add_file(file);
  }

  int finish() {
    if (!changed_.empty() && options_.check) report_changed();
    dlvm::FileError error;
    if (!outputs_.write(error)) diagnostics_.report(dlvm::file_failed, {}, error.text);
    return telc::finish(diagnostics_, options_.json);
  }

 private:
  /// The .tel files in a folder and those below it, by name.
  void add_folder(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code failed;
    for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
      if (at->path().extension() == ".tel" && at->is_regular_file(failed))
        files.push_back(at->path().string());
    if (failed)
      diagnostics_.report(dlvm::file_failed, {},
                          fmt::format("cannot read '{}': {}", folder, failed.message()));
    std::ranges::sort(files);
    for (const std::string& file : files) add_file(file);
  }

  void add_file(const std::string& file) {
    ++count_;
    dlvm::FileError error;
    auto read = dlvm::read_text(file, error);
    if (!read) {
      const bool binary = error.kind == dlvm::FileError::Kind::format;
      diagnostics_.report(binary ? dlvm::not_text : dlvm::file_failed, {}, error.text);
      return;
    }
    const auto* source = sources_.add(file == "-" ? "<standard input>" : file, std::move(*read));
    if (is_dlvm(file, *source->text())) {
      diagnostics_.report(needs_source, {}, "telc fmt");
      return;
    }
    auto formatted = frontend::format(*source, diagnostics_);
    if (!formatted) return;
    const bool changes = *formatted != *source->text();
    if (changes) changed_.push_back(source->name());
    if (options_.check || (options_.write && !changes)) return;
    outputs_.add(options_.write ? file : "-", std::move(*formatted));
  }

  void report_changed() {
    if (count_ == 1) {
      diagnostics_.report(not_formatted, {}, changed_.front() + " is");
      return;
    }
    auto& message = diagnostics_.report(
        not_formatted, {},
        fmt::format("{} of {} files {}", changed_.size(), count_, changed_.size() == 1 ? "is" : "are"));
    for (const std::string& file : changed_) message.note(file);
  }

  const FormatOptions& options_;
  dlvm::Sources sources_;
  dlvm::Diagnostics diagnostics_;
  dlvm::OutputFiles outputs_;
  std::vector<std::string> changed_;
  std::size_t count_ = 0;
};

}  // namespace

int format(const FormatOptions& options) {
  if (options.files.size() > 1 && !options.write && !options.check)
    return refuse("fmt prints one file; give several with --check or --write", options.json);
  Formatter formatter(options);
  for (const std::string& file : options.files) formatter.add(file);
  return formatter.finish();
}

}  // namespace telc
