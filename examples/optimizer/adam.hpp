// The optimizer Adam (Kingma and Ba, 2015) and a training loop, written once for every network: `Network` is
// the struct of that name in the network's header.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>

/// A network that can be trained: it has parameters of one type, and a `gradient`.
template <class Network>
concept Trainable =
    requires(typename Network::Parameters parameters, typename Network::GradientInputs inputs) {
      parameters.flat();
      Network::gradient(inputs, parameters);
    };

template <Trainable Network>
class Adam {
 public:
  using Parameters = typename Network::Parameters;
  using Gradients = typename Network::Gradients;

  explicit Adam(double rate) : rate_(rate) {}

  /// Moves the parameters by one step against the gradients.
  void step(Parameters& parameters, const Gradients& gradients) {
    ++steps_;
    const double scale = rate_ * std::sqrt(1 - std::pow(decay2, steps_)) / (1 - std::pow(decay1, steps_));
    const auto w = parameters.flat(), m = mean_.flat(), v = square_.flat();
    const auto g = gradients.flat();
    using T = std::remove_reference_t<decltype(w[0])>;
    for (std::size_t i = 0; i < w.size(); ++i) {
      m[i] += static_cast<T>(1 - decay1) * (g[i] - m[i]);
      v[i] += static_cast<T>(1 - decay2) * (g[i] * g[i] - v[i]);
      w[i] -= static_cast<T>(scale) * m[i] / (std::sqrt(v[i]) + static_cast<T>(1e-8));
    }
  }

 private:
  static constexpr double decay1 = 0.9, decay2 = 0.999;

  double rate_;
  int steps_ = 0;
  Gradients mean_, square_;  // running means of the gradients and of their squares; zero at first
};

/// Trains for `steps` steps. `next(step)` returns the inputs of a step, with at most `batch` rows;
/// `report(step, result)` is given the results of every step, the loss among them. Allocates nothing after
/// the first lines.
template <Trainable Network>
void train(typename Network::Parameters& parameters, double rate, std::size_t steps, std::size_t batch,
           std::invocable<std::size_t> auto next, auto report) {
  typename Network::Gradients gradients;
  tel::Workspace workspace(Network::gradient_workspace(batch));
  Adam<Network> adam(rate);
  for (std::size_t step = 0; step < steps; ++step) {
    const typename Network::GradientInputs inputs = next(step);
    const typename Network::GradientOutputs result =
        Network::gradient(inputs, parameters, gradients, workspace);
    adam.step(parameters, gradients);
    report(step, result);
  }
}
