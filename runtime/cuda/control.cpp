#include "runtime/cuda/control.h"

#include <stddef.h>

#include "runtime/cuda/images.h"

namespace runtime::cuda {

// Offsets of the parameter, which the text has as numbers.
static_assert(offsetof(Control, exchange_count) == 4 && offsetof(Control, decision_count) == 8);
static_assert(offsetof(Control, exchanges) == 16 && offsetof(Control, decisions) == 48);
static_assert(offsetof(Control, decisions[0].when_false) == 56 && sizeof(Control) == 144);

// clang-format off
#define TEL_EXCHANGE(number, at_first, at_second)     \
  "  setp.le.s32 %p0, %r0, " number ";\n"             \
  "  @%p0 bra EXCHANGED;\n"                           \
  "  ld.param.s32 %r1, [control+" at_first "];\n"     \
  "  ld.param.s32 %r2, [control+" at_second "];\n"    \
  "  mad.wide.s32 %d1, %r1, 8, %d0;\n"                \
  "  mad.wide.s32 %d2, %r2, 8, %d0;\n"                \
  "  ld.global.u64 %d3, [%d1];\n"                     \
  "  ld.global.u64 %d4, [%d2];\n"                     \
  "  st.global.u64 [%d1], %d4;\n"                     \
  "  st.global.u64 [%d2], %d3;\n"
#define TEL_DECISION(number, at_handle, at_false, at_true, at_error)   \
  "  setp.le.s32 %p0, %r0, " number ";\n"                              \
  "  @%p0 bra DECIDED;\n"                                              \
  "  ld.param.u64 %d1, [control+" at_handle "];\n"                     \
  "  ld.param.s32 %r1, [control+" at_false "];\n"                      \
  "  ld.param.s32 %r2, [control+" at_true "];\n"                       \
  "  ld.param.s32 %r3, [control+" at_error "];\n"                      \
  "  selp.s32 %r1, %r2, %r1, %p2;\n"                                   \
  "  selp.s32 %r1, %r3, %r1, %p1;\n"                                   \
  "  {\n"                                                              \
  "    .param .b64 handle;\n"                                          \
  "    .param .b32 value;\n"                                           \
  "    st.param.b64 [handle], %d1;\n"                                  \
  "    st.param.b32 [value], %r1;\n"                                   \
  "    call.uni cudaGraphSetConditional, (handle, value);\n"           \
  "  }\n"

const char control_ptx[] =
    ".version 7.0\n"
    ".target sm_75\n"
    ".address_size 64\n"
    ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n"
    ".visible .entry tel_control(.param .u64 words, .param .align 8 .b8 control[144])\n"
    "{\n"
    "  .reg .pred %p<3>;\n"
    "  .reg .b32 %r<4>;\n"
    "  .reg .b64 %d<5>;\n"
    "  ld.param.u64 %d0, [words];\n"
    "  ld.param.s32 %r0, [control+4];\n"
    TEL_EXCHANGE("0", "16", "20")
    TEL_EXCHANGE("1", "24", "28")
    TEL_EXCHANGE("2", "32", "36")
    TEL_EXCHANGE("3", "40", "44")
    "EXCHANGED:\n"
    // Word 0 is the address of the record, which begins with the site of an error.
    "  ld.global.u64 %d1, [%d0];\n"
    "  ld.global.u64 %d1, [%d1];\n"
    "  setp.ne.s64 %p1, %d1, 0;\n"
    "  ld.param.s32 %r0, [control];\n"
    "  setp.eq.s32 %p2, %r0, 0;\n"
    "  @%p2 bra KNOWN;\n"
    "  mad.wide.s32 %d1, %r0, 8, %d0;\n"
    "  ld.global.u64 %d1, [%d1];\n"
    "  ld.global.u8 %r1, [%d1];\n"
    "  setp.ne.s32 %p2, %r1, 0;\n"
    "KNOWN:\n"
    "  ld.param.s32 %r0, [control+8];\n"
    TEL_DECISION("0", "48", "56", "60", "64")
    TEL_DECISION("1", "72", "80", "84", "88")
    TEL_DECISION("2", "96", "104", "108", "112")
    TEL_DECISION("3", "120", "128", "132", "136")
    "DECIDED:\n"
    "  ret;\n"
    "}\n";
// clang-format on

namespace {

/// The oldest driver in which bodies of conditional nodes may contain conditional nodes, CUDA 12.4.
constexpr int32_t min_nested_version = 12040;
/// The oldest driver in which an IF node may have two bodies, CUDA 12.8.
constexpr int32_t min_two_bodies_version = 12080;

/// Writes a version of CUDA as people do: 12.4 for 12040.
void write_version(Text& text, int32_t version) {
  text << int64_t{version / 1000} << '.' << int64_t{version % 1000 / 10};
}

int32_t load(const Calls& calls, Device& device) {
  const Driver& driver = calls.driver();
  int32_t version = 0;
  if (const int32_t status = calls(&Driver::cuDriverGetVersion, &version)) return status;
  Text refusal(device.control_refusal, sizeof device.control_refusal);
  if (version < min_nested_version) {
    write_version(refusal << "it is for CUDA ", version);
    write_version(refusal << ", and conditions need ", min_nested_version);
    return TEL_OK;
  }
  if (!driver.cuGraphAddNode || !driver.cuGraphConditionalHandleCreate) {
    refusal << "it lacks their functions";
    return TEL_OK;
  }
  const Image image{image_ptx, 75, 0, control_ptx, static_cast<int64_t>(sizeof control_ptx)};
  Module module = nullptr;
  if (const int32_t status = load_part(calls, image, module, refusal, "")) return status;
  if (!module) return TEL_OK;
  const int32_t status = calls.about(control_kernel_name, &Driver::cuModuleGetFunction, &device.control,
                                     module, control_kernel_name);
  if (status != TEL_OK) {
    driver.cuModuleUnload(module);
    return status;
  }
  device.control_module = module;
  device.has_two_bodies = version >= min_two_bodies_version;
  return TEL_OK;
}

}  // namespace

int32_t find_control(const Calls& calls, Device& device, Function& control) {
  const Lock lock;
  if (!device.control_sought) {
    if (const int32_t status = load(calls, device)) return status;
    device.control_sought = 1;
  }
  control = device.control;
  return TEL_OK;
}

void unload_control(const Driver& driver, Device& device) {
  if (device.control_module) driver.cuModuleUnload(device.control_module);
  device.control_module = nullptr;
}

}  // namespace runtime::cuda
