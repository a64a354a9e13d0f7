#include <fmt/format.h>

#include <algorithm>

#include "codegen/header/comments.h"
#include "codegen/header/forms.h"
#include "codegen/header/model.h"

namespace codegen::header {
using interface::ArgumentMember;
using interface::SymbolNames;

namespace {

using Kind = ArgumentMember::Kind;

/// `TEL_ALIGNED float W1[784][256];`, with its documentation.
std::string member_of_store(const Tensor& tensor, const std::string& name) {
  std::string text = fmt::format("  TEL_ALIGNED {} {}", c_type(tensor.type), name);
  for (const auto& extent : tensor.extents) text += fmt::format("[{}]", extent.text());
  return text + (tensor.doc.empty() ? ";\n" : fmt::format("; /* {} */\n", c_comment_text(tensor.doc)));
}

/// The tag of a struct. In C++ it makes the types of two networks of one name different types.
std::string tag(const Model& model, const std::string& name) { return name + "_" + model.version; }

/// The members of a store in the order of their offsets.
std::string print_store(const Model& model, const char* name, const char* what, const Store& store,
                        const std::vector<std::string>& names) {
  if (store.tensors.empty()) return {};
  std::vector<std::size_t> order(store.tensors.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return store.tensors[a].offset < store.tensors[b].offset; });
  std::string text = fmt::format(
      "/* {} The struct is aligned to 64 bytes; the bytes between tensors are 0. */\n"
      "typedef struct {} {{\n",
      what, tag(model, model.module + "_" + name));
  for (const std::size_t i : order) text += member_of_store(store.tensors[i].tensor, names[i]);
  return text + fmt::format("}} {}_{};\n\n", model.module, name);
}

std::string tensor_comment(const Tensor& tensor) {
  std::string text = shape_text(tensor);
  const std::string before = text.empty() ? "" : " ";
  if (is_node(tensor))
    text += before + "number of a node of " + tensor.enumeration;
  else if (!tensor.cases.empty())
    text += before + tensor.enumeration + ":";
  for (std::size_t i = 0; !is_node(tensor) && i < tensor.cases.size(); ++i)
    text += fmt::format("{} {} {}", i == 0 ? "" : ",", i, tensor.cases[i]);
  if (!tensor.doc.empty()) text += (text.empty() ? "" : ": ") + tensor.doc;
  return text.empty() ? text : " /* " + c_comment_text(text) + " */";
}

/// A tensor's pointer, or a scalar.
std::string tensor_member(const Tensor& tensor, const std::string& name, bool constant) {
  const bool scalar = tensor.extents.empty();
  return fmt::format("  {}{}{} {};{}\n", constant && !scalar ? "const " : "", c_type(tensor.type),
                     scalar ? "" : "*", name, tensor_comment(tensor));
}

std::string member(const Model& model, const EntryNames& names, const ArgumentMember& member) {
  const Entry& entry = *names.entry;
  const auto extents = [&](const Tensor& tensor) {
    return fmt::format("  int64_t {}[{}];\n", member.name, tensor.extents.size());
  };
  switch (member.kind) {
    case Kind::size:
      return fmt::format("  size_t size; /* sizeof({}_arguments) */\n", names.c);
    case Kind::dimension:
      return fmt::format("  int64_t {}; /* {} */\n", member.name,
                         c_comment_text(dimension_comment(entry.inputs[member.index].tensor.doc)));
    case Kind::input:
      return tensor_member(entry.inputs[member.index].tensor, member.name, true);
    case Kind::input_extents:
      return extents(entry.inputs[member.index].tensor);
    case Kind::parameters:
      return fmt::format("  {}{}_parameters* parameters;{}\n", entry.updates_parameters() ? "" : "const ",
                         model.module,
                         entry.updates_parameters() ? " /* updated when the call succeeds */" : "");
    case Kind::constants:
      return fmt::format("  const {}_constants* constants;\n", model.module);
    case Kind::state:
      return fmt::format("  {}{}_state* state;{}\n", entry.updates_state() ? "" : "const ", model.module,
                         entry.updates_state() ? " /* updated when the call succeeds */" : "");
    case Kind::gradients:
      return fmt::format("  {}_gradients* gradients;\n", model.module);
    case Kind::frozen:
      return fmt::format(
          "  const void* frozen; /* what {}_freeze has made of the same parameters, or null */\n",
          model.module);
    case Kind::output:
      return tensor_member(entry.outputs[member.index].tensor, member.name, false);
    case Kind::output_extents:
      return extents(entry.outputs[member.index].tensor);
    case Kind::workspace:
      return "  void* workspace; /* aligned to 64 bytes */\n";
    case Kind::workspace_size:
      return "  size_t workspace_size;\n";
    case Kind::options:
      return "  const tel_options* options; /* null: every option has its default */\n";
  }
  return {};
}

std::string print_entry(const Model& model, const SymbolNames& symbols, const EntryNames& names) {
  std::string text = fmt::format("/* {} */\ntypedef struct {} {{\n", c_comment_text(summary(names)),
                                 tag(model, names.c + "_arguments"));
  for (const auto& one : names.arguments.members) text += member(model, names, one);
  text += fmt::format("}} {}_arguments;\n\n", names.c);
  text += fmt::format("int32_t {0}({0}_arguments* arguments, tel_error* error)\n    __asm__(\"{1}\");\n",
                      names.c, symbols.of(*names.entry));
  text += fmt::format(
      "/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */\n"
      "int32_t {0}_prepare({0}_arguments* arguments, tel_error* error)\n    __asm__(\"{1}\");\n",
      names.c, symbols.of(*names.entry, "prepare"));
  text += fmt::format(
      "/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */\n"
      "int32_t {0}_wait({0}_arguments* arguments, tel_error* error)\n    __asm__(\"{1}\");\n",
      names.c, symbols.of(*names.entry, "wait"));
  std::string dimensions;
  for (const auto& name : names.dimensions) dimensions += "int64_t " + name + ", ";
  return text +
         fmt::format(
             "/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */\n"
             "size_t {}_workspace({}const tel_options* options)\n    __asm__(\"{}\");\n\n",
             names.c, dimensions, symbols.of(*names.entry, "workspace"));
}

std::string print_module_functions(const Model& model, const SymbolNames& symbols) {
  const Interface& interface = *model.interface;
  std::string text;
  if (!interface.parameters.tensors.empty())
    text += fmt::format(
        "/* Sets all parameters to their initial values. The same seed gives the same bits. */\n"
        "int32_t {0}_initialize({0}_parameters* parameters, uint64_t seed, tel_error* error)\n"
        "    __asm__(\"{1}\");\n",
        model.module, symbols.of("initialize"));
  if (!interface.parameters.tensors.empty())
    text += fmt::format(
        "/* Computes to = a * to + b * from, of parameters or gradients in the memory that the execution "
        "uses\n"
        "   (null: that of the processor). A term whose factor is 0 is not read, and `from` may then be "
        "null. */\n"
        "int32_t {0}_combine({0}_parameters* to, double a, const {0}_parameters* from, double b,\n"
        "    const tel_execution* execution, tel_error* error)\n    __asm__(\"{1}\");\n",
        model.module, symbols.of("combine"));
  if (!interface.parameters.tensors.empty())
    text += fmt::format(
        "/* `{0}_freeze` copies matrices of the parameters into `frozen`, memory that is aligned to 64 bytes "
        "and has\n"
        "   `{0}_frozen_size()` bytes, in the order in which kernels for processors read them. Calls that "
        "are "
        "given\n"
        "   both are faster, and have the same results. The parameters must not change afterwards. If the "
        "size "
        "is 0,\n"
        "   nothing is gained, and `frozen` may be null. */\n"
        "size_t {0}_frozen_size(void)\n"
        "    __asm__(\"{1}\");\n"
        "int32_t {0}_freeze(const {0}_parameters* parameters, void* frozen, tel_error* error)\n"
        "    __asm__(\"{2}\");\n",
        model.module, symbols.of("frozen_size"), symbols.of("freeze"));
  if (!interface.state.tensors.empty())
    text += fmt::format(
        "/* Sets the state to its initial value. The same seed gives the same bits. */\n"
        "int32_t {0}_initialize_state({0}_state* state, uint64_t seed, tel_error* error)\n"
        "    __asm__(\"{1}\");\n",
        model.module, symbols.of("initialize_state"));
  if (!interface.has_stores()) return text;
  return text + fmt::format(
                    "/* Load and save a safetensors file. Saving replaces the whole file, or leaves it as it "
                    "was. */\n"
                    "int32_t {0}_load(tel_file_arguments* arguments, tel_error* error)\n"
                    "    __asm__(\"{1}\");\n"
                    "int32_t {0}_save(tel_file_arguments* arguments, tel_error* error)\n"
                    "    __asm__(\"{2}\");\n\n",
                    model.module, symbols.of("load"), symbols.of("save"));
}

}  // namespace

