/* The other file. */
#include "2/net.hpp"

#include <stdio.h>

#define CHECK(condition) \
  if (!(condition)) return fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), 1

int second(void);

int second(void) {
  static net_parameters parameters;
  tel_error error;
  CHECK(net_initialize(&parameters, 42, &error) == TEL_OK && parameters.scale == 2.5);
  const double x[4] = {1, 2, 3, 4};
  double gradient[4];
  net_new__arguments arguments = {.size = sizeof arguments, .x = x, .gradient_x = gradient};
  _Alignas(64) static char workspace[4096];
  arguments.workspace = workspace;
  arguments.workspace_size = sizeof workspace;
  CHECK(net_new_(&arguments, &error) == TEL_OK && gradient[3] == 8);
  return 0;
}
