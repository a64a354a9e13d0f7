#pragma once

#include "runtime/abi.h"

/// The runtime's functions that the generated C entries call. They take an entry's table, the caller's
/// argument struct and an error that may be null, and return a status; afterwards `error` says what went
/// wrong. They are thread-safe, and none but `tel_initialize`, `tel_freeze`,
/// `tel_load` and `tel_save` allocates memory.
extern "C" {

/// Sets `level` to the position of the first of the levels that the processor has, and the environment's
/// TEL_CPU_LEVEL allows. Returns a status. `who` begins the text of an error.
int32_t tel_choose_level(const runtime::Levels* levels, const char* who, int64_t* level, tel_error* error);

/// Checks the arguments, computes, and reports. An output whose pointer is null, or points into the workspace
/// from an earlier call, is placed in the workspace, and its pointer and extents are set. Nothing else in the
/// arguments is written. The caller's state is updated when everything else has been done, and stays as it
/// was after an error.
int32_t tel_call(const runtime::Entry* entry, void* arguments, tel_error* error);

/// Checks the inputs and sets the outputs' extents and `workspace_size`: the size that the call needs with
/// the outputs that are null placed in the workspace.
int32_t tel_prepare(const runtime::Entry* entry, void* arguments, tel_error* error);

/// Returns the size of the workspace that any call with these dimensions needs, all outputs included, or
/// SIZE_MAX if a dimension is negative, the size exceeds 64 bits, or the options are unknown. It asks no
/// device. On a device, inputs and outputs may then be in the processor's or the device's memory; parameters,
/// constants, state and gradients are in the device's.
size_t tel_workspace(const runtime::Entry* entry, const int64_t* dims, const tel_options* options);

/// Ends a call that returned at once (`tel_execution::later`), with the same arguments: it waits for the
/// call's stream, sets the scalars among the results, and returns the call's status. The workspace must not
/// have been used since. For other calls it does nothing.
int32_t tel_wait(const runtime::Entry* entry, void* arguments, tel_error* error);

/// Computes to = a * to + b * from, element by element, for all tensors of the store. A term whose factor is
/// 0 is left out, and `from` may then be null. Both are in the memory of the execution (null: the processor).
/// On a GPU it waits for the result unless the execution is `later`. `devices` is that of any entry, or null.
int32_t tel_combine(const runtime::Store* store, const runtime::Devices* devices, void* to, double a,
                    const void* from, double b, const tel_execution* execution, tel_error* error);

/// Sets every tensor of the store to its initial value for `seed`, and the bytes between tensors to 0.
int32_t tel_initialize(const runtime::Initializers* initializers, void* store, uint64_t seed,
                       tel_error* error);

/// Fills the memory `to` (aligned to 64 bytes) from the parameters, for calls that are given both. The memory
/// has `frozen->size` bytes.
int32_t tel_freeze(const runtime::Frozen* frozen, const void* parameters, void* to, tel_error* error);

/// Reads the tensors of a safetensors file. It finds all mistakes of names, types and shapes before it writes
/// any memory, and lists them in one text; a partial load that would load nothing is a mistake. The file may
/// contain all stores, whichever is loaded.
int32_t tel_load(const runtime::Store* parameters, const runtime::Store* constants,
                 const runtime::Store* state, tel_file_arguments* arguments, tel_error* error);

/// Writes a safetensors file. Either the whole file appears under its name, or nothing does.
int32_t tel_save(const runtime::Store* parameters, const runtime::Store* constants,
                 const runtime::Store* state, tel_file_arguments* arguments, tel_error* error);

}  // extern "C"
