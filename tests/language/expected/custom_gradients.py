"""Functions whose derivative is declared: jax.custom_vjp."""
import jax
import jax.numpy as np

from cases import case, draws, trained


def custom(backward):
    """A function whose derivative is `backward`, of the arguments and the cotangents."""
    def decorate(f):
        g = jax.custom_vjp(f)
        g.defvjp(lambda *a: (f(*a), a), lambda a, dy: backward(*a, dy))
        return g
    return decorate


straight = custom(lambda x, dy: (dy,))(lambda x: np.floor(4 * x) / 4)
clipped = custom(lambda x, limit, dy: (np.clip(dy, -limit, limit), np.zeros_like(limit)))(lambda x, limit: x)
square_sum = custom(lambda x, dy: (dy * x**3,))(lambda x: np.sum(x**2))


def signed(k):
    def backward(x, factor, cotangents):
        dy, dz = cotangents
        own = np.where(k > 0, dy, 2 * dy)
        return own * factor + dz, np.sum(own * x)
    return custom(backward)(lambda x, factor: (np.where(k > 0, x, -x) * factor, np.sum(x)))


def power(n):
    return custom(lambda x, dy: (dy * (x + x**n),))(lambda x: x**n)


def quantized(x, rounds):
    for _ in range(rounds):
        x = straight(1.3 * x) + 0.1 * np.sin(x)
    return x


def repeated(x, depth):
    y = x
    for _ in range(depth):
        y = straight(1.1 * y) * x
    return y


@case("custom_gradients")
def _(name):
    def compute(i, w):
        x, k, n, p, s = i["x"], i["k"], int(i["n"]), w["w"], w["s"]
        h = np.tanh(x @ straight(w["layer.W"]))
        y, total = signed(k)(p, s)
        g = jax.grad(square_sum)(p)
        return {"a": np.sum(quantized(p, 3) * clipped(p, np.float64(0.3))) + np.mean(h**2),
                "b": np.sum(repeated(p, n % 4) * x[0]) + power(n % 5)(s), "c": np.sum(g**2),
                "d": np.sum(y * p) + total**2 + np.sum(k)}
    draw = draws(name)
    yield from trained(name, compute, list("abcd"),
                       {"x": draw.normal(size=(4, 3)), "k": np.array([2, -1, 3]), "n": np.array(7)},
                       {"w": np.array([0.4, -0.7, 1.2]), "s": np.array(1.5), "layer.W": draw.normal(size=(3, 2))},
                       double=True)
