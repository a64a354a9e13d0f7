// Texts of kernels and schedules with a few tokens changed: each is refused with a message, or becomes LLVM
// IR that verifies. No text leads to an internal error, a crash, or a compilation without an end.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "codegen/object/target.h"
#include "codegen/read_unit.h"

namespace {

using codegen::Level;
using codegen::Unit;

constexpr std::array targets{"cpu", "cuda", "emulator"};

std::unique_ptr<llvm::TargetMachine> host() {
  dlvm::Diagnostics diagnostics;
  auto machine = codegen::object::make_target_machine({}, diagnostics);
  REQUIRE(machine != nullptr);
  return machine;
}

void take_target(Unit& unit, const char* target, const llvm::TargetMachine& host) {
  codegen::target::gpu::DeviceOptions devices;
  devices.architectures = {{80, false}};
  unit.backend = codegen::target_named(target)->backend;
  unit.machine = unit.backend->machines(host, devices).front();
  unit.host = &host;
}

// ----------------------------------------------------------------------------------------------- the texts

/// A text's words, numbers, names and characters, with what separates them.
std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_word(text[at]) || text[at] == '$' || text[at] == '%' || text[at] == '@')
      while (end < text.size() && is_word(text[end])) ++end;
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

/// Tokens of one kind can stand in each other's place: numbers, words, and each kind of names.
char kind_of(const std::string& token) {
  const auto first = static_cast<unsigned char>(token[0]);
  return std::isdigit(first) ? '0' : std::isalpha(first) ? 'a' : token[0];
}

class Mutation {
 public:
  explicit Mutation(std::uint64_t seed) : random_(seed) {}

  std::string of(const std::string& text) {
    std::vector<std::string> tokens = tokens_of(text);
    for (std::size_t count = 1 + below(3); count > 0; --count) change(tokens);
    std::string result;
    for (const std::string& token : tokens) result += token;
    return result;
  }

  template <typename List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

  void change(std::vector<std::string>& tokens) {
    static constexpr std::array numbers{"0",  "1",  "2",    "3",     "7",          "16",
                                        "32", "33", "4097", "65536", "2147483648", "4611686018427387904"};
    static constexpr std::array words{
        "for",    "vector",    "thread", "block", "warp",    "role", "unrolled", "shared",  "panel",
        "arena",  "registers", "f16",    "f64",   "i32",     "bool", "u64",      "add",     "exp",
        "select", "and",       "commit", "wait",  "barrier", "N",    "Q",        "reduced", "ordered"};
    std::string& token = tokens[below(tokens.size())];
    const auto at = tokens.begin() + (&token - tokens.data());
    switch (below(8)) {
      case 0:
        tokens.erase(at);
        return;
      case 1:
        tokens.insert(at, pick(tokens));
        return;
      case 2:
        return copy_line(tokens, static_cast<std::size_t>(at - tokens.begin()));
      case 3:
        if (kind_of(token) == 'a') token = pick(words);
        if (kind_of(token) == '0') token = pick(numbers);
        return;
      default:
        return replace_by_alike(tokens, token);
    }
  }

  /// Puts another token of the text that is of the same kind there.
  void replace_by_alike(const std::vector<std::string>& tokens, std::string& token) {
    const auto is_alike = [&](const std::string& other) {
      return kind_of(other) == kind_of(token) && other != token && other != " ";
    };
    std::vector<std::string> alike;
    std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(alike), is_alike);
    if (!alike.empty()) token = pick(alike);
  }

  /// Copies the line around `at` to behind itself, or removes it.
  void copy_line(std::vector<std::string>& tokens, std::size_t at) {
    const auto middle = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    const auto begin = std::find(std::reverse_iterator(middle), tokens.rend(), "\n").base();
    const auto end = std::find(middle, tokens.end(), "\n");
    if (end == tokens.end()) return;
    const std::vector<std::string> line(begin, end + 1);
    if (below(2) == 0)
      tokens.erase(begin, end + 1);
    else
      tokens.insert(end + 1, line.begin(), line.end());
  }

  std::mt19937_64 random_;
};

std::string without_comments(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string text;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with("//")) text += line + "\n";
  return text;
}

