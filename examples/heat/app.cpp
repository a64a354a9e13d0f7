// Trains the network of heat.tel to be the solution of the heat equation, compares it with the known one, and
// draws both.
//   ./heat [--steps N]
// Writes heat.svg, the picture, and heat.safetensors, the parameters.
#include <charconv>
#include <cstdio>
#include <exception>
#include <random>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "heat.hpp"

#include "picture.hpp"

namespace {

constexpr std::size_t inside = 256, boundary = 64;

/// Random points inside, at the start and at the ends; `draw` draws others.
class Points {
 public:
  Points() : x_(inside), t_(inside), start_(boundary), edge_(boundary) {}

  void draw() {
    for (const std::span<double> numbers :
         {std::span(x_), std::span(t_), std::span(start_), std::span(edge_)})
      for (double& each : numbers) each = double(random_() >> 11) * 0x1p-53;
  }

  heat::StepInputs inputs(std::size_t steps) const {
    return {.x = x_, .t = t_, .start = start_, .edge = edge_, .steps = double(steps)};
  }

 private:
  std::mt19937_64 random_{1};
  std::vector<double> x_, t_, start_, edge_;
};

heat::Parameters trained(std::size_t steps) {
  heat::Parameters parameters(1);
  heat::State state;
  tel::Workspace workspace(heat::step_workspace(inside, boundary));
  Points points;
  for (std::size_t step = 0; step < steps; ++step) {
    points.draw();
    const auto result = heat::step(points.inputs(steps), parameters, state, workspace);
    if (step % 500 == 0 || step + 1 == steps)
      std::printf("step %5zu   equation %.2e   initial %.2e   ends %.2e   error %.2e\n", step + 1,
                  result.equation, result.initial, result.ends, result.error);
  }
  return parameters;
}

/// The network and the known solution at all points of a grid, its edges among them.
Grid compared(const heat::Parameters& parameters) {
  Grid grid;
  const std::vector<double> axis = Grid::axis();
  std::vector<double> x, t;
  for (const double time : axis)
    for (const double place : axis) {
      x.push_back(place);
      t.push_back(time);
    }
  const auto result = heat::evaluate({.x = x, .t = t, .start = axis, .edge = axis}, parameters);
  for (std::size_t i = 0; i < x.size(); ++i) {
    grid.network.push_back(result.u(i));
    grid.known.push_back(result.known(i));
  }
  grid.error = result.error;
  return grid;
}

void run(std::size_t steps) {
  const heat::Parameters parameters = trained(steps);
  parameters.save("heat.safetensors");
  const Grid grid = compared(parameters);
  draw(grid, "heat.svg");
  std::printf("the largest error at %zu x %zu points is %.2e; heat.svg shows the solution and the error\n",
              Grid::side, Grid::side, grid.error);
}

/// Whether `text` is a positive number, which `number` then is.
bool read(std::string_view text, std::size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t steps = 5000;
  if (count != 1 &&
      !(count == 3 && std::string_view(arguments[1]) == "--steps" && read(arguments[2], steps))) {
    std::fprintf(stderr, "usage: heat [--steps N]\n");
    return 2;
  }
  try {
    run(steps);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heat: %s\n", error.what());
    return 1;
  }
}
