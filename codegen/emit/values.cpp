#include "codegen/emit/emitter.h"
#include "codegen/math/operations.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/support/internal_error.h"

namespace codegen::emit {

void Emitter::emit(const schedule::Let& let) { values_[let.id] = value(let.scalar); }

EmittedValue Emitter::widened(const EmittedValue& held) {
  if (held.is_vector() || width_ == 1) return held;
  return {vectors_->number(vectors_->splat(held.number.value)), held.type};
}

EmittedValue Emitter::value(const Scalar& scalar) {
  if (const auto* constant = std::get_if<Scalar::Literal>(&scalar.definition))
    return literal(constant->value);
  if (const auto* index = std::get_if<Scalar::Position>(&scalar.definition))
    return position(index->index, scalar.type);
  if (const auto* from = std::get_if<Scalar::Load>(&scalar.definition)) return load(*from, scalar.type);
  if (const auto* with = std::get_if<Scalar::Operation>(&scalar.definition))
    return operation(*with, scalar.type);
  if (const auto* checked = std::get_if<Scalar::Check>(&scalar.definition))
    return check(*checked, scalar.type);
  if (const auto* drawn = std::get_if<Scalar::Random>(&scalar.definition)) return random(*drawn, scalar.type);
  dlvm::internal_error("the state of a reduction in a schedule");
}

EmittedValue Emitter::literal(const dlvm::Tensor& value) {
  return {math::literal(scalars_, value), value.element()};
}

namespace {

/// The operation on numbers of one width.
EmittedValue apply(const Scalar::Operation& operation, ElementType type,
                   std::span<const EmittedValue> operands) {
  if (operation.opcode == dlvm::Opcode::dataTypeCast)
    return {math::convert(operands[0].number, operands[0].type, type), type};
  std::vector<math::SimdValue> numbers;
  for (const EmittedValue& operand : operands) numbers.push_back(operand.number);
  return {math::operate(operation.opcode, operands[0].type, numbers), type};
}

}  // namespace

EmittedValue Emitter::operation(const Scalar::Operation& operation, ElementType type) {
  std::vector<EmittedValue> operands;
  bool is_vector = false;
  for (const ValueId id : operation.operands) {
    operands.push_back(values_.at(id));
    is_vector = is_vector || operands.back().is_vector();
  }
  const bool by_scalar = operation.opcode == dlvm::Opcode::divide && math::shares_divisor(type, features_) &&
                         operands[0].is_vector() && !operands[1].is_vector();
  if (is_vector && !by_scalar)
    for (EmittedValue& operand : operands) operand = widened(operand);
  return apply(operation, type, operands);
}

/// A combinator: one block of elementwise instructions on scalars.
EmittedValue Emitter::call(const dlvm::Function& function, const EmittedValue& left,
                           const EmittedValue& right) {
  std::map<const dlvm::Value*, EmittedValue> known;
  const auto& arguments = function.entry().arguments();
  known[arguments[0].get()] = left;
  known[arguments[1].get()] = right;
  const auto held = [&](const dlvm::Value* value) {
    const auto* constant = dlvm::as_literal(value);
    return constant ? literal(constant->data()) : known.at(value);
  };
  for (const auto& instruction : function.entry().instructions()) {
    if (instruction->opcode() == dlvm::Opcode::return_) return held(instruction->operand(0));
    std::vector<EmittedValue> operands;
    for (const dlvm::Value* operand : instruction->operands()) operands.push_back(held(operand));
    if (const auto inner = dlvm::as<dlvm::Apply>(*instruction))
      known[instruction.get()] = call(*inner.callee(), operands[0], operands[1]);
    else
      known[instruction.get()] = apply({instruction->opcode(), {}}, instruction->type().element(), operands);
  }
  dlvm::internal_error("a combinator that does not return");
}

EmittedValue Emitter::position(const Index& of, ElementType type) {
  const EmittedIndex place = index(of);
  const math::SimdValue number = place.is_uniform()
                                     ? scalars_.number(place.base)
                                     : vectors_->number(place.vector ? place.vector : vector_of(place));
  return {math::convert(number, ElementType::i64, type), type};
}

EmittedValue Emitter::random(const Scalar::Random& random, ElementType type) {
  const EmittedIndex place = index(random.index);
  const bool is_vector = !place.is_uniform();
  math::SimdBuilder& lanes = is_vector ? *vectors_ : scalars_;
  llvm::Value* at = !is_vector ? place.base : place.vector ? place.vector : vector_of(place);
  const auto operand = [&](ValueId id) {
    const EmittedValue& held = values_.at(id);
    return is_vector ? widened(held).number : held.number;
  };
  return {math::random(lanes.number(at), operand(random.low), operand(random.high), operand(random.key),
                       operand(random.counter), type),
          type};
}

EmittedValue Emitter::check(const Scalar::Check& check, ElementType type) {
  const EmittedValue held = values_.at(check.operand);
  math::SimdBuilder& lanes = lanes_of(held);
  llvm::Type* wide = lanes.type(b_.getInt64Ty());
  llvm::Value* value = b_.CreateIntCast(held.number.value, wide, dlvm::is_signed(held.type));
  llvm::Value* first = lanes.splat(extents_.value(check.first));
  llvm::Value* end = lanes.splat(extents_.value(check.end));
  llvm::Value* failed = b_.CreateOr(b_.CreateICmpSLT(value, first), b_.CreateICmpSGE(value, end));
  llvm::Value* counted = failed;
  if (active_ && (held.is_vector() || !active_->getType()->isVectorTy())) counted = both(failed, active_);
  report(check, counted, value);
  llvm::Value* instead = b_.CreateIntCast(first, held.number.value->getType(), true);
  return {lanes.number(b_.CreateSelect(failed, instead, held.number.value)), type};
}

/// Where a lane failed: its site, value and position, unless the record holds an earlier one.
void Emitter::report(const Scalar::Check& check, llvm::Value* failed, llvm::Value* value) {
  llvm::Value* any = failed->getType()->isVectorTy() ? b_.CreateOrReduce(failed) : failed;
  llvm::BasicBlock *record = block("outside"), *done = block("inside");
  b_.CreateCondBr(any, record, done);
  b_.SetInsertPoint(record);
  const Index flat = offset({0, check.position}, schedule::dense_layout(sites_[check.site].shape));
  const EmittedIndex position = index(flat);
  const auto lane_of = [&](llvm::Value* v, unsigned lane) {
    return v->getType()->isVectorTy() ? b_.CreateExtractElement(v, lane) : v;
  };
  llvm::Value* positions = position.is_uniform() ? position.base
                           : position.vector     ? position.vector
                                                 : vector_of(position);
  const unsigned count = failed->getType()->isVectorTy() ? width_ : 1;
  for (unsigned lane = 0; lane < count; ++lane)
    b_.CreateCall(report_function(), {context_, lane_of(failed, lane), i64(check.site + 1),
                                      lane_of(value, lane), lane_of(positions, lane)});
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

/// void (context, failed, site, value, position); see runtime/abi.h.
llvm::Function* Emitter::report_function() {
  llvm::Module& module = *b_.GetInsertBlock()->getModule();
  const char* name = "tel.report_index";
  if (llvm::Function* known = module.getFunction(name)) return known;
  llvm::Type *i64 = b_.getInt64Ty(), *pointer = b_.getPtrTy();
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, b_.getInt1Ty(), i64, i64, i64}, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::Cold);
  function->setDoesNotThrow();
  write_report(*function);
  return function;
}

