#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "codegen/header/comments.h"
#include "codegen/header/entry.h"
#include "codegen/header/members.h"
#include "codegen/header/model.h"

namespace codegen::header {
namespace {

/// A class that owns a store.
struct StoreClass {
  const char* name;  ///< `Parameters`
  std::string c;     ///< its C struct
  const Store* store;
  const std::vector<Field>* fields;
  const char* part;  ///< the member of `tel::detail::Stores` that it is in files
  const char* initialize =
      nullptr;            ///< the end of the name of the C function; null: it has no initial values
  bool combined = false;  ///< can be scaled and added
  std::vector<std::string> with = {};  ///< the classes that can be saved together with it
};

std::string print_constructors(const StoreClass& shown) {
  const char* pattern = R"(  /// Sets all elements to 0.
  explicit {0}(tel::Zeros) noexcept {{}}
  {0}({0}&& other) noexcept : Block(std::move(other)) {{}}
  {0}& operator=({0}&& other) noexcept {{
    if (this == &other) return *this;
    std::destroy_at(this);  // the fields are made anew, for they point to the memory of `other` now
    return *std::construct_at(this, std::move(other));
  }}
  {0} copy() const {{
    {0} result(tel::zeros);
    result.copy_from(*this);
    return result;
  }}

)";
  const char* first =
      shown.initialize
          ? "  /// Sets all tensors to their initial values for this seed.\n"
            "  explicit {0}(std::uint64_t seed = 0) {{ tel::detail::require(try_initialize(seed)); }}\n"
          : "  {0}() noexcept = default;\n";
  return fmt::format(fmt::runtime(first), shown.name) + fmt::format(fmt::runtime(pattern), shown.name);
}

/// `flat<T>()` for every element type of the store; `flat()` where there is one only.
std::string print_flat(const StoreClass& shown) {
  std::vector<dlvm::ElementType> types;
  for (const auto& stored : shown.store->tensors)
    if (std::find(types.begin(), types.end(), stored.tensor.type) == types.end())
      types.push_back(stored.tensor.type);
  std::string text =
      "  /// All elements of a type in the order of declaration; those between two tensors are 0.\n";
  for (std::size_t i = 0; i < types.size(); ++i) {
    std::int64_t begin = shown.store->size, end = shown.store->size;
    for (const auto& stored : shown.store->tensors) {
      if (stored.tensor.type == types[i]) begin = std::min(begin, stored.offset);
      if (i + 1 < types.size() && stored.tensor.type == types[i + 1]) end = std::min(end, stored.offset);
    }
    const std::string type = cpp_type(types[i]);
    const std::string parameter = types.size() == 1 ? "class T = " + type : "class T";
    const auto count = (end - begin) / dlvm::info(types[i]).bytes;
    text += fmt::format(
        "  template <{1}>\n    requires std::same_as<T, {0}>\n"
        "  std::span<T> flat() noexcept {{\n    return elements<T>({2}, {3});\n  }}\n"
        "  template <{1}>\n    requires std::same_as<T, {0}>\n"
        "  std::span<const T> flat() const noexcept {{\n    return elements<const T>({2}, {3});\n  }}\n",
        type, parameter, begin, count);
  }
  return text + "\n";
}

std::string print_initialize(const StoreClass& shown, const Model& model) {
  if (!shown.initialize) return {};
  return fmt::format(R"(  /// Sets all tensors to their initial values. The same seed gives the same bits.
  tel::Result<void> try_initialize(std::uint64_t seed) {{
    if (!data()) return tel::detail::no_memory();
    tel_error error;
    if (::{0}_{1}(data(), seed, &error) != TEL_OK) return error;
    return {{}};
  }}
#ifdef TEL_EXCEPTIONS
  void initialize(std::uint64_t seed) {{ try_initialize(seed).value(); }}
#endif

)",
                     model.module, shown.initialize);
}

/// The overloads that save the store with others in one file; `throwing` says which of the two kinds.
std::string print_saves_with(const StoreClass& shown, const Model& model, bool throwing) {
  std::string text;
  for (unsigned chosen = 1; chosen < 1u << shown.with.size(); ++chosen) {
    std::string parameters, arguments, missing, parts, words;
    for (std::size_t i = 0; i < shown.with.size(); ++i) {
      if ((chosen >> i & 1u) == 0) continue;
      std::string part = shown.with[i];
      part[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(part[0])));
      parameters += fmt::format(", const {}& {}", shown.with[i], part);
      arguments += ", " + part;
      missing += fmt::format(" || !{}.data()", part);
      parts += fmt::format(", .{0} = {0}.data()", part);
      words += " and the " + part;
    }
    if (throwing)
      text += fmt::format(
          "  void save(const std::string& path{}) const {{\n    try_save(path{}).value();\n  }}\n",
          parameters, arguments);
    else
      text += fmt::format(R"(  /// Writes the {0}{1} to one file.
  tel::Result<void> try_save(const std::string& path{2}) const {{
    if (!data(){3}) return tel::detail::no_memory();
    return tel::detail::transfer({4}_save, path, {{.{0} = data(){5}}});
  }}
)",
                          shown.part, words, parameters, missing, model.module, parts);
  }
  return text;
}

