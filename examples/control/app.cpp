// Trains the network of control.tel while it controls a cart with a pole, then lets it control in real time.
//   ./control [--rounds N] [--seconds S]
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cart_pole.hpp"
#include "control.hpp"

namespace {

using Clock = std::chrono::steady_clock;

/// Actions that the network takes before it learns from them, and how it learns: some times from all of them,
/// in parts.
constexpr std::size_t actions = 1024, passes = 6, part = 128;
constexpr double discount = 0.99, smoothing = 0.95;

/// The network as the control loop calls it: for one measurement, with results in place, without an
/// allocation.
class Controller {
 public:
  explicit Controller(const control::Parameters& parameters)
      : parameters_(parameters), workspace_(control::forward_workspace(1)) {}

  struct Answer {
    std::array<float, 2> probability;
    float expected;
  };

  Answer ask(const std::array<float, 4>& measured) {
    const auto start = Clock::now();
    const auto result = control::forward({.x = {measured.data(), 1}}, parameters_, workspace_);
    microseconds_.push_back(std::chrono::duration<float, std::micro>(Clock::now() - start).count());
    return {{result.probability(0, 0), result.probability(0, 1)}, result.expected(0)};
  }

  /// The median of all calls, and what 99.9 % of them do not exceed, in microseconds.
  std::pair<float, float> latency() {
    std::ranges::sort(microseconds_);
    const std::size_t count = microseconds_.size();
    return {microseconds_[count / 2], microseconds_[std::min(count - 1, count * 999 / 1000)]};
  }

 private:
  const control::Parameters& parameters_;
  tel::Workspace workspace_;
  std::vector<float> microseconds_;
};

/// The record of `actions` actions.
struct Experience {
  std::vector<std::array<float, 4>> measured;
  std::vector<std::int32_t> action;
  std::vector<float> before, expected, advantage, reward;
  std::vector<bool> over, fallen;
  std::vector<float> expected_after;  // what the critic expects of the state that followed
  double mean_return = 0;             // of the episodes that ended
};

Experience act(Controller& controller, CartPole& cart, Random& random) {
  Experience seen;
  std::size_t episodes = 0, steps = 0;
  auto answer = controller.ask(cart.measured());
  for (std::size_t i = 0; i < actions; ++i) {
    const std::int32_t action = random.uniform(0, 1) < double(answer.probability[1]) ? 1 : 0;
    seen.measured.push_back(cart.measured());
    seen.action.push_back(action);
    seen.before.push_back(std::log(answer.probability[std::size_t(action)]));
    seen.expected.push_back(answer.expected);
    cart.push(action);
    answer = controller.ask(cart.measured());
    seen.fallen.push_back(cart.fallen());
    seen.over.push_back(cart.over());
    seen.expected_after.push_back(cart.fallen() ? 0.0f : answer.expected);
    if (cart.over()) {
      ++episodes;
      steps += cart.steps();
      cart.begin();
      answer = controller.ask(cart.measured());
    }
  }
  seen.mean_return = episodes > 0 ? double(steps) / double(episodes) : double(CartPole::longest);
  return seen;
}

/// How much better than expected each action was (Schulman et al. 2016), and the reward to be expected. Each
/// period in which the pole stands has the reward 1 - discount, so that the sum of all is at most 1.
void judge(Experience& seen) {
  seen.advantage.assign(actions, 0);
  seen.reward.assign(actions, 0);
  double later = 0, sum = 0, squares = 0;
  for (std::size_t i = actions; i-- > 0;) {
    const double reward = seen.fallen[i] ? 0 : 1 - discount;
    const double surprise = reward + discount * double(seen.expected_after[i]) - double(seen.expected[i]);
    later = surprise + (seen.over[i] ? 0 : discount * smoothing * later);
    seen.advantage[i] = float(later);
    seen.reward[i] = float(later) + seen.expected[i];
    sum += later;
    squares += later * later;
  }
  const double mean = sum / actions, deviation = std::sqrt(squares / actions - mean * mean) + 1e-8;
  for (float& value : seen.advantage) value = float((double(value) - mean) / deviation);
}

void learn(control::Parameters& parameters, control::State& state, tel::Workspace& workspace,
           const Experience& seen, float left, Random& random) {
  std::vector<float> x, before(part), advantage(part), reward(part);
  std::vector<std::int32_t> action(part);
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const std::vector<std::size_t> order = shuffled(actions, random);
    for (std::size_t first = 0; first < actions; first += part) {
      x.clear();
      for (std::size_t i = 0; i < part; ++i) {
        const std::size_t at = order[first + i];
        x.insert(x.end(), seen.measured[at].begin(), seen.measured[at].end());
        action[i] = seen.action[at];
        before[i] = seen.before[at];
        advantage[i] = seen.advantage[at];
        reward[i] = seen.reward[at];
      }
      const control::StepInputs inputs{.x = {x, part},
                                       .action = action,
                                       .before = before,
                                       .advantage = advantage,
                                       .reward = reward,
                                       .left = left};
      control::step(inputs, parameters, state, workspace);
    }
  }
}