/// The schedules of the text's kernels, before barriers are inserted.
std::string schedules_of(const std::string& kernels, const char* target, const llvm::TargetMachine& host) {
  std::string error;
  auto unit = codegen::read_unit(kernels, error);
  REQUIRE_MESSAGE(unit.has_value(), error);
  take_target(*unit, target, host);
  dlvm::Diagnostics diagnostics;
  for (const char* step : {"schedule", "simplify"})
    REQUIRE(run_step(*codegen::step_named(step), *unit, diagnostics, {}));
  return print(*unit, Level::schedules);
}

/// The texts of the tests of schedules, and the schedules of their kernels.
std::vector<std::string> texts(const llvm::TargetMachine& host) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TEST_FOLDER "/schedule"))
    if (codegen::is_code_text(entry.path().string(), "")) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> result;
  for (const auto& path : paths) {
    const std::string text = without_comments(path);
    result.push_back(text);
    std::string ignored;
    if (path.extension() == ".kernel" && codegen::read_unit(text, ignored))  // some are templates
      for (const char* target : {"cpu", "cuda"}) result.push_back(schedules_of(text, target, host));
  }
  return result;
}

// --------------------------------------------------------------------------------------------- compilation

bool has_barriers(const std::string& text) { return text.find("barrier") != std::string::npos; }

/// Returns whether the text was compiled; else it was refused with a message.
bool compile(const std::string& text, const char* target, const llvm::TargetMachine& host) {
  std::string error;
  auto unit = codegen::read_unit(text, error);
  if (!unit) {
    if (error.empty()) std::abort();
    return false;
  }
  take_target(*unit, target, host);
  if (unit->level == Level::schedules && codegen::verify(*unit)) return false;
  llvm::LLVMContext context;
  unit->context = &context;
  dlvm::Diagnostics diagnostics;
  const codegen::PipelineOptions options{.verify_each = true};
  bool good = true;
  if (unit->level == Level::schedules && has_barriers(text))
    for (const char* step : {"plan-memory", "emit"})
      good = good && run_step(*codegen::step_named(step), *unit, diagnostics, options);
  else
    good = run_pipeline(*unit, Level::code, diagnostics, options);
  unit->code.reset();  // before its context
  return good;
}

/// What the processes of a sweep share.
struct Progress {
  std::uint64_t seed = 0, compiled = 0;
};

/// Ends the process where one text takes this much processor time.
void limit_processor_time(int seconds) {
  const itimerval limit{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

/// Compiles the mutated texts from `progress.seed` on, in a process that some text may end.
std::string compile_in_child(Progress& progress, std::uint64_t end, const std::vector<std::string>& all,
                             const llvm::TargetMachine& host) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGPROF}) signal(number, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    for (; progress.seed < end; ++progress.seed) {
      limit_processor_time(10);
      Mutation mutation(progress.seed);
      const std::string text = mutation.of(mutation.pick(all));
      progress.compiled += compile(text, mutation.pick(targets), host);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;)
    said.append(part.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) said += fmt::format("(signal {})", WTERMSIG(status));
  return status == 0 ? "" : said;
}

/// Returns how many of the mutated texts compiled.
std::uint64_t sweep(std::uint64_t first, std::uint64_t count) {
  const auto machine = host();
  const std::vector<std::string> all = texts(*machine);
  void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(shared != MAP_FAILED);
  auto& progress = *new (shared) Progress{first, 0};
  for (; progress.seed < first + count; ++progress.seed) {
    const std::string said = compile_in_child(progress, first + count, all, *machine);
    if (said.empty()) break;
    Mutation mutation(progress.seed);
    const std::string text = mutation.of(mutation.pick(all));
    FAIL_CHECK("seed " << progress.seed << " for " << std::string(mutation.pick(targets)) << ": " << said
                       << text);
  }
  const std::uint64_t compiled = progress.compiled;
  munmap(shared, sizeof(Progress));
  return compiled;
}

}  // namespace

TEST_CASE("mutated texts of kernels and schedules are refused, or become code") {
  CHECK(sweep(0, 400) >= 20);
}

TEST_CASE("mutated texts of kernels and schedules, the long sweep" * doctest::skip()) { sweep(1000, 100000); }
