#include "tests/fuzz/modules.h"

#include "dlvm/analysis/gradient_type.h"
#include "tests/fuzz/control_flow.h"
#include "tests/fuzz/draw.h"
#include "tests/fuzz/instructions.h"
#include "tests/fuzz/programs.h"

namespace fuzz {
namespace {

using namespace dlvm;

constexpr const char* odd_names[]{
    "",          "x",      "x.1", "a b",  "caf\xc3\xa9", "1x", "0.1", "quote\"d", "back\\slash",
    "new\nline", "return", "f32", "_",    "a..b",        ".a", "a.",  "entry",    "2^0",
    "tab\there", "x.1.1",  "//",  "\x01", "inline",      "N",  "-",   "x"};

/// Adds to a module what the generators of bodies do not make.
class Decoration : Draw {
 public:
  Decoration(Module& module, std::uint64_t seed, Sources& sources)
      : Draw(seed ^ 0x5bd1e995), module_(module) {
    for (const char* name : {"net.tel", "a \"b\".tel"}) files_.push_back(sources.add(name, "x\n"));
  }

  void add() {
    module_.set_name(odd_name());
    module_.doc = odd_name();
    for (const auto& function : module_.functions()) decorate(*function);
    for (std::size_t count = below(3); count > 0; --count) add_external();
    const std::size_t bodies = module_.functions().size();
    for (std::size_t i = 0; i < bodies; ++i)
      if (one_in(2)) declare_gradient(*module_.functions()[i]);
    for (std::size_t i = 0; i < bodies; ++i)
      if (one_in(2)) add_entry(*module_.functions()[i]);
  }

 private:
  std::string odd_name() { return one_in(2) ? "" : pick(odd_names); }
  Location location() {
    if (!one_in(3)) return {};
    return {pick(files_), static_cast<std::uint32_t>(1 + below(90)),
            static_cast<std::uint32_t>(1 + below(9))};
  }

  void decorate(Function& function) {
    function.location = location();
    if (one_in(3)) function.attributes.emplace_back("inline");
    while (one_in(3)) function.requirements.push_back(requirement());
    for (const auto& block : function.blocks()) {
      for (const auto& argument : block->arguments())
        if (one_in(4)) argument->set_name(odd_name());
      for (const auto& instruction : block->instructions()) {
        if (one_in(4) && !instruction->is(Trait::terminator)) instruction->set_name(odd_name());
        while (one_in(6)) {
          const Location at = location();
          if (at.valid()) instruction->add_location(at);
        }
      }
    }
  }

  Extent extent() {
    const Extent n = Extent::dimension("N"), m = Extent::dimension("M");
    const Extent choices[]{n,
                           m,
                           Extent(static_cast<std::int64_t>(below(5))),
                           Extent::erased(),
                           n + n * m - 3,
                           Extent::floor_divide(n + 1, 2),
                           Extent::floor_divide(n * n, m + 1)};
    return pick(choices);
  }

  Requirement requirement() {
    constexpr Requirement::Relation relations[]{Requirement::Relation::equal, Requirement::Relation::at_most};
    return {Extent::dimension("N") * 2, pick(relations), Extent::dimension("M") + 1, odd_name(), location()};
  }

  Type type(int depth) {
    if (depth < 3 && one_in(4)) {
      std::vector<Type> elements(below(3));
      for (Type& element : elements) element = type(depth + 1);
      return Type::tuple(std::move(elements));
    }
    Shape shape(below(4));
    for (Extent& each : shape) each = extent();
    return Type::tensor(pick(element_types).type, std::move(shape));
  }

  void add_external() {
    std::vector<Type> parameters(below(4));
    for (Type& each : parameters) each = type(0);
    std::string name = odd_name();
    if (name.empty()) name = "outside";
    Function* made =
        module_.add_function(module_.fresh_name(name), Type::function(std::move(parameters), type(0)));
    made->location = location();
  }

  Integers some(std::size_t end) {
    Integers out;
    for (std::size_t i = 0; i < end; ++i)
      if (one_in(2)) out.push_back(static_cast<std::int64_t>(i));
    return out;
  }