/// Where threads report at the same time, one after the other.
void Emitter::write_report(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", &function));
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(context, name, &function); };
  auto *compare = block("compare"), *store = block("store"), *stored = block("stored"), *done = block("done");
  llvm::Value *record = function.getArg(0), *site = function.getArg(2), *position = function.getArg(4);
  const auto field = [&](unsigned i) { return b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), record, i); };
  const auto load = [&](unsigned i) {
    return b.CreateLoad(b.getInt64Ty(), field(i), machine_ == Machine::device);
  };
  const auto set = [&](unsigned i, llvm::Value* value) {
    b.CreateStore(value, field(i), machine_ == Machine::device);
  };
  llvm::Value* lock = field(3);
  if (machine_ == Machine::device) {
    auto* wait = block("wait");
    b.CreateCondBr(function.getArg(1), wait, done);
    b.SetInsertPoint(wait);
    llvm::Value* taken =
        b.CreateAtomicCmpXchg(lock, b.getInt64(0), b.getInt64(1), llvm::Align(8),
                              llvm::AtomicOrdering::Acquire, llvm::AtomicOrdering::Monotonic);
    b.CreateCondBr(b.CreateExtractValue(taken, 1), compare, wait);
  } else {
    b.CreateCondBr(function.getArg(1), compare, done);
  }
  b.SetInsertPoint(compare);
  // Threads come in any order: a lower site goes before a higher one. One core keeps the first that it meets.
  llvm::Value* known = load(0);
  llvm::Value* first = b.CreateICmpEQ(known, b.getInt64(0));
  if (machine_ == Machine::device) first = b.CreateOr(first, b.CreateICmpSLT(site, known));
  llvm::Value* lower = b.CreateAnd(b.CreateICmpEQ(known, site), b.CreateICmpSLT(position, load(2)));
  b.CreateCondBr(b.CreateOr(first, lower), store, stored);
  b.SetInsertPoint(store);
  set(0, site);
  set(1, function.getArg(3));
  set(2, position);
  b.CreateBr(stored);
  b.SetInsertPoint(stored);
  if (machine_ == Machine::device)
    b.CreateAtomicRMW(llvm::AtomicRMWInst::Xchg, lock, b.getInt64(0), llvm::Align(8),
                      llvm::AtomicOrdering::Release);
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
}

std::vector<EmittedValue> Emitter::combine(const kernel::Reduction& reduction,
                                           std::span<const EmittedValue> left,
                                           std::span<const EmittedValue> right, math::SimdBuilder& lanes) {
  std::vector<EmittedValue> values;
  for (const Scalar& scalar : reduction.combine) {
    if (const auto* state = std::get_if<Scalar::State>(&scalar.definition)) {
      const std::size_t n = left.size();
      values.push_back(state->component < n ? left[state->component] : right[state->component - n]);
    } else if (const auto* constant = std::get_if<Scalar::Literal>(&scalar.definition)) {
      values.push_back({math::literal(lanes, constant->value), scalar.type});
    } else if (const auto* with = std::get_if<Scalar::Operation>(&scalar.definition)) {
      std::vector<EmittedValue> operands;
      for (const ValueId id : with->operands) operands.push_back(values[id]);
      values.push_back(apply(*with, scalar.type, operands));
    } else {
      dlvm::internal_error("a reduction combines by more than operations on its states");
    }
  }
  std::vector<EmittedValue> results;
  for (const ValueId id : reduction.results) results.push_back(values[id]);
  return results;
}

}  // namespace codegen::emit
