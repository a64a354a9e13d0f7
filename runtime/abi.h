/// The contract between the three parts of an object: the generated header, which fills argument structs; the
/// runtime, which checks them; and the generated code, which computes. Other folders may include no other
/// header of this folder. Whatever repeats a part of it is checked against it when telc is compiled: the
/// constants of the tables by `codegen/object/constants.h`, the C part of every header by
/// `codegen/header/abi_check.cpp`.
///
/// A call goes: header → C entry `int32 <module>_<entry>(<module>_<entry>_arguments*, tel_error*)`
/// (generated, it names its table; an object with code for several feature levels has one for each, and asks
/// the runtime which) → `tel_call(table, arguments, error)` (runtime: checks, workspace, error text) →
/// `table->compute(buffers, dims, context)` (generated).
///
/// The compute function
/// --------------------
///     void compute(void* const* buffers, const int64_t* dims, tel_context* context)
///
/// `buffers` holds one pointer for each argument of the entry's DLVM function in order, then one for each of
/// its results in order, then one for each slot of the workspace in order:
///   - an argument is a dense row-major tensor of its DLVM type, read only: an input, a cotangent, a
///     parameter, a constant, a state, the seed (u64) or the value of a dimension (i64); a scalar is a
///     pointer to one element, a bool is a byte that is 0 or 1. Pointers of tensors with no element may be
///     null.
///   - a result is memory for a dense row-major tensor, to be written whole; it overlaps nothing else. Its
///     old contents mean nothing (the runtime adds to a caller's gradients, and copies the next values of
///     states to the caller's, afterwards). But a result bound by `bind_updated`,
///     `bind_updated_alone` or `bind_updated_parameter` is the memory of the state or the parameter, of which
///     the function writes some elements or all: last, and only if no index was outside its range.
///   - a slot is memory of at least the slot's size, aligned to 64, uninitialised, and its own. A slot of
///     cores is that many times as large, once for each core.
/// Parameters, constants, states and slots are aligned to 64; inputs and outputs as their element type only.
/// `dims` holds the values of the entry's dimensions, in the order of
/// `codegen::interface::Entry::dimensions`. All are at least 0, every extent and tensor size of the entry is
/// known not to overflow, and every check of the table has passed. The function allocates nothing, calls
/// nothing but libc's memory functions, functions of its own module and `context->divide`, keeps no state,
/// does not change the floating-point mode, and may run on several threads at once.
///
/// If the function finds an index outside its range at run time, it stores the number of the index site + 1
/// to `context->site`, the index to `value` and its flat position in the index tensor to `position`, unless
/// those of a lower site, or of a lower position in this site, are there. It touches no memory by that index;
/// it may do or leave out the rest of the work. A site's range is first … bound - 1. A site that is a trap
/// has none.
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {

/// The outcome of a call, as every generated header declares it. `text` ends in NUL and may be cut.
struct tel_error {
  int32_t code;
  char text[512];
};

/// The status of a call.
enum tel_status : int32_t {
  TEL_OK = 0,
  TEL_INVALID_ARGUMENT = 1,  ///< a null or misaligned pointer, a struct's size, an unknown option
  TEL_EXTENT = 2,            ///< an extent does not fit the entry's types
  TEL_INDEX = 3,             ///< a label or an index outside its range
  TEL_WORKSPACE = 4,         ///< workspace too small or misaligned
  TEL_MEMORY = 5,            ///< no memory
  TEL_FILE = 6,              ///< the system could not open, read or write a file
  TEL_FORMAT = 7,            ///< not a safetensors file
  TEL_TENSORS = 8,           ///< tensors of a file are missing, unknown, or of another type or shape
  TEL_DEVICE = 9,            ///< no driver, no such device, no code for it, or a call of the driver failed
};

/// Says where a call computes. A null pointer means serial execution; with a smaller `size` the members
/// beyond it are 0.
struct tel_execution {
  size_t size;     ///< sizeof(tel_execution)
  int32_t kind;    ///< tel_execution_kind
  int32_t device;  ///< TEL_CUDA: the number of the GPU
  void* stream;    ///< TEL_CUDA: a CUstream, or null for the device's default stream
  uint64_t order;  ///< TEL_EMULATOR: 0 runs blocks and threads in order; another number is a seed that
                   ///< shuffles them
  int32_t later;   ///< TEL_CUDA: 1 returns once all work is in the stream, and `tel_wait` ends the call
  /// TEL_THREADS and TEL_PARALLEL_FOR: how many threads compute, up to 256; 0 for TEL_THREADS: as many as the
  /// environment's TEL_THREADS says, or else as the process may use processors.
  int32_t threads = 0;
  /// TEL_PARALLEL_FOR: calls body(data, i) once for each 0 <= i < count, on any threads and in any order, and
  /// returns when all calls have returned. `count` is at most `threads`.
  void (*parallel_for)(void* user, int64_t count, void (*body)(void* data, int64_t i), void* data) = nullptr;
  void* user = nullptr;  ///< what `parallel_for` gets
};

/// The kinds of executions.
enum tel_execution_kind : int32_t {
  TEL_SERIAL = 0,    ///< on the calling thread
  TEL_CUDA = 1,      ///< on an NVIDIA GPU
  TEL_EMULATOR = 2,  ///< the code for GPUs, run and checked by the processor
  TEL_THREADS = 3,   ///< on the calling thread and those of the pool
  /// On the threads on which a function of the caller's runs the parts.
  TEL_PARALLEL_FOR = 4,
};

/// Options of a call; a null pointer gives the defaults, which are zeros, and so does a smaller `size`.
struct tel_options {
  size_t size;                     ///< sizeof(tel_options)
  const tel_execution* execution;  ///< null: TEL_DEVICE decides if the object has code for devices
  uint64_t seed;                   ///< the seed of random numbers
  int32_t accumulate;              ///< 1: derivatives are added to the caller's gradients
};

/// The outcome of a load for one tensor.
enum tel_load_report : int32_t {
  TEL_LOADED = 0,
  TEL_KEPT = 1,         ///< it is not in the file and keeps its value
  TEL_PASSED_OVER = 2,  ///< only the file has it, or its store is not loaded
};

/// The argument struct of loading and saving. The generated header gives the pointers their types.
struct tel_file_arguments {
  size_t size;
  const char* path;
  void* parameters;  ///< null: not loaded or saved
  /// Null if constants are not loaded or saved.
  void* constants;
  void* state;      ///< null: not loaded or saved
  int32_t partial;  ///< loading: 1 keeps tensors that the file does not have and passes over unknown ones
  /// If set, loading calls it with the name that each tensor has in files, after everything is read: first
  /// for the tensors of the stores, then for those that were passed over.
  void (*report)(void* context, int32_t what, const char* name);
  void* context;
};

/// A GPU of this machine.
struct tel_device {
  size_t size;  ///< sizeof(tel_device)
  int32_t number;
  int32_t architecture;  ///< 90 for sm_90
  uint64_t memory;       ///< the size of its memory in bytes
  char name[128];
};

/// The functions on GPUs that programs need besides calls. Executions are of kind TEL_CUDA. Each function
/// returns a status.
struct tel_cuda_functions {
  size_t size;  ///< sizeof(tel_cuda_functions)
  int32_t (*count)(int32_t* count, tel_error* error);
  int32_t (*describe)(int32_t number, tel_device* device, tel_error* error);
  /// Allocates memory aligned to at least 256 bytes; for 0 bytes the result is null.
  int32_t (*allocate)(const tel_execution* execution, size_t bytes, void** memory, tel_error* error);
  int32_t (*free)(const tel_execution* execution, void* memory, tel_error* error);
  /// Copies in the execution's stream, between any two of the processor's and the device's memory, and waits
  /// for it unless the execution is `later`.
  int32_t (*copy)(const tel_execution* execution, void* to, const void* from, size_t bytes, tel_error* error);
  int32_t (*clear)(const tel_execution* execution, void* memory, size_t bytes, tel_error* error);
  int32_t (*wait)(const tel_execution* execution, tel_error* error);
};

/// The functions of all objects of a program; the symbol is absent if no object is for GPUs. Its name has a
/// number that changes with its meaning.
extern const tel_cuda_functions tel_cuda __asm__("tel.cuda.functions.1")
    __attribute__((weak, visibility("hidden")));

struct tel_context;

/// Computes the iterations from `begin` to `end` of a kernel's core loops as core number `core`: the part of
/// the slots of cores with this number is its own. `frame` has the pointers that the kernel passes to it.
typedef void (*tel_part)(void* const* frame, tel_context* context, int64_t begin, int64_t end, int64_t core);

/// Divides that many iterations into ranges of at least `least`, at most one for each core, computes each of
/// them by `part` in a few pieces, and returns when all are done. A core that is done with its own range
/// computes pieces of others. Ranges are cut into pieces at multiples of `unit`.
typedef void (*tel_divide)(tel_context* context, tel_part part, void* const* frame, int64_t iterations,
                           int64_t least, int64_t unit);

/// The record that a compute function and the runtime share during one call.
struct tel_context {
  int64_t site;  ///< 0: no index was outside its range
  int64_t value;
  int64_t position;
  const tel_execution* execution;  ///< never null
  int64_t cores = 1;               ///< how many may compute
  tel_divide divide = nullptr;     ///< set if `cores` is more than 1
};

typedef void (*tel_compute)(void* const* buffers, const int64_t* dims, tel_context* context);

/// A value for a *handle*, which decides whether the body of a conditional node of a graph runs: the number
/// that the kernel of a graph gives it. A graph has the number of handles that its DeviceProgram says.
struct tel_decision {
  int32_t handle;
  int32_t argument_slot;  ///< the word with the address of the condition, a bool; 0: it is true
  int32_t when_false, when_true;
  int32_t after_error;  ///< instead, if an index was outside its range
  /// The handle of which this one is the opposite in every decision, and whose IF node is the one before this
  /// handle's; -1: none. A graph may then make one node with two bodies.
  int32_t opposite_of = -1;
};

/// The kinds of conditional nodes: the body runs once if the handle is not 0, or as long as it is not 0.
enum tel_conditional : int32_t { TEL_IF = 0, TEL_WHILE = 1 };

/// The queue that takes the grids of a call, one after the other: a device's stream, a graph, or the
/// emulator. A graph has no `read`, and the functions behind it are a graph's alone.
struct tel_queue {
  /// Appends a grid of `blocks` > 0 blocks that runs kernel number `kernel` with `argument_slots`. Returns a
  /// status; if it is not TEL_OK, the queue has written the text and takes no more grids.
  int32_t (*launch)(tel_queue* queue, int64_t kernel, int64_t blocks, const int32_t* argument_slots);
  /// Waits for the grids so far and sets `value` to the bool whose address is word `argument_slot` of the
  /// argument buffer, or to -1 if an index was outside its range. Returns a status as `launch` does.
  int32_t (*read)(tel_queue* queue, int32_t argument_slot, int32_t* value) = nullptr;
  /// Exchange the contents of two words of the argument buffer, and set a handle, behind the grids so far.
  /// The first decision about a handle is in the graph that gets the handle's node.
  int32_t (*exchange)(tel_queue* queue, int32_t first, int32_t second) = nullptr;
  int32_t (*decide)(tel_queue* queue, const tel_decision* decision) = nullptr;
  /// Adds the conditional node of a handle. What follows belongs to the node's body, until `close`.
  int32_t (*open)(tel_queue* queue, int32_t kind, int32_t handle) = nullptr;
  int32_t (*close)(tel_queue* queue) = nullptr;
};

/// Launches the grids of an entry on a device, in order, and returns the first status that is not TEL_OK,
/// after which it launches no more. It also ends where `read` gives -1. A second function of this type makes
/// a graph instead.
typedef int32_t (*tel_enqueue)(const int64_t* dims, tel_queue* queue);

}  // extern "C"

