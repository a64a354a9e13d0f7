/* One of two files of a program, each of which uses another network that is called `net`. */
#include "1/net.hpp"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
  if (!(condition)) return fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), 1

int second(void);

int main(void) {
  static net_parameters parameters;
  static float x[2][784], y[2][10];
  tel_error error;
  CHECK(net_initialize(&parameters, 42, &error) == TEL_OK && parameters.W1[783][255] != 0);
  net_forward_arguments arguments = {sizeof arguments, &x[0][0], {2, 784}, &parameters, &y[0][0],
                                     {2, 10},          NULL,     0,        NULL,        NULL};
  CHECK(net_forward_prepare(&arguments, &error) == TEL_OK);
  arguments.workspace = aligned_alloc(64, arguments.workspace_size);
  CHECK(net_forward(&arguments, &error) == TEL_OK);
  free(arguments.workspace);
  return second();
}
