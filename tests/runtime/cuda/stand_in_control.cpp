// The runtime's kernel that decides conditions, on the processor, as its PTX says.
#include <cstring>
#include <string_view>

#include "runtime/abi.h"
#include "runtime/cuda/control.h"
#include "tests/runtime/cuda/stand_in_machine.h"

namespace stand_in {
namespace {

/// The oldest driver with conditional nodes, CUDA 12.3.
constexpr int32_t conditional_version = 12030;

int64_t* word(Address argument_buffer, int32_t number) {
  return at<int64_t>(argument_buffer + 8 * static_cast<Address>(number));
}

bool condition(Address argument_buffer, int32_t slot) {
  if (slot == 0) return true;
  const int64_t* address = word(argument_buffer, slot);
  const auto* value = address ? at<unsigned char>(static_cast<Address>(*address)) : nullptr;
  return value && *value != 0;
}

void run_control(const Grid& grid) {
  const auto words = grid.parameter<Address>(0);
  const auto control = grid.parameter<Control>(1);
  if (grid.blocks != 1 || grid.threads != 1) complain("tel_control is launched otherwise");
  if (control.exchange_count > Control::limit || control.decision_count > Control::limit)
    return complain("tel_control has too much to do");
  for (int32_t i = 0; i < control.exchange_count; ++i) {
    int64_t *first = word(words, control.exchanges[i].first),
            *second = word(words, control.exchanges[i].second);
    if (first && second) std::swap(*first, *second);
  }
  const int64_t* record = word(words, 0);
  const auto* site = record ? at<int64_t>(static_cast<Address>(*record)) : nullptr;
  if (!site) return;
  const bool holds = condition(words, control.argument_slot);
  for (int32_t i = 0; i < control.decision_count; ++i) {
    const auto& decision = control.decisions[i];
    const int32_t value = *site != 0 ? decision.after_error
                          : holds    ? decision.when_true
                                     : decision.when_false;
    set_condition(decision.handle, static_cast<uint32_t>(value));
  }
}

}  // namespace

Kernel control_kernel() { return {control_kernel_name, {8, sizeof(Control)}, run_control}; }

bool is_control(const void* image) {
  const auto* text = static_cast<const char*>(image);
  if (machine.refuses_control || machine.version < conditional_version ||
      std::strncmp(text, ".version ", 9) != 0)
    return false;
  return std::strstr(text, ".extern .func cudaGraphSetConditional(") != nullptr &&
         std::strstr(text, ".entry tel_control(.param .u64 words, .param .align 8 .b8 control[144])") !=
             nullptr;
}

}  // namespace stand_in
