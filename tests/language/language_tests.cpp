// language_tests [--device cpu|emulator|cuda] [--architecture 75] [--every N [--first K]] [--only-calls]
// FILE.tel… or FOLDER: every program (every N-th, the first of them the K-th, else the N-th) is compiled;
// `forward` and the gradients on the processor are compared with the interpreter by the rule of agreement.h,
// for several batch sizes, with unused memory filled with NaN and floating-point exceptions trapped; the
// interpreter's gradients with central differences. Prints what does not agree. `--random COUNT [--seed
// FIRST]` takes so many programs of random_network.h, with four times the tolerance: sums that cancel are
// nobody's choice there.
//
// On another device than the processor, results may be off by twice as much. Every call is made again with
// all tensors in the device's memory, on the emulator in another order of blocks and threads, on a GPU three
// times (the first is launched grid by grid, the others as a graph): the bits must be the same, and the
// emulator must find no fault; it runs the kernels for the architecture that is named, or the newest. The
// interpreter's own checks are left to the processor's run.
//
// With `--only-calls` nothing is compared: the calls are made, in memory that is as the allocator gives it,
// and a sum over the bits of all results is printed. A memory checker then sees what is computed from what
// (run-valgrind).
//
// With `--bits` the processor's results are compared in their bits with those on 1, 2, 3 and 8 threads, and
// the rows of a batch with those that its first rows have as a batch of their own, wherever the interpreter
// gives the same rows there.
//
// While recording (tests/support/object.h) the programs are only compiled.
//
// A program may begin with comments that say what to leave out:
//   // differences: none     values that are not finite, or too large for a difference to mean anything
// or which dimensions that no input gives the calls have:
//   // bounds: power_depth=9 even_depth=9
// or the largest size of a free dimension, where the interpreter would take long for 64:
//   // sizes: at most 20
// or the sizes themselves, where more than the usual ones matter:
//   // sizes: 1 65 130
#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "codegen/jit/load.h"
#include "dlvm/call/random_inputs.h"
#include "dlvm/gradcheck/gradient_check.h"
#include "dlvm/interpret/agreement.h"
#include "dlvm/pipeline.h"
#include "frontend/frontend.h"
#include "tests/language/random_network.h"
#include "tests/support/device_memory.h"
#include "tests/support/object.h"

namespace {

using namespace dlvm;

constexpr Interval intervals[]{{-2, 2}, {0.1, 0.9}};

struct Counts {
  std::size_t calls = 0, refused = 0, not_drawn = 0, expected = 0, derivatives = 0, kinks = 0, batches = 0;
  std::uint64_t bits = 0;  ///< a sum over those of all results, where nothing is compared
};

using codegen::jit::CallTarget;
using codegen::jit::DeviceMemory;

struct Options {
  CallTarget::Kind device = CallTarget::Kind::processor;
  int architecture = 0;  ///< see test::Devices
  std::size_t every = 1, first = 0;
  std::vector<std::string> paths;
  std::uint64_t seed = 0, random = 0;  ///< the first of so many random programs
  bool only_calls = false, bits = false;
  bool on_processor() const { return device == CallTarget::Kind::processor; }
  DeviceMemory* memory = nullptr;  ///< the device's
  CallTarget place() const { return {device, 0, 0, nullptr, !only_calls}; }
  /// Where a call is made again, and how often.
  CallTarget second_place() const { return {device, 0, 1, memory, true, true}; }
  int repeats() const { return device == CallTarget::Kind::gpu ? 3 : 1; }
  std::vector<std::int64_t> sizes() const {
    if (device == CallTarget::Kind::emulator || only_calls) return {0, 1, 7};
    if (bits) return {2, 40, 150};
    return {0, 1, 2, 7, 64};
  }
  test::Devices devices() const {
    return {device == CallTarget::Kind::gpu, device == CallTarget::Kind::emulator, architecture};
  }
  /// Times what agreement.h allows.
  double allowed() const { return (on_processor() ? 1 : 2) * (random > 0 ? 4 : 1); }
};

/// One program: its module before and after the pipeline, its object.
class Program {
 public:
  Program(std::string path, const Options& options, Counts& counts)
      : path_(std::move(path)), options_(options), counts_(counts) {}

