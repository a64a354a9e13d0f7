#include "runtime/call/call.h"

#include "runtime/entry.h"
#include "runtime/support/arithmetic.h"
#include "runtime/support/extent.h"

namespace runtime {
namespace {

/// Returns whether the caller gives frozen parameters.
bool gives_frozen(const Call& call) {
  return call.entry.frozen_offset >= 0 && call.member<const void*>(call.entry.frozen_offset);
}

/// Chooses where the call computes if the caller says nothing, by which code, and with how many cores.
int32_t choose_execution(Call& call, bool is_frozen) {
  const Entry& entry = call.entry;
  if (!call.options.execution && entry.devices && entry.devices->choose)
    if (const int32_t status = entry.devices->choose(call)) return status;
  if (is_frozen && entry.frozen_code && !is_on_device(call.execution)) call.code = entry.frozen_code;
  return call.code->cores ? call.code->cores->count(call, call.cores) : TEL_OK;
}

int32_t check(Call& call) {
  if (const int32_t status = check_struct(call)) return status;
  if (const int32_t status = choose_execution(call, gives_frozen(call))) return status;
  if (const int32_t status = check_execution(call)) return status;
  if (const int32_t status = check_set(call)) return status;
  if (const int32_t status = bind_dimensions(call)) return status;
  if (const int32_t status = check_inputs(call)) return status;
  if (const int32_t status = check_outputs(call)) return status;
  return check_relations(call);
}

/// Sets `size` to the workspace that the call needs.
int32_t size_workspace(const Call& call, bool every_output, int64_t& size) {
  if (call.execution.kind == TEL_CUDA) return call.entry.devices->gpu_workspace(call, every_output, size);
  return measure_workspace(call, every_output, size) ? TEL_OK : size_failure(call);
}

int32_t compute(Call& call) {
  const Entry& entry = call.entry;
  const ProcessorCode& code = *call.code;
  const int64_t count = code.argument_count + entry.result_count + code.slot_count;
  auto** buffers = static_cast<void**>(__builtin_alloca(sizeof(void*) * (count + 1)));
  char* workspace = call.member<char*>(entry.workspace_offset);
  Placement placement{code.slot_count, code.slots, workspace, 0, buffers, false};
  place(call, call.options.seed, placement);
  tel_context context{0, 0, 0, &call.execution};
  if (call.cores > 1) {
    code.cores->compute(call, buffers, context);
  } else {
    code.compute(buffers, call.dims, &context);
  }
  if (context.site != 0) return index_failure(call, context.site, context.value, context.position);
  if (call.options.accumulate) add_gradients(call, buffers);
  update_stores(call, buffers);
  return success(call.error);
}

/// Computes a call whose arguments its entry's own code finds right. Returns whether it did, and no index was
/// out of its range.
bool compute_placed(const Entry& entry, void* arguments) {
  const ProcessorCode& code = entry.code;
  if (code.cores && !code.cores->is_one_by_default()) return false;
  const int64_t count = code.argument_count + entry.result_count + code.slot_count;
  auto** buffers = static_cast<void**>(__builtin_alloca(sizeof(void*) * (count + 1)));
  auto* dims = static_cast<int64_t*>(__builtin_alloca(sizeof(int64_t) * (entry.dimension_count + 1)));
  if (!entry.place(arguments, buffers, dims)) return false;
  static constexpr tel_execution serial{sizeof serial, TEL_SERIAL, 0, nullptr, 0, 0};
  tel_context context{0, 0, 0, &serial};
  const DefaultArithmetic arithmetic;
  code.compute(buffers, dims, &context);
  return context.site == 0;
}

}  // namespace

int32_t size_failure(const Call& call) {
  Failure failure = call.fail(TEL_EXTENT);
  failure.text() << "the workspace for these extents is too large";
  return failure;
}

int32_t check_workspace(const Call& call, int64_t needed) {
  const auto address = reinterpret_cast<uintptr_t>(call.member<void*>(call.entry.workspace_offset));
  const size_t given = call.member<size_t>(call.entry.workspace_size_offset);
  if (needed == 0) return TEL_OK;
  if (address != 0 && given >= static_cast<size_t>(needed) && address % buffer_alignment == 0) return TEL_OK;
  Failure failure = call.fail(TEL_WORKSPACE);
  if (address == 0) {
    failure.text() << "the workspace is null, " << needed << " bytes are needed";
  } else if (given < static_cast<size_t>(needed)) {
    failure.text() << "the workspace has " << static_cast<int64_t>(given) << " bytes, " << needed
                   << " are needed";
  } else {
    failure.text() << "the workspace is not aligned to " << buffer_alignment << " bytes";
  }
  return failure;
}

int32_t index_failure(const Call& call, int64_t number, int64_t value, int64_t position) {
  const IndexSite& site = call.entry.sites[number - 1];
  Failure failure = call.fail(TEL_INDEX);
  Text& text = failure.text() << site.index.name;
  int64_t rest = position;
  for (int64_t axis = 0; axis < site.index.rank; ++axis) {
    int64_t inner = 1;
    for (int64_t i = axis + 1; i < site.index.rank; ++i) {
      int64_t extent = 1;
      evaluate(site.index.extents[i], call.dims, extent);
      inner *= extent;
    }
    text << (axis == 0 ? "[" : ", ") << (inner > 0 ? rest / inner : 0);
    if (inner > 0) rest %= inner;
  }
  if (site.index.rank > 0) text << ']';
  if (site.is_trap != 0) return failure;
  int64_t first = 0, bound = 0;
  evaluate(site.first, call.dims, first);
  evaluate(site.bound, call.dims, bound);
  text << " is " << value;
  if (bound <= first) {
    text << ", but the axis that it indexes is empty";
  } else {
    text << ", expected " << first << " to " << bound - 1;
  }
  return failure;
}

}  // namespace runtime

