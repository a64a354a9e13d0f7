// A block is a loop over the positions in time. Its header takes the values of the steps before, as many as
// are read, and the sequences that are returned, of which each step writes one row in place.
#include "frontend/lower/recurrence.h"

#include <algorithm>

#include "frontend/lower/keys.h"

namespace frontend::lower {

using check::Recurrence;
using Part = Declaration::Part;

namespace {

/// Returns what the declaration is of a block. A struct is made of its tensors, which are that, and an
/// element may be a tree, which is made of tables.
Part part_of(const Declaration& d) {
  const bool is_tree = d.part == Part::element && d.body.result != nullptr;
  return d.tensors.empty() && !is_tree ? d.part : Part::none;
}

}  // namespace

RecurrenceLowering::RecurrenceLowering(const check::Program& program,
                                       const std::unordered_set<const Declaration*>& needed,
                                       BodyLowering& body, dlvm::Value* seed)
    : body_(body), seed_(seed) {
  for (const Declaration* d : program.order) {
    if (!needed.contains(d)) continue;
    if (d->recurrence != nullptr) steps_[d->recurrence].push_back(d);
    if (part_of(*d) == Part::last || part_of(*d) == Part::sequence) results_[d->of->recurrence].push_back(d);
  }
}

std::vector<dlvm::Value*> RecurrenceLowering::Loop::all() const {
  std::vector<dlvm::Value*> values{position};
  values.insert(values.end(), carried.begin(), carried.end());
  values.insert(values.end(), sequences.begin(), sequences.end());
  return values;
}

dlvm::Value* RecurrenceLowering::number(std::int64_t value) {
  return builder().function().literal(dlvm::Type::scalar(dlvm::ElementType::i64),
                                      dlvm::Tensor::scalar(dlvm::ElementType::i64, value));
}

dlvm::Value* RecurrenceLowering::key_of(const Declaration& declaration) {
  dlvm::Value* key = lower::key_of(declaration.name, seed_, builder());
  for (const Recurrence* each = declaration.recurrence; each != nullptr; each = each->outer)
    key = key_of_step(body_.value(*each->counter), key, builder());
  return key;
}

void RecurrenceLowering::build(const Declaration& declaration) {
  if (declaration.part == Part::changed) return;  // it has its value from the body with the call
  if (part_of(declaration) == Part::last || part_of(declaration) == Part::sequence) {
    if (!body_.has_value(declaration)) build(*declaration.of->recurrence);
    return;
  }
  builder().set_locations({declaration.location});
  if (seed_ != nullptr && draws(declaration.body) != check::Draws::never) body_.set_key(key_of(declaration));
  body_.build(declaration);
}

std::vector<RecurrenceLowering::Carried> RecurrenceLowering::carried_by(const Recurrence& block) const {
  std::vector<Carried> all;
  std::map<const Declaration*, std::size_t> places;
  const auto add = [&](const Declaration* value, std::int64_t steps) {
    const auto [place, is_new] = places.try_emplace(value, all.size());
    if (is_new)
      all.push_back({value, steps});
    else
      all[place->second].steps = std::max(all[place->second].steps, steps);
  };
  if (const auto steps = steps_.find(&block); steps != steps_.end())
    for (const Declaration* d : steps->second)
      if (part_of(*d) == Part::earlier && d->recurrence == &block) add(d->of, d->lag);
  for (const Declaration* d : results_.at(&block))
    if (part_of(*d) == Part::last) add(d->of, 1);
  return all;
}

RecurrenceLowering::Declarations RecurrenceLowering::sequences_of(const Recurrence& block) const {
  Declarations all;
  for (const Declaration* d : results_.at(&block))
    if (part_of(*d) == Part::sequence) all.push_back(d);
  return all;
}

/// What the header is entered with.
RecurrenceLowering::Loop RecurrenceLowering::first(const Recurrence& block) {
  Loop loop;
  loop.position = number(0);
  if (block.syntax->backward)
    loop.position = builder().subtract(builder().extent(block.length, dlvm::ElementType::i64), number(1));
  for (const Carried& each : carried_by(block))
    for (std::int64_t lag = 1; lag <= each.steps; ++lag) {
      const auto initial = block.initial_values.find({each.value, lag});
      loop.carried.push_back(initial != block.initial_values.end()
                                 ? body_.value(*initial->second)
                                 : builder().splat(each.value->type.dlvm(), 0));
    }
  for (const Declaration* d : sequences_of(block))
    loop.sequences.push_back(builder().splat(d->type.dlvm(), 0));
  return loop;
}

RecurrenceLowering::Loop RecurrenceLowering::take(dlvm::BasicBlock& header, const Recurrence& block) {
  Loop loop;
  loop.position = header.add_argument(dlvm::Type::scalar(dlvm::ElementType::i64), block.counter->name);
  for (const Carried& each : carried_by(block))
    for (std::int64_t lag = 1; lag <= each.steps; ++lag)
      loop.carried.push_back(header.add_argument(each.value->type.dlvm(), each.value->name + ".before"));
  for (const Declaration* d : sequences_of(block))
    loop.sequences.push_back(header.add_argument(d->type.dlvm(), d->name + ".sequence"));
  return loop;
}

void RecurrenceLowering::build_step(const Recurrence& block, const Loop& loop) {
  body_.set(*block.counter, loop.position);
  std::map<const Declaration*, std::size_t> first;
  std::size_t count = 0;
  for (const Carried& each : carried_by(block)) {
    first[each.value] = count;
    count += static_cast<std::size_t>(each.steps);
  }
  const auto steps = steps_.find(&block);
  if (steps == steps_.end()) return;
  for (const Declaration* d : steps->second)
    if (part_of(*d) == Part::earlier)
      body_.set(*d, loop.carried[first.at(d->of) + static_cast<std::size_t>(d->lag) - 1]);
  for (const Declaration* d : steps->second) {
    if (part_of(*d) == Part::earlier || part_of(*d) == Part::counter) continue;
    builder().set_locations({d->location});
    if (part_of(*d) == Part::element)
      body_.set(*d, builder().gather(body_.value(*d->of), {loop.position}, {0}));
    else
      build(*d);
  }
}

/// What the header is entered with after the step.
RecurrenceLowering::Loop RecurrenceLowering::next(const Recurrence& block, const Loop& loop) {
  Loop next;
  std::size_t at = 0;
  for (const Carried& each : carried_by(block)) {
    next.carried.push_back(body_.value(*each.value));
    for (std::int64_t lag = 1; lag < each.steps; ++lag)
      next.carried.push_back(loop.carried[at + static_cast<std::size_t>(lag) - 1]);
    at += static_cast<std::size_t>(each.steps);
  }
  at = 0;
  for (const Declaration* d : sequences_of(block)) {
    builder().set_locations({d->location});
    const dlvm::Function* by = body_.functions().replacement(d->type.element.type);
    next.sequences.push_back(builder().scatter(body_.value(*d->of), loop.sequences[at++], {loop.position},
                                               {dlvm::Opcode::add, by}, {0}));
  }
  builder().set_locations({block.syntax->location});
  next.position = builder().add(loop.position, number(block.syntax->backward ? -1 : 1));
  return next;
}

void RecurrenceLowering::build(const Recurrence& block) {
  if (const auto steps = steps_.find(&block); steps != steps_.end())
    for (const Declaration* d : steps->second) body_.build_constants(d->body);
  builder().set_locations({block.syntax->location});
  const Loop entry = first(block);
  dlvm::Value* end =
      block.syntax->backward ? number(-1) : builder().extent(block.length, dlvm::ElementType::i64);
  dlvm::BasicBlock& header = body_.add_block(block.counter->name);
  builder().branch(header, entry.all());
  const Loop loop = take(header, block);
  body_.continue_in(header);
  builder().set_locations({block.syntax->location});
  dlvm::Value* more = builder().binary(
      block.syntax->backward ? dlvm::Opcode::greaterThan : dlvm::Opcode::lessThan, loop.position, end);
  dlvm::BasicBlock &step = body_.add_block("step"), &after = body_.add_block("end");
  builder().conditional(more, step, {}, after, {});
  body_.continue_in(step);
  build_step(block, loop);
  builder().branch(header, next(block, loop).all());
  body_.continue_in(after);
  std::size_t at = 0;
  std::map<const Declaration*, dlvm::Value*> last;
  for (const Carried& each : carried_by(block)) {
    last[each.value] = loop.carried[at];
    at += static_cast<std::size_t>(each.steps);
  }
  for (const Declaration* d : results_.at(&block))
    if (part_of(*d) == Part::last) body_.set(*d, last.at(d->of));
  at = 0;
  for (const Declaration* d : sequences_of(block)) body_.set(*d, loop.sequences[at++]);
}

}  // namespace frontend::lower
