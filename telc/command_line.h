// Helpers that the command lines of telc and dlopt share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "telc/pipeline_options.h"
#include "telc/streams.h"

namespace telc {

/// Sets the first and the last part of `--help`: the usage, and examples with the place of the documentation.
void describe(CLI::App& app, std::string usage, std::string examples);

/// Adds an option with one value, which the help calls `value`.
template <typename T>
CLI::Option* add_value(CLI::App& app, const char* name, T& variable, const char* value, const char* what) {
  return app.add_option(name, variable, what)->option_text(value);
}

/// Adds an option that takes one value each time it is given.
template <typename T>
CLI::Option* add_repeatable(CLI::App& app, const char* name, std::vector<T>& variable, const char* value,
                            const char* what) {
  return add_value(app, name, variable, value, what)->expected(1)->allow_extra_args(false)->take_all();
}

/// Adds an option whose one value is a list with commas.
template <typename T>
CLI::Option* add_list(CLI::App& app, const char* name, std::vector<T>& variable, const char* value,
                      const char* what) {
  return add_repeatable(app, name, variable, value, what)->delimiter(',');
}

/// Adds `--fast-math`.
void add_fast_math(CLI::App& app, bool& fast_math);

/// Makes the option take these names alone. The message about another value lists them, and asks for the one
/// that may have been meant.
CLI::Option* take_one_of(CLI::Option* option, std::vector<std::string> names);

/// Makes it an error that two values NAME=… of the option have one name; `values` must outlive the parsing.
void refuse_twice(CLI::App& app, const char* option, const std::vector<std::string>& values);

/// Adds `--verify-each` and `--print-after`, which help lists where not `hidden`.
void add_step_options(CLI::App& app, StepOptions& options, bool hidden);

/// Parses the command line. Returns the status with which the process ends at once, after `--help`,
/// `--version` or a message about a wrong command line; nothing if a command is to run.
std::optional<int> parse(CLI::App& app, int argc, char** argv);

}  // namespace telc