/// The tables of an object. All are constants; counts and offsets are in bytes or elements as stated.
namespace runtime {

inline constexpr int64_t buffer_alignment = 64;

/// An extent, or a size in bytes. If `code` is null it is `constant`, else a program in postfix form over
/// 64-bit words. Arithmetic is checked; a result that does not fit in 64 bits is reported as too large.
struct Extent {
  const int64_t* code;
  int64_t constant;
};

/// The operations of an extent's program.
enum ExtentOperation : int64_t {
  extent_end = 0,
  extent_constant = 1,      ///< + 1 word: push it
  extent_dimension = 2,     ///< + 1 word: push dims[word]
  extent_add = 3,           ///< a b → a + b
  extent_multiply = 4,      ///< a b → a * b
  extent_floor_divide = 5,  ///< a b → floor(a / b), 0 where b is 0
};
inline constexpr int64_t extent_stack_limit = 64;

/// The element types, in the order of `dlvm::ElementType`.
enum ElementType : int32_t { boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64 };

/// The name and the type of a tensor.
struct Tensor {
  const char* name;  ///< as in the source; a field has the name of its C++ member, `cotangent.y`
  int32_t type;      ///< ElementType
  int32_t rank;
  const Extent* extents;  ///< `rank` of them
};

/// One input or output in an argument struct. A scalar is a member of the struct itself. A tensor is a
/// pointer, with a member `int64_t extents[rank]` elsewhere in the struct if some extent is not constant.
struct Field {
  Tensor tensor;
  int64_t offset;          ///< the offset of the pointer or the scalar in the argument struct
  int64_t extents_offset;  ///< -1: all extents are constant
  int32_t by_value;        ///< 1: it is a scalar in the struct
  int32_t output;          ///< 1: the call writes it; a null pointer places it in the workspace
};

/// A named dimension. Its value is `(extent of the field's axis - offset) / scale`, and the division must be
/// exact; if `field` is -1 it is the int64 at `argument_offset` in the argument struct.
struct Dimension {
  const char* name;
  int32_t field;
  int32_t axis;
  int64_t scale;
  Extent offset;  ///< an extent over earlier dimensions alone
  int64_t argument_offset;
};

/// A relation that could not be proved at compile time. `text` is the message, in which `{left}` and
/// `{right}` stand for the values.
struct Check {
  int32_t relation;  ///< 0: left == right, 1: left <= right
  Extent left, right;
  const char* text;
};

/// A place where an index computed at run time is used.
struct IndexSite {
  Tensor index;     ///< the tensor of indices, named as a user knows it
  Extent first;     ///< the lowest index that is allowed; below 0 those that count from the end are
  Extent bound;     ///< what is behind the highest
  int32_t is_trap;  ///< 1: reaching the site is the failure, and its message is the name
};

/// The origins of arguments and the destinations of results.
enum BindingKind : int32_t {
  bind_field,              ///< `index`: the field
  bind_parameter,          ///< `index`: the tensor in the module's parameters
  bind_constant,           ///< `index`: the tensor in the module's constants
  bind_gradient,           ///< `index`: the tensor in the caller's gradients
  bind_dimension,          ///< the value of dimension `index`
  bind_seed,               ///< the seed, u64
  bind_state,              ///< `index`: the tensor in the caller's state, as it was before the call
  bind_next,               ///< `index`: the tensor in the caller's state, if the call succeeds
  bind_trained,            ///< `index`: the tensor in the caller's parameters, if the call succeeds
  bind_frozen,             ///< `index`: the operand in what the caller has frozen
  bind_updated,            ///< `index`: the tensor in the caller's state, which the function writes itself
  bind_updated_alone,      ///< the same, where no input may be in that memory
  bind_updated_parameter,  ///< the same in the caller's parameters
};

/// Says where an argument or a result of the compute function comes from.
struct Binding {
  int32_t kind;
  int32_t index;
};

/// Returns whether the function writes the result to the memory of a state or a parameter.
inline bool is_updated(const Binding& result) {
  return result.kind == bind_updated || result.kind == bind_updated_alone ||
         result.kind == bind_updated_parameter;
}

/// A slot of the workspace, which is as large as the largest of these sizes in bytes.
struct Slot {
  int64_t count;
  const Extent* sizes;
  int32_t of_cores = 0;  ///< 1: each core that computes has such memory, one after the other
};

/// How files of weights have a tensor.
struct InFile {
  const char* name;
  int32_t transposed;  ///< 1: with the last two axes in the other order
};

/// The tensors of a `Parameters`, `Gradients`, `Constants` or `State` buffer, in order of declaration.
struct Store {
  const char* name;  ///< "mlp::Parameters"
  int64_t count;
  const Tensor* tensors;
  const int64_t* offsets;  ///< in bytes
  int64_t size;            ///< the bytes of the buffer, a multiple of 64
  /// How files have the tensors; null: all under their names, and as they are.
  const InFile* in_file = nullptr;
};

/// The number of threads in a warp, on every device that runs the grids of this ABI.
inline constexpr int32_t warp_threads = 32;

/// The code of a grid. A kernel receives the address of the call's *argument buffer* and one *argument slot*
/// for each of its buffers: `void NAME(const int64_t* argument_buffer, int32_t argument_slot…)`. The argument
/// buffer consists of 64-bit words:
///   0             the address of the call's IndexRecord, which is zero before the first grid
///   1 … d         the values of the entry's `dimension_count` dimensions
///   d + 1 …       addresses in the device's memory: of the arguments of the entry's DLVM function,
///                 its results, the workspace slots of the DeviceProgram, its literals, in this order,
///                 and copies of some of these words, its aliases, which a graph exchanges
/// An argument slot is the number of a word that holds an address. The addresses are aligned to 16 bytes; the
/// address of a tensor without elements may be 0.
struct Kernel {
  const char* name;        ///< its name in the images
  int32_t argument_count;  ///< the number of its argument slots
  int32_t threads;         ///< threads of a block: a multiple of `warp_threads`, at most 1024
  int64_t shared;          ///< bytes of shared memory of a block
  /// Runs one thread on the emulator; null if the object has none.
  void (*emulated)(const int64_t* argument_buffer, const int32_t* argument_slots);
};

/// The kinds of access to memory.
enum AccessKind : int32_t { access_read, access_write, access_atomic };

/// An instruction that accesses memory or at which threads meet, as a constant for the emulator.
struct Site {
  const char* file;  ///< the source file; null if it is not known
  int32_t line;
  int32_t kind;       ///< AccessKind
  int32_t bytes;      ///< the bytes that an execution touches, if all touch as many
  int32_t alignment;  ///< the alignment that the instruction requires of its address
};

/// The first index outside its range: that of the lowest site and, within it, of the lowest position. Kernels
/// use `lock`, which is 0 between them.
struct IndexRecord {
  int64_t site;  ///< the number of the site + 1; 0 if no index was outside its range
  int64_t value;
  int64_t position;
  int64_t lock;
};

/// The forms of an image.
enum ImageKind : int32_t { image_ptx, image_cubin };

/// Machine code of all kernels, or their PTX (a text that ends in NUL).
struct Image {
  int32_t kind;          ///< ImageKind
  int32_t architecture;  ///< 80 for sm_80 or compute_80
  int32_t specific;      ///< 1: runs on that very architecture alone, as code for sm_90a does
  const void* data;
  int64_t size;  ///< in bytes
  /// The number of bytes at `data` to unpack (support/unpack.h); 0 if `data` is the image itself.
  int64_t packed = 0;
  /// The image's next part, or null if there is none. It is machine code that is loaded beside the image; for
  /// the kernels of `beside_kernels` (positions in the table of kernels) it replaces the code of the parts
  /// before.
  const Image* beside = nullptr;
  int64_t beside_count = 0;
  const int32_t* beside_kernels = nullptr;
};

/// Every image for GPUs contains these kernels besides those of the table, for the runtime:
///   tel_words(int64_t* to, int32_t count, W from), where W is an array of `argument_chunk_words` words, by
///     value: copies the first `count` words, in one block of `argument_chunk_words` threads
///   tel_update(int8_t* to, const int8_t* from, int64_t count, const IndexRecord* record): copies the first
///     `count` bytes unless the record has an index; both are aligned to 64; in blocks of `update_threads`
///     threads, each of which copies 16 bytes
///   tel_combine_T(T* to, const T* from, int64_t count, S a, S b): to[i] = a * to[i] + b * from[i], computed
///     in S (float64 for T = float64, else float32), without a term whose factor is 0; in blocks of
///     `combine_threads` threads
inline constexpr const char* argument_kernel = "tel_words";
inline constexpr int64_t argument_chunk_words = 448;
inline constexpr const char* update_kernel = "tel_update";
inline constexpr int64_t update_threads = 256, update_bytes = 16;
/// The kernel `tel_combine_T` of one element type.
struct CombineKernel {
  const char* name;
  ElementType type;
};
inline constexpr CombineKernel combine_kernels[] = {
    {"tel_combine_f16", f16}, {"tel_combine_bf16", bf16}, {"tel_combine_f32", f32}, {"tel_combine_f64", f64}};
inline constexpr int64_t combine_threads = 256;

/// The kernels of a module and their images.
struct DeviceCode {
  int64_t kernel_count, image_count;
  const Kernel* kernels;
  const Image* images;  ///< the PTX is the last one
  int64_t toolkit;  ///< the CUDA Toolkit that made the machine code: 13000 for CUDA 13.0; 0 if there is none
};

/// A constant of a program.
struct Literal {
  const void* data;
  int64_t size;  ///< in bytes
};

/// The program of an entry for devices of at least some architecture.
struct DeviceProgram {
  int32_t architecture;  ///< the least capable architecture that runs it: 75
  const DeviceCode* code;
  tel_enqueue enqueue;
  int64_t slot_count, literal_count;
  const Slot* slots;
  const Literal* literals;
  int32_t reads = 0;  ///< whether `enqueue` reads conditions: it waits, and what it launches is no graph
  /// Makes a graph that decides the conditions that `enqueue` reads; null if it reads none.
  tel_enqueue enqueue_graph = nullptr;
  int64_t handle_count = 0;  ///< of the graph
  int64_t alias_count = 0;
  const int32_t* aliases = nullptr;  ///< the words that the last words of the argument buffer are copies of
};

struct Call;
struct Combination;

/// The functions by which calls reach the devices that the object was compiled for, null for the others. They
/// are called after all checks and return a status.
struct Devices {
  int64_t program_count;
  const DeviceProgram* programs;  ///< ordered from the most demanding to the least
  int32_t (*gpu)(Call& call);     ///< tel_cuda_call
  int32_t (*emulator)(Call& call);
  /// Is tel_cuda_workspace; set if `gpu` is.
  int32_t (*gpu_workspace)(const Call& call, bool every_output, int64_t& size);
  /// Is tel_choose_device, which chooses the execution if the caller names none. Null means serial execution.
  int32_t (*choose)(Call& call);
  int32_t (*wait)(Call& call);                         ///< tel_cuda_wait, set if `gpu` is
  int32_t (*combine)(const Combination& combination);  ///< tel_cuda_combine, set if `gpu` is
};

/// The functions by which several cores compute a call on the processor.
struct Cores {
  /// Sets `count` to the number of cores that compute the call, at least 1. Returns a status.
  int32_t (*count)(Call& call, int64_t& count);
  /// Computes with as many.
  void (*compute)(const Call& call, void* const* buffers, tel_context& context);
  /// Returns whether calls that do not say how many compute on one.
  bool (*is_one_by_default)();
};

/// A function that computes an entry point on the processor.
struct ProcessorCode {
  tel_compute compute;
  int64_t argument_count, slot_count;
  const Binding* arguments;
  const Slot* slots;
  const Cores* cores = nullptr;  ///< null: there is no work that several cores could share
};

/// The feature levels that an object has code for. A level is a set of features of x86-64 processors,
/// numbered from 1 to 4 as the psABI does (x86-64-v4); each contains those before.
struct Levels {
  int64_t count;
  const int32_t* needs;  ///< what the code of each needs, the most demanding first; 0: not known
};

/// Memory that is filled once from a parameter, for many calls.
struct FrozenOperand {
  tel_compute compute;  ///< its argument is the parameter, its result the memory
  int64_t parameter;    ///< the position in the module's parameters
  int64_t offset;       ///< where it is in what the caller has frozen, a multiple of 64
  int64_t slot_count;
  const Slot* slots;
};

/// All that a module freezes.
struct Frozen {
  const Store* parameters;
  int64_t count;
  const FrozenOperand* operands;
  int64_t size;  ///< in bytes, a multiple of 64
};

/// An entry point.
struct Entry {
  const char* name;  ///< "mlp::forward"
  ProcessorCode code;
  const Store* parameters;  ///< the module's; never null
  const Store* constants;
  const Store* state;
  int64_t arguments_size;  ///< the bytes of the argument struct
  /// Where their pointers are; -1: not taken.
  int64_t parameters_offset, constants_offset, state_offset, gradients_offset, frozen_offset;
  int64_t workspace_offset, workspace_size_offset, options_offset;
  int32_t updates_state;  ///< 1: a result is bound by `bind_next`, `bind_updated` or `bind_updated_alone`
  int32_t updates_parameters;  ///< 1: a result is bound by `bind_trained` or `bind_updated_parameter`
  int64_t field_count, dimension_count, check_count, site_count, result_count;
  const Field* fields;
  const Dimension* dimensions;
  const Check* checks;
  const IndexSite* sites;
  const Binding* results;
  const Devices* devices;  ///< null: the object has code for the processor alone
  const ProcessorCode* frozen_code =
      nullptr;                     ///< computes from frozen parameters; null: they would save nothing
  const Frozen* frozen = nullptr;  ///< what `frozen_code` reads
  /// Checks the arguments of a call of `code` by one core, sets its buffers and dimensions, and the pointers
  /// and extents of outputs that it places in the workspace. Returns 0, and has written nothing, where it
  /// does not know that the call is right: then the tables say what it is. Null where there is no such code.
  int32_t (*place)(void* arguments, void** buffers, int64_t* dims) = nullptr;
};

/// Fills one parameter or state. The compute function's only result is the tensor, and its only argument, if
/// it has one, the key from which it draws random numbers: the seed + `stream`.
struct Initializer {
  tel_compute compute;
  int64_t argument_count;  ///< 0 or 1
  uint64_t stream;
  int64_t slot_count;
  const Slot* slots;
};

/// The initializers of a module's parameters or states.
struct Initializers {
  const Store* store;
  const Initializer* initializers;  ///< one for each tensor
};

}  // namespace runtime
