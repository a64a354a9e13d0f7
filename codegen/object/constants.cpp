#include "codegen/object/constants.h"

#include <algorithm>

namespace codegen::object {
namespace {

/// Compiles extents to programs of `runtime::ExtentOperation`.
class ExtentCompiler {
 public:
  explicit ExtentCompiler(const std::vector<std::string>& names) : names_(names) {}

  bool compile(const dlvm::Extent& extent) {
    emit(extent);
    words.push_back(runtime::extent_end);
    return good_ && extent.valid();
  }

  std::vector<std::int64_t> words;

 private:
  void push(std::int64_t operation, std::int64_t value) {
    words.insert(words.end(), {operation, value});
    good_ &= ++depth_ <= runtime::extent_stack_limit;
  }
  void combine(std::int64_t operation) {
    words.push_back(operation);
    --depth_;
  }
  void emit(const dlvm::Extent& extent) {
    if (extent.terms().empty()) push(runtime::extent_constant, 0);
    bool first = true;
    for (const auto& term : extent.terms()) {
      emit(term);
      if (!first) combine(runtime::extent_add);
      first = false;
    }
  }
  void emit(const dlvm::Extent::Term& term) {
    const bool plain = term.coefficient == 1 && !term.atoms.empty();
    if (!plain) push(runtime::extent_constant, term.coefficient);
    bool first = plain;
    for (const auto& atom : term.atoms) {
      emit(atom);
      if (!first) combine(runtime::extent_multiply);
      first = false;
    }
  }
  void emit(const dlvm::Extent::Atom& atom) {
    if (atom.floor) {
      emit(atom.floor->numerator);
      emit(atom.floor->denominator);
      combine(runtime::extent_floor_divide);
      return;
    }
    const auto found = std::find(names_.begin(), names_.end(), atom.name);
    good_ &= found != names_.end();
    push(runtime::extent_dimension, found - names_.begin());
  }

  const std::vector<std::string>& names_;
  std::int64_t depth_ = 0;
  bool good_ = true;
};

}  // namespace

Constant<std::int32_t> ConstantWriter::i32(std::int64_t value) const {
  return {llvm::ConstantInt::getSigned(llvm::Type::getInt32Ty(module_.getContext()), value)};
}

Constant<std::uint64_t> ConstantWriter::u64(std::uint64_t value) const {
  return {llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()), value)};
}

Constant<std::int64_t> ConstantWriter::i64(std::int64_t value) const {
  return {llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(module_.getContext()), value)};
}

llvm::Constant* ConstantWriter::null_pointer() const {
  return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(module_.getContext()));
}

llvm::Constant* ConstantWriter::structure(const std::vector<llvm::Constant*>& members) const {
  return llvm::ConstantStruct::getAnon(module_.getContext(), members);
}

llvm::Constant* ConstantWriter::array(const std::vector<llvm::Constant*>& elements) {
  if (elements.empty()) return null_pointer();
  auto* type = llvm::ArrayType::get(elements.front()->getType(), elements.size());
  return global(llvm::ConstantArray::get(type, elements));
}

llvm::Constant* ConstantWriter::global(llvm::Constant* value) {
  auto* variable = new llvm::GlobalVariable(module_, value->getType(), true,
                                            llvm::GlobalValue::InternalLinkage, value, "table");
  variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return variable;
}

Constant<const void*> ConstantWriter::bytes(llvm::StringRef data, unsigned alignment) {
  llvm::Constant* made = global(llvm::ConstantDataArray::getString(module_.getContext(), data, false));
  llvm::cast<llvm::GlobalVariable>(made)->setAlignment(llvm::Align(alignment));
  return {made};
}

Constant<const char*> ConstantWriter::text(const std::string& text) {
  llvm::Constant*& made = texts_[text];
  if (!made) made = global(llvm::ConstantDataArray::getString(module_.getContext(), text));
  return {made};
}

Constant<runtime::Extent> ConstantWriter::extent(const dlvm::Extent& extent,
                                                 const std::vector<std::string>& names) {
  using runtime::Extent;
  if (const auto value = extent.constant())
    return structure<Extent>({null<const std::int64_t*>(), i64(*value)});
  ExtentCompiler compiler(names);
  if (!compiler.compile(extent)) return {};
  std::vector<Constant<std::int64_t>> words;
  for (const std::int64_t word : compiler.words) words.push_back(i64(word));
  return structure<Extent>({array(words), i64(0)});
}

}  // namespace codegen::object
