#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "codegen/header/fields.h"
#include "codegen/header/header.h"
#include "codegen/header/shared_text.h"
#include "codegen/interface/names.h"
#include "tests/header/networks.h"

using namespace codegen;
using namespace codegen::interface;
using dlvm::Extent;

namespace {

/// The header without the text that all headers share.
std::string own_part(const Interface& interface) {
  std::string text = header::print_header(interface);
  for (const auto shared :
       {header::shared_c_declarations(), header::shared_cpp_declarations(), header::shared_c_definitions(),
        header::shared_cpp_definitions(), header::shared_floats()}) {
    const std::size_t at = text.find(shared);
    REQUIRE(at != std::string::npos);
    text.replace(at, shared.size(), "// (what all headers share)\n");
  }
  return text;
}

/// TEL_UPDATE_GOLDEN=1 writes the files anew; the difference is then read by a person.
void check_golden(const std::string& name, const std::string& text) {
  const std::string path = fmt::format("{}/header/golden/{}", TEST_SOURCES, name);
  if (std::getenv("TEL_UPDATE_GOLDEN")) std::ofstream(path) << text;
  std::ifstream file(path);
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  CHECK_MESSAGE(text == expected, path);
}

}  // namespace

TEST_CASE(
    "golden header, in C, declarations and definitions, and manifest of a network that has everything") {
  const std::string header = own_part(networks::mixed());
  const std::size_t declarations = header.find("#ifdef __cplusplus\n\n// (what all headers share)");
  REQUIRE(declarations != std::string::npos);
  check_golden("mixed.h", header.substr(0, declarations));
  const std::size_t definitions = header.find("\n// (what all headers share)\n\n#ifdef", declarations);
  REQUIRE(definitions != std::string::npos);
  check_golden("mixed.hpp", header.substr(declarations, definitions - declarations));
  check_golden("mixed_definitions.hpp", header.substr(definitions));
  check_golden("mixed.json", header::print_manifest(networks::mixed()));
}

TEST_CASE("names that C or C++ has taken get an underscore") {
  Names names{"flat"};
  CHECK(names.add("class") == "class_");
  CHECK(names.add("class_") == "class__");
  CHECK(names.add("flat") == "flat_");
  CHECK(names.add("restrict") == "restrict_");
  CHECK(names.add("x") == "x");
}

TEST_CASE("stores are laid out by type, each tensor at 64 bytes") {
  const Store store = networks::mixed().parameters;
  CHECK(store.tensors[0].offset == 0);
  CHECK(store.tensors[2].offset == 64);
  CHECK(store.tensors[1].offset == 128);
  CHECK(store.size == 192);
  Store large;
  large.tensors.resize(1);
  large.tensors[0].tensor = {"W", dlvm::ElementType::f64, {std::int64_t{1} << 61}, ""};
  CHECK(!lay_out(large));
}

TEST_CASE("dimensions are bound where they stand alone, else where the axis is linear, else given") {
  const Extent N = Extent::dimension("N"), M = Extent::dimension("M"), K = Extent::dimension("K");
  Entry entry;
  entry.inputs = {{{"a", dlvm::ElementType::f32, {N + M, Extent(2) * M}, ""}, Input::Role::input},
                  {{"b", dlvm::ElementType::f32, {3, M}, ""}, Input::Role::input}};
  entry.outputs = {{{"y", dlvm::ElementType::f32, {K * N}, ""}, false}};
  bind_dimensions(entry);
  REQUIRE(entry.dimensions.size() == 3);
  CHECK(entry.dimensions[0].name == "M");
  CHECK(entry.dimensions[0].input == 1);
  CHECK(entry.dimensions[0].axis == 1);
  CHECK(entry.dimensions[1].name == "N");
  CHECK(entry.dimensions[1].input == 0);
  CHECK(entry.dimensions[1].offset == M);
  CHECK(entry.dimensions[2].name == "K");
  REQUIRE(entry.inputs.size() == 3);
  CHECK(entry.inputs[2].role == Input::Role::dimension);
}

