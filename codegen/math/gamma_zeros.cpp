// lgamma and digamma of negative doubles near their zeros between the poles, where the terms of the
// reflection formulas cancel. They are computed as sums of two numbers; at the zeros that are closest to a
// double, where that does not suffice, from the zero in 32 digits.
#include "codegen/math/gamma_zeros.h"

#include "codegen/math/pairs.h"

namespace codegen::math {
namespace {

/// slope d + curve d^2 at the distance d from the zero high + low.
struct Zero {
  double high, low, slope, curve;
};

/// At most 2^-32 from a zero, where the next term of its series does not count, from that; elsewhere
/// `otherwise`.
SimdValue from_zeros(SimdValue x, SimdValue otherwise, std::initializer_list<Zero> zeros) {
  for (const Zero& zero : zeros) {
    const SimdValue d = (x - zero.high) - zero.low;
    const SimdValue value = d * fma(d, zero.curve, x.builder->constant(x.value->getType(), zero.slope));
    otherwise = select(abs(d) < 0x1p-32, value, otherwise);
  }
  return otherwise;
}

/// 1 / gamma(h) for 1 <= h < 2, interpolated at Chebyshev nodes.
Pair reciprocal_gamma(SimdValue h) {
  const SimdValue t = h - 1.5;
  return polynomial(
      {t, t * 0},
      {{1.1283791670955126, 1.5335459613165884e-17},
       {-0.0411745264452831, -3.3752130157375745e-18},
       {-0.5266544355255445, -6.112036385611594e-18},
       {0.17510202604393457, -1.0657471268514265e-17},
       {0.050966860247706074, 3.124722472671064e-18},
       {-0.042155169368535604, 3.0976342103403117e-18},
       {0.006612897826824127, 3.5734549554049626e-19},
       {0.002120731442572938, 1.378129826688145e-19},
       {-0.0011107302545948906, -9.753141688090569e-20},
       {0.00015235762076747688, -1.0906654237621056e-20},
       {2.5355204923814165e-05, 4.044000089750755e-22},
       {-1.3896805717913756e-05, 2.1896501588489274e-22},
       {2.156203290514174e-06, -1.231818461190472e-22},
       {5.794264054052666e-08, 2.0341686616670245e-24},
       {-8.913551118312851e-08, -3.985614001447391e-24},
       {1.7103469415916115e-08, 8.679019440383137e-25},
       {-9.313686443853472e-10, 4.1523823278045596e-27},
       {-2.680474103409091e-10, 1.358528639808886e-26}},
      {7.458932157062938e-11, -8.012807028727197e-12, -8.382060347526709e-14, 1.6946328758519728e-13,
       -2.7882517733259466e-14, 1.8673310908513857e-15, 1.399182445841919e-16, -4.899836435028385e-17});
}

/// pi cot(pi f) for |f| <= 1/2, the quotient of the series of cosine and sine.
Pair pi_cotangent(SimdValue f) {
  const SimdValue square = f * f;
  const Pair z{square, product_error(f, f, square)};
  const Pair cosine = polynomial(
      z,
      {{1, 0},
       {-4.934802200544679, -3.1326477543698557e-16},
       {4.0587121264167685, -2.6602000824298645e-16},
       {-1.3352627688545895, 3.1815237892149862e-18},
       {0.2353306303588932, -1.2583065576724427e-18},
       {-0.02580689139001406, 1.170191067939226e-18},
       {0.0019295743094039231, -9.669517939986956e-20},
       {-0.0001046381049248457, -2.421206183964864e-21},
       {4.303069587032947e-06, -2.864010082936791e-22},
       {-1.3878952462213771e-07, -7.479362090417238e-24},
       {3.604730797462501e-09, -1.833556774402799e-25}},
      {-7.700707130601354e-11, 1.3768647280377414e-12, -2.0906323353147685e-14, 2.729327261598196e-16,
       -3.0962506152968648e-18, 3.080521038267094e-20, -2.7097614970525195e-22, 2.122561428350162e-24});
  const Pair sine = polynomial(z,
                               {{1, 0},
                                {-1.6449340668482264, -3.040672350398476e-17},
                                {0.8117424252833536, 3.561384032141524e-17},
                                {-0.19075182412208422, 4.4195856292634144e-18},
                                {0.0261478478176548, 6.311763718038651e-19},
                                {-0.0023460810354558235, -1.6959772863819877e-19},
                                {0.000148428793031071, 7.156938521930286e-21},
                                {-6.975873661656381e-06, 2.3386829645434924e-22},
                                {2.5312174041370274e-07, 2.3636074197084703e-23},
                                {-7.304711822217775e-09, 1.7231504593537484e-25}},
                               {1.7165384749821432e-10, -3.3481335350440666e-12, 5.507458912150965e-14,
                                -7.743082723388031e-16, 9.411473315855849e-18, -9.987905210635048e-20,
                                9.334912237173012e-22, -7.742175705864341e-24, 5.736652509054491e-26});
  return cosine / (Pair{f, f * 0} * sine);
}

/// psi(y) for y >= 1: psi(y) = psi(y + 1) - 1 / y to where the asymptotic series (DLMF 5.11.2) holds. The
/// fractions are added up as one.
Pair digamma_above_one(Pair y) {
  const double enough = 24;
  const Pair zero = constant(y.high, {0, 0}), one = constant(y.high, {1, 0});
  const auto below = [&](const auto& v) { return v[0] < enough; };
  const auto step = [&](const auto& v) {
    const Pair h{v[0], v[1]}, numerator{v[2], v[3]}, denominator{v[4], v[5]};
    const Pair more = numerator * h + denominator, product = denominator * h, next = h + one;
    return std::array{next.high, next.low, more.high, more.low, product.high, product.low};
  };
  const auto v = repeat_where(std::array{y.high, y.low, zero.high, zero.low, one.high, one.low}, below, step);
  const Pair h{v[0], v[1]}, numerator{v[2], v[3]}, denominator{v[4], v[5]};
  const Pair inverse = one / h, z = inverse * inverse;
  const Pair series = z * polynomial(z,
                                     {{0.08333333333333333, 4.625929269271485e-18},
                                      {-0.008333333333333333, -1.1564823173178714e-19},
                                      {0.003968253968253968, 2.20282346155785e-19},
                                      {-0.004166666666666667, -5.782411586589357e-20},
                                      {0.007575757575757576, -2.1026951223961299e-19}},
                                     {-0.021092796092796094, 0.08333333333333333, -0.4432598039215686,
                                      3.0539543302701198, -26.456212121212122, 281.46014492753625,
                                      -3607.5105463980462, 54827.583333333336, -974936.8238505747});
  const Pair half{inverse.high * 0.5, inverse.low * 0.5};
  return log(h) + -(half + series) + -(numerator / denominator);
}

}  // namespace

/// 1 / gamma(x) = x (x + 1) … (x + n - 1) / gamma(x + n) with x + n in [1, 2). Below -2 all factors are
/// exact; above there is no zero.
SimdValue lgamma_near_zero(SimdValue x) {
  const Pair one = constant(x, {1, 0});
  const auto below = [](const auto& v) { return v[0] < 1; };
  const auto step = [&](const auto& v) {
    const Pair product = Pair{v[1], v[2]} * Pair{v[0], v[0] * 0};
    return std::array{v[0] + 1, product.high, product.low};
  };
  const auto [h, high, low] = repeat_where(std::array{x, one.high, one.low}, below, step);
  const Pair quotient = Pair{high, low} * reciprocal_gamma(h);
  const SimdValue value =
      -rounded_log({abs(quotient.high), select(quotient.high < 0, -quotient.low, quotient.low)});
  return from_zeros(x, value,
                    {{-2.7476826467274127, 9.055340329338315e-17, -1.9143501856115988, 9.575189475709667},
                     {-2.4570247382208006, -3.7075610815513266e-17, 1.5156034480216574, 4.8583209516339965},
                     {-3.955294284858598, -1.999428391746348e-17, -20.725060845803707, 251.7146825868894},
                     {-3.14358088834998, -2.1818179852331714e-16, 7.781884658131351, 25.831338372387957}});
}

/// By reflection (DLMF 5.5.4), psi(x) = psi(1 - x) - pi cot(pi x).
SimdValue digamma_near_zero(SimdValue x) {
  const SimdValue f = x - round_even(x);
  const Pair value = digamma_above_one(exact_sum(-x, constant(x, {1, 0}).high)) + -pi_cotangent(f);
  return from_zeros(x, value.high,
                    {{-0.5040830082644554, -8.15428206243813e-18, 8.939798558792134, -0.8093454625306507},
                     {-1.5734984731623904, -1.574185691077347e-17, 9.941513615924176, -7.802593974782628},
                     {-2.6107208684441447, 9.881960746978353e-17, 10.84832879920919, -12.770725694247192},
                     {-3.635293366436901, 5.454396163173039e-17, 11.650939359651861, -16.938337607821335},
                     {-4.653237761743142, -2.5492686201468193e-16, 12.369637994669782, -20.636997462381604},
                     {-5.6671624415568855, -3.2153051074948335e-18, 13.021406387509394, -24.0108335669899},
                     {-6.678418213073427, 3.470798723495241e-16, 13.61885190419576, -27.138720475450622},
                     {-7.687788325031626, -1.351562494643672e-16, 14.17134063324115, -30.070057845407266}});
}

}  // namespace codegen::math
