// Statements on tiles, as one thread runs them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "codegen/schedule/interpret/thread.h"
#include "dlvm/interpret/sorting.h"

namespace codegen::schedule::machine {

using dlvm::Tensor;

// ---------------------------------------------------------------------------------------- elements of a tile

Thread::Corner Thread::corner(const Tile& tile) {
  return {&tile, values(tile.origin), run_.extents(tile.strides)};
}

std::optional<Element> Thread::element(const Corner& corner, std::span<const std::int64_t> inside) {
  const BufferId id = corner.tile->buffer;
  if (corner.tile->strides.empty()) {
    indices_ = corner.origin;
    for (std::size_t i = 0; i < indices_.size(); ++i) indices_[i] += inside[i];
    return element(id, indices_);
  }
  std::int64_t offset = placement(id).offset(corner.origin);
  for (std::size_t i = 0; i < inside.size(); ++i) offset += inside[i] * corner.strides[i];
  return element_at(id, offset);
}

/// All, the last axis fastest; none after an error.
const std::vector<Element>& Thread::elements(const Tile& tile) {
  const Corner first = corner(tile);
  InterpreterRun::Elements& known = interpreter_.tiles[&tile];
  if (!known.all.empty() && known.origin == first.origin && memory_[tile.buffer] != nullptr) return known.all;
  known = {first.origin, {}};
  const auto sizes = run_.extents(tile.sizes);
  if (std::any_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size <= 0; })) return known.all;
  std::vector<std::int64_t> inside(sizes.size(), 0);
  for (std::size_t axis = 0; !run_.error;) {
    if (const auto one = element(first, inside)) known.all.push_back(*one);
    for (axis = sizes.size(); axis-- > 0 && ++inside[axis] == sizes[axis];) inside[axis] = 0;
    if (axis >= sizes.size()) break;  // all have turned over
  }
  if (run_.error) known.all.clear();
  return known.all;
}

void Thread::execute(const Fill& fill) {
  if (placement(fill.to.buffer).layout()) return fill_distributed(fill);
  for (const Element& element : elements(fill.to)) write(element, fill.value);
}

// --------------------------------------------------------------------------------------------------- copies

namespace {

/// Without axes of extent 1.
std::vector<std::int64_t> long_axes(std::vector<std::int64_t> sizes) {
  std::erase(sizes, 1);
  return sizes;
}

}  // namespace

Tensor Thread::converted(const Tensor& value, ElementType type) {
  if (run_.error || value.element() == type) return value;
  const auto result = run_.instructions.apply(dlvm::Opcode::dataTypeCast, type, std::vector{value});
  if (!result) run_.fail("a conversion that cannot be evaluated");
  return result.value_or(Tensor(type, {}));
}

void Thread::execute(const Copy& copy) {
  if (long_axes(run_.extents(copy.from.sizes)) != long_axes(run_.extents(copy.to.sizes)))
    return run_.fail("a copy to a tile of another shape");
  const ElementType type = buffer(copy.to.buffer).element;
  if (!inside(copy.bounds)) {
    for (const Element& target : elements(copy.to))
      copy.asynchronous ? launch(Tensor(type, {}), target) : write(target, Tensor(type, {}));
    return;
  }
  const auto &sources = elements(copy.from), &targets = elements(copy.to);
  for (std::size_t i = 0; i < sources.size() && i < targets.size() && !run_.error; ++i) {
    if (copy.asynchronous)
      launch(sources[i], targets[i]);
    else
      write(targets[i], converted(read(sources[i]), type));
  }
}

/// Both ends are touched now and when the copy lands.
void Thread::launch(const Element& from, const Element& to) {
  const Tensor value = read(from);
  Memory* target = touched(to, true);
  target->landing.insert(to.place);
  groups_.back().push_back({from, to, memory_[from.buffer], memory_[to.buffer], value});
}

void Thread::launch(const Tensor& value, const Element& to) {
  touched(to, true)->landing.insert(to.place);
  groups_.back().push_back({{}, to, nullptr, memory_[to.buffer], value});
}

