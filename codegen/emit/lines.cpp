#include "codegen/emit/lines.h"
#include "codegen/schedule/ir/walk.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Module.h>

#include <filesystem>

namespace codegen::emit {
namespace {

const dlvm::Location* first_location(const schedule::Body& body) {
  const dlvm::Location* first = nullptr;
  schedule::walk<schedule::Origin>(body, [&](const schedule::Origin& origin) {
    if (first == nullptr && origin.location.valid()) first = &origin.location;
  });
  return first;
}

/// Where debuggers look for the source: names of files are as they were given.
std::string folder(llvm::DICompileUnit::DebugEmissionKind kind) {
  std::error_code error;
  const auto here = std::filesystem::current_path(error);
  return kind == llvm::DICompileUnit::NoDebug || error ? "." : here.string();
}

llvm::DICompileUnit* unit_of(llvm::Module& module, const std::string& file,
                             llvm::DICompileUnit::DebugEmissionKind kind) {
  if (const auto* units = module.getNamedMetadata("llvm.dbg.cu"))
    return llvm::cast<llvm::DICompileUnit>(units->getOperand(0));
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  llvm::DIBuilder builder(module);
  auto* unit =
      builder.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C),
                                builder.createFile(file, folder(kind)), "telc", true, "", 0, "", kind);
  builder.finalize();
  return unit;
}

void begin_lines(llvm::Function& function, const std::string& source, unsigned line,
                 llvm::DICompileUnit::DebugEmissionKind kind) {
  llvm::Module& module = *function.getParent();
  llvm::DICompileUnit* unit = unit_of(module, source, kind);
  llvm::DIBuilder builder(module, true, unit);
  auto* file = builder.createFile(source, unit->getDirectory());
  auto* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  function.setSubprogram(builder.createFunction(file, function.getName(), function.getName(), file, line,
                                                type, line, llvm::DINode::FlagZero,
                                                llvm::DISubprogram::SPFlagDefinition));
  builder.finalize();
}

}  // namespace

void add_lines(llvm::Function& function, const schedule::Body& body,
               llvm::DICompileUnit::DebugEmissionKind kind) {
  if (const dlvm::Location* first = first_location(body))
    begin_lines(function, first->source->name(), first->line, kind);
}

void continue_lines(llvm::Function& function, const llvm::DILocation& line) {
  begin_lines(function, line.getFilename().str(), line.getLine(),
              line.getScope()->getSubprogram()->getUnit()->getEmissionKind());
}

llvm::DILocation* line_of(llvm::DISubprogram& subprogram, const dlvm::Location& location) {
  llvm::LLVMContext& context = subprogram.getContext();
  llvm::DILocalScope* scope = &subprogram;
  if (const std::string& name = location.source->name(); name != subprogram.getFilename())
    scope = llvm::DILexicalBlockFile::get(context, scope,
                                          llvm::DIFile::get(context, name, subprogram.getDirectory()), 0);
  return llvm::DILocation::get(context, location.line, location.column, scope);
}

}  // namespace codegen::emit
