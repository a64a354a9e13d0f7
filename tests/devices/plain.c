/* The same from C: memory of a GPU, a call on it that returns at once, a sum of stores. */
#include <stdio.h>

#include "net.hpp"

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      return 1;                                                       \
    }                                                                 \
  } while (0)

/* A copy in the memory of the execution; null where there is none. */
static void* copy_of(const tel_execution* where, const void* data, size_t bytes) {
  void* memory;
  if (tel_allocate(where, bytes, &memory, NULL) != TEL_OK) return NULL;
  return tel_copy(where, memory, data, bytes, NULL) == TEL_OK ? memory : NULL;
}

int main(void) {
  tel_error error;
  int32_t count;
  tel_device device = {.size = sizeof device};
  CHECK(tel_count_devices(&count, &error) == TEL_OK && count == 2);
  CHECK(tel_describe_device(1, &device, &error) == TEL_OK && device.number == 1 &&
        device.architecture == 100);

  const tel_execution where = {.size = sizeof where, .kind = TEL_CUDA, .device = 1, .later = 1};
  const tel_options options = {.size = sizeof options, .execution = &where};
  static net_parameters parameters;
  static net_gradients gradients;
  static net_constants constants;
  CHECK(net_initialize(&parameters, 1, &error) == TEL_OK);
  const float before = parameters.W[5][1];
  gradients.W[5][1] = 2;
  const float x[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  const int32_t label[2] = {0, 2};

  net_gradient_arguments arguments = {.size = sizeof arguments};
  arguments.x = copy_of(&where, x, sizeof x);
  arguments.label = copy_of(&where, label, sizeof label);
  arguments.x_extents[0] = arguments.label_extents[0] = 2;
  arguments.x_extents[1] = 4;
  net_parameters* there = copy_of(&where, &parameters, sizeof parameters);
  net_gradients* change = copy_of(&where, &gradients, sizeof gradients);
  net_constants* shift = copy_of(&where, &constants, sizeof constants);
  arguments.parameters = there;
  arguments.gradients = change;
  arguments.constants = shift;
  arguments.options = &options;
  arguments.workspace_size = net_gradient_workspace(2, &options);
  CHECK(tel_allocate(&where, arguments.workspace_size, &arguments.workspace, &error) == TEL_OK);
  CHECK(net_gradient(&arguments, &error) == TEL_OK);
  CHECK(net_gradient_wait(&arguments, &error) == TEL_OK && arguments.L == 0);

  CHECK(net_combine(there, 1, change, -0.25, &where, &error) == TEL_OK);
  CHECK(tel_copy(&where, &parameters, there, sizeof parameters, &error) == TEL_OK);
  CHECK(tel_wait(&where, &error) == TEL_OK);
  CHECK(parameters.W[5][1] == before - 0.5f);
  CHECK(net_combine(&parameters, 2, NULL, 0, NULL, &error) == TEL_OK &&
        parameters.W[5][1] == 2 * (before - 0.5f));

  CHECK(tel_clear(&where, there, sizeof parameters, &error) == TEL_OK);
  for (void* const* one = (void* const[]){there, change, shift, arguments.workspace, NULL}; *one; ++one)
    CHECK(tel_free(&where, *one, &error) == TEL_OK);
  void* here;
  CHECK(tel_allocate(NULL, 100, &here, &error) == TEL_OK && tel_clear(NULL, here, 100, &error) == TEL_OK);
  CHECK(tel_copy(NULL, here, x, sizeof x, &error) == TEL_OK && ((float*)here)[7] == 8);
  CHECK(tel_free(NULL, here, &error) == TEL_OK);
  CHECK(tel_allocate(NULL, SIZE_MAX, &here, &error) == TEL_MEMORY && !here);
  puts("ok from C");
  return 0;
}
