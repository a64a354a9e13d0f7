#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codegen/pipeline.h"

namespace codegen {

/// Returns whether a file holds kernels or schedules as text. The end of the file's name decides; on standard
/// input the first words after comments do.
bool is_code_text(std::string_view file, std::string_view text);

/// Returns a program that launches each kernel once, in order, each on arguments of its own.
kernel::Program program_of(std::vector<kernel::Kernel> kernels);

/// Returns a unit of one function, the program. The caller sets `backend` and `machine`, and to emit code
/// also `host` and `context`.
Unit unit_of(kernel::Program program);

/// Returns a unit with a function for each program of the text, whose kernels follow it. Of a text that has
/// kernels or schedules alone, it returns a unit of one function that launches each of them once, in order,
/// each on arguments of its own. Lines before the first part are skipped. If the text cannot be parsed or
/// does not verify, it returns nothing and sets `error` to where and why ("line 3: …").
std::optional<Unit> read_unit(std::string_view text, std::string& error);

}  // namespace codegen
