#include "telc/kernel_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "codegen/kernel/ir/work.h"
#include "codegen/schedule/ir/walk.h"
#include "dlvm/analysis/work.h"

namespace telc {
namespace {

namespace kernel = codegen::kernel;
namespace schedule = codegen::schedule;

/// The operations in whose time a processor moves a byte to or from memory, about, where all are vectorized.
constexpr double operations_of_byte = 8;

/// Returns a number with a unit: `1.07 G`.
std::string short_number(double number) {
  constexpr const char* units[]{"", " k", " M", " G", " T", " P"};
  std::size_t unit = 0;
  for (; number >= 999.5 && unit + 1 < std::size(units); ++unit) number /= 1000;
  return fmt::format("{:.3g}{}", number, units[unit]);
}

/// One launch, and how it stands in the program.
struct Row {
  const kernel::Launch* launch;
  std::size_t loops;  ///< the loops around it
  kernel::Work work;
  double least() const {
    return std::max(static_cast<double>(work.operations),
                    operations_of_byte * static_cast<double>(work.bytes));
  }
};

class Reporter {
 public:
  explicit Reporter(const codegen::Unit::Function& function) : scheduled_(function.scheduled) {
    add(scheduled_.program.body);
  }

  std::string text(const std::string& name) const {
    kernel::Work all;
    double least = 0;
    for (const Row& row : rows_) {
      all.operations += row.work.operations;
      all.bytes += row.work.bytes;
      least += row.least();
    }
    std::string text =
        fmt::format("{}: {} launch{}, {} operations, {} bytes{}\n", name, rows_.size(),
                    rows_.size() == 1 ? "" : "es", short_number(static_cast<double>(all.operations)),
                    short_number(static_cast<double>(all.bytes)), dimensions());
    for (const Row& row : rows_) text += line(row, least);
    return text;
  }

 private:
  void add(const kernel::Sequence& sequence) {
    for (const kernel::Statement& statement : sequence) {
      if (const auto* launch = std::get_if<kernel::Launch>(&statement.node)) {
        if (!runs(scheduled_.program.kernels[launch->kernel])) continue;
        rows_.push_back({launch, loops_, kernel::work_of(scheduled_.program.kernels[launch->kernel])});
      } else if (const auto* scope = std::get_if<kernel::Scope>(&statement.node)) {
        const std::size_t loop = scope->kind == kernel::Scope::Kind::loop ? 1 : 0;
        loops_ += loop;
        add(scope->body);
        loops_ -= loop;
      } else if (const auto* branch = std::get_if<kernel::Branch>(&statement.node)) {
        add(branch->then);
        add(branch->otherwise);
      }
    }
  }

  /// Returns whether the kernel computes for the dimensions that the report assumes.
  static bool runs(const kernel::Kernel& launched) {
    return std::ranges::all_of(launched.guards, [](const kernel::Guard& guard) {
      const std::int64_t value = dlvm::typical_count(guard.value);
      return value >= guard.first && (!guard.end || value < *guard.end);
    });
  }

  std::string dimensions() const {
    std::string text;
    for (const std::string& name : scheduled_.program.dimensions)
      text += fmt::format("{}{} = {}", text.empty() ? " for " : ", ", name, dlvm::typical_dimension);
    return text;
  }

  std::string line(const Row& row, double all) const {
    const kernel::Kernel& launched = scheduled_.program.kernels[row.launch->kernel];
    const schedule::Schedule& how = scheduled_.schedules[row.launch->kernel];
    std::string text = fmt::format("{:5.1f} %  {:>7} operations  {:>7} bytes  {}{}{}\n",
                                   all > 0 ? 100 * row.least() / all : 0.0,
                                   short_number(static_cast<double>(row.work.operations)),
                                   short_number(static_cast<double>(row.work.bytes)), launched.name,
                                   schedule::has_core_loops(how) ? ", on several cores" : "",
                                   row.loops > 0 ? ", in each iteration of a loop" : "");
    std::set<std::string> told;
    const auto tell = [&](const schedule::Origin& origin) {
      const dlvm::Location& at = origin.location;
      const std::string place =
          at.valid() ? fmt::format("{}:{}:{}: ", at.source->name(), at.line, at.column) : "";
      std::string one = fmt::format("           {}{}: {}\n", place, origin.stage, origin.plan);
      if (told.insert(one).second) text += one;
    };
    if (!how.variants.empty()) schedule::walk<schedule::Origin>(general_variant(how).body, tell);
    return text;
  }

  /// Returns the variant for all extents that others do not take; that of a guarded kernel is the first one.
  static const schedule::Variant& general_variant(const schedule::Schedule& how) {
    return how.variants.back().body.empty() ? how.variants.front() : how.variants.back();
  }

  const schedule::ScheduledProgram& scheduled_;
  std::vector<Row> rows_;
  std::size_t loops_ = 0;
};

}  // namespace

std::string kernel_report(const dlvm::Module& module, const codegen::Unit& unit) {
  if (unit.backend->form != codegen::ProgramForm::core) return {};
  std::string text;
  for (const dlvm::EntryPoint& entry : module.entries) {
    const codegen::Unit::Function& function = unit.functions.at(entry.function);
    text += Reporter(function).text(entry.name);
    if (!function.frozen_form.empty())
      text += Reporter(unit.functions.at(function.frozen_form)).text(entry.name + " of frozen parameters");
  }
  return text;
}

}  // namespace telc