using namespace runtime;

extern "C" {

int32_t tel_call(const Entry* entry, void* arguments, tel_error* error) {
  if (entry->place && arguments && compute_placed(*entry, arguments)) return success(error);
  auto* dims = static_cast<int64_t*>(__builtin_alloca(sizeof(int64_t) * (entry->dimension_count + 1)));
  Call call{*entry, static_cast<char*>(arguments), error, dims, {}, {}};
  if (const int32_t status = check(call)) return status;
  if (const int32_t status = check_stores(call)) return status;
  if (call.execution.kind == TEL_CUDA) {
    if (const int32_t status = check_overlap(call, 0)) return status;
    return entry->devices->gpu(call);
  }
  int64_t size;
  if (const int32_t status = size_workspace(call, false, size)) return status;
  if (const int32_t status = check_workspace(call, size)) return status;
  if (const int32_t status = check_overlap(call, size)) return status;
  const DefaultArithmetic arithmetic;
  return call.execution.kind == TEL_EMULATOR ? entry->devices->emulator(call) : compute(call);
}

int32_t tel_prepare(const Entry* entry, void* arguments, tel_error* error) {
  auto* dims = static_cast<int64_t*>(__builtin_alloca(sizeof(int64_t) * (entry->dimension_count + 1)));
  Call call{*entry, static_cast<char*>(arguments), error, dims, {}, {}};
  if (const int32_t status = check(call)) return status;
  int64_t size;
  if (const int32_t status = size_workspace(call, false, size)) return status;
  call.member<size_t>(entry->workspace_size_offset) = static_cast<size_t>(size);
  return success(error);
}

size_t tel_workspace(const Entry* entry, const int64_t* dims, const tel_options* options) {
  for (int64_t i = 0; i < entry->dimension_count; ++i)
    if (dims[i] < 0) return SIZE_MAX;
  const auto size_of = [&](bool is_frozen) {
    Call call{*entry, nullptr, nullptr, const_cast<int64_t*>(dims), {}, {}};
    int64_t size;
    const bool known = copy_options(call, options) && choose_execution(call, is_frozen) == TEL_OK &&
                       check_execution(call) == TEL_OK && size_workspace(call, true, size) == TEL_OK;
    return known ? static_cast<size_t>(size) : SIZE_MAX;
  };
  const size_t plain = size_of(false);
  if (!entry->frozen_code) return plain;
  const size_t frozen = size_of(true);
  return frozen > plain ? frozen : plain;
}

int32_t tel_wait(const Entry* entry, void* arguments, tel_error* error) {
  auto* dims = static_cast<int64_t*>(__builtin_alloca(sizeof(int64_t) * (entry->dimension_count + 1)));
  Call call{*entry, static_cast<char*>(arguments), error, dims, {}, {}};
  if (const int32_t status = check_struct(call)) return status;
  if (const int32_t status = check_execution(call)) return status;
  if (call.execution.kind != TEL_CUDA || !call.execution.later) return success(error);
  if (const int32_t status = bind_dimensions(call)) return status;
  return entry->devices->wait(call);
}

}  // extern "C"
