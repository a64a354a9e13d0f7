#include <fmt/format.h>

#include <algorithm>

#include "codegen/header/entry.h"
#include "codegen/header/model.h"
#include "codegen/header/shared_text.h"

namespace codegen::header {
namespace {

/// A class that owns a store.
struct StoreClass {
  const char* name;  ///< `Parameters`
  std::string c;     ///< its C struct
  const Store* store;
  const std::vector<std::string>* names;
  bool initialised;     ///< has initial values
  bool second;          ///< `Constants`: the second store of a file
  bool with_constants;  ///< can be saved together with `Constants`
};

std::string print_fields(const StoreClass& shown) {
  std::string text;
  for (std::size_t i = 0; i < shown.store->tensors.size(); ++i) {
    const auto& [tensor, offset] = std::pair(shown.store->tensors[i].tensor, shown.store->tensors[i].offset);
    text += doc_comment(tensor.doc, 2);
    text += fmt::format("  tel::Field<{}> {}{{at<{}>({})}};\n", view_arguments(tensor, false),
                        (*shown.names)[i], cpp_type(tensor.type), offset);
  }
  return text + "\n";
}

std::string print_constructors(const StoreClass& shown) {
  const char* pattern = R"(  /// All elements 0.
  explicit {0}(tel::Zeros) noexcept {{}}
  {0}({0}&& other) noexcept : Block(std::move(other)) {{}}
  {0}& operator=({0}&& other) noexcept {{
    if (this == &other) return *this;
    std::destroy_at(this);  // the fields must be those of the new memory
    return *std::construct_at(this, std::move(other));
  }}
  {0} copy() const {{
    {0} result(tel::zeros);
    result.copy_from(*this);
    return result;
  }}

)";
  const char* first =
      shown.initialised
          ? "  /// Initialised with this seed.\n"
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
  std::string text = "  /// All elements in the order of declaration; what lies between tensors is 0.\n";
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
  if (!shown.initialised) return {};
  return fmt::format(R"(  /// Sets everything to its initial value; the same seed gives the same bits.
  tel::Result<void> try_initialize(std::uint64_t seed) {{
    tel_error error;
    if ({0}_initialize(data(), seed, &error) != TEL_OK) return error;
    return {{}};
  }}
#ifdef TEL_EXCEPTIONS
  void initialize(std::uint64_t seed) {{ try_initialize(seed).value(); }}
#endif

)",
                     model.module);
}

std::string print_files(const StoreClass& shown, const Model& model) {
  const char* stores = shown.second ? "nullptr, {}data()" : "{}data(), nullptr";
  const std::string other = fmt::format(fmt::runtime(stores), std::string("result."));
  const std::string own = fmt::format(fmt::runtime(stores), "");
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
    return tel::detail::load_part({1}_load, path, {0}({5}), {7});
  }}
  /// Writes a safetensors file: replaces it whole, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {{
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer({1}_save, path, {6});
  }}
)",
      shown.name, model.module, other, shown.initialised ? "initialised" : "0",
      shown.initialised ? ", std::uint64_t seed = 0" : "", shown.initialised ? "seed" : "tel::zeros", own,
      shown.second);
  if (shown.with_constants)
    text += fmt::format(R"(  /// With the constants, in one file.
  tel::Result<void> try_save(const std::string& path, const Constants& constants) const {{
    if (!data() || !constants.data()) return tel::detail::no_memory();
    return tel::detail::transfer({0}_save, path, data(), constants.data());
  }}
)",
                        model.module);
  const char* seed_parameter = shown.initialised ? ", std::uint64_t seed = 0" : "";
  text += fmt::format(R"(#ifdef TEL_EXCEPTIONS
  static {0} load(const std::string& path) {{ return try_load(path).value(); }}
  static tel::PartialLoad<{0}> load(const std::string& path, tel::Partial{1}) {{
    return try_load(path, tel::partial{2}).value();
  }}
  void save(const std::string& path) const {{ try_save(path).value(); }}
)",
                      shown.name, seed_parameter, shown.initialised ? ", seed" : "");
  if (shown.with_constants)
    text +=
        "  void save(const std::string& path, const Constants& constants) const {\n"
        "    try_save(path, constants).value();\n  }\n";
  return text + "#endif\n";
}

std::string print_store(const StoreClass& shown, const Model& model, const char* doc) {
  if (shown.store->tensors.empty()) return {};
  std::string text =
      fmt::format("/// {}\nclass {} final : public tel::Block<{}> {{\n public:\n", doc, shown.name,
                  shown.name + (", " + shown.c) + (shown.second ? "" : ", " + model.module + "_combine"));
  return text + print_fields(shown) + print_constructors(shown) + print_initialize(shown, model) +
         print_flat(shown) + print_files(shown, model) + "};\n\n";
}

std::string print_stores(const Model& model) {
  const Interface& interface = *model.interface;
  const bool constants = !interface.constants.tensors.empty();
  const auto shown = [&](const char* name, const char* c, bool initialised, bool with_constants) {
    return StoreClass{name,  model.module + c, &interface.parameters, &model.parameters, initialised,
                      false, with_constants};
  };
  return print_store({"Constants", model.module + "_constants", &interface.constants, &model.constants, false,
                      true, false},
                     model, "The constants that are loaded, in one buffer; never trained.") +
         print_store(shown("Parameters", "_parameters", true, constants), model,
                     "The parameters, in one buffer. What was moved from may only be assigned to.") +
         print_store(shown("Gradients", "_gradients", false, false), model,
                     "The derivatives for the parameters, in the same layout; 0 at first.");
}

}  // namespace

std::string print_cpp(const Model& model) {
  std::string text = "\n#ifdef __cplusplus\n";
  text += shared_cpp_text();
  text += "\n" + doc_comment(model.interface->doc, 0);
  text += fmt::format("namespace {} {{\n\n", model.module);
  text += print_stores(model);
  for (const auto& entry : model.entries) text += print_entry(entry);
  return text + fmt::format("}}  // namespace {}\n\n#endif  // __cplusplus\n", model.module);
}

}  // namespace codegen::header
