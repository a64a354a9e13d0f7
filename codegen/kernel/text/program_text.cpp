#include <fmt/format.h>

#include <algorithm>

#include "codegen/kernel/text/scalar_text.h"
#include "codegen/kernel/text/text.h"

namespace codegen::kernel {
namespace {

constexpr std::string_view places[]{"input", "output", "literal", "arena"};
/// A literal with more elements is printed without them.
constexpr std::size_t max_printed_elements = 64;
constexpr int deepest = 200;

std::string elements(const dlvm::Tensor& tensor) {
  const std::size_t bytes = dlvm::info(tensor.element()).bytes;
  std::string out;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    dlvm::Tensor element(tensor.element(), {});
    std::copy_n(tensor.data() + i * bytes, bytes, element.data());
    out += (i == 0 ? "" : ", ") + number(element);
  }
  return out;
}

class ProgramPrinter {
 public:
  explicit ProgramPrinter(const Program& program) : program_(program) {}

  std::string head() {
    line(fmt::format("program @{}", program_.name));
    ++indent_;
    for (const Value& value : program_.values) {
      const std::string type = tensor_type(value.element, value.shape);
      const bool printed = value.place == Value::Place::literal && value.data.size() <= max_printed_elements;
      line(fmt::format("{} {}: {}{}{}", places[static_cast<std::size_t>(value.place)], name_of(value.name),
                       type, printed ? " = " + elements(value.data) : "",
                       value.updated_input ? " updates " + name_of_input(*value.updated_input) : ""));
    }
    print(program_.body);
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += std::string(2 * indent_, ' ') + text + "\n"; }
  std::string name(ValueId value) const { return name_of(program_.values[value].name); }
  std::string name_of_input(std::uint32_t index) const {
    const auto is_it = [&](const Value& value) {
      return value.place == Value::Place::input && value.index == index;
    };
    return name_of(std::ranges::find_if(program_.values, is_it)->name);
  }

  void print(const Sequence& sequence) {
    for (const Statement& statement : sequence)
      std::visit([this](const auto& node) { print(node); }, statement.node);
  }
  void block(const Sequence& sequence) {
    ++indent_;
    print(sequence);
    --indent_;
  }

  void print(const Launch& launch) {
    std::string values;
    for (const ValueId value : launch.values) values += (values.empty() ? "" : ", ") + name(value);
    line(fmt::format("launch @{}({})", name_of(program_.kernels[launch.kernel].name), values));
  }
  void print(const Swap& swap) { line(fmt::format("swap {}, {}", name(swap.first), name(swap.second))); }
  void print(const Jump& jump) { line("jump " + name_of(jump.scope)); }
  void print(const Scope& scope) {
    line(fmt::format("{}{} {} {{", scope.is_fused ? "fused " : "",
                     scope.kind == Scope::Kind::loop ? "loop" : "block", name_of(scope.name)));
    block(scope.body);
    line("}");
  }
  void print(const Branch& branch) {
    line(fmt::format("if {} {{", name(branch.condition)));
    block(branch.then);
    if (!branch.otherwise.empty()) {
      line("} else {");
      block(branch.otherwise);
    }
    line("}");
  }

  const Program& program_;
  std::string out_;
  std::size_t indent_ = 0;
};

class ProgramReader : ScalarReader {
 public:
  using ScalarReader::ScalarReader;

  std::optional<Program> program(std::vector<Kernel> kernels, std::string& error) {
    program_.kernels = std::move(kernels);
    word("program");
    program_.name = take(Token::Kind::global);
    while (ok() && place()) value();
    program_.body = sequence(0);
    if (ok() && !at_end()) fail("a statement");
    if (!ok()) {
      error = this->error();
      return std::nullopt;
    }
    program_.dimensions.assign(dimensions_.begin(), dimensions_.end());
    return std::move(program_);
  }

 private:
  /// The place that the next word names.
  std::optional<Value::Place> place() const {
    for (std::size_t i = 0; i < std::size(places); ++i)
      if (at(places[i])) return static_cast<Value::Place>(i);
    return std::nullopt;
  }