  /// Empty, or what is wrong with the file's program.
  std::vector<std::string> test() {
    FileError error;
    auto text = read_file(path_, error);
    if (!text) return {error.text};
    return test(std::move(*text));
  }
  std::vector<std::string> test(std::string text) {
    check_differences_ = text.find("// differences: none") == std::string::npos;
    bounds_ = bounds_of(text);
    const std::vector<std::int64_t> sizes = sizes_of(text);
    source_ = sources_.add(path_, std::move(text));
    if (!options_.only_calls) declared_ = frontend::compile(*source_, sources_, {}, diagnostics_);
    if (!diagnostics_.has_errors()) expanded_ = frontend::compile(*source_, sources_, {}, diagnostics_);
    const auto optimized = expanded_ ? frontend::compile(*source_, sources_, {}, diagnostics_) : nullptr;
    if (!optimized || !expand_gradients(*expanded_, diagnostics_) || !optimize(*optimized, diagnostics_) ||
        !lower_control_flow(*optimized, diagnostics_))
      return {render(diagnostics_)};
    if (test::recording()) {
      if (!test::record(*optimized, path_, problem_)) wrong_.push_back(problem_);
      return std::move(wrong_);
    }
    object_ = test::load(*optimized, path_, problem_, options_.devices());
    if (object_ == nullptr) wrong_.push_back(problem_);
    Draw draw(1);
    for (const EntryPoint& entry : expanded_->entries)
      for (const std::int64_t size : sizes)
        for (const Interval interval : intervals) test_call(entry, size, interval, draw);
    if (options_.only_calls || options_.bits) return std::move(wrong_);
    for (const EntryPoint& entry : expanded_->entries) test_expected(entry);
    if (check_differences_ && options_.on_processor()) test_differences();
    return std::move(wrong_);
  }

 private:
  static Extent::Bindings bounds_of(const std::string& text) {
    constexpr std::string_view mark = "// bounds: ";
    Extent::Bindings bounds;
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return bounds;
    std::istringstream words(text.substr(at + mark.size(), text.find('\n', at) - at - mark.size()));
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      bounds[word.substr(0, equals)] = std::stoll(word.substr(equals + 1));
    }
    return bounds;
  }

  /// The sizes that the program's comment names, or the usual ones up to the bound that it gives.
  std::vector<std::int64_t> sizes_of(const std::string& text) const {
    constexpr std::string_view mark = "// sizes: ", bound = "at most ";
    std::vector<std::int64_t> sizes = options_.sizes();
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return sizes;
    const std::string line = text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
    if (line.starts_with(bound)) {
      for (std::int64_t& size : sizes)
        size = std::min<std::int64_t>(size, std::stoll(line.substr(bound.size())));
      return sizes;
    }
    std::istringstream numbers(line);
    return {std::istream_iterator<std::int64_t>(numbers), {}};
  }

  void fail(const EntryPoint& entry, std::int64_t size, std::string text) {
    wrong_.push_back(fmt::format("{} with N = {}: {}", entry.name, size, text));
  }

  void test_call(const EntryPoint& entry, std::int64_t size, Interval interval, Draw& draw) {
    std::string why;
    auto call = random_call(*expanded_, entry, {}, size, interval, draw, why);
    if (call) call->dimensions.insert(bounds_.begin(), bounds_.end());
    if (!call) {
      ++counts_.not_drawn;  // no index is inside an empty range
      return;
    }
    ++counts_.calls;
    if (options_.only_calls) return only_call(entry, *call);
    if (options_.bits) return test_bits(entry, size, *call);
    InterpretError error;
    InterpretOptions exact_options;
    exact_options.float64 = true;
    const auto rounded = interpret_entry(*expanded_, entry, *call, {}, error);
    const auto exact =
        rounded ? interpret_entry(*expanded_, entry, *call, exact_options, error) : std::nullopt;
    if (object_ == nullptr) {
      if (!exact && error.kind != InterpretError::Kind::extent) fail(entry, size, error.text);
      return;
    }
    auto loaded = object_->prepare(entry, *call, why, options_.place());
    // A value that is discarded may be anything, and stops nobody who traps exceptions.
    feclearexcept(FE_ALL_EXCEPT);  // the interpreter's, which would trap as soon as they are enabled
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    const bool ran = loaded && loaded->run(why);
    fedisableexcept(FE_ALL_EXCEPT);
    if (ran && !options_.on_processor()) compare_bits(entry, size, *call, loaded->results());
    if (!exact && !ran) {
      ++counts_.refused;
    } else if (!exact) {
      fail(entry, size, fmt::format("the interpreter refuses what the object computes: {}", error.text));
    } else if (!ran) {
      fail(entry, size, fmt::format("the object refuses what the interpreter computes: {}", why));
    } else {
      compare_results(entry, size, loaded->results(), *rounded, *exact);
    }
  }

