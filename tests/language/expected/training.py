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


@case("states_of_nets")
def _(name):
    def compute(i, w):
        following = {}

        def count(x, at):
            total = 0.5 * w[at + ".total"] + x.sum(0) / 4
            following[f"next.{at}.seen"] = np.asarray(w[at + ".seen"] + 1, "int32")
            following[f"next.{at}.total"] = total
            return x * w[at + ".w"] + (0 if w[at + ".seen"] > 3 else total)

        h = count(count(i["x"], "p.counts.0"), "p.counts.1")
        following["next.p.last"] = h.mean()
        slope = jax.grad(lambda x: np.tanh(count(x, "c.count")).sum())(h)
        count(h, "c.count")
        y = slope + h.mean() + w["p.last"]
        return {"y": y, "z": h * w["p.last"], "L": np.mean(y**2) + np.mean(h**2)} | following

    draw = draws(name)
    weights = {"p.last": numpy.asarray(draw.normal())}
    inputs = {"x": draw.normal(size=(4, 2))}
    for at, seen in (("p.counts.0", 2), ("p.counts.1", 7), ("c.count", 3)):
        weights |= {at + ".total": draw.normal(size=2), at + ".w": draw.normal(size=2),
                    at + ".seen": numpy.asarray(seen, "int32")}
    weights, inputs = ({k: stored(v) for k, v in d.items()} for d in (weights, inputs))
    w, i = exact(weights), exact(inputs)
    w |= {k: int(v) for k, v in w.items() if k.endswith(".seen")}
    trainable = {k: v for k, v in w.items() if k.endswith(".w")}
    results = compute(i, w)
    slopes = jax.grad(lambda some: compute(i, w | some)["L"])(trainable)
    yield Case(name, "gradient", inputs, weights, results | {f"gradient.{k}": v for k, v in slopes.items()})


@case("structs_in_nets")
def _(name):
    half = np.array([[0.5, 0], [0.25, 0.5]])
    layers = ("one", "tower.layers.0", "tower.layers.1")

    def compute(i, w):
        following = {}

        def layer(x, at):
            mean, count = (following.setdefault(f"next.{at}.s.{k}", v) for k, v in
                           (("mean", 0.5 * w[at + ".s.mean"] + x.sum(0) / 4), ("count", w[at + ".s.count"] + 1)))
            y = (x * w[at + ".before"]) @ w[at + ".p.w"] + w[at + ".p.b"] + x @ half * w[at + ".after"]
            return np.tanh(y + mean) / w[at + ".s.count"]

        h = layer(layer(layer(i["x"], layers[0]), layers[1]), layers[2])
        y = (h @ w["tower.q.first.w"] + w["tower.q.first.b"]) * w["tower.q.slope"] + w[layers[1] + ".p.b"]
        y = y + w["one.p.b"]
        return {"y": y, "z": w["one.s.mean"] * w[layers[2] + ".s.count"], "L": np.mean(y**2)} | following

    draw = draws(name)
    inputs = {"x": draw.normal(size=(3, 2))}
    weights = {"tower.q.first.w": draw.normal(size=(2, 2)), "tower.q.first.b": draw.normal(size=2),
               "tower.q.slope": numpy.asarray(draw.normal())}
    for at in layers:
        weights |= {at + ".before": draw.normal(size=2), at + ".p.w": draw.normal(size=(2, 2)),
                    at + ".p.b": draw.normal(size=2), at + ".after": draw.normal(size=2),
                    at + ".s.mean": draw.normal(size=2), at + ".s.count": numpy.asarray(draw.uniform(1, 3))}
    weights, inputs = ({k: stored(v) for k, v in d.items()} for d in (weights, inputs))
    w, i = exact(weights), exact(inputs)
    results = compute(i, w)
    slopes = jax.grad(lambda some: compute(i, w | some)["L"])({k: v for k, v in w.items() if ".s." not in k})
    yield Case(name, "gradient", inputs, weights, results | {f"gradient.{k}": v for k, v in slopes.items()})


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
