#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/ir/extent.h"
#include "dlvm/ir/module.h"
#include "dlvm/memory_budget.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/support/files.h"
#include "dlvm/support/times.h"
#include "telc/status.h"

namespace telc {

enum class Warnings { all, none, error };

/// The options that every command takes.
struct SourceOptions {
  std::string file;                  ///< `-`: standard input
  std::vector<std::string> defines;  ///< -D d=256
  std::string memory_budget;         ///< BYTES or PERCENT%; empty: derivatives keep all that they need
  bool fast_math = false;
  std::vector<std::string> folders;  ///< -I
  bool json = false;                 ///< --diagnostics=json
  Warnings warnings = Warnings::all;
};

/// Returns whether a file is DLVM text rather than TEL: by the end of its name, or for standard input by its
/// first words.
bool is_dlvm(const std::string& file, std::string_view text);
/// Prints the messages to standard error, for people or as JSON, and returns the process's exit status.
int finish(dlvm::Diagnostics& diagnostics, bool json);

/// One run of the compiler on one file.
class Session {
 public:
  /// `times`, if not null, is given the steps `parse`, `check`, `lower` and `optimize`.
  explicit Session(const SourceOptions& options, dlvm::Times* times = nullptr)
      : options_(options), times_(times) {}

  /// Returns the file's text, which is read once; null after reporting an error.
  const dlvm::Source* source();
  bool is_dlvm();
  /// Returns the verified module as the frontend made it, or null after an error.
  std::unique_ptr<dlvm::Module> module();
  /// Returns the module for the interpreter: with gradient declarations expanded and nothing else changed.
  std::unique_ptr<dlvm::Module> expanded();
  /// Returns the module for code generation: after the whole pipeline.
  std::unique_ptr<dlvm::Module> optimized();
  /// Checks the module, which may have nothing to compile. Returns false after an error.
  bool check();

  /// Returns what the memory budget did to each gradient, once `optimized` has run.
  const std::vector<dlvm::CheckpointingChoice>& checkpointing() const { return checkpointing_; }

  dlvm::Extent::Bindings dimensions() const;
  dlvm::Diagnostics& diagnostics() { return diagnostics_; }
  const dlvm::Sources& sources() const { return sources_; }

  void report_file(const dlvm::FileError& error);
  /// Prints the messages, without warnings if the options say so, and returns the process's exit status.
  int finish();
  /// Ends a run whose command line turns out to be wrong: prints the messages of `finish` and then the
  /// reason.
  int refuse(const std::string& why);

  /// Returns whether there are warnings that the options make errors, which it reports once.
  bool refuses_warnings();

 private:
  /// Returns the module, or null if warnings are refused.
  std::unique_ptr<dlvm::Module> unless_warned(std::unique_ptr<dlvm::Module> module);
  /// Returns where the messages of a step go. When a step runs again, its messages are the same and are
  /// dropped.
  dlvm::Diagnostics& once(bool& done);

  const SourceOptions& options_;
  dlvm::Times* times_;
  dlvm::Sources sources_;
  dlvm::Diagnostics diagnostics_, repeated_;
  std::vector<dlvm::CheckpointingChoice> checkpointing_;
  const dlvm::Source* source_ = nullptr;
  bool read_ = false, compiled_ = false, differentiated_ = false;
};

}  // namespace telc
