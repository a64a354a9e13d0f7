// Every name that C, C++, their standard headers or the header itself use is tried as the name of everything
// that a module can name.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <vector>

#include "codegen/header/header.h"
#include "codegen/header/shared_text.h"
#include "codegen/interface/names.h"
#include "tests/header/networks.h"
#include "tests/header/support.h"

using namespace codegen;
using namespace codegen::interface;
using namespace header_tests;
using dlvm::ElementType;
using dlvm::Extent;

namespace {

using Words = std::set<std::string>;

/// Keywords of C23, of C++20 and of both GNU dialects, and the names that users met first.
const char* const keywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t "
    "class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit "
    "continue decltype default delete do double dynamic_cast else enum explicit export extern false final "
    "float for friend goto if import inline int long module mutable namespace new noexcept not not_eq "
    "nullptr operator or or_eq override private protected public register reinterpret_cast requires "
    "restrict return short signed sizeof static static_assert static_cast struct switch template this "
    "thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using virtual "
    "void volatile wchar_t while xor xor_eq _Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal32 "
    "_Generic _Imaginary _Noreturn _Static_assert _Thread_local __asm__ __attribute__ __inline __typeof__ "
    "__func__ __FILE__ __LINE__ __DATE__ __COUNTER__ _Pragma __cplusplus linux unix INT_MAX INT_MIN "
    "CHAR_BIT SIZE_MAX INT64_MAX size_t int64_t tel_options TEL_OK Gradients workspace_size main abs printf "
    "strlen uint8_t net net_parameters net_gradients net_forward net_forward_arguments c_options std tel v1 "
    "TEL_MODULE_net forward_ size_ Forward ForwardInputs forward_workspace try_forward x_extents "
    "inputs_extents";

/// Words of letters, digits and `_`, without those that begin with a digit.
Words words_of(const std::string& text) {
  Words words;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else {
      if (!word.empty() && !std::isdigit(static_cast<unsigned char>(word[0]))) words.insert(word);
      word.clear();
    }
  }
  return words;
}

/// Macros that are defined behind the header of a network.
Words macros_of_the_headers(const Folder& folder) {
  std::string text;
  for (const std::string compiler : {"g++ -std=gnu++20 -x c++", TEST_CLANGXX " -std=c++20 -x c++",
                                     "gcc -std=gnu11 -x c", TEST_CLANG " -std=c11 -x c"})
    text += folder.run(compiler + " -dM -E net.hpp | sed 's/^#define \\([A-Za-z0-9_]*\\).*/\\1/'");
  return words_of(text);
}

/// Names that are declared in the global scope there.
Words globals_of_the_headers(const Folder& folder) {
  return words_of(folder.run(TEST_CLANGXX " -std=gnu++20 -x c++ -fsyntax-only -Xclang -ast-list net.hpp | "
                                          "grep -v '[^A-Za-z0-9_]' | sort -u"));
}

Tensor vector(const std::string& name, const Extent& extent) {
  return {name, ElementType::f32, {extent}, ""};
}

/// A network with each of the names as the name of a parameter, a constant, an input, an output and a
/// dimension.
Interface network_of(const std::string& module, const std::vector<std::string>& names) {
  Interface net;
  net.module = module;
  Entry forward;
  forward.name = "forward";
  for (const auto& name : names) {
    for (Store* store : {&net.parameters, &net.constants})
      store->tensors.emplace_back().tensor = vector(name, 2);
    forward.inputs.push_back(
        {vector(name, forward.inputs.size() % 2 ? Extent(3) : Extent::dimension(name)), Input::Role::input});
    forward.outputs.push_back({vector(name, Extent::dimension(name)), false});
  }
  lay_out(net.parameters);
  lay_out(net.constants);
  forward.code.arguments = {{Binding::Kind::parameter, 0}, {Binding::Kind::constant, 0}};
  bind_dimensions(forward);
  net.entries = {forward};
  return net;
}

/// The same names in a gradient with cotangents, and in a gradient that is declared.
void add_gradients(Interface& net) {
  const Entry forward = net.entries[0];
  net.entries = {forward, forward, forward};
  net.entries[1].name = "gradient";
  net.entries[1].kind = EntryKind::gradient;
  net.entries[1].results = {{Binding::Kind::gradient, 0}};
  for (auto& input : net.entries[1].inputs) input.role = Input::Role::cotangent;
  net.entries[2].name = "saliency";
  net.entries[2].kind = EntryKind::named_gradient;
  for (auto& output : net.entries[2].outputs) output.in_gradient = true;
}

Interface entries_of(const std::string& module, const std::vector<std::string>& names) {
  Interface net;
  net.module = module;
  for (const auto& name : names) {
    Entry entry;
    entry.name = name;
    entry.kind = EntryKind::named_gradient;
    net.entries.push_back(entry);
  }
  return net;
}

/// A small network of that name, with an entry point if wanted.
Interface module_of(const std::string& name, bool with_entry) {
  return entries_of(name, with_entry ? std::vector<std::string>{"forward"} : std::vector<std::string>());
}

