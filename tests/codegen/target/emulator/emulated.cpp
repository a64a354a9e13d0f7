#include "emulated.h"

#include "emulated_graph.h"

#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cstring>

#include "codegen/schedule/text/text.h"
#include "codegen/target/emulator/emulator.h"
#include "runtime/emulator/emulator.h"
#include "runtime/emulator/operations.h"
#include "runtime/emulator/state.h"

namespace test {
namespace {

using codegen::schedule::Schedule;

Schedule edited(const Schedule& schedule, const Edit& edit) {
  const std::string before = print(schedule), after = edit(Level::schedule, before);
  if (after == before) return schedule;  // with its lines of the source, which the text has not
  std::string error;
  auto parsed = codegen::schedule::parse_schedule(after, error);
  REQUIRE_MESSAGE(parsed.has_value(), error, "\n", after);
  return std::move(*parsed);
}

std::unique_ptr<llvm::Module> edited(std::unique_ptr<llvm::Module> module, Level level, const Edit& edit) {
  std::string before;
  llvm::raw_string_ostream stream(before);
  module->print(stream, nullptr);
  const std::string after = edit(level, before);
  if (after == before) return module;
  llvm::SMDiagnostic error;
  auto parsed = llvm::parseAssemblyString(after, error, module->getContext());
  REQUIRE_MESSAGE(parsed != nullptr, error.getMessage().str(), ": ", error.getLineContents().str());
  return parsed;
}

struct Queue : tel_queue {
  runtime::emulator::Session* session = nullptr;
};
std::int32_t launch_grid(tel_queue* queue, std::int64_t kernel, std::int64_t blocks,
                         const std::int32_t* positions) {
  return runtime::emulator::launch(*static_cast<Queue*>(queue)->session, kernel, blocks, positions);
}

std::int32_t read_condition(tel_queue* queue, std::int32_t argument_slot, std::int32_t* value) {
  *value = runtime::emulator::condition(*static_cast<Queue*>(queue)->session, argument_slot);
  return TEL_OK;
}

}  // namespace

std::vector<std::pair<std::string, void*>> emulator_symbols() {
  std::vector<std::pair<std::string, void*>> all;
  const auto add = [&](const char* name, auto* function) {
    all.emplace_back(name, reinterpret_cast<void*>(function));
  };
  add("tel_device_thread", tel_device_thread);
  add("tel_device_block", tel_device_block);
  add("tel_device_shared", tel_device_shared);
  add("tel_device_barrier", tel_device_barrier);
  add("tel_device_warp_barrier", tel_device_warp_barrier);
  add("tel_device_shuffle", tel_device_shuffle);
  add("tel_device_shuffle_xor", tel_device_shuffle_xor);
  add("tel_device_any", tel_device_any);
  add("tel_device_ballot", tel_device_ballot);
  add("tel_device_copy_async_4", tel_device_copy_async_4);
  add("tel_device_copy_async_8", tel_device_copy_async_8);
  add("tel_device_copy_async_16", tel_device_copy_async_16);
  add("tel_device_copy_commit", tel_device_copy_commit);
  add("tel_device_copy_wait", tel_device_copy_wait);
  add("tel_device_load_matrix", tel_device_load_matrix);
  add("tel_device_load_matrix_2", tel_device_load_matrix_2);
  add("tel_device_load_matrix_4", tel_device_load_matrix_4);
  add("tel_device_load_matrix_transposed", tel_device_load_matrix_transposed);
  add("tel_device_load_matrix_transposed_2", tel_device_load_matrix_transposed_2);
  add("tel_device_load_matrix_transposed_4", tel_device_load_matrix_transposed_4);
  add("tel_device_multiply_f16", tel_device_multiply_f16);
  add("tel_device_multiply_bf16", tel_device_multiply_bf16);
  add("tel_device_multiply_tf32", tel_device_multiply_tf32);
  add("tel_emulator_access", tel_emulator_access);
  add("tel_emulator_access_if", tel_emulator_access_if);
  add("tel_emulator_access_bytes", tel_emulator_access_bytes);
  add("tel_emulator_access_local", tel_emulator_access_local);
  return all;
}

EmulatedProgram::EmulatedProgram(codegen::schedule::ScheduledProgram scheduled, const Edit& edit)
    : scheduled_(std::move(scheduled)) {
  if (edit)
    for (Schedule& schedule : scheduled_.schedules) schedule = edited(schedule, edit);
  const auto target = machine("native", 0);
  auto context = std::make_unique<llvm::LLVMContext>();
  const auto module = [&] {
    auto made = std::make_unique<llvm::Module>("test", *context);
    made->setTargetTriple(target->getTargetTriple());
    made->setDataLayout(target->createDataLayout());
    return made;
  };
  const auto& names = scheduled_.program.dimensions;
  auto code = module(), host = module();
  const auto grids = codegen::target::gpu::emit_kernels(*code, kernels_, scheduled_, names);
  codegen::target::gpu::emit_enqueue(*host, "entry", scheduled_, grids, names)
      ->setLinkage(llvm::GlobalValue::ExternalLinkage);
  graph_ = codegen::target::gpu::emit_enqueue_graph(*host, "graph", scheduled_, grids, names);
  if (graph_.function != nullptr) graph_.function->setLinkage(llvm::GlobalValue::ExternalLinkage);
  if (edit) {
    code = edited(std::move(code), Level::kernels, edit);
    host = edited(std::move(host), Level::host, edit);
  }
  std::vector<std::string> kernels;
  for (const auto& kernel : kernels_.all) kernels.push_back(kernel.name);
  codegen::target::emulator::lower_for_emulator(*code, kernels);
  REQUIRE(!llvm::Linker::linkModules(*host, std::move(code)));
  jit_ = std::make_unique<Jit>(std::move(context), std::move(host), *target, emulator_symbols());
}

/// Of one call: what the words point to.
class EmulatedProgram::Memory {
 public:
  using Kind = runtime::emulator::BufferKind;

