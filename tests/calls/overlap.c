/* Derivatives and the workspace are not where the call reads parameters or states. */
#include "overlap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
  if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)

static _Alignas(64) overlap_parameters parameters;
static _Alignas(64) overlap_state state;
static _Alignas(64) overlap_gradients gradients;
static _Alignas(64) char workspace[1 << 16];
static const float rows[6];

static overlap_gradient_arguments make(void) {
  overlap_gradient_arguments arguments = {.size = sizeof arguments,
                                          .x = rows,
                                          .x_extents = {2, 3},
                                          .cotangent_y = rows,
                                          .cotangent_y_extents = {2, 3},
                                          .cotangent_z = rows,
                                          .cotangent_z_extents = {2, 3},
                                          .parameters = &parameters,
                                          .state = &state,
                                          .gradients = &gradients,
                                          .workspace = workspace,
                                          .workspace_size = sizeof workspace};
  return arguments;
}

static void fails(overlap_gradient_arguments arguments, const char* text) {
  tel_error error;
  CHECK(overlap_gradient(&arguments, &error) == TEL_INVALID_ARGUMENT);
  CHECK(strcmp(error.text, text) == 0);
}

int main(void) {
  overlap_gradient_arguments arguments = make();
  CHECK(overlap_gradient(&arguments, NULL) == TEL_OK);
  arguments.gradients = (overlap_gradients*)&parameters;
  fails(arguments, "overlap::gradient: the gradients overlap the parameters");
  arguments = make(), arguments.gradients = (overlap_gradients*)&state;
  fails(arguments, "overlap::gradient: the gradients overlap the state");
  arguments = make(), arguments.parameters = (const overlap_parameters*)workspace;
  fails(arguments, "overlap::gradient: the workspace overlaps the parameters");
  arguments = make(), arguments.state = (overlap_state*)workspace;
  fails(arguments, "overlap::gradient: the workspace overlaps the state");
  arguments = make(), arguments.gradients = (overlap_gradients*)workspace;
  fails(arguments, "overlap::gradient: the workspace overlaps the gradients");
  return 0;
}