/// The header without what a header before it has defined.
std::string without_shared_text(std::string text) {
  for (const auto shared :
       {header::shared_c_declarations(), header::shared_cpp_declarations(), header::shared_c_definitions(),
        header::shared_cpp_definitions(), header::shared_floats()})
    if (const std::size_t at = text.find(shared); at != std::string::npos) text.erase(at, shared.size());
  return text;
}

/// The headers of networks with a hundred of the names each: compilers take long for structs of thousands of
/// members.
std::string in_networks(const std::vector<std::string>& names,
                        Interface (*network)(const std::string&, const std::vector<std::string>&)) {
  std::string text;
  for (auto at = names.begin(); at != names.end();) {
    const auto end = at + std::min<std::ptrdiff_t>(100, names.end() - at);
    text += without_shared_text(header::print_header(network("part_" + *at, {at, end})));
    at = end;
  }
  return text;
}

/// The names that are tried.
struct Tried {
  Words known;                             ///< keywords, and the names that users met first
  Words macros, globals;                   ///< those behind the header of a network
  std::vector<std::string> first, second;  ///< `known`; the header's own names, and a part of the others
};

const Tried& tried() {
  static const Tried tried = [] {
    const Folder folder;
    folder.write("net.hpp", header::print_header(networks::mixed()));
    Tried tried{words_of(keywords), macros_of_the_headers(folder), globals_of_the_headers(folder), {}, {}};
    tried.first = {tried.known.begin(), tried.known.end()};
    Words own = words_of(folder.run("gcc -fpreprocessed -dD -E -P -x c net.hpp"));  // without comments
    std::size_t count = 0;
    for (const Words* words : {&tried.macros, &tried.globals})
      for (const auto& name : *words)
        if (++count % 100 == 0) own.insert(name);
    std::set_difference(own.begin(), own.end(), tried.known.begin(), tried.known.end(),
                        std::back_inserter(tried.second));
    return tried;
  }();
  return tried;
}

/// By clang in C and in C++; `part` by gcc and g++, which take longer.
void compile(const std::string& header, const std::string& part) {
  const Folder folder;
  folder.write("all.hpp", header);
  folder.write("part.hpp", part);
  folder.write("all.c", "#include \"all.hpp\"\n");
  folder.write("part.c", "#include \"part.hpp\"\n");
  for (const std::string command :
       {TEST_CLANG " -std=c11 -x c all.c", TEST_CLANGXX " -std=c++20 -x c++ all.c",
        "gcc -std=gnu11 -x c part.c", "g++ -std=gnu++20 -x c++ part.c"})
    folder.run(command + " -fsyntax-only -Wall -Wextra -Werror");
}

}  // namespace

TEST_CASE("no name becomes a macro") {
  CHECK(tried().macros.size() > 1000);
  CHECK(tried().globals.size() > 1000);
  for (const Words* words : {&tried().known, &tried().macros, &tried().globals})
    for (const auto& name : *words) CHECK_MESSAGE(!tried().macros.contains(Names().add(name)), name);
}

TEST_CASE("every name compiles as a parameter, a constant, an input, an output and a dimension") {
  Interface net = network_of("net", tried().first);
  add_gradients(net);
  compile(header::print_header(net) + in_networks(tried().second, network_of), header::print_header(net));
}

TEST_CASE("every name compiles as an entry point") {
  // The bodies take compilers long, so that they see a part of the names.
  const auto part_of = [](const std::vector<std::string>& names, std::size_t step) {
    std::vector<std::string> part;
    for (std::size_t i = 0; i < names.size(); i += step) part.push_back(names[i]);
    return part;
  };
  compile(header::print_header(entries_of("net", tried().first)) +
              in_networks(part_of(tried().second, 10), entries_of),
          header::print_header(entries_of("net", part_of(tried().first, 4))));
}

TEST_CASE("every name compiles as a module") {
  std::string with_entries = header::print_header(module_of("first", true)),
              without = header::print_header(module_of("first", false));
  Words used{"first"}, names = tried().globals;
  names.insert(tried().first.begin(), tried().first.end());
  names.insert(tried().second.begin(), tried().second.end());
  for (const auto& name : names) {
    // In one file, the functions of the network `net` and a namespace `net_forward` exclude each other.
    if (name.starts_with("net_") || !used.insert(Names().add(name)).second) continue;
    const bool with_entry = tried().known.contains(name);
    with_entries += without_shared_text(header::print_header(module_of(name, with_entry)));
    without += without_shared_text(header::print_header(module_of(name, false)));
  }
  compile(with_entries, without);
}

TEST_CASE("a module whose C names would be those of the C library gets an underscore") {
  CHECK(header::print_header(entries_of("pthread", {"create"})).find("int32_t pthread__create(") !=
        std::string::npos);
  CHECK(header::print_header(entries_of("thread", {"create"})).find("int32_t thread_create(") !=
        std::string::npos);
}

TEST_CASE("names that the header does not need stay as they are") {
  for (const char* name : {"x", "W1", "label", "data", "index", "I", "E", "loss", "mask", "_x", "value"})
    CHECK_MESSAGE(!is_reserved(name), name);
  for (const char* name : {"mlp", "gpt", "net", "digits", "classifier", "encoder", "T", "model", "blend"})
    CHECK_MESSAGE(!is_global(name), name);
}
