#pragma once

#include <string>
#include <vector>

#include "codegen/header/model.h"

namespace codegen::header {

/// One sentence that says what the entry computes: its own documentation, else its outputs.
std::string summary(const EntryNames& names);

/// One of the overloads of an entry point, once with a status (`try_forward`) and once with exceptions
/// (`forward`).
struct Form {
  std::string name;    ///< `forward` or `start_forward`
  std::string result;  ///< `ForwardResult`
  std::string
      parameters;         ///< `const ForwardInputs& inputs, tel::In<Parameters> parameters, `; options follow
  std::string arguments;  ///< `inputs, parameters, `
  std::string doc;        ///< where its results are
  std::string body;       ///< of `try_forward`
};

/// All overloads, the shortest first.
std::vector<Form> forms_of(const EntryNames& names);

/// `std::size_t N, const ForwardOptions& options`: the parameters of `forward_workspace`.
std::string workspace_parameters(const EntryNames& names, const char* default_options);

/// `head` and `parameters` in lines of at most 110 columns where that can be, the parameters aligned.
std::string wrapped(const std::string& head, const std::string& parameters);

}  // namespace codegen::header