/// Takes the likelier action for so many seconds, one in each period. Returns how often the pole fell.
std::size_t control_in_real_time(Controller& controller, double seconds) {
  CartPole cart(11);
  std::size_t falls = 0;
  const auto period =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(CartPole::period));
  auto next = Clock::now();
  for (double time = 0; time < seconds; time += CartPole::period) {
    const auto answer = controller.ask(cart.measured());
    cart.push(answer.probability[1] > answer.probability[0] ? 1 : 0);
    falls += cart.fallen();
    if (cart.over()) cart.begin();
    next += period;
    std::this_thread::sleep_until(next);
  }
  return falls;
}

/// The mean return of episodes in which the likelier action is taken.
double test(Controller& controller) {
  constexpr int episodes = 20;
  CartPole cart(12);
  std::size_t steps = 0;
  for (int episode = 0; episode < episodes; ++episode) {
    for (cart.begin(); !cart.over();) {
      const auto answer = controller.ask(cart.measured());
      cart.push(answer.probability[1] > answer.probability[0] ? 1 : 0);
    }
    steps += cart.steps();
  }
  return double(steps) / episodes;
}

int run(std::size_t rounds, double seconds) {
  control::Parameters parameters(1);
  control::State state;
  tel::Workspace workspace(control::step_workspace(part));
  Random random(1);
  CartPole cart(2);
  Controller controller(parameters);
  const double untrained = test(controller);
  std::printf("untrained: the pole stands for %.0f periods\n", untrained);

  const auto start = Clock::now();
  for (std::size_t round = 0; round < rounds; ++round) {
    Experience seen = act(controller, cart, random);
    judge(seen);
    learn(parameters, state, workspace, seen, 1 - float(round) / float(rounds), random);
    if ((round + 1) % 5 == 0 || round == 0) {
      const std::chrono::duration<double> passed = Clock::now() - start;
      std::printf("%6zu actions: mean return %5.1f, %.1f s\n", (round + 1) * actions, seen.mean_return,
                  passed.count());
      std::fflush(stdout);
    }
  }
  parameters.save("control.safetensors");
  const auto [median, most] = controller.latency();
  std::printf("a call of forward takes %.1f us, and in 99.9 %% of all cases no more than %.1f us\n",
              double(median), double(most));

  const double trained = test(controller);
  std::printf("trained: the pole stands for %.0f periods of at most %zu\n", trained, CartPole::longest);
  if (seconds > 0) {
    Controller real_time(parameters);
    const std::size_t falls = control_in_real_time(real_time, seconds);
    const auto [usual, slow] = real_time.latency();
    std::printf(
        "%g s in real time, a call every %g ms: it fell %zu times; a call took %.1f us, at most %.1f us\n",
        seconds, 1000 * CartPole::period, falls, double(usual), double(slow));
  }
  return trained > 5 * untrained ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t rounds = 50;
  double seconds = 10;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--rounds" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      rounds = static_cast<std::size_t>(std::atoi(argv[++i]));
    } else if (option == "--seconds" && i + 1 < argc && std::atof(argv[i + 1]) >= 0) {
      seconds = std::atof(argv[++i]);
    } else {
      std::fprintf(stderr, "usage: control [--rounds N] [--seconds S]\n");
      return 2;
    }
  }
  try {
    return run(rounds, seconds);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "control: %s\n", error.what());
    return 1;
  }
}