TEST_CASE("the hash changes with the interface, not with its docs") {
  Interface interface = networks::mlp();
  const std::string hash = interface_hash(interface);
  interface.doc = interface.entries[0].doc = "other";
  CHECK(interface_hash(interface) == hash);
  interface.entries[0].outputs[0].tensor.name = "z";
  CHECK(interface_hash(interface) != hash);
  CHECK(interface_hash(networks::mixed()) ==
        interface_hash(networks::mixed()));  // `?` is a fresh name each time
}

TEST_CASE("every function and type that users meet has its documentation right above it") {
  Interface network = networks::mlp();
  for (auto& entry : network.entries)
    for (auto& input : entry.inputs) input.tensor.doc = "About " + input.tensor.name + ",\nin two lines.";
  const std::string text = own_part(network);
  const std::size_t begin = text.find("namespace mlp::inline"), end = text.find("}  // namespace mlp", begin);
  REQUIRE(end != std::string::npos);
  std::istringstream lines(text.substr(begin, end - begin));
  std::string before, comment;
  std::size_t documented = 0, calls = 0;
  std::getline(lines, before);  // the namespace
  for (std::string line; std::getline(lines, line); before = line) {
    if (line.starts_with("///")) {
      comment = before.starts_with("///") ? comment + "\n" + line : line;
      continue;
    }
    if (line.empty() || line[0] == ' ' || line[0] == '#' || line[0] == '}') continue;
    CHECK_MESSAGE(before.starts_with("///"), line);
    ++documented;
    const bool call =
        line.find(" forward(") != std::string::npos || line.find(" gradient(") != std::string::npos;
    if (!call) continue;
    ++calls;
    CHECK_MESSAGE(comment.find("- `inputs.x` [N x 784]: About x, in two lines.") != std::string::npos, line);
  }
  CHECK(calls == 3 + 4);
  CHECK(documented > 20);
  CHECK(text.find("  /// About label,\n  /// in two lines.\n  tel::Input<") != std::string::npos);
}

TEST_CASE("tensors of nets are members of structs and of arrays") {
  Store store;
  std::int64_t offset = 0;
  for (const char* name : {"W", "fc.W", "fc.class", "tower.0.up.W", "tower.0.b", "tower.1.up.W", "tower.1.b",
                           "odd.0.W", "odd.1.V", "fc.late", "odd x.W", "copy.W"}) {
    StoredTensor& stored = store.tensors.emplace_back();
    stored.tensor = {name, dlvm::ElementType::f32, {dlvm::Extent(3)}, ""};
    stored.offset = std::exchange(offset, offset + 64);
  }
  const auto fields = header::fields_of(store, {}, Names{"copy"});
  CHECK(header::list_fields(fields, store) ==
        "\n- `W` float [3]\n- `fc.W` float [3]\n- `fc.class_` float [3]\n- `tower[0].up.W` float [3]"
        "\n- `tower[0].b` float [3]\n- `tower[1].up.W` float [3]\n- `tower[1].b` float [3]"
        "\n- `odd_0_W` float [3]\n- `odd_1_V` float [3]\n- `fc_.late` float [3]\n- `odd x_W` float [3]"
        "\n- `copy_.W` float [3]");
  const std::string text = header::print_fields(fields, store);
  CHECK(
      text.find("  struct {\n"
                "    struct {\n"
                "      tel::Field<float, 3> W;\n"
                "    } up;\n"
                "    tel::Field<float, 3> b;\n"
                "  } tower[2]{\n"
                "      {{tel::Field<float, 3>{at<float>(192)}}, tel::Field<float, 3>{at<float>(256)}},\n"
                "      {{tel::Field<float, 3>{at<float>(320)}}, tel::Field<float, 3>{at<float>(384)}}};\n") !=
      std::string::npos);
}
