#include "codegen/header/header.h"

#include <fmt/format.h>

#include "codegen/header/model.h"

namespace codegen {

std::string print_header(const Interface& interface) {
  const header::Model model = header::make_model(interface);
  std::string source = interface.source.substr(interface.source.rfind('/') + 1);
  if (source.empty() || source == "-") source = "standard input";
  const std::string guard = "TEL_MODULE_" + model.module;
  std::string text =
      fmt::format("/* Made by telc from {}. C11, and C++20 below. */\n#ifndef {}\n#define {}\n\n",
                  header::c_comment_text(source), guard, guard);
  return text + header::print_c(model) + header::print_cpp(model) + fmt::format("\n#endif /* {} */\n", guard);
}

}  // namespace codegen
