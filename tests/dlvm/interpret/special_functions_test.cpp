// The functions against numbers of sixty digits, rounded to the nearest double.
#include "dlvm/interpret/special_functions.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

namespace evaluation = dlvm::evaluation;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Pairs = std::initializer_list<std::pair<double, double>>;

void check(double (*function)(double), const Pairs& pairs) {
  for (const auto& [x, expected] : pairs) {
    INFO(x);
    CHECK(function(x) == expected);
  }
}

}  // namespace

TEST_CASE("lgamma: between its poles, and near zero") {
  check(evaluation::lgamma, {{0.25, 1.2880225246980774},
                             {1.5, -0.12078223763524522},
                             {3, 0.6931471805599453},
                             {-2.5, -0.056243716497674054},
                             {171, 706.5730622457874},
                             {1e300, 6.897755278982137e302},
                             {-1e-310, 713.8013788281542},
                             {-1, infinity},
                             {infinity, infinity}});
}

TEST_CASE("normal_cdf: down to the least numbers, and up to 1") {
  check(evaluation::normal_cdf, {{-infinity, 0},
                                 {-40, 0},
                                 {-38, 2.88542835e-316},
                                 {-20.3, 6.429244467698346e-92},
                                 {-8.7, 1.6594208699647843e-18},
                                 {-3.3, 0.0004834241423837775},
                                 {-1, 0.15865525393145705},
                                 {-0.1, 0.460172162722971},
                                 {0, 0.5},
                                 {0.1, 0.539827837277029},
                                 {1, 0.8413447460685429},
                                 {3.3, 0.9995165758576162},
                                 {9, 1},
                                 {infinity, 1}});
  CHECK(std::isnan(evaluation::normal_cdf(std::nan(""))));
}

TEST_CASE("gelu_tanh_odds: the exponent counts with all its digits, and beyond the range of numbers") {
  check(evaluation::gelu_tanh_odds, {{-infinity, 0},
                                     {-30, 0},
                                     {-5, 4.583592603352214e-08},
                                     {-2.7, 0.0033025728028916045},
                                     {-0.3, 0.6183767889077784},
                                     {0, 1},
                                     {0.1, 1.1730981810480472},
                                     {0.7, 3.131503019150071},
                                     {1.3, 9.311650792107569},
                                     {3.1, 1179.228403873665},
                                     {6.4, 3622405179043.091},
                                     {10.7, 2.3895823637764294e+45},
                                     {16.18517381605318, 4.0372246414345273e+142},
                                     {21.043131302295066, 2.2116024601888703e+303},
                                     {30, infinity},
                                     {infinity, infinity}});
}

TEST_CASE("digamma: by its series, by reflection, and where the terms of these cancel") {
  check(evaluation::digamma, {{1e-5, -100000.57719921567},
                              {0.3, -3.502524222200133},
                              {1, -0.5772156649015329},
                              {1.4616321449683622, -9.241265521729427e-17},
                              {2, 0.42278433509846713},
                              {5.5, 1.6110931485817512},
                              {19.9, 2.9653837242676784},
                              {64.5, 4.158893255451153},
                              {1e6, 13.815510057964191},
                              {infinity, infinity},
                              {-0.5, 0.03648997397857652},
                              {-1.3, 2.8825405488661673},
                              {-2.7, -1.1153471291406896},
                              {-10.1, 12.030052248548309},
                              {-100.25, 7.754238959208646},
                              {-0.5040830082644554, 7.289763902976895e-17},
                              {-1.573498473162390, 4.571416811227789e-15},
                              {0.0, -infinity},
                              {-0.0, infinity}});
  for (const double x : {-1.0, -2.0, -1e300, -infinity}) CHECK(std::isnan(evaluation::digamma(x)));
}
