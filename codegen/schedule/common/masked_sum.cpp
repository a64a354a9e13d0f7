#include "codegen/schedule/common/masked_sum.h"

namespace codegen::schedule {
namespace {

/// Terms that are added up before their sum is added to the total, so that the errors of long sums stay
/// small.
constexpr std::int64_t terms_of_block = 16;

/// Returns 1 where the comparison of the number with itself holds, else 0.
ValueId compare_with_itself(ContractionBuilder& builder, dlvm::Opcode comparison, ValueId number,
                            Body& body) {
  const ValueId holds =
      builder.let({ElementType::boolean, Scalar::Operation{comparison, {number, number}}}, body);
  return builder.let({ElementType::i64, Scalar::Operation{dlvm::Opcode::dataTypeCast, {holds}}}, body);
}

/// Returns the statements that make the element 0.
Statement clear(const ContractionBuilder& builder, BufferId sum) {
  return {Fill{{sum, {}, {}, {}}, dlvm::Tensor(builder.type, {})}};
}

}  // namespace

ValueId is_nan(ContractionBuilder& builder, ValueId number, Body& body) {
  return compare_with_itself(builder, dlvm::Opcode::notEqual, number, body);
}

Body where_one(ContractionBuilder& builder, ValueId value, Body body) {
  Loop once = builder.open("once", LoopKind::serial, 1);
  once.bounds.push_back({kernel::loaded_index(value) + constant_index(-1), 1});
  return around(std::move(once), std::move(body));
}

Body sum_terms(ContractionBuilder& builder, BufferId total, const AxisGroup& k, const Index& first,
               const Extent& count, Renaming at) {
  const BufferId part = add_sum(builder, "part");
  Loop block = builder.open("k", LoopKind::serial, count, terms_of_block);
  Loop term = builder.open("term", LoopKind::serial, terms_of_block);
  const Index inside = variable(block.id) + variable(term.id);
  term.bounds = {{inside, count}, {first + inside, k.extent}};
  k.bind(first + inside, at);
  Body one;
  ContractionBuilder::Values known;
  const ValueId value = builder.need(builder.stage.reduction->inputs[0], at, known, one);
  const ValueId before = builder.let({builder.type, Scalar::Load{{part, {}}, {}, 0}}, one);
  const ValueId after =
      builder.let({builder.type, Scalar::Operation{dlvm::Opcode::add, {before, value}}}, one);
  one.push_back({Store{{part, {}}, {}, after, std::nullopt}});

  Body terms;
  terms.push_back({Allocate{part}});
  terms.push_back(clear(builder, part));
  append(terms, around(std::move(term), std::move(one)));
  append(terms, builder.add({part, {}}, {total, {}}));

  Body each;
  const ValueId sum = builder.let({builder.type, Scalar::Load{{total, {}}, {}, 0}}, each);
  const ValueId goes_on = compare_with_itself(builder, dlvm::Opcode::equal, sum, each);
  append(each, where_one(builder, goes_on, std::move(terms)));

  Body body;
  body.push_back({Allocate{total}});
  body.push_back(clear(builder, total));
  append(body, around(std::move(block), std::move(each)));
  return body;
}

BufferId add_sum(ContractionBuilder& builder, const char* name) {
  return builder.lowering.add_buffer({builder.stage.name + "." + name,
                                      builder.type,
                                      {},
                                      Space::registers,
                                      dense_layout({}),
                                      false,
                                      std::nullopt});
}

}  // namespace codegen::schedule
