#pragma once

#include "runtime/abi.h"

/// What the generated C entries call. Thread-safe; none but `tel_initialize`, `tel_load` and `tel_save`
/// allocates memory. `error` may be null.
extern "C" {

/// Checks the arguments, computes, and reports. An output that is null (or points into the workspace from an
/// earlier call) is placed in the workspace, its pointer and extents are set. The arguments are written for
/// nothing else.
int32_t tel_call(const runtime::Entry* entry, void* arguments, tel_error* error);

/// Checks the inputs and sets the outputs' extents and `workspace_size`: as much as the call needs with the
/// outputs that are null placed in the workspace.
int32_t tel_prepare(const runtime::Entry* entry, void* arguments, tel_error* error);

/// The workspace that any call with these dimensions needs, all outputs included; SIZE_MAX where a
/// dimension is negative, the size cannot be held, or the options are unknown. Nothing is asked of a device.
/// On a device, inputs and outputs may then be the processor's or the device's; parameters, constants and
/// gradients are the device's.
size_t tel_workspace(const runtime::Entry* entry, const int64_t* dims, const tel_options* options);

/// Ends a call that was to return at once (`tel_execution::later`), with the same arguments: waits for its
/// stream, sets the scalars among the results, and gives the status. The workspace must not have been used
/// since. Nothing for other calls.
int32_t tel_wait(const runtime::Entry* entry, void* arguments, tel_error* error);

/// to = a * to + b * from, element by element, for all tensors of the store; a term is left out where its
/// factor is 0, and `from` may then be null. Both lie where the execution computes (null: the processor). On
/// a GPU it is waited for unless the execution is `later`. `devices` is that of any entry, or null.
int32_t tel_combine(const runtime::Store* store, const runtime::Devices* devices, void* to, double a,
                    const void* from, double b, const tel_execution* execution, tel_error* error);

/// Sets every tensor of the store to its initial value for `seed`, and what is between them to 0.
int32_t tel_initialize(const runtime::Initializers* initializers, void* store, uint64_t seed,
                       tel_error* error);

/// Reads the tensors of a safetensors file. All mistakes of names, types and shapes are found before any
/// memory is written, and listed in one text; a partial load that would load nothing is one. The file may hold
/// both stores whichever is loaded.
int32_t tel_load(const runtime::Store* parameters, const runtime::Store* constants,
                 tel_file_arguments* arguments, tel_error* error);

/// Writes a safetensors file: the whole of it under its name, or nothing.
int32_t tel_save(const runtime::Store* parameters, const runtime::Store* constants,
                 tel_file_arguments* arguments, tel_error* error);

}  // extern "C"
