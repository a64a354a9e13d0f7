// The parts of one program, in one unit, so that a compiler reads the headers once.
#include "forms.cpp"
#include "on_device.cpp"
#include "page.cpp"
#include "states.cpp"

int main() {
  page::run();
  forms::run();
  states::run();
  on_device::run();
}
