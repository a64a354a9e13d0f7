/* From C. */
#include "mlp.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
  if (!(condition)) return fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), 1

int main(void) {
  mlp_parameters* parameters = aligned_alloc(64, sizeof(mlp_parameters));
  static float x[2][784], y[2][10];
  tel_error error;
  CHECK(mlp_initialize(parameters, 42, &error) == TEL_OK);
  CHECK(parameters->W1[1][2] != 0);

  mlp_forward_arguments arguments = {sizeof arguments, &x[0][0], {2, 784}, parameters, &y[0][0],
                                     {2, 10},          NULL,     0,        NULL,       NULL};
  CHECK(mlp_forward_prepare(&arguments, &error) == TEL_OK);
  CHECK(arguments.workspace_size == 2048 && mlp_forward_workspace(2, NULL) == 2048 + 128);
  arguments.workspace = aligned_alloc(64, arguments.workspace_size);
  CHECK(mlp_forward(&arguments, &error) == TEL_OK);
  arguments.x_extents[1] = 783;
  CHECK(mlp_forward(&arguments, &error) == TEL_EXTENT);
  CHECK(strcmp(error.text, "mlp::forward: axis 1 of 'x' is 783, expected 784") == 0);
  CHECK(mlp_forward(&arguments, NULL) == TEL_EXTENT);

  tel_file_arguments file = {.size = sizeof file, .path = "plain.safetensors", .parameters = parameters};
  CHECK(mlp_save(&file, &error) == TEL_OK && mlp_load(&file, &error) == TEL_OK);
  free(arguments.workspace);
  free(parameters);
  return 0;
}
