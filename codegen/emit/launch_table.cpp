#include "codegen/emit/launch_table.h"

#include <llvm/IR/Module.h>

#include <map>
#include <set>

namespace codegen::emit {
namespace {

constexpr std::size_t min_launches = 64;
constexpr std::size_t min_launches_of_kernel = 2;  // on the average

/// The arrays of a table: the functions, each once; for each step the number of its function and the position
/// of its first word; all words.
struct Arrays {
  std::vector<llvm::Constant*> functions, numbers, firsts, words;
};

Arrays arrays_of(std::span<const LaunchStep> steps, llvm::IntegerType* number, llvm::IntegerType* word) {
  Arrays all;
  std::map<llvm::Function*, std::size_t> known;
  for (const LaunchStep& step : steps) {
    const auto [at, is_new] = known.try_emplace(step.function, known.size());
    if (is_new) all.functions.push_back(step.function);
    all.numbers.push_back(llvm::ConstantInt::get(number, at->second));
    all.firsts.push_back(llvm::ConstantInt::get(number, all.words.size()));
    for (const std::uint32_t each : step.words) all.words.push_back(llvm::ConstantInt::get(word, each));
  }
  return all;
}

}  // namespace

llvm::GlobalVariable* add_array(llvm::Module& module, llvm::Type* element,
                                const std::vector<llvm::Constant*>& elements, const char* name) {
  auto* type = llvm::ArrayType::get(element, elements.size());
  auto* array = new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::InternalLinkage,
                                         llvm::ConstantArray::get(type, elements), name);
  array->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return array;
}

bool is_worth_table(std::span<const kernel::Launch* const> launches) {
  if (launches.size() < min_launches) return false;
  std::set<std::uint32_t> kernels;
  for (const kernel::Launch* launch : launches) kernels.insert(launch->kernel);
  return launches.size() >= min_launches_of_kernel * kernels.size();
}

void emit_launch_table(llvm::IRBuilder<>& b, std::span<const LaunchStep> steps, unsigned word_bits,
                       std::vector<llvm::Value*> arguments, const std::function<void(llvm::Value*)>& after) {
  llvm::Function& caller = *b.GetInsertBlock()->getParent();
  llvm::Module& module = *caller.getParent();
  llvm::IntegerType *number = b.getInt32Ty(), *word = b.getIntNTy(word_bits);
  const Arrays all = arrays_of(steps, number, word);
  auto* functions = add_array(module, b.getPtrTy(), all.functions, "launch_functions");
  auto* numbers = add_array(module, number, all.numbers, "launch_numbers");
  auto* firsts = add_array(module, number, all.firsts, "launch_firsts");
  auto* words = add_array(module, word, all.words, "launch_words");

  auto* before = b.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(b.getContext(), "launches", &caller);
  auto* next = llvm::BasicBlock::Create(b.getContext(), "launched", &caller);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode* step = b.CreatePHI(b.getInt64Ty(), 2);
  step->addIncoming(b.getInt64(0), before);
  const auto element = [&](llvm::Type* type, llvm::Value* array, llvm::Value* i) {
    return b.CreateLoad(type, b.CreateInBoundsGEP(type, array, i));
  };
  const auto position = [&](llvm::Value* array) {
    return b.CreateZExt(element(number, array, step), b.getInt64Ty());
  };
  llvm::Value* function = element(b.getPtrTy(), functions, position(numbers));
  arguments.push_back(b.CreateInBoundsGEP(word, words, position(firsts)));
  after(b.CreateCall(steps.front().function->getFunctionType(), function, arguments));
  llvm::Value* following = b.CreateAdd(step, b.getInt64(1));
  step->addIncoming(following, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(following, b.getInt64(steps.size())), loop, next);
  b.SetInsertPoint(next);
}

}  // namespace codegen::emit
