"""Derivatives of operations that are not elementwise, and of powers."""
import jax
import jax.numpy as np

from cases import case, draws, trained


@case("gradients_of_shape_operations")
def _(name):
    def compute(i, w):
        x, p, q = i["x"], w["p"], w["q"]
        a = np.concatenate([p[::-1], p[1:4], p]) * 2
        b = np.pad(q, ((1, 0), (0, 2))).T.reshape(15)
        c = np.broadcast_to(q[0:1], (4, 3)) * np.concatenate([q, q])
        d = np.stack([p, p[::-1]], 1)
        return {"L": np.sum(a * b) + np.sum(c**2) + np.sum(d @ d.T) + np.sum(q[:, ::-1] * q) + np.mean((x * p)**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(4, 6))},
                       {"p": draw.normal(size=6), "q": draw.normal(size=(2, 3))})


@case("gradients_of_extrema")
def _(name):
    def compute(i, w):
        x, p, q = i["x"], w["p"], w["q"]
        L = jax.scipy.special.logsumexp
        return {"a": np.sum(np.max(x * p, 0) * p) + np.max(q),
                "b": np.sum(np.min(q, 1)**2) + np.sum(np.max(q) * q), "c": np.sum(np.prod(q, 0)) + np.prod(q),
                "d": np.sum(np.cumsum(q, 0) * np.cumsum(q, 1)), "e": L(q * 3) + np.sum(L(q, 0)**2),
                "f": np.var(q) + np.sum(np.var(q, 1, ddof=1))}
    draw = draws(name)
    yield from trained(name, compute, list("abcdef"), {"x": draw.normal(size=(4, 5))},
                       {"p": [0.3, -1.2, 2, 0.1, -0.7], "q": draw.normal(size=(3, 2))})


@case("gradients_of_powers")
def _(name):
    def compute(i, w):
        x, b, e = i["x"], w["b"], w["e"]
        y = (x**2 + b)**e
        z = b**3 + b**-2 + b**0.5 + 2**e + b**2.0
        return {"y": y, "z": z, "L": np.mean(y) + np.sum(z) + np.sum(b**(e**b))}
    yield from trained(name, compute, ["L"], {"x": draws(name).normal(size=(4, 3))},
                       {"b": [0.5, 1.0, 2.5], "e": [2.0, 1.5, 0.3]})
