// A training loop, written once for every network with an entry point `step`: `Network` is the struct of that
// name in the network's header.
#pragma once

#include <concepts>
#include <cstddef>

/// A network that trains itself: its module says `optimize with`, and the optimizer has a memory.
template <class Network>
concept Trainable = requires(typename Network::Parameters& parameters, typename Network::State& state,
                             typename Network::StepInputs inputs, tel::Workspace& workspace) {
  Network::step(inputs, parameters, state, workspace);
};

/// Trains for `steps` steps. `next(step)` returns the inputs of a step, with at most `batch` rows;
/// `report(step, result)` is given the results of every step, the loss among them. Allocates nothing after
/// the first line.
template <Trainable Network>
void train(typename Network::Parameters& parameters, typename Network::State& state, std::size_t steps,
           std::size_t batch, std::invocable<std::size_t> auto next, auto report) {
  tel::Workspace workspace(Network::step_workspace(batch));
  for (std::size_t step = 0; step < steps; ++step) {
    const typename Network::StepInputs inputs = next(step);
    const typename Network::StepOutputs result = Network::step(inputs, parameters, state, workspace);
    report(step, result);
  }
}
