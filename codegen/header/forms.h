#pragma once

#include <string>
#include <vector>

#include "codegen/header/model.h"

namespace codegen::header {

/// Returns one sentence that says what the entry point computes: the first of its documentation, or else a
/// list of its outputs.
std::string summary(const EntryNames& names);

/// One overload of an entry point. It is printed once with a status (`try_forward`) and once with exceptions
/// (`forward`).
struct Form {
  std::string name;    ///< `forward` or `start_forward`
  std::string result;  ///< `ForwardResult`
  std::string
      parameters;         ///< `const ForwardInputs& inputs, tel::In<Parameters> parameters, `; options follow
  std::string arguments;  ///< `inputs, parameters, `
  std::string doc;        ///< says where the results of this form are
  std::string body;       ///< the body of its `try_forward`
};

/// Returns all overloads of the entry point, the shortest first.
std::vector<Form> forms_of(const EntryNames& names);

/// Returns the parameters of `forward_workspace`: `std::size_t N, const ForwardOptions& options`.
std::string workspace_parameters(const EntryNames& names, const char* default_options);

/// Returns `head` and `parameters` with the parameters aligned, in lines of at most 110 columns if that is
/// possible.
std::string wrapped(const std::string& head, const std::string& parameters);

}  // namespace codegen::header