  void declare_gradient(const Function& of) {
    const Type& result = of.type().result();
    const std::size_t results = result.is_tuple() ? result.elements().size() : 1;
    if (results == 0) return;
    GradientDeclaration declaration;
    declaration.of = &of;
    declaration.from = static_cast<std::int64_t>(below(results));
    if (one_in(2)) declaration.wrt = some(of.type().parameters().size());
    if (declaration.wrt && declaration.wrt->empty()) declaration.wrt.reset();
    declaration.keeping = some(results);
    if (one_in(2)) declaration.mode = GradientDeclaration::Mode::forward;
    declaration.seedable = declaration.mode == GradientDeclaration::Mode::reverse && one_in(2);
    declaration.location = location();
    std::string why;
    const auto type = gradient_type(declaration, why);
    if (!type) return;  // of integers
    module_.stage = Module::Stage::raw;
    Function* made = module_.add_function(module_.fresh_name(of.name() + " d"), *type);
    made->gradient = std::move(declaration);
    made->location = location();
  }

  /// A stored tensor of the type, with an initializer or none; false where the extents are not constant.
  bool store(const std::string& name, const Type& type, StoredTensor::Role role) {
    for (const Extent& each : type.shape())
      if (!each.constant()) return false;
    StoredTensor tensor{role, name, type, "", odd_name(), location()};
    if (one_in(2)) {
      const Type initializer = Type::function({Type::scalar(ElementType::u64)}, type);
      tensor.initializer =
          module_.add_function(module_.fresh_name("initialize " + name), initializer)->name();
    }
    module_.tensors.push_back(std::move(tensor));
    return true;
  }

  /// A state of the type; null where there is none.
  const StoredTensor* state_of(const Type& type) const {
    for (const StoredTensor& tensor : module_.tensors)
      if (tensor.role == StoredTensor::Role::state && tensor.type == type) return &tensor;
    return nullptr;
  }

  void add_entry(const Function& function) {
    const auto& parameters = function.type().parameters();
    const Type& result = function.type().result();
    if (!result.is_tuple()) return;
    for (const auto* types : {&parameters, &result.elements()})
      for (const Type& type : *types)
        if (!type.is_tensor()) return;
    EntryPoint entry{EntryKind::evaluate, function.name() + odd_name(), function.name(), {}, {}, odd_name(),
                     location()};
    for (const EntryPoint& other : module_.entries)
      if (other.name == entry.name) return;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::string name = entry.name + std::to_string(i);
      ArgumentRole role = ArgumentRole::input;
      if (one_in(4) && store(name, parameters[i], StoredTensor::Role::parameter))
        role = ArgumentRole::parameter;
      else if (one_in(4) && store(name, parameters[i], StoredTensor::Role::constant))
        role = ArgumentRole::constant;
      else if (one_in(4) && store(name, parameters[i], StoredTensor::Role::state))
        role = ArgumentRole::state;
      entry.arguments.push_back({role, name, odd_name()});
    }
    constexpr ResultRole roles[]{ResultRole::output, ResultRole::loss, ResultRole::metric, ResultRole::kept};
    for (std::size_t i = 0; i < result.elements().size(); ++i) {
      const StoredTensor* state = one_in(2) ? state_of(result.elements()[i]) : nullptr;
      if (state != nullptr)
        entry.results.push_back({ResultRole::next, state->name, odd_name()});
      else
        entry.results.push_back({pick(roles), odd_name() + std::to_string(i), odd_name()});
    }
    module_.entries.push_back(std::move(entry));
  }

  Module& module_;
  std::vector<const Source*> files_;
};

/// A function of symbolic extents.
std::unique_ptr<Module> symbolic(std::uint64_t seed) {
  auto module = std::make_unique<Module>("fuzz");
  module->stage = Module::Stage::canonical;
  const Program program = random_program(seed);
  const auto fill = [&](Function& function) {
    Builder b(*function.add_entry());
    std::vector<Value*> arguments;
    for (const auto& argument : function.entry().arguments()) arguments.push_back(argument.get());
    Value* result = build(program, b, arguments);
    b.return_(result);
    return result->type();
  };
  Function trial("f", Type::function(program.parameters, Type()));
  fill(*module->add_function("f", Type::function(program.parameters, fill(trial))));
  return module;
}

}  // namespace

std::unique_ptr<Module> random_module(std::uint64_t seed, Sources& sources) {
  auto module = seed % 3 == 0   ? random_case(seed, 20).module
                : seed % 3 == 1 ? random_control_flow(seed).module
                                : symbolic(seed);
  Decoration(*module, seed, sources).add();
  return module;
}

}  // namespace fuzz