std::string print_files(const StoreClass& shown, const Model& model) {
  const std::string other = fmt::format("{{.{} = result.data()}}", shown.part);
  const std::string own = fmt::format("{{.{} = data()}}", shown.part);
  std::string text = fmt::format(
      R"(  /// Reads a safetensors file. One error lists all tensors that are missing, unknown, or of another type
  /// or shape; with `tel::partial`, what is missing is {3}, what is unknown is passed over, and both are
  /// listed in the result. A file that has none of the tensors is an error either way.
  static tel::Result<{0}> try_load(const std::string& path) {{
    {0} result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer({1}_load, path, {2});
    if (!done) return done.error();
    return tel::Result<{0}>(std::move(result));
  }}
  static tel::Result<tel::PartialLoad<{0}>> try_load(const std::string& path,
                                                     tel::Partial{4}) {{
    return tel::detail::load_part({1}_load, path, {0}({5}), &tel::detail::Stores::{7});
  }}
  /// Writes a safetensors file: replaces the whole file, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {{
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer({1}_save, path, {6});
  }}
)",
      shown.name, model.module, other, shown.initialize ? "initialised" : "0",
      shown.initialize ? ", std::uint64_t seed = 0" : "", shown.initialize ? "seed" : "tel::zeros", own,
      shown.part);
  text += print_saves_with(shown, model, false);
  const char* seed_parameter = shown.initialize ? ", std::uint64_t seed = 0" : "";
  text += fmt::format(R"(#ifdef TEL_EXCEPTIONS
  static {0} load(const std::string& path) {{ return try_load(path).value(); }}
  static tel::PartialLoad<{0}> load(const std::string& path, tel::Partial{1}) {{
    return try_load(path, tel::partial{2}).value();
  }}
  void save(const std::string& path) const {{ try_save(path).value(); }}
)",
                      shown.name, seed_parameter, shown.initialize ? ", seed" : "");
  return text + print_saves_with(shown, model, true) + "#endif\n";
}

std::string print_store(const StoreClass& shown, const Model& model) {
  if (shown.store->tensors.empty()) return {};
  std::string text =
      fmt::format("class {} final : public tel::Block<{}> {{\n public:\n", shown.name,
                  shown.name + (", " + shown.c) + (shown.combined ? ", " + model.module + "_combine" : ""));
  return text + print_fields(*shown.fields, *shown.store) + print_constructors(shown) +
         print_initialize(shown, model) + print_flat(shown) + print_files(shown, model) + "};\n\n";
}

std::string print_stores(const Model& model) {
  const Interface& interface = *model.interface;
  StoreClass constants{"Constants", model.module + "_constants", &interface.constants, &model.constant_fields,
                       "constants"};
  StoreClass state{"State", model.module + "_state", &interface.state, &model.state_fields,
                   "state", "initialize_state"};
  StoreClass parameters{"Parameters",
                        model.module + "_parameters",
                        &interface.parameters,
                        &model.parameter_fields,
                        "parameters",
                        "initialize",
                        true};
  StoreClass gradients{"Gradients", model.module + "_gradients", &interface.parameters,
                       &model.parameter_fields, "parameters"};
  gradients.combined = true;
  if (!interface.constants.tensors.empty()) parameters.with.emplace_back("Constants");
  if (!interface.state.tensors.empty()) parameters.with.emplace_back("State");
  std::string text;
  for (const StoreClass* each : {&constants, &state, &parameters, &gradients})
    text += print_store(*each, model);
  return text;
}

/// Says what a store holds and how it is used.
std::string declare_store(const char* name, const std::string& doc, const Store& store,
                          const std::vector<Field>& fields) {
  if (store.tensors.empty()) return {};
  std::string text = doc;
  text += list_fields(fields, store);
  return doc_comment(text, 0) + fmt::format("class {};\n\n", name);
}

/// `Frozen` and the functions that make it.
std::string declare_frozen(const Model& model) {
  if (model.interface->parameters.tensors.empty()) return {};
  return R"(/// Parameters that do not change any more, for calls that are repeated with them: `forward(inputs, frozen)` takes
/// `Frozen` in place of `Parameters`, and is faster where the network multiplies large matrices, which are laid
/// out for the processor once instead of in each call. The results have the same bits.
using Frozen = tel::Frozen<Parameters>;

#ifdef TEL_EXCEPTIONS
/// Freezes a copy of the parameters.
Frozen freeze(const Parameters& parameters);
/// Freezes the parameters themselves.
Frozen freeze(Parameters&& parameters);
#endif
/// Does what `freeze` does, and returns an error instead of throwing it.
tel::Result<Frozen> try_freeze(const Parameters& parameters);
/// Does what `freeze` does, and returns an error instead of throwing it.
tel::Result<Frozen> try_freeze(Parameters&& parameters);

)";
}