  void only_call(const EntryPoint& entry, const EntryCall& call) {
    std::string why;
    auto loaded = object_ ? object_->prepare(entry, call, why, options_.place()) : std::nullopt;
    if (!loaded || !loaded->run(why)) return void(++counts_.refused);
    for (const auto& [name, tensor] : loaded->results())
      for (std::size_t i = 0; i < tensor.byte_count(); ++i)
        counts_.bits = counts_.bits * 31 + std::to_integer<std::uint64_t>(tensor.data()[i]);
  }

  /// The results of a compiled call on so many threads; nothing where it is refused.
  std::optional<NamedTensors> results(const EntryPoint& entry, const EntryCall& call, int threads) {
    std::string why;
    CallTarget place = options_.place();
    place.threads = threads;
    auto loaded = object_ ? object_->prepare(entry, call, why, place) : std::nullopt;
    if (!loaded || !loaded->run(why)) return std::nullopt;
    return loaded->results();
  }

  /// Results have the same bits on any number of threads, and rows of a batch those that they have in
  /// another.
  void test_bits(const EntryPoint& entry, std::int64_t size, const EntryCall& call) {
    const auto alone = results(entry, call, 0);
    if (!alone) return void(++counts_.refused);
    for (const int threads : {1, 2, 3, 8}) {
      const auto divided = results(entry, call, threads);
      if (!divided) {
        fail(entry, size, fmt::format("{} threads refuse what one computes", threads));
        continue;
      }
      for (std::size_t i = 0; i < alone->size(); ++i)
        if (!same_bits((*alone)[i].tensor, (*divided)[i].tensor))
          fail(entry, size, fmt::format("{} has other bits on {} threads", (*alone)[i].name, threads));
    }
    for (const auto& [name, whole] : call.dimensions)
      for (const std::int64_t rows : {1, 3, 8, 17})
        if (rows < whole) test_batch(entry, size, call, *alone, name, rows);
  }

  /// Whether an extent changes with a dimension.
  static bool mentions(const Extent& extent, const std::string& name, Extent::Bindings dimensions) {
    const auto before = extent.evaluate(dimensions);
    ++dimensions[name];
    return before != extent.evaluate(dimensions);
  }