  void add(Kind kind, const void* data, std::int64_t bytes) {
    // Neighbours are far away: an index that is wrong finds nothing.
    memory_.emplace_back(static_cast<std::size_t>(bytes) + 256, std::byte{0xff});
    void* start = memory_.back().data() + 64;
    std::size_t space = memory_.back().size() - 64;
    auto* place = static_cast<char*>(std::align(64, 1, start, space));
    if (data != nullptr) std::memcpy(place, data, static_cast<std::size_t>(bytes));
    const auto number =
        std::count_if(buffers_.begin(), buffers_.end(), [&](auto& b) { return b.kind == kind; });
    buffers_.push_back({kind, static_cast<std::int32_t>(number), nullptr, place, bytes});
  }
  void add(Kind kind, const dlvm::Tensor& tensor) {
    add(kind, tensor.data(), static_cast<std::int64_t>(tensor.byte_count()));
  }
  const std::vector<runtime::emulator::Buffer>& buffers() const { return buffers_; }

 private:
  std::vector<std::vector<std::byte>> memory_;
  std::vector<runtime::emulator::Buffer> buffers_;
};

EmulatedProgram::Execution EmulatedProgram::run(const Call& call, std::uint64_t order,
                                                const std::vector<std::int64_t>& words, bool as_graph) const {
  using namespace runtime::emulator;
  Execution execution;
  const auto held = std::make_shared<Memory>();
  execution.memory = held;
  Memory& memory = *held;
  for (const auto& input : call.inputs) memory.add(argument, input);
  for (const codegen::kernel::Value& value : scheduled_.program.values) {
    if (value.place != codegen::kernel::Value::Place::output) continue;
    std::vector<std::int64_t> extents;
    for (const auto& extent : value.shape) extents.push_back(*extent.evaluate(call.dimensions));
    const dlvm::Tensor& output = execution.outputs.emplace_back(value.element, extents);
    memory.add(result, nullptr, static_cast<std::int64_t>(output.byte_count()));
  }
  for (const auto& sizes : scheduled_.slots) {
    std::int64_t bytes = 0;
    for (const auto& size : sizes) bytes = std::max(bytes, *size.evaluate(call.dimensions));
    memory.add(slot, nullptr, bytes);
  }
  for (const dlvm::Tensor* one : codegen::target::gpu::literals(scheduled_.program))
    memory.add(literal, *one);

  std::vector<runtime::Kernel> kernels;
  for (const auto& kernel : kernels_.all)
    kernels.push_back({kernel.name.c_str(), static_cast<std::int32_t>(kernel.arguments),
                       static_cast<std::int32_t>(kernel.threads), kernel.shared,
                       reinterpret_cast<void (*)(const std::int64_t*, const std::int32_t*)>(
                           jit_->find(kernel.name + ".emulated"))});
  std::vector<std::int64_t> dimensions;
  for (const auto& name : scheduled_.program.dimensions) dimensions.push_back(call.dimensions.at(name));
  const auto& buffers = memory.buffers();
  tel_error error{};
  Session* session = open({kernels.data(), static_cast<std::int64_t>(kernels.size()), dimensions.data(),
                           static_cast<std::int64_t>(dimensions.size()), buffers.data(),
                           static_cast<std::int64_t>(buffers.size()), order, 1, "test", &error});
  REQUIRE(session != nullptr);
  std::copy(words.begin(), words.end(), session->argument_buffer + 1);
  execution.words.assign(session->argument_buffer + 1,
                         session->argument_buffer + 1 + dimensions.size() + buffers.size());
  Queue queue{{launch_grid, read_condition}, session};
  EmulatedGraph graph({graph_.aliases.begin(), graph_.aliases.end()},
                      static_cast<std::int32_t>(1 + dimensions.size() + buffers.size()));
  const auto enqueue = reinterpret_cast<tel_enqueue>(jit_->find(as_graph ? "graph" : "entry"));
  std::int32_t status = enqueue(dimensions.data(), as_graph ? graph.queue() : &queue);
  if (status == TEL_OK && as_graph) status = graph.run(*session);
  if (status == TEL_OK && index_record(*session).site == 0) finish(*session);
  if (index_record(*session).site != 0) execution.error = "an index is outside its range";
  if (error.code != TEL_OK) execution.error = error.text;
  close(session);
  std::size_t next = call.inputs.size();
  for (dlvm::Tensor& output : execution.outputs)
    std::memcpy(output.data(), buffers[next++].memory, output.byte_count());
  return execution;
}

}  // namespace test