std::string define_frozen(const Model& model) {
  if (model.interface->parameters.tensors.empty()) return {};
  return fmt::format(R"(inline tel::Result<Frozen> try_freeze(Parameters&& parameters) {{
  return Frozen::try_make(std::move(parameters), ::{0}_frozen_size(), ::{0}_freeze);
}}
inline tel::Result<Frozen> try_freeze(const Parameters& parameters) {{
  if (!parameters.data()) return tel::detail::mistake("these parameters were moved from, and cannot be frozen");
  return try_freeze(parameters.copy());
}}
#ifdef TEL_EXCEPTIONS
inline Frozen freeze(Parameters&& parameters) {{ return try_freeze(std::move(parameters)).value(); }}
inline Frozen freeze(const Parameters& parameters) {{ return try_freeze(parameters).value(); }}
#endif

)",
                     model.module);
}

std::string declare_stores(const Model& model) {
  const Interface& interface = *model.interface;
  return declare_store(
             "Constants",
             "The constants that are loaded, in one buffer: `Constants::load(path)`. They are never "
             "trained.",
             interface.constants, model.constant_fields) +
         declare_store(
             "State",
             "What calls carry from one to the next, in one buffer: `State s` has the initial values, and a "
             "call that\nupdates it sets it when everything else has been done. `s.save(path)` and "
             "`State::load(path)` use a\nsafetensors file.",
             interface.state, model.state_fields) +
         declare_store(
             "Parameters",
             "The parameters, in one buffer: `Parameters p(seed)` has the initial values for a seed;\n"
             "`p.save(path)` and `Parameters::load(path)` use a safetensors file; `p.flat()` is one "
             "span of all elements.\nAn object that was moved from can only be assigned to.",
             interface.parameters, model.parameter_fields) +
         (interface.parameters.tensors.empty() ? ""
                                               : "/// The derivatives for the parameters, with the members "
                                                 "and the layout of `Parameters`; 0 at "
                                                 "first.\nclass Gradients;\n\n") +
         declare_frozen(model);
}

/// `struct Network`.
std::string declare_network(const Model& model) {
  const Interface& interface = *model.interface;
  const std::string space = "::" + model.module;
  std::string text =
      "/// The types and the functions of the network as the members of one type, so that a template over "
      "it\n"
      "/// serves every network: `Network::gradient(inputs, parameters, gradients, workspace)`.\n"
      "struct Network {\n";
  const auto alias = [&](const char* name) { text += fmt::format("  using {0} = {1}::{0};\n", name, space); };
  if (!interface.constants.tensors.empty()) alias("Constants");
  if (!interface.state.tensors.empty()) alias("State");
  if (!interface.parameters.tensors.empty()) alias("Parameters"), alias("Gradients"), alias("Frozen");
  for (const Enumeration& each : model.structs.enumerations()) alias(each.name.c_str());
  for (const Struct& each : model.structs.all()) {
    if (each.given) alias(each.name.c_str());
    if (each.returned) alias((each.name + "Outputs").c_str()), alias((each.name + "Result").c_str());
  }
  for (const NodeClass& each : model.structs.node_classes()) alias(each.name.c_str());
  if (!text.ends_with("{\n")) text += "\n";
  for (const auto& entry : model.entries) text += network_members(entry, space);
  if (text.ends_with("\n\n")) text.pop_back();
  return text + "};\n\n";
}

std::string open_namespace(const Model& model) {
  return fmt::format("namespace {}::inline {} {{\n\n", model.module, model.version);
}

std::string close_namespace(const Model& model) {
  return fmt::format("}}  // namespace {}::inline {}\n", model.module, model.version);
}

}  // namespace

bool declares_floats(const Model& model) {
  const auto needs = [](const Tensor& tensor) {
    return tensor.extents.empty() && c_type(tensor.type).starts_with("tel_");
  };
  for (const auto& entry : model.interface->entries)
    if (std::any_of(entry.inputs.begin(), entry.inputs.end(),
                    [&](const auto& x) { return needs(x.tensor); }) ||
        std::any_of(entry.outputs.begin(), entry.outputs.end(),
                    [&](const auto& x) { return needs(x.tensor); }))
      return true;
  return false;
}

std::string print_cpp_declarations(const Model& model) {
  std::string text = doc_comment(model.interface->doc, 0) + open_namespace(model) + declare_stores(model);
  text += declare_structs(model.structs);
  for (const auto& entry : model.entries) text += declare_entry(entry);
  return text + declare_network(model) + close_namespace(model);
}

std::string print_cpp_definitions(const Model& model) {
  std::string text = open_namespace(model) + print_stores(model) + define_frozen(model);
  text += define_structs(model.structs);
  for (const auto& entry : model.entries) text += define_entry(entry, model.module);
  return text + close_namespace(model);
}

}  // namespace codegen::header
