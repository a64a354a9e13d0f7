#include <stdlib.h>
#include <string.h>

#include "runtime/call/call.h"

namespace runtime {
namespace {

/// Digits alone, at most 4 of them.
bool read_ordinal(const char* text, int32_t& ordinal) {
  const size_t length = strlen(text);
  if (length == 0 || length > 4) return false;
  ordinal = 0;
  for (; *text; ++text) {
    if (*text < '0' || *text > '9') return false;
    ordinal = 10 * ordinal + (*text - '0');
  }
  return true;
}

bool read_device(const char* text, tel_execution& execution) {
  constexpr struct {
    const char* name;
    tel_execution_kind kind;
  } names[] = {{"", TEL_SERIAL}, {"cpu", TEL_SERIAL}, {"cuda", TEL_CUDA}, {"emulator", TEL_EMULATOR}};
  for (const auto& [name, kind] : names)
    if (strcmp(text, name) == 0) {
      execution.kind = kind;
      return true;
    }
  execution.kind = TEL_CUDA;
  return strncmp(text, "cuda:", 5) == 0 && read_ordinal(text + 5, execution.device);
}

}  // namespace
}  // namespace runtime

int32_t tel_choose_device(runtime::Call& call) {
  const char* text = getenv("TEL_DEVICE");
  if (!text || runtime::read_device(text, call.execution)) return TEL_OK;
  runtime::Failure failure = call.fail(TEL_INVALID_ARGUMENT);
  failure.text() << "the environment's TEL_DEVICE is '";
  failure.text().quoted(text, strlen(text)) << "', expected cpu, cuda, cuda:NUMBER or emulator";
  return failure;
}