std::string print_c(const Model& model) {
  const Interface& interface = *model.interface;
  std::string text = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  text += print_store(model, "parameters", "The parameters.", interface.parameters, model.parameters);
  if (!interface.parameters.tensors.empty())
    text += fmt::format(
        "/* The derivatives for the parameters. */\ntypedef {0}_parameters {0}_gradients;\n\n", model.module);
  text +=
      print_store(model, "constants", "The constants that are loaded.", interface.constants, model.constants);
  text += print_store(model, "state", "What calls carry from one to the next.", interface.state, model.state);
  const SymbolNames symbols(interface);
  text += print_module_functions(model, symbols);
  if (!model.entries.empty())
    text +=
        "/* The entry points. They are thread-safe and allocate no memory. Inputs and outputs are "
        "row-major,\n"
        "   without gaps. An output that is null is placed in the workspace: the call then sets its pointer "
        "and\n"
        "   its extents. An input that is null is not set, which is an error: where it has no elements, give "
        "any\n"
        "   other pointer. Each function returns a status, TEL_OK or an error, and writes the text of an "
        "error "
        "to\n"
        "   `error` unless that is null. */\n\n";
  for (const auto& entry : model.entries) text += print_entry(model, symbols, entry);
  return text + "#ifdef __cplusplus\n}  // extern \"C\"\n#endif\n";
}

}  // namespace codegen::header
