"""States and dropout."""
import jax
import jax.numpy as np
import numpy

from cases import Case, case, draws, exact, stored
from random_numbers import uniform


@case("states")
def _(name):
    def compute(x, w):
        h = np.tanh(x @ w["W"])
        batch = h.sum(0) / 8
        calls = w["calls"] + 1
        running = 0.75 * w["running"] + 0.25 * batch
        return {"y": (h - running) * (2 if w["seen"] else 1) + w["last"], "n": np.asarray(calls * 2, "int32"),
                "next.running": running, "next.calls": np.asarray(calls, "int32"),
                "next.last": batch if calls > 2 else w["last"],
                "next.seen": np.asarray(w["seen"] or w["calls"] >= 5)}

    draw = draws(name)
    for calls, seen in ((1, True), (5, False)):
        weights = {"W": draw.normal(size=(3, 3)), "running": draw.normal(size=3), "last": draw.normal(size=3)}
        inputs = {"x": draw.normal(size=(4, 3)), "target": draw.normal(size=(4, 3))}
        weights, inputs = ({k: stored(v) for k, v in d.items()} for d in (weights, inputs))
        weights |= {"calls": numpy.asarray(calls, "int32"), "seen": numpy.asarray(seen)}
        w, i = exact(weights), exact(inputs)
        w["calls"], w["seen"] = calls, seen
        if seen:
            yield Case(name, "forward", {"x": inputs["x"]}, weights, compute(i["x"], w))
            continue
        weights |= {"missed": numpy.asarray(0.25, "float32"), "powers": numpy.asarray(0.75)}
        loss = lambda W: np.mean((compute(i["x"], w | {"W": W})["y"] - i["target"]) ** 2) / 16
        L = loss(w["W"])
        results = compute(i["x"], w) | {"L": L, "next.missed": np.asarray(0.25 + L), "next.powers": np.asarray(1.5),
                                         "gradient.W": jax.grad(loss)(w["W"])}
        yield Case(name, "gradient", inputs, weights, results)


def dropped(x, key, counter, rate):
    """What dropout leaves of x, by the numbers of the value whose name is `key`."""
    keep = uniform(key, counter, x.size).reshape(x.shape) >= rate
    return np.where(keep, x / (1 - rate), 0)


@case("dropout")
def _(name):
    def compute(x, w, training):
        drop = dropped if training else lambda x, *_: x
        h = drop(np.tanh(x @ w["W"]), "h", 0, 0.25)
        return {"y": drop(h * w["v"], "y", 0, 0.5) + drop(h, "y", 1, 0.5)}

    draw = draws(name)
    inputs = {"x": draw.normal(size=(5, 3))}
    weights = {"W": draw.normal(size=(3, 4)), "v": draw.normal(size=4)}
    inputs, weights = ({k: stored(v) for k, v in d.items()} for d in (inputs, weights))
    x, w = exact(inputs)["x"], exact(weights)
    yield Case(name, "forward", inputs, weights, compute(x, w, False))
    loss = lambda w: np.mean(compute(x, w, True)["y"] ** 2)
    results = compute(x, w, True) | {"L": loss(w)} | {f"gradient.{k}": v for k, v in jax.grad(loss)(w).items()}
    yield Case(name, "gradient", inputs, weights, results)