  void value() {
    Value value;
    value.place = *place();
    advance();
    Buffer typed = typed_name();
    value.name = std::move(typed.name);
    value.element = typed.element;
    value.shape = std::move(typed.shape);
    const auto is_alike = [&](const Value& other) { return other.place == value.place; };
    if (value.place == Value::Place::input || value.place == Value::Place::output)
      value.index = static_cast<std::uint32_t>(std::ranges::count_if(program_.values, is_alike));
    if (value.place == Value::Place::literal) value.data = data(value);
    if (value.place == Value::Place::output && accept("updates")) value.updated_input = updated_input(value);
    if (ok() && !values_.emplace(value.name, static_cast<ValueId>(program_.values.size())).second)
      fail_with(fmt::format("two values are called '{}'", value.name));
    program_.values.push_back(std::move(value));
  }

  /// The position of the input in whose memory the output is.
  std::optional<std::uint32_t> updated_input(const Value& output) {
    const std::string name = take(Token::Kind::word);
    const auto found = values_.find(name);
    if (!ok()) return std::nullopt;
    if (found == values_.end() || program_.values[found->second].place != Value::Place::input) {
      fail_with(fmt::format("no input is called '{}'", name));
      return std::nullopt;
    }
    const Value& input = program_.values[found->second];
    if (input.element != output.element || input.shape != output.shape)
      fail_with(fmt::format("'{}' and '{}' have different types", output.name, name));
    return input.index;
  }

  dlvm::Tensor data(const Value& value) {
    symbol("=");
    std::vector<std::int64_t> extents;
    for (const Extent& extent : value.shape) extents.push_back(extent.constant().value_or(-1));
    const auto count = dlvm::unit_count(value.shape).constant();
    if (!count || *count < 0 || static_cast<std::size_t>(*count) > max_printed_elements) {
      fail_with(
          fmt::format("a literal with a constant number of elements, at most {}", max_printed_elements));
      return {};
    }
    dlvm::Tensor tensor(value.element, extents);
    const std::size_t bytes = dlvm::info(value.element).bytes;
    for (std::size_t i = 0; ok() && i < tensor.size(); ++i) {
      if (i > 0) symbol(",");
      const dlvm::Tensor element = literal(value.element);
      if (ok()) std::copy_n(element.data(), bytes, tensor.data() + i * bytes);
    }
    return tensor;
  }

  ValueId named() {
    const std::string name = take(Token::Kind::word);
    const auto found = values_.find(name);
    if (ok() && found == values_.end()) fail_with(fmt::format("no value is called '{}'", name));
    return ok() ? found->second : 0;
  }

  Sequence sequence(int depth) {
    if (depth > deepest) fail("less nesting");
    Sequence result;
    while (ok() && !at("}") && !at_end()) result.push_back({statement(depth)});
    return result;
  }
  Sequence braced(int depth) {
    symbol("{");
    Sequence result = sequence(depth + 1);
    symbol("}");
    return result;
  }

  decltype(Statement::node) statement(int depth) {
    if (accept("launch")) return launch();
    if (accept("swap")) return swap();
    if (accept("jump")) return Jump{take(Token::Kind::word)};
    if (accept("if")) return branch(depth);
    const bool is_fused = accept("fused");
    const auto kind = at("loop") ? Scope::Kind::loop : Scope::Kind::block;
    if (!accept("loop") && !accept("block")) fail("a statement");
    std::string name = take(Token::Kind::word);
    return Scope{kind, std::move(name), braced(depth), is_fused};
  }
  Launch launch() {
    const std::string name = take(Token::Kind::global);
    const auto found = std::ranges::find(program_.kernels, name, &Kernel::name);
    if (ok() && found == program_.kernels.end()) fail_with(fmt::format("no kernel is called '{}'", name));
    Launch launch{static_cast<std::uint32_t>(found - program_.kernels.begin()), {}};
    symbol("(");
    while (ok() && !at(")")) {
      launch.values.push_back(named());
      if (!accept(",")) break;
    }
    symbol(")");
    return launch;
  }
  Swap swap() {
    const ValueId first = named();
    symbol(",");
    return {first, named()};
  }
  Branch branch(int depth) {
    Branch branch{named(), braced(depth), {}};
    if (accept("else")) branch.otherwise = braced(depth);
    return branch;
  }

  Program program_;
  std::map<std::string, ValueId> values_;
};

}  // namespace

std::string print(const Program& program) {
  std::string out = ProgramPrinter(program).head();
  for (const Kernel& kernel : program.kernels) out += "\n" + print(kernel);
  return out;
}

std::optional<Program> parse_program(std::string_view head, std::vector<Kernel> kernels, std::string& error) {
  return ProgramReader(head).program(std::move(kernels), error);
}

}  // namespace codegen::kernel
