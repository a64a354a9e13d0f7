#include "codegen/schedule/verify/verify_model.h"

#include <fmt/format.h>

#include "codegen/schedule/ir/threads.h"
#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule {
namespace {

constexpr std::int64_t max_block_threads = 1024, max_shared_bytes = std::int64_t{1} << 24,
                       max_transposed = 64;

/// Keeps the first problem.
class Problem {
 public:
  explicit Problem(const Schedule& schedule) : schedule_(schedule) {}
  void require(bool holds, const char* invariant, const std::string& where) {
    if (!holds && !text_) text_ = fmt::format("schedule @{}: {}: {}", schedule_.name, invariant, where);
  }
  const std::optional<std::string>& text() const { return text_; }

 private:
  const Schedule& schedule_;
  std::optional<std::string> text_;
};

bool is_of_grids(LoopKind kind) {
  return kind == LoopKind::block || kind == LoopKind::warp || kind == LoopKind::thread ||
         kind == LoopKind::role;
}

template <typename Node>
bool has(const Body& body) {
  bool found = false;
  walk<Node>(body, [&](const Node&) { found = true; });
  return found;
}

/// Whether the copy turns vectors along the last axis into vectors along the first one.
bool is_transposition(const Schedule& schedule, const Copy& copy) {
  const auto is_square = [](const Tile& tile) {
    const auto size = tile.sizes.size() == 2 ? tile.sizes[0].constant() : std::nullopt;
    return size && *size >= 2 && *size <= max_transposed && (*size & (*size - 1)) == 0 &&
           tile.sizes[1].is(*size) && tile.strides.size() == 2;
  };
  return !copy.asynchronous && copy.bounds.empty() && copy.from.sizes == copy.to.sizes &&
         is_square(copy.from) && is_square(copy.to) && copy.from.strides[1].is(1) &&
         copy.to.strides[0].is(1) &&
         schedule.buffers[copy.from.buffer].element == schedule.buffers[copy.to.buffer].element;
}

}  // namespace

std::optional<std::string> verify_for_core(const Schedule& schedule) {
  Problem problem(schedule);
  for (const Buffer& buffer : schedule.buffers) {
    problem.require(!buffer.linear_layout, "M3", buffer.name);
    problem.require(buffer.space != Space::shared, "M4", buffer.name);
  }
  for (const Variant& variant : schedule.variants) {
    const Body& body = variant.body;
    walk<Loop>(body, [&](const Loop& loop) { problem.require(!is_of_grids(loop.kind), "M1", loop.name); });
    walk<Copy>(body, [&](const Copy& copy) {
      problem.require(is_transposition(schedule, copy), "M2", schedule.buffers[copy.to.buffer].name);
    });
    problem.require(!has<Commit>(body) && !has<Wait>(body), "M2", "a wait for copies");
    problem.require(!has<Barrier>(body), "M2", "barrier");
    problem.require(!has<Convert>(body), "M2", "convert");
    walk<Sort>(body, [&](const Sort& sort) { problem.require(!sort.scratch.empty(), "M10", "sort"); });
    walk<MultiplyAccumulate>(body, [&](const MultiplyAccumulate& multiply) {
      problem.require(!is_on_tensor_cores(multiply.arithmetic), "M3",
                      schedule.buffers[multiply.to.buffer].name);
    });
  }
  return problem.text();
}

namespace {

void verify_threads(const Schedule& schedule, const Body& body, Problem& problem) {
  for (const Statement& statement : body) {
    if (const auto* allocate = std::get_if<Allocate>(&statement.node)) {
      const Buffer& buffer = schedule.buffers[allocate->buffer];
      problem.require(buffer.space == Space::arena, "M5", buffer.name);
    } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      problem.require(loop->kind == LoopKind::block, "M5", loop->name);
      problem.require(block_threads(*loop) <= max_block_threads, "M6", loop->name);
    } else {
      problem.require(std::holds_alternative<Origin>(statement.node), "M5", "a statement outside of blocks");
    }
  }
}

void verify_tiles(const Schedule& schedule, const Body& body, Problem& problem) {
  const auto buffer = [&](BufferId id) -> const Buffer& { return schedule.buffers[id]; };
  walk<Copy>(
      body, [&](const Copy& copy) { problem.require(copy.asynchronous, "M7", buffer(copy.to.buffer).name); });
  problem.require(!has<Convert>(body), "M7", "convert");
  walk<Reduce>(body, [&](const Reduce& reduce) {
    for (const Tile& from : reduce.from) {
      const auto count = dlvm::unit_count(from.sizes).constant().value_or(0);
      problem.require(buffer(from.buffer).space == Space::registers || count % warp_threads == 0, "M9",
                      buffer(from.buffer).name);
    }
  });
  walk<Loop>(body, [&](const Loop& loop) {
    if (loop.kind == LoopKind::vector) problem.require(!has<MultiplyAccumulate>(loop.body), "M9", loop.name);
  });
  walk<MultiplyAccumulate>(body, [&](const MultiplyAccumulate& multiply) {
    const Buffer& to = buffer(multiply.to.buffer);
    problem.require(!multiply.anew, "M9", to.name);
    if (is_on_tensor_cores(multiply.arithmetic)) return;
    problem.require(multiply.arithmetic == Arithmetic::fused, "M9", to.name);
    problem.require(to.space == Space::registers && multiply.to.sizes.size() == 2, "M9", to.name);
    for (const Tile* tile : {&multiply.left, &multiply.right})
      problem.require(dlvm::unit_count(tile->sizes).constant().has_value(), "M9", buffer(tile->buffer).name);
  });
}

}  // namespace

std::optional<std::string> verify_for_grids(const Schedule& schedule) {
  Problem problem(schedule);
  for (const Buffer& buffer : schedule.buffers) {
    problem.require(buffer.space != Space::panel, "M7", buffer.name);
    if (buffer.space != Space::shared) continue;
    const auto elements = element_count(buffer).constant();
    problem.require(elements && *elements <= max_shared_bytes, "M8", buffer.name);
  }
  for (const Variant& variant : schedule.variants) {
    walk<Loop>(variant.body,
               [&](const Loop& loop) { problem.require(loop.kind != LoopKind::role, "M7", loop.name); });
    verify_threads(schedule, variant.body, problem);
    verify_tiles(schedule, variant.body, problem);
  }
  return problem.text();
}

}  // namespace codegen::schedule
