#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/ir/extent.h"
#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/support/files.h"
#include "dlvm/support/times.h"
#include "telc/status.h"

namespace telc {

enum class Warnings { all, none, error };

/// What every command takes.
struct SourceOptions {
  std::string file;                  ///< `-`: standard input
  std::vector<std::string> defines;  ///< -D d=256
  std::vector<std::string> folders;  ///< -I
  bool json = false;                 ///< --diagnostics=json
  Warnings warnings = Warnings::all;
};

/// Whether a file holds DLVM text rather than TEL: by how its name ends, on standard input by its first
/// words.
bool is_dlvm(const std::string& file, std::string_view text);
/// Prints the messages to standard error, as a person reads them or as JSON; what the process returns.
int finish(dlvm::Diagnostics& diagnostics, bool json);

/// One run of the compiler on one file: its text, its messages, its exit status.
class Session {
 public:
  /// `times`, if not null, is given the steps `parse`, `check`, `lower` and `optimize`.
  explicit Session(const SourceOptions& options, dlvm::Times* times = nullptr)
      : options_(options), times_(times) {}

  /// The file's text, read once; null, with the reason reported.
  const dlvm::Source* source();
  bool is_dlvm();
  /// The verified module as the frontend gives it; null where there is an error.
  std::unique_ptr<dlvm::Module> module();
  /// The same with gradient declarations expanded and nothing else changed: for the interpreter.
  std::unique_ptr<dlvm::Module> expanded();
  /// The same after the pipeline: for code generation.
  std::unique_ptr<dlvm::Module> optimized();
  /// Checks alone: also a module that has nothing to compile.
  bool check();

  dlvm::Extent::Bindings dimensions() const;
  dlvm::Diagnostics& diagnostics() { return diagnostics_; }
  const dlvm::Sources& sources() const { return sources_; }

  void report_file(const dlvm::FileError& error);
  /// Prints the messages, without the warnings where these are not wanted; what the process returns.
  int finish();
  /// Ends a run whose command line turns out to be wrong: what `finish` prints ends with the reason.
  int refuse(const std::string& why);

  /// Whether there are warnings and each is to be an error, which is reported once.
  bool refuses_warnings();

 private:
  /// The module, unless warnings are refused.
  std::unique_ptr<dlvm::Module> unless_warned(std::unique_ptr<dlvm::Module> module);
  /// Where the messages of a step go: a second time they are the same, and not shown.
  dlvm::Diagnostics& once(bool& done);

  const SourceOptions& options_;
  dlvm::Times* times_;
  dlvm::Sources sources_;
  dlvm::Diagnostics diagnostics_, repeated_;
  const dlvm::Source* source_ = nullptr;
  bool read_ = false, compiled_ = false, differentiated_ = false;
};

}  // namespace telc
