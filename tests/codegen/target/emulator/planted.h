#pragma once

#include <memory>
#include <string>

#include "dlvm/ir/module.h"
#include "dlvm/support/source.h"
#include "emulated.h"

/// Mistakes in kernels that the compiler has made, planted after its last pass and run by the emulator.
namespace test {

/// `from` becomes `to` in the first text of that level that has it.
struct Fault {
  const char* name;
  Level level;
  const char* from;  ///< `#` stands for a number
  const char* to;    ///< `#1` for the first of these
  /// A part of the emulator's report, or one of several, `|` between; empty where there is nothing to report
  /// and the results are wrong.
  const char* found;
  int place = 0;  ///< which occurrence, counted from 0; -1: all
};

/// The text with the fault, the same where it has no place for it.
std::string planted(const std::string& text, const Fault& fault);

/// A program, and a call of one of its entry points by which faults are looked for.
class Planting {
 public:
  /// `source` is in the language; N is `n` where it has dimensions.
  Planting(const std::string& source, std::int64_t n, const std::string& entry = "forward");

  /// Empty where the program without a fault has no report and the interpreter's results; else what is wrong.
  std::string wrong() const;
  /// Empty where the emulator finds the fault, in order and shuffled; else why not. `more` is LLVM IR that is
  /// added to the kernels, for `to` to call.
  std::string missed(const Fault& fault, const std::string& more = "") const;
  /// Likewise, where the kernels get the argument buffer of a call with N = `n`.
  std::string missed_words_of(std::int64_t n, const std::string& found) const;

 private:
  EmulatedProgram::Call call(std::int64_t n) const;
  EmulatedProgram compile(const Edit& edit = {}) const;
  /// From the interpreter's results; empty where they agree.
  std::string difference(const std::vector<dlvm::Tensor>& outputs) const;
  std::string missed(const EmulatedProgram& program, const std::string& found,
                     const std::vector<std::int64_t>& words = {}) const;

  dlvm::Sources sources_;
  std::unique_ptr<dlvm::Module> module_;
  const dlvm::EntryPoint* entry_ = nullptr;
  const dlvm::Function* function_ = nullptr;
  EmulatedProgram::Call call_;
  std::vector<dlvm::Tensor> rounded_, exact_;
};

}  // namespace test
