// A cart with a pole on it, which a motor pushes to the left or to the right (Barto, Sutton, Anderson 1983).
#pragma once

#include <array>
#include <cmath>

#include "../shared/dataset.hpp"

class CartPole {
 public:
  static constexpr double period = 0.02;       // seconds between two actions
  static constexpr std::size_t longest = 500;  // actions of an episode

  explicit CartPole(std::uint64_t seed) : random_(seed) { begin(); }

  /// Begins an episode: the cart is near the middle and the pole almost upright.
  void begin() {
    for (double& value : state_) value = random_.uniform(-0.05, 0.05);
    steps_ = 0;
  }

  /// Pushes for one period: to the left, 0, or to the right, 1.
  void push(std::int32_t action) {
    constexpr double gravity = 9.8, cart = 1, pole = 0.1, half_length = 0.5, force = 10;
    auto& [place, speed, angle, turning] = state_;
    const double sine = std::sin(angle), cosine = std::cos(angle), total = cart + pole;
    const double thrust =
        ((action == 1 ? force : -force) + pole * half_length * turning * turning * sine) / total;
    const double turn =
        (gravity * sine - cosine * thrust) / (half_length * (4.0 / 3 - pole * cosine * cosine / total));
    const double push = thrust - pole * half_length * turn * cosine / total;
    place += period * speed;
    speed += period * push;
    angle += period * turning;
    turning += period * turn;
    ++steps_;
  }

  /// The pole leans by more than 12 degrees, or the cart has left its track.
  bool fallen() const { return std::abs(state_[0]) > 2.4 || std::abs(state_[2]) > 0.2095; }
  bool over() const { return fallen() || steps_ == longest; }
  std::size_t steps() const { return steps_; }

  std::array<float, 4> measured() const {
    return {float(state_[0]), float(state_[1]), float(state_[2]), float(state_[3])};
  }

 private:
  std::array<double, 4> state_{};
  std::size_t steps_ = 0;
  Random random_;
};