void Thread::execute(const Wait& wait) {
  const std::size_t committed = groups_.size() - 1,
                    landing = committed > wait.pending ? committed - wait.pending : 0;
  for (std::size_t i = 0; i < landing; ++i)
    for (const Flight& flight : groups_[i])
      if (!run_.error) land(flight);
  groups_.erase(groups_.begin(), groups_.begin() + static_cast<std::ptrdiff_t>(landing));
}

void Thread::land(const Flight& flight) {
  flight.to_memory->landing.erase(flight.to.place);
  if (flight.from_memory == nullptr) {
    const auto to = std::exchange(memory_[flight.to.buffer], flight.to_memory);
    write(flight.to, flight.value);
    memory_[flight.to.buffer] = to;
    return;
  }
  // The ends may have been allocated anew since.
  const auto from = memory_[flight.from.buffer], to = memory_[flight.to.buffer];
  memory_[flight.from.buffer] = flight.from_memory;
  memory_[flight.to.buffer] = flight.to_memory;
  const Tensor value = read(flight.from);
  if (!(value == flight.value))
    run_.fail(placement(flight.from.buffer).name(flight.from.place) +
              " was written while a copy of it was under way");
  else
    write(flight.to, converted(value, buffer(flight.to.buffer).element));
  memory_[flight.from.buffer] = from;
  memory_[flight.to.buffer] = to;
}

// ------------------------------------------------------------------------------------------------- products

namespace {

/// Advances the position's indices before the last two, row-major. Returns false after the last one.
bool next_leading(std::vector<std::int64_t>& position, const std::vector<std::int64_t>& sizes) {
  for (std::size_t axis = position.size() - 2; axis-- > 0;) {
    if (++position[axis] < sizes[axis]) return true;
    position[axis] = 0;
  }
  return false;
}

}  // namespace

/// Elements of `to` at or above the limits become "not a number", unless they stay as they are.
template <typename Number, typename Get, typename Step>
void Thread::multiply(const MultiplyAccumulate& multiply, Get get, Step step) {
  const auto limit = [&](const Index& limit, std::int64_t size) {
    return std::clamp<std::int64_t>(index(limit), 0, size);
  };
  const auto visit = [&](const Tile& tile, std::int64_t rows, std::int64_t columns, auto use) {
    const Corner first = corner(tile);
    std::vector<std::int64_t> inside(tile.sizes.size(), 0);
    do {
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns && !run_.error; ++j) {
          inside[inside.size() - 2] = i;
          inside[inside.size() - 1] = j;
          if (const auto one = element(first, inside)) use(*one);
        }
    } while (next_leading(inside, run_.extents(tile.sizes)) && !run_.error);
  };
  const auto all = [&](const Tile& tile, std::int64_t rows, std::int64_t columns) {
    std::vector<Number> result;
    visit(tile, rows, columns, [&](const Element& one) { result.push_back(get(read(one))); });
    return result;
  };
  const auto sizes = run_.extents(multiply.to.sizes);
  const std::int64_t width = sizes.back();
  const std::int64_t rows = limit(multiply.rows, sizes[sizes.size() - 2]),
                     columns = limit(multiply.columns, width),
                     count = limit(multiply.count,
                                   run_.extents(multiply.left.sizes)[multiply.left.sizes.size() - 2]);
  const auto left = all(multiply.left, count, rows), right = all(multiply.right, count, columns);
  const std::int64_t terms = rows > 0 ? static_cast<std::int64_t>(left.size()) / rows : 0;
  std::vector<Element> to;
  visit(multiply.to, multiply.anew ? rows : sizes[sizes.size() - 2], width,
        [&](const Element& one) { to.push_back(one); });
  if (run_.error) return;
  const ElementType type = buffer(multiply.to.buffer).element;
  const bool is_anew = multiply.anew && holds({*multiply.anew});
  for (std::size_t at = 0; at < to.size() && !run_.error; ++at) {
    const auto i = static_cast<std::int64_t>(at) / width, j = static_cast<std::int64_t>(at) % width;
    Tensor result(type, {});
    std::memset(result.data(), 0xff, result.byte_count());
    if (i < rows && j < columns) {
      const Number before = is_anew ? Number() : get(read(to[at]));
      const bool is_apart = multiply.arithmetic == Arithmetic::apart;
      Number sum = is_apart ? Number() : before;
      for (std::int64_t k = 0; k < terms; ++k)
        sum = step(left[static_cast<std::size_t>(k * rows + i)],
                   right[static_cast<std::size_t>(k * columns + j)], sum);
      if (is_apart) sum = step(Number(1), sum, before);
      result.set(0,
                 static_cast<std::conditional_t<std::is_same_v<Number, double>, double, std::int64_t>>(sum));
    }
    write(to[at], result);
  }
}

