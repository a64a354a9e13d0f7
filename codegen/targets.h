#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/backend.h"

/// Targets are values. A `Target` holds everything that the pipeline and the command lines know of a target:
/// its execution model, its scheduling, its emission, and how its output enters the object. No code outside a
/// target's folder asks for a target's name. A target that is not in `targets()` can be passed to `compile`
/// like the others.
namespace codegen {

/// A target as the command line names it.
struct Target {
  std::string_view name;             ///< the name as `--target` spells it
  const Backend* backend = nullptr;  ///< targets with the same backend share their programs
  /// The steps after emission, for a target whose programs are grids; otherwise null.
  const target::gpu::Device* device = nullptr;
};

/// Returns every target of telc in the order of its help text. The first one compiles for the host.
std::span<const Target> targets();
/// Returns the target of that name, or null if there is none.
const Target* target_named(std::string_view name);
/// Returns the names of the architectures that some target makes machine code for.
std::vector<std::string> architecture_names();
/// Returns the architecture of that name, or nothing if no target knows it.
std::optional<target::gpu::Architecture> parse_architecture(const std::string& name);
/// Returns whether the message says that an assembler failed, a program that telc runs.
bool is_tool_failure(const dlvm::DiagnosticKind& kind);
/// Returns the target that makes the text `name` for `--emit` and sets `text` to it; null if none does.
/// `also` are looked at before those of telc.
const Target* target_with_text(std::string_view name, const target::gpu::DeviceText*& text,
                               std::span<const Target* const> also = {});

}  // namespace codegen
