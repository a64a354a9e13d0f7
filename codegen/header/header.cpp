#include "codegen/header/header.h"

#include <fmt/format.h>

#include "codegen/header/comments.h"
#include "codegen/header/model.h"
#include "codegen/header/shared_text.h"

namespace codegen::header {
namespace {

/// The file's first comment: what it is, and where what stands in it.
std::string overview(const Model& model) {
  std::string source = model.interface->source;
  source = source.substr(source.rfind('/') + 1);
  if (source.empty() || source == "-") source = "standard input";
  return fmt::format(R"(/* The network `{0}`, made by telc from {1}. This header is C11 and C++20.

   1. The C interface of the network: structs and functions that begin with {0}_.
   2. Its C++ interface, namespace {0}: what it takes and gives, and the functions to call.
   3. What the headers of all networks share: names that begin with tel_ in C, namespace tel in C++.
   4. The definitions of what part 2 declares. */
)",
                     model.module, c_comment_text(source));
}

/// A network of this name with another interface cannot be declared in the same file: its C functions would
/// have two declarations. In other files of the program it can.
std::string open_guard(const Model& model) {
  return fmt::format(R"(#ifndef TEL_MODULE_{0}_{1}
#define TEL_MODULE_{0}_{1}

#ifdef TEL_MODULE_{0}
#error "two different networks are called {0}: include them in different files, or rename one module"
#elif defined(__cplusplus) && __cplusplus <= 201703L
#error "the header of the network {0} needs C++20: compile with -std=c++20"
#else
#define TEL_MODULE_{0}

)",
                     model.module, model.version);
}

}  // namespace

std::string print_header(const interface::Interface& interface) {
  const Model model = make_model(interface);
  const std::string floats = "\n" + std::string(shared_floats());
  const bool early = declares_floats(model);
  std::string text = overview(model) + open_guard(model);
  text += shared_c_declarations();
  text += "\n" + print_c(model) + "\n#ifdef __cplusplus\n\n";
  text += shared_cpp_declarations();
  text += (early ? floats : "") + "\n" + print_cpp_declarations(model) + "\n#endif  // __cplusplus\n\n";
  text += shared_c_definitions();
  text += "\n#ifdef __cplusplus\n" + (early ? "" : floats) + "\n";
  text += shared_cpp_definitions();
  text += "\n" + print_cpp_definitions(model) + "\n#endif  // __cplusplus\n";
  return text + fmt::format("\n#endif\n#endif /* TEL_MODULE_{}_{} */\n", model.module, model.version);
}

}  // namespace codegen::header