void Thread::execute(const MultiplyAccumulate& multiply) {
  if (is_on_tensor_cores(multiply.arithmetic)) return multiply_distributed(multiply);
  if (std::min({multiply.to.sizes.size(), multiply.left.sizes.size(), multiply.right.sizes.size()}) < 2)
    return run_.fail("a product of tiles of less than two axes");
  const ElementType type = buffer(multiply.to.buffer).element;
  const auto real = [](const Tensor& x) { return x.real(0); };
  if (type == ElementType::f64)
    return this->multiply<double>(multiply, real,
                                  [](double a, double b, double sum) { return std::fma(a, b, sum); });
  if (type == ElementType::f32)
    return this->multiply<double>(multiply, real, [](double a, double b, double sum) {
      return double{std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(sum))};
    });
  if (dlvm::is_floating(type))
    return this->multiply<double>(multiply, real, [type](double a, double b, double sum) {
      return Tensor::scalar(type, std::fma(a, b, sum)).real(0);
    });
  const auto integer = [](const Tensor& x) { return static_cast<std::uint64_t>(x.integer(0)); };
  this->multiply<std::uint64_t>(multiply, integer, [](auto a, auto b, auto sum) { return a * b + sum; });
}

// ----------------------------------------------------------------------------------------------- reductions

void Thread::add_parts(const Reduce& reduce, Components& parts) {
  parts.resize(reduce.from.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t bytes = dlvm::info(buffer(reduce.from[i].buffer).element).bytes;
    for (const Element& element : elements(reduce.from[i])) {
      const std::byte* from = touched(element, false)->bytes.data() + element.place;
      parts[i].insert(parts[i].end(), from, from + bytes);
    }
    if (parts[i].size() / bytes != parts[0].size() / dlvm::info(buffer(reduce.from[0].buffer).element).bytes)
      run_.fail("a reduction of tiles of different sizes");
  }
}

void Thread::add_part(const Reduce& reduce, Components& parts) {
  for (const Tile& tile : reduce.from)
    if (dlvm::unit_count(tile.sizes).constant() != 1)
      run_.fail("a reduction of more than an element a thread");
  add_parts(reduce, parts);
}

void Thread::take(const Reduce& reduce, const std::vector<Tensor>& result) {
  for (std::size_t i = 0; i < reduce.to.size() && !run_.error; ++i)
    if (const auto to = element(reduce.to[i].buffer, values(reduce.to[i].indices))) write(*to, result[i]);
}

// --------------------------------------------------------------------------------------------------- sorts

void Thread::sort(const Sort& sort) {
  const auto &keys = elements(sort.keys), &positions = elements(sort.positions);
  if (run_.error) return;
  Tensor row(buffer(sort.keys.buffer).element, {static_cast<std::int64_t>(keys.size())});
  const std::size_t bytes = dlvm::info(row.element()).bytes;
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < keys.size() && !run_.error; ++k) {
    const Tensor key = read(keys[k]);
    std::memcpy(row.data() + k * bytes, key.data(), bytes);
    all.push_back(k);
  }
  const std::vector<std::size_t> order = dlvm::sorted(row, std::move(all), sort.descending);
  for (std::size_t k = 0; k < order.size() && !run_.error; ++k) {
    write(keys[k], kernel::element_at(row.element(), row.data() + order[k] * bytes));
    write(positions[k], Tensor::scalar(ElementType::i32, static_cast<std::int64_t>(order[k])));
  }
}

}  // namespace codegen::schedule::machine
