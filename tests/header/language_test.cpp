// A header compiles without messages in the languages that it is written in, and gives one error in others.
#include "codegen/header/header.h"
#include "tests/header/networks.h"
#include "tests/header/support.h"

using namespace codegen;
using namespace codegen::interface;
using namespace header_tests;

TEST_CASE("before C++20 the header says what it needs, and nothing else") {
  const Folder folder;
  folder.write("mlp.hpp", header::print_header(networks::mlp()));
  folder.write("old.cpp", "#include \"mlp.hpp\"\nint main() {}\n");
  for (const std::string compiler : {"g++", TEST_CLANGXX})
    for (const std::string standard : {"c++17", "gnu++14", "c++11"}) {
      const std::string log = folder.run(compiler + " -fsyntax-only -std=" + standard + " old.cpp", false);
      const std::size_t at = log.find("error:");
      REQUIRE(at != std::string::npos);
      CHECK(log.find("the header of the network mlp needs C++20: compile with -std=c++20", at) !=
            std::string::npos);
      CHECK(log.find("error:", at + 1) == std::string::npos);
    }
}

TEST_CASE("no comment of the source gives a warning in the header") {
  const Folder folder;
  Interface net = networks::mixed();
  net.source = "a?\?/b*/ \xE2\x80\xAE.tel";
  const std::string doc =
      "What is this?\?/\nand this?\?/ \n\n a path\\\nanother\\ \n*/ /* // ?\?( ?\?' ?\?!\t\f\v\x01 "
      "\xE2\x80\xAE "
      "right "
      "\xE2\x81\xA6 isolate \xD8\x9C \xE2\x80\x8F\n\xC3\xA4\xE2\x82\xAC ends\\";
  net.doc = doc;
  for (Store* store : {&net.parameters, &net.constants})
    for (auto& stored : store->tensors) stored.tensor.doc = doc;
  for (auto& entry : net.entries) {
    entry.doc = doc;
    for (auto& input : entry.inputs) input.tensor.doc = doc;
    for (auto& output : entry.outputs) output.tensor.doc = doc;
  }
  folder.write("net.hpp", header::print_header(net));
  folder.write("net.c", "#include \"net.hpp\"\n");
  const std::string flags = warnings + "-Wtrigraphs -Wcomment -fsyntax-only net.c ";
  folder.run("g++ -std=c++20 -x c++" + flags + "-Wbidi-chars=any");
  folder.run("gcc -std=c11" + flags + "-Wbidi-chars=any");
  folder.run(TEST_CLANGXX " -std=c++20 -x c++" + flags + "-Winvalid-utf8");
  folder.run(TEST_CLANG " -std=c11" + flags + "-Winvalid-utf8");
}

