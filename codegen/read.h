#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codegen/pipeline.h"

namespace codegen {

/// Whether a file holds kernels or schedules as text: by how its name ends, on standard input by its first
/// words behind comments.
bool is_code_text(std::string_view file, std::string_view text);

/// A program that launches each kernel once, in order, on arguments of its own.
kernel::Program program_of(std::vector<kernel::Kernel> kernels);

/// A unit of one function, the program. Lowering and machine are the caller's to fill in; for code, so are
/// host and context.
Unit unit_of(kernel::Program program);

/// A unit of one function that launches each kernel or schedule of the text once, in order, on arguments of
/// its own; lines before the first one (as the head of a program) are not read. Nothing, and where and why in
/// `error` ("line 3: …"), where the text is none or does not verify.
std::optional<Unit> read_unit(std::string_view text, std::string& error);

}  // namespace codegen
