/* What must be set and what may be empty, and what a load reports, in C. */
#include "inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
  if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)

static _Alignas(64) inputs_parameters parameters;
static _Alignas(64) inputs_constants constants;
static _Alignas(64) inputs_gradients gradients;
static _Alignas(64) char workspace[1 << 16];

static inputs_gradient_arguments make(int64_t n) {
  static const float x[8], bias[3];
  static const int32_t labels[2];
  inputs_gradient_arguments arguments = {.size = sizeof arguments,
                                         .x = x,
                                         .x_extents = {n, 4},
                                         .label = labels,
                                         .label_extents = {n},
                                         .bias = bias,
                                         .parameters = &parameters,
                                         .constants = &constants,
                                         .gradients = &gradients,
                                         .workspace = workspace,
                                         .workspace_size = sizeof workspace};
  return arguments;
}

static void fails(inputs_gradient_arguments arguments, const char* name) {
  char expected[200];
  tel_error error;
  snprintf(expected, sizeof expected, "inputs::gradient: the input '%s' is not set: its pointer is null",
           name);
  CHECK(inputs_gradient_prepare(&arguments, &error) == TEL_INVALID_ARGUMENT);
  CHECK(inputs_gradient(&arguments, &error) == TEL_INVALID_ARGUMENT);
  CHECK(strcmp(error.text, expected) == 0);
}

static void test_forgotten(int64_t n) {
  inputs_gradient_arguments arguments = make(n);
  arguments.x = NULL;
  fails(arguments, "x");
  arguments = make(n);
  arguments.label = NULL;
  fails(arguments, "label");
  arguments.x = NULL, arguments.x_extents[0] = arguments.x_extents[1] = 0;
  fails(arguments, "x");
  arguments = make(n);
  arguments.bias = NULL;
  fails(arguments, "bias");
  inputs_gradient_arguments empty = {.size = sizeof empty};
  fails(empty, "x");
}

static void test_empty(void) {
  inputs_gradient_arguments arguments = make(0);
  tel_error error;
  CHECK(inputs_gradient_prepare(&arguments, &error) == TEL_OK);
  CHECK(inputs_gradient(&arguments, &error) == TEL_OK);
  CHECK(arguments.y_extents[0] == 0 && arguments.y_extents[1] == 3);
  arguments.x = (const float*)&workspace[1]; /* whichever */
  CHECK(inputs_gradient(&arguments, &error) == TEL_OK);
  inputs_forward_arguments forward = {.size = sizeof forward,
                                      .x = arguments.x,
                                      .x_extents = {0, 4},
                                      .bias = arguments.bias,
                                      .parameters = &parameters,
                                      .constants = &constants};
  CHECK(inputs_forward_prepare(&forward, &error) == TEL_OK);
  CHECK(forward.y_extents[0] == 0 && forward.top_extents[0] == 0);
  CHECK(forward.workspace_size == inputs_forward_workspace(0, NULL));
  forward.workspace = workspace;
  CHECK(inputs_forward(&forward, &error) == TEL_OK);
}

static void report(void* context, int32_t what, const char* name) {
  sprintf((char*)context + strlen(context), "%s %s; ",
          what == TEL_LOADED ? "loaded"
          : what == TEL_KEPT ? "kept"
                             : "passed over",
          name);
}

static void test_load(void) {
  char reported[200] = "";
  tel_error error;
  tel_file_arguments file = {.size = sizeof file, .path = "plain.safetensors", .constants = &constants};
  CHECK(inputs_save(&file, &error) == TEL_OK);
  file.partial = 1, file.report = report, file.context = reported;
  CHECK(inputs_load(&file, &error) == TEL_OK);
  CHECK(strcmp(reported, "loaded shift; ") == 0);
  file.parameters = &parameters, reported[0] = 0;
  CHECK(inputs_load(&file, &error) == TEL_OK);
  CHECK(strcmp(reported, "kept W; kept b; loaded shift; ") == 0);
  file.constants = NULL;
  CHECK(inputs_load(&file, &error) == TEL_TENSORS);
  CHECK(strcmp(error.text,
               "cannot load 'plain.safetensors': it has none of the tensors, but 'shift'; inputs::Parameters "
               "has 'W', 'b'") == 0);
  file.report = NULL, file.constants = &constants;
  CHECK(inputs_load(&file, &error) == TEL_OK);
}

int main(void) {
  tel_error error;
  CHECK(inputs_initialize(&parameters, 1, &error) == TEL_OK);
  test_forgotten(0);
  test_forgotten(2);
  test_empty();
  test_load();
  return 0;
}