namespace {

/// A network, and C++ and C that use its header and must compile without a warning.
struct Use {
  Interface net;
  std::string cpp, c;
};

Interface named(const std::string& name) {
  Interface net = networks::mlp();
  net.module = name;
  return net;
}

Use members_of_nets() {
  Use use{named("members"), {}, {}};
  const char* names[] = {"first.W", "first.class", "tower.0.W", "last"};
  for (std::size_t i = 0; i < 4; ++i) use.net.parameters.tensors[i].tensor.name = names[i];
  use.c = "float f(members_parameters* p) { return p->tower_0_W[1][2]; }\n";
  use.cpp =
      "float f(members::Parameters& p, const members::Gradients& g) {\n"
      "  p.first.class_(3) = g.tower[0].W(1, 2);\n"
      "  members::Parameters q = std::move(p);\n"
      "  return q.first.W(1, 2) + q.last(0);\n"
      "}\n";
  return use;
}

/// A function of these statements, in which `x` is an input, `p` are parameters and `w` is a workspace.
std::string call(const std::string& module, const std::string& statements) {
  return module + "::ForwardOutputs f(const " + module + "::Parameters& p,\n" +
         "    tel::View<const float, tel::dynamic, 784> x, tel::View<const bool, 2> b, tel::Workspace& w) {\n"
         "  static_cast<void>(b);\n" +
         statements + "\n}\n";
}

/// Two enums, of which one has the name of another declaration.
Use enums() {
  Use use{named("enums"), {}, {}};
  const auto add = [&](const char* name, std::vector<std::string> cases) {
    Input& input = use.net.entries.front().inputs.emplace_back();
    input.tensor = {name, dlvm::ElementType::i32, {}, ""};
    input.tensor.enumeration = "Forward";
    input.tensor.cases = std::move(cases);
  };
  add("Forward", {"class", "EOF", "forward"});
  add("other", {"one"});
  use.cpp = call("enums",
                 "return enums::forward({.x = x, .Forward_ = enums::Forward::class_, .other = 0}, p, w);") +
            "static_assert(static_cast<int>(enums::Forward::EOF_) == 1);\n";
  return use;
}

Use payloads() {
  Use use{named("payloads"), {}, {}};
  auto& inputs = use.net.entries.front().inputs;
  const Input given = inputs.front();
  const std::vector<std::string> cases{"kind", "class", "Shape", "forward", "box_0"};
  const auto add = [&](const std::string& name, dlvm::ElementType type, dlvm::Shape extents) {
    Input& input = inputs.emplace_back();
    input.tensor = {
        name, type, std::move(extents), "", {name.substr(0, name.find('.')) == "s" ? "Shape" : "Free"}};
    if (!name.ends_with(".kind")) return;
    input.tensor.enumeration = input.tensor.structs.back();
    input.tensor.cases = cases;
  };
  add("s.kind", dlvm::ElementType::i32, {});
  add("s.kind_0", dlvm::ElementType::f32, {});
  add("s.class_0", dlvm::ElementType::f16, {2, 3});
  add("s.box_0_0", dlvm::ElementType::boolean, {2});
  add("t.kind", dlvm::ElementType::i32, {});
  add("t.class_0", dlvm::ElementType::f32, given.tensor.extents);
  use.cpp =
      call("payloads",
           "  // no functions: extents are not known\n"
           "  const payloads::Free t{.kind = payloads::FreeKind::class_, .class_0 = x};\n"
           "  for (const payloads::Shape& s :\n"
           "       {payloads::Shape::kind_(1), payloads::Shape::class_({}), payloads::Shape::Shape_(),\n"
           "        payloads::Shape::forward(), payloads::Shape::box_0(b)})\n"
           "    if (s.kind == payloads::ShapeKind::Shape)\n"
           "      return payloads::forward({.x = x, .s = s, .t = t}, p, w);\n"
           "  return {};");
  return use;
}

/// Structs, of which two have one name.
Use structs() {
  Use use{named("structs"), {}, {}};
  auto& inputs = use.net.entries.front().inputs;
  auto& outputs = use.net.entries.front().outputs;
  const Input given = inputs.front();
  const auto add = [&](const char* name, std::vector<std::string> structs) {
    inputs.push_back(given);
    inputs.back().tensor.name = name;
    inputs.back().tensor.structs = std::move(structs);
  };
  add("s.Forward.x", {"Outer", "Forward"});
  add("s.class", {"Outer"});
  add("t.Forward.x", {"Outer", "Forward"});
  add("t.class", {"Outer"});
  add("u.class", {"Outer"});
  outputs.front().tensor.name = "result.x";
  outputs.front().tensor.structs = {"Forward"};
  use.cpp = call("structs",
                 "const structs::Outer s{.Forward = {.x = x}, .class_ = x};\n"
                 "return structs::forward({.x = x, .s = s, .t = s, .u_class = x}, p, w);") +
            "float g(const structs::ForwardOutputs& y) { return y.result_x(0, 0); }\n";
  return use;
}

}  // namespace

TEST_CASE(
    "members of nets, enums, payloads with any names of their cases, and structs compile without a warning") {
  CHECK(header::print_manifest(enums().net).find("\"cases\": [") != std::string::npos);
  CHECK(header::print_manifest(structs().net).find("\"structs\": [") != std::string::npos);
  // One unit of all: a compiler reads what headers share once.
  const Folder folder;
  std::string cpp, c;
  for (const Use& use : {members_of_nets(), enums(), payloads(), structs()}) {
    const std::string header = use.net.module + ".hpp", include = "#include \"" + header + "\"\n";
    folder.write(header, header::print_header(use.net));
    cpp += include + use.cpp;
    c += include + use.c;
  }
  folder.write("all.cpp", cpp);
  folder.write("all.c", c);
  folder.run("g++ -std=c++20" + warnings + "-fsyntax-only all.cpp");
  folder.run("gcc -std=c11" + warnings + "-fsyntax-only all.c");
  folder.run(TEST_CLANGXX " -std=c++20" + warnings + "-fsyntax-only all.cpp");
}
