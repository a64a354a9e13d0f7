#include "dlvm/pipeline.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>
#include <set>

#include "dlvm/text/parse.h"
#include "frontend/frontend.h"
#include "tests/pipeline/golden_table.h"
#include "tests/pipeline/measures.h"
#include "tests/pipeline/results.h"

using namespace dlvm;

namespace {

constexpr std::int64_t small_extent = 6;
/// Programs of more instructions go through the pipeline with its default options alone.
constexpr std::int64_t most_instructions = 120;

/// One program, which is made anew for each way through the pipeline.
class Program {
 public:
  explicit Program(std::string path) : path_(std::move(path)), text_(pipeline::text_of_file(path_)) {}

  /// Returns what the pipeline makes of the program: a row of figures for each entry point of a network, or
  /// one for all functions of a test; then the work and the fingerprint of other ways through the pipeline,
  /// what derivatives keep under a budget, what the analyses know before the pipeline simplifies, and the
  /// messages of all ways.
  std::string table() {
    const auto own = way(through({}), [&](const Module& module) { table_ += rows(module); });
    own_ = own ? own->fingerprint : "";
    const auto expanded = [](Module& module, Diagnostics& diagnostics) {
      return expand_gradients(module, diagnostics);
    };
    std::string known, results;
    add("expanded", expanded, [&](Module& module) {
      known = pipeline::analyses(module);
      results = pipeline::results(module);
    });
    if (own && own->instructions() <= most_instructions) {
      add("fast", {.fast_math = true});
      std::vector<CheckpointingChoice> choices;
      add("half", {.memory_budget = MemoryBudget{50, true}, .checkpointing = &choices});
      for (const CheckpointingChoice& choice : choices) add_choice(choice);
      add("sized", {.dimensions = sizes()});
    }
    if (!known.empty()) table_ += "  analyses: " + known + "\n";
    if (!results.empty()) table_ += "  results: " + results + "\n";
    if (!messages_.empty())
      table_ += fmt::format("  messages: {} {}\n", messages_.size(), fingerprint_of(messages_));
    return path_ + "\n" + table_;
  }

 private:
  using Pipeline = std::function<bool(Module&, Diagnostics&)>;
  using Use = std::function<void(Module&)>;

  static bool is_any(const Function&) { return true; }

  std::string rows(const Module& module) const {
    if (path_.starts_with("tests/"))
      return pipeline::row("(all)", pipeline::figures_of(module, path_, is_any));
    std::string rows;
    std::set<std::string> names;
    for (const EntryPoint& entry : module.entries) {
      const auto is_entry = [&](const Function& function) { return function.name() == entry.function; };
      if (names.insert(entry.function).second)
        rows += pipeline::row(entry.name, pipeline::figures_of(module, path_, is_entry));
    }
    const auto is_other = [&](const Function& function) { return !names.contains(function.name()); };
    return rows + pipeline::row("(others)", pipeline::figures_of(module, path_, is_other));
  }

  Extent::Bindings sizes() const {
    Sources sources;
    Diagnostics diagnostics;
    std::set<std::string> names;
    const auto read = module(sources, diagnostics);
    for (const auto& function : read->functions()) function->type().collect_names(names);
    Extent::Bindings sizes;
    for (const std::string& name : names) sizes.emplace(name, small_extent);
    return sizes;
  }

  static std::string fingerprint_of(const std::set<std::string>& messages) {
    std::string all;
    for (const std::string& message : messages) all += message;
    return pipeline::fingerprint(all);
  }

  void add_choice(const CheckpointingChoice& choice) {
    std::string values;
    for (const auto* list : {&choice.stored, &choice.computed_again})
      for (const CheckpointedValue& value : *list) values += fmt::format("{} {}\n", value.text, value.bytes);
    table_ += fmt::format("  kept: {} {} of {} bytes, {:.4f} more work, {} stored, {} computed again, {}\n",
                          choice.function, choice.kept, choice.all, choice.more_work, choice.stored.size(),
                          choice.computed_again.size(), pipeline::fingerprint(values));
  }

  /// Adds the way, unless the compiler's own leads to the same.
  void add(const std::string& label, const Pipeline& pipeline, const Use& use = {}) {
    const auto figures = way(pipeline, use);
    if (figures && figures->fingerprint != own_)
      table_ += fmt::format("  {}: {} {}\n", label, figures->work, figures->fingerprint);
  }
  void add(const std::string& label, const PipelineOptions& options) { add(label, through(options)); }

  static Pipeline through(const PipelineOptions& options) {
    return [options](Module& module, Diagnostics& diagnostics) {
      return optimize(module, diagnostics, options) && lower_control_flow(module, diagnostics);
    };
  }

  std::unique_ptr<Module> module(Sources& sources, Diagnostics& diagnostics) const {
    const Source& source = *sources.add(path_, text_);
    if (!path_.ends_with(".dl")) return frontend::compile(source, sources, {}, diagnostics);
    auto module = parse(source, sources, diagnostics);
    return module != nullptr && verify(*module, diagnostics) ? std::move(module) : nullptr;
  }

  /// Returns the figures of what the pipeline makes of the program; nothing where there are errors.
  std::optional<pipeline::Figures> way(const Pipeline& pipeline, const Use& use) {
    Sources sources;
    Diagnostics diagnostics;
    const auto made = module(sources, diagnostics);
    const bool good = made != nullptr && pipeline(*made, diagnostics);
    if (!diagnostics.all().empty()) messages_.insert(render(diagnostics));
    if (!good) return std::nullopt;
    auto figures = pipeline::figures_of(*made, path_, is_any);
    if (use) use(*made);
    return figures;
  }

  std::string path_, text_, table_, own_;
  std::set<std::string> messages_;
};

}  // namespace

TEST_CASE("the pipeline makes of the programs of this repository what the table says") {
  // The programs that telc compiles, and the modules of DLVM's own tests.
  const auto paths = pipeline::files_below(
      {"benchmarks/peers/networks", "examples", "tests/dlvm", "tests/language"}, {".tel", ".dl"});
  pipeline::check_table("programs.txt", pipeline::columns(), paths,
                        [](const std::string& path) { return Program(path).table(); });
}