  /// The call of the first rows, where every argument has the dimension as its first extent or not at all.
  std::optional<EntryCall> call_of_rows(const EntryPoint& entry, const EntryCall& call,
                                        const std::string& name, std::int64_t rows) const {
    EntryCall part = call;
    part.dimensions[name] = rows;
    const auto& parameters = expanded_->function(entry.function)->type().parameters();
    if (parameters.size() != call.arguments.size()) return std::nullopt;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (!parameters[i].is_tensor() || !call.arguments[i].is_tensor()) return std::nullopt;
      const Shape& shape = parameters[i].shape();
      for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (mentions(shape[axis], name, call.dimensions) && (axis > 0 || shape[0] != Extent::dimension(name)))
          return std::nullopt;
      if (!shape.empty() && shape[0] == Extent::dimension(name))
        part.arguments[i] = RuntimeValue(first_rows(call.arguments[i].tensor(), rows));
    }
    return part;
  }

  static Tensor first_rows(const Tensor& tensor, std::int64_t rows) {
    std::vector<std::int64_t> extents = tensor.extents();
    extents[0] = rows;
    Tensor result(tensor.element(), extents);
    if (result.byte_count() > 0) std::memcpy(result.data(), tensor.data(), result.byte_count());
    return result;
  }

  /// Which results have rows that depend on no other row, the interpreter tells: it sums in one order.
  void test_batch(const EntryPoint& entry, std::int64_t size, const EntryCall& call,
                  const NamedTensors& whole, const std::string& name, std::int64_t rows) {
    const auto part = call_of_rows(entry, call, name, rows);
    if (!part) return;
    const auto actual = results(entry, *part, 0);
    InterpretError error;
    const auto meant = actual ? interpret_entry(*expanded_, entry, call, {}, error) : std::nullopt;
    const auto of_rows = meant ? interpret_entry(*expanded_, entry, *part, {}, error) : std::nullopt;
    if (!of_rows) return;
    const auto is_start = [&](const Tensor& start, const Tensor& all) {
      return !start.extents().empty() && !all.extents().empty() && start.extents()[0] == rows &&
             all.extents()[0] == call.dimensions.at(name) && same_bits(start, first_rows(all, rows));
    };
    for (std::size_t i = 0; i < whole.size(); ++i) {
      if (!is_start((*of_rows)[i].tensor, (*meant)[i].tensor)) continue;
      ++counts_.batches;
      if (!is_start((*actual)[i].tensor, whole[i].tensor))
        fail(entry, size,
             fmt::format("the first {} rows of {} have other bits where {} is {}", rows, whole[i].name, name,
                         call.dimensions.at(name)));
    }
  }

  void compare_bits(const EntryPoint& entry, std::int64_t size, const EntryCall& call,
                    const NamedTensors& first) {
    std::string why;
    auto loaded = object_->prepare(entry, call, why, options_.second_place());
    for (int repeat = 0; repeat < options_.repeats(); ++repeat) {
      if (!loaded || !loaded->run(why)) return fail(entry, size, "a second run: " + why);
      const NamedTensors second = loaded->results();
      for (std::size_t i = 0; i < first.size(); ++i)
        if (!same_bits(first[i].tensor, second[i].tensor))
          fail(entry, size, first[i].name + " has other bits in a second run");
    }
  }
  static bool same_bits(const Tensor& a, const Tensor& b) {
    return a.byte_count() == b.byte_count() &&
           (a.byte_count() == 0 || std::memcmp(a.data(), b.data(), a.byte_count()) == 0);
  }

  void compare_results(const EntryPoint& entry, std::int64_t size, const NamedTensors& actual,
                       const NamedTensors& rounded, const NamedTensors& exact) {
    std::vector<Comparison> comparisons;
    for (std::size_t i = 0; i < actual.size(); ++i)
      comparisons.push_back({actual[i].name, actual[i].tensor, rounded[i].tensor, exact[i].tensor});
    for (const Agreement& agreement : compare(comparisons, options_.allowed()))
      if (!agreement.agrees)
        fail(entry, size,
             fmt::format("{} {} ({} elements)", agreement.name, agreement.why, agreement.disagreeing));
  }

  /// The file's tensors `in.x` and `weight.W` are the call, `out.y` and `out.gradient.W` what it must give.
  void test_expected(const EntryPoint& entry) {
    const std::filesystem::path program(path_);
    const auto file =
        program.parent_path() / "expected" / (program.stem().string() + "." + entry.name + ".safetensors");
    if (!std::filesystem::exists(file)) return;
    FileError error;
    const auto tensors = read_safetensors(file.string(), error);
    if (!tensors) return wrong_.push_back(error.text);
    EntryInputs given;
    NamedTensors weights, expected;
    for (const auto& [name, tensor] : *tensors) {
      NamedTensors& kind = name.starts_with("in.")       ? given.inputs
                           : name.starts_with("weight.") ? weights
                                                         : expected;
      kind.push_back({name.substr(name.find('.') + 1), tensor});
    }
    if (!weights.empty()) given.weights = std::move(weights);
    given.dimensions = bounds_;
    std::vector<std::string> problems;
    const auto call = prepare_call(*expanded_, entry, given, problems);
    if (!call) return void(wrong_.insert(wrong_.end(), problems.begin(), problems.end()));
    InterpretError interpreting;
    const auto interpreted = interpret_entry(*expanded_, entry, *call, {}, interpreting);
    if (!interpreted) return wrong_.push_back(interpreting.text);
    compare_expected(entry, *interpreted, expected);
    auto loaded = object_ ? object_->prepare(entry, *call, problem_, options_.place()) : std::nullopt;
    if (!loaded || !loaded->run(problem_)) return wrong_.push_back(problem_);
    compare_expected(entry, loaded->results(), expected);
    ++counts_.expected;
  }

  void compare_expected(const EntryPoint& entry, const NamedTensors& actual, const NamedTensors& expected) {
    std::vector<Comparison> comparisons;
    for (const auto& [name, tensor] : expected) {
      const auto result = std::ranges::find(actual, name, &NamedTensor::name);
      if (result == actual.end()) {
        wrong_.push_back(fmt::format("{} has no result '{}'", entry.name, name));
        continue;
      }
      Tensor rounded(result->tensor.element(), tensor.extents());
      for (std::size_t i = 0; i < tensor.size(); ++i)
        is_floating(tensor.element()) ? rounded.set(i, tensor.real(i)) : rounded.set(i, tensor.integer(i));
      comparisons.push_back(
          {name, result->tensor, rounded, is_floating(tensor.element()) ? tensor : rounded});
    }
    for (const Agreement& agreement : compare(comparisons))
      if (!agreement.agrees)
        wrong_.push_back(
            fmt::format("{}, against expected/: {} {}", entry.name, agreement.name, agreement.why));
  }

  void test_differences() {
    const auto check = check_gradients(*expanded_, *declared_, {});
    for (const auto& row : check.rows) {
      ++counts_.derivatives;
      counts_.kinks += row.kinks;
      if (!row.agrees()) wrong_.push_back(fmt::format("{} by {} {}", row.entry, row.name, row.worst));
      if (row.checked == 0 && row.elements > 0)
        wrong_.push_back(fmt::format("{} by {}: every point is at a kink", row.entry, row.name));
    }
    for (const auto& [entry, why] : check.errors) wrong_.push_back(fmt::format("{}: {}", entry, why));
  }

  std::string path_;
  const Options& options_;
  Counts& counts_;
  Sources sources_;
  Diagnostics diagnostics_;
  const Source* source_ = nullptr;
  std::unique_ptr<Module> declared_, expanded_;
  std::unique_ptr<codegen::jit::LoadedObject> object_;
  Extent::Bindings bounds_;
  bool check_differences_ = true;
  std::string problem_;
  std::vector<std::string> wrong_;
};

