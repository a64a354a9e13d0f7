"""One step of each optimizer in the middle of a training, by the formulas of the papers."""
import jax
import jax.numpy as np
import numpy

from cases import Case, case, draws


def loss(w, x, target):
    return np.mean((np.tanh(x @ w["W"] + w["b"]) - target) ** 2)


def decayed(p, g, decay):
    return g + decay * p


def sgd(p, g, m, t, rate):
    return p - rate * decayed(p, g, 0.01), {}


def momentum(p, g, m, t, rate):
    d = decayed(p, g, 0.02)
    v = 0.8 * m["v"] + d
    return p - rate * (d + 0.8 * v), {"v": v}


def direction(m, v, t, beta1, beta2):
    return m / (1 - beta1**t) / (np.sqrt(v / (1 - beta2**t)) + 1e-8)


def adam(p, g, m, t, rate):
    d = decayed(p, g, 0.03)
    m = {"m": 0.9 * m["m"] + 0.1 * d, "v": 0.99 * m["v"] + 0.01 * d**2}
    return p - rate * direction(m["m"], m["v"], t, 0.9, 0.99), m


def adamw(p, g, m, t, rate):
    m = {"m": 0.9 * m["m"] + 0.1 * g, "v": 0.999 * m["v"] + 0.001 * g**2}
    return p - rate * (0.05 * p + direction(m["m"], m["v"], t, 0.9, 0.999)), m


def rmsprop(p, g, m, t, rate):
    v = 0.9 * m["v"] + 0.1 * g**2
    return p - rate * g / (np.sqrt(v) + 1e-8), {"v": v}


def adagrad(p, g, m, t, rate):
    v = m["v"] + g**2
    return p - rate * g / (np.sqrt(v) + 1e-6), {"v": v}


def lion(p, g, m, t, rate):
    return (p - rate * (0.1 * p + np.sign(0.85 * m["m"] + 0.15 * g)), {"m": 0.99 * m["m"] + 0.01 * g})


def step(name, update, memory, clip=None):
    def make(case_name):
        draw = draws(case_name)
        inputs = {"x": draw.normal(size=(5, 3)), "target": draw.normal(size=(5, 2)), "rate": numpy.asarray(0.07)}
        w = {"W": draw.normal(size=(3, 2)), "b": draw.normal(size=2)}
        before = {k: {m: draw.uniform(0.1, 1, size=p.shape) for m in memory} for k, p in w.items()}
        weights = dict(w)
        weights |= {f"optimizer.{m}.{k}": before[k][m] for k in w for m in memory}
        counts = name in ("adam", "adamw")
        if counts:
            weights["optimizer.step"] = numpy.asarray(6, "int64")
        L, gradient = jax.value_and_grad(loss)(w, inputs["x"], inputs["target"])
        norm = np.sqrt(sum((g**2).sum() for g in gradient.values()))
        if clip and norm > clip:
            gradient = {k: g * (clip / norm) for k, g in gradient.items()}
        results = {"L": L}
        if counts:
            results["next.optimizer.step"] = numpy.asarray(7, "int64")
        for k, p in w.items():
            results[f"next.{k}"], after = update(p, gradient[k], before[k], 7, 0.07)
            results |= {f"next.optimizer.{m}.{k}": after[m] for m in memory}
        yield Case(case_name, "step", inputs, weights, results)
    case(f"optimizer_{name}")(make)


step("sgd", sgd, (), clip=0.3)
step("momentum", momentum, ("v",))
step("adam", adam, ("m", "v"), clip=0.2)
step("adamw", adamw, ("m", "v"))
step("rmsprop", rmsprop, ("v",))
step("adagrad", adagrad, ("v",))
step("lion", lion, ("m",))
