// Trains the network of parallel.tel in several processes, which share the work of each batch.
//   mpirun -n 4 ./parallel [--data DIR] [--epochs N]
// DIR holds MNIST-format files; without it the digits are drawn.
#define OMPI_SKIP_MPICXX 1  // of Open MPI and MPICH the interface for C alone
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../shared/dataset.hpp"
#include "parallel.hpp"

namespace {

constexpr std::size_t batch = 96;  // images of all processes together

/// MPI from its start to its end.
struct Processes {
  Processes(int& argc, char**& argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
  }
  ~Processes() { MPI_Finalize(); }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  int rank = 0, count = 1;
};

/// Makes the gradients of each process the mean of those of all processes.
void average(parallel::Gradients& gradients, const Processes& processes) {
  const auto values = gradients.flat();
  MPI_Allreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  tel::scale(gradients, 1.0 / processes.count);
}

/// One pass over the training set. All processes shuffle it in the same way, and each takes its part of every
/// batch. Returns the mean loss.
double train(parallel::Parameters& parameters, parallel::Gradients& velocity, tel::Workspace& workspace,
             const Digits& set, Random& random, const Processes& processes) {
  const std::vector<std::size_t> order = shuffled(set.size(), random);
  const std::size_t batches = set.size() / batch, share = batch / std::size_t(processes.count);
  parallel::Gradients gradients;
  Digits part;
  double loss = 0;
  for (std::size_t i = 0; i < batches; ++i) {
    pick(set, &order[i * batch + std::size_t(processes.rank) * share], share, part);
    loss += double(parallel::gradient({.x = {part.images, share}, .label = part.labels}, parameters,
                                      gradients, workspace)
                       .L);
    average(gradients, processes);
    tel::scale(velocity, 0.9);
    tel::add(velocity, gradients);
    tel::add(parameters, velocity, -0.05);
  }
  MPI_Allreduce(MPI_IN_PLACE, &loss, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return loss / double(batches) / processes.count;
}

void run(const char* folder, std::size_t epochs, const Processes& processes) {
  if (batch % std::size_t(processes.count) != 0)
    throw std::runtime_error("a batch of " + std::to_string(batch) + " images cannot be shared evenly by " +
                             std::to_string(processes.count) + " processes");
  const Dataset data = folder != nullptr ? load(folder) : draw();
  const bool first = processes.rank == 0;
  if (first)
    std::printf("digits: %s; %zu to train, %zu to test; processes: %d\n", data.source.c_str(),
                data.train.size(), data.test.size(), processes.count);
  if (data.train.size() < batch || data.test.size() == 0) throw std::runtime_error("too few digits");

  parallel::Parameters parameters(1);  // the seed makes them the same in all processes
  parallel::Gradients velocity;
  tel::Workspace workspace(parallel::gradient_workspace(batch / std::size_t(processes.count)));
  Random random(7);
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t epoch = 1; epoch <= epochs; ++epoch) {
    const double loss = train(parameters, velocity, workspace, data.train, random, processes);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    if (first) std::printf("epoch %zu: loss %.5f, %.1f s\n", epoch, loss, passed.count());
  }
  if (!first) return;
  const auto result =
      parallel::evaluate({.x = {data.test.images, data.test.size()}, .label = data.test.labels}, parameters);
  std::printf("%.1f %% of test digits are read right\n", 100 * double(result.accuracy));
  parameters.save("parallel.safetensors");
}

}  // namespace

int main(int argc, char** argv) {
  const Processes processes(argc, argv);
  const char* folder = nullptr;
  std::size_t epochs = 8;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--data" && i + 1 < argc) {
      folder = argv[++i];
    } else if (option == "--epochs" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      epochs = static_cast<std::size_t>(std::atoi(argv[++i]));
    } else {
      if (processes.rank == 0) std::fprintf(stderr, "usage: parallel [--data DIR] [--epochs N]\n");
      return 2;
    }
  }
  try {
    run(folder, epochs, processes);
    return 0;
  } catch (const std::exception& error) {
    // Every process meets the same error: the first one reports it.
    if (processes.rank == 0) std::fprintf(stderr, "parallel: %s\n", error.what());
    return 1;
  }
}