/// Adds the file, or all programs of the folder.
void add_programs(const std::string& path, std::vector<std::string>& paths) {
  if (!std::filesystem::is_directory(path)) return paths.push_back(path);
  for (const auto& file : std::filesystem::directory_iterator(path))
    if (file.path().extension() == ".tel") paths.push_back(file.path());
}

Options read_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    const std::string next = i + 1 < count ? arguments[i + 1] : "";
    if (word == "--device") {
      options.device = next == "cuda"       ? CallTarget::Kind::gpu
                       : next == "emulator" ? CallTarget::Kind::emulator
                                            : CallTarget::Kind::processor;
      ++i;
    } else if (word == "--architecture") {
      options.architecture = static_cast<int>(std::strtol(next.c_str(), nullptr, 10));
      ++i;
    } else if (word == "--every") {
      options.every = std::max<std::size_t>(1, std::strtoul(next.c_str(), nullptr, 10));
      ++i;
    } else if (word == "--only-calls") {
      options.only_calls = true;
    } else if (word == "--bits") {
      options.bits = true;
    } else if (word == "--first") {
      options.first = std::strtoul(next.c_str(), nullptr, 10);
      ++i;
    } else if (word == "--random" || word == "--seed") {
      (word == "--seed" ? options.seed : options.random) = std::strtoul(next.c_str(), nullptr, 10);
      ++i;
    } else {
      add_programs(word, options.paths);
    }
  }
  std::sort(options.paths.begin(), options.paths.end());
  return options;
}

/// Whether nothing is wrong; prints what is.
bool report(const std::string& name, const std::vector<std::string>& wrong) {
  constexpr std::size_t shown = 6;
  for (std::size_t i = 0; i < std::min(wrong.size(), shown); ++i) fmt::print("{}: {}\n", name, wrong[i]);
  if (wrong.size() > shown) fmt::print("{}: … and {} more\n", name, wrong.size() - shown);
  std::fflush(stdout);
  return wrong.empty();
}

bool test_random(std::uint64_t seed, const Options& options, Counts& counts) {
  const std::string name = fmt::format("random_{}.tel", seed), text = test::random_network(seed);
  const bool good = report(name, Program(name, options, counts).test(text));
  if (!good) fmt::print("{}:\n{}", name, text);
  return good;
}

}  // namespace

int main(int count, char** arguments) {
  Counts counts;
  std::size_t failed = 0, tested = 0;
  Options options = read_options(count, arguments);
  std::string why;
  const auto memory = test::device_memory(options.device, why);
  if (memory == nullptr) return fmt::print("{}\n", why), 1;
  options.memory = memory.get();
  const std::size_t first = options.first == 0 ? options.every : options.first;
  for (std::size_t at = first - 1; at < options.paths.size(); at += options.every, ++tested) {
    const std::string& path = options.paths[at];
    if (options.only_calls) fmt::print("{}\n", path), std::fflush(stdout);  // it may be the last one
    failed += report(path, Program(path, options, counts).test()) ? 0 : 1;
  }
  for (std::uint64_t i = 0; i < options.random; ++i, ++tested)
    failed += test_random(options.seed + i, options, counts) ? 0 : 1;
  if (options.only_calls)
    fmt::print("{} programs, {} calls ({} refused), bits {:016x}\n", tested, counts.calls, counts.refused,
               counts.bits);
  else if (options.bits)
    fmt::print(
        "{} programs, {} failed; {} calls on 1, 2, 3 and 8 threads, {} results of parts of their batches\n",
        tested, failed, counts.calls - counts.refused, counts.batches);
  else
    fmt::print(
        "{} programs, {} failed; {} calls compared ({} refused by both, {} without inputs), {} with "
        "results of other software, {} derivatives checked, {} points at a kink\n",
        tested, failed, counts.calls, counts.refused, counts.not_drawn, counts.expected, counts.derivatives,
        counts.kinks);
  return failed == 0 && tested > 0 ? 0 : 1;
}
