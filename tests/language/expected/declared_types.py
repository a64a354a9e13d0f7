"""Structs and enums: lines fitted to points, and networks over trees."""
import jax
import jax.numpy as np
import numpy

from cases import Case, case, draws, exact, stored, trained


@case("structs")
def structs(name):
    draw = draws(name)

    def value(slope, offset, x):
        return slope * x + offset

    def loss(line, x, t):
        return sum(((value(*line, x[i]) - t[i]) ** 2).sum() for i in range(len(x))) / len(x)

    def shifted(line, by):
        return line[0], line[1] + by

    def compute(i, w):
        start = (w["slope"], w["offset"])
        best, rounds = (start, loss(start, i["x"], i["t"])), 0
        for k in range(1, 4):
            following = shifted(best[0], 0.1 * k)
            change = loss(following, i["x"], i["t"])
            if change < best[1]:
                best, rounds = (following, change), rounds + 1
        unit = (1.0, np.array([1.0, 2.0, 3.0]))
        less = start if start[0] < unit[0] else unit
        difference = ((start[1] + 1) * less[1]).sum() + start[0] * less[0]
        return {"rounds": numpy.int64(rounds), "line": best[0][1],
                "L": best[1] + difference * best[0][0]}

    yield from trained(name, compute, ["L"], {"x": draw.normal(size=5), "t": draw.normal(size=5) + 0.5},
                       {"slope": numpy.float64(0.5), "offset": draw.normal(size=3) * 0.2})


def state(tree, w):
    if tree is None:
        return w["c"]
    if not isinstance(tree, tuple):
        return np.tanh(w["U"] @ tree)
    return np.tanh(w["W"] @ np.concatenate([state(tree[0], w), state(tree[1], w)]) + w["c"])


@case("tree_networks")
def tree_networks(name):
    draw = draws(name)

    def compute(i, w):
        left = (i["a"], i["b"])
        small = i["a"].sum() < 0
        tree = left if small else (left, (i["b"][::-1], None))
        h = state(tree, w)
        return {"n": numpy.int64(2 if small else 3), "h": h,
                "L": (h ** 2).sum() + state((i["b"], i["a"]), w).sum()}

    weights = {"W": draw.normal(size=(2, 4)), "U": draw.normal(size=(2, 3)), "c": draw.normal(size=2)}
    yield from trained(name, compute, ["L"], {"a": draw.uniform(0, 1, 3), "b": draw.normal(size=3)}, weights)


@case("tree_tables")
def tree_tables(name):
    draw = draws(name)

    def compute(i, w):
        def value(at):
            if i["left"][at] < 0:
                return 0.5 * w["E"][i["words"][at]]
            return np.sin(w["W"] @ np.concatenate([value(i["left"][at]), value(i["right"][at])]))

        h = value(0)
        return {"h": h, "L": (h * h).sum()}

    inputs = {"left": numpy.array([1, -1, 3, -1, 5, -1, -1]), "right": numpy.array([2, -1, 4, -1, 6, -1, -1]),
              "words": numpy.array([0, 3, 0, 6, 0, 2, 3])}
    yield from trained(name, compute, ["L"], inputs,
                       {"E": draw.normal(size=(7, 2)), "W": draw.normal(size=(2, 4))})


@case("gradients_through_enums")
def gradients_through_enums(name):
    """A choice of which one case is taken is its function; a tree is a tuple of its parts."""
    draw = draws(name)

    def value(t, x):
        return value(t[0], x) * value(t[1], x) if isinstance(t, tuple) else np.tanh(t * x).sum()

    def compute(i, w):
        x, p = i["x"], w["p"]
        scaled = i["x"][0] < 0
        energy = lambda x: p[1] * (p * x**3).sum() if scaled else 2 * (x**3).sum()
        y = lambda x: p[1] * (p * x**3).sum() if scaled else x.sum()
        a = jax.grad(lambda x: value((p, x * p), x))(x)
        b = jax.grad(lambda x: (jax.grad(y)(x) ** 2).sum())(x)
        c = energy(x) * jax.grad(energy)(x)
        return {"a": a, "b": b, "c": c, "L": (a**2).sum() + b.sum() + c.sum()}

    inputs = {"x": numpy.array([-0.4, 0.7])}
    yield from trained(name, compute, ["L"], inputs, {"p": draw.normal(size=2)}, double=True)


@case("match_values")
def match_values(name):
    """A mode is its name with its payload; a case of it is a choice of Python."""
    draw = draws(name)

    def value(t, W):
        if t is None:
            return 1.0
        return value(t[0], W) * 2 + value(t[1], W) if isinstance(t, tuple) else np.tanh(W * t).sum()

    def inner(m, n, x):
        scale = {"plain": lambda: 1.0, "scaled": lambda c: c**2, "both": lambda _, c: c}[m[0]](*m[1:])
        if n[0] == "both":
            v, c = n[1:]
            return scale * (v * x if c > 0 else np.exp(v))
        if n[0] == "plain":
            return scale * x
        c = n[1]
        return scale * {"plain": lambda: c * x, "scaled": lambda d: c * d * x, "both": lambda v, _: v + c}[m[0]](*m[1:])

    def compute(i, w):
        x, W, a = i["x"], w["W"], w["a"]
        t = (x, (x * W, None))
        negative = i["x"][0] < 0
        m = ("scaled", a) if negative else ("both", x, a)
        v = 1 + (a * x if negative else x + a * W)
        u = inner(m, ("both", W, x[0]), x) + inner(m, ("scaled", a), x)
        h = np.zeros(3)
        states = []
        for r in i["s"]:
            h = np.tanh(h + (r.sum() * W if r[0] < 0 else r * W))
            states.append(h)
        chosen = ("both", x, a) if negative else ("scaled", x.sum() * a)
        L = value(t, W) + (v**2).sum() + u.sum() + (h**2).sum() + inner(chosen, m, W).sum()
        return {"u": np.asarray(0.0), "v": v, "w": u, "y": h, "L": L}

    inputs = {"x": numpy.array([0.4, -0.3, 0.9]), "s": draw.normal(size=(5, 3))}
    yield from trained(name, compute, ["L"], inputs, {"W": draw.normal(size=3), "a": numpy.asarray(0.5)}, double=True)


@case("enum_payloads_given")
def enum_payloads_given(name):
    """A shape is the number of its case and all payloads, of which Python's branches take those of the case."""
    draw = draws(name)

    def area(kind, s, w):
        return [lambda: s["circle_0"] ** 2 * w[0], lambda: (s["box_0"] ** 2 * w).sum() * s["box_1"].sum(), lambda: w[1],
                lambda: (s["line_0.offset"] ** 2 * w).sum() if s["line_1"] else s["line_0.slope"] * w[1],
                lambda: s["marks_1"] * w[0] if s["marks_0"][0] else w[1] - w[0]][kind]()

    def part(i, path):
        return {k[len(path) + 1:]: v for k, v in i.items() if k.startswith(path + ".")}

    def loss(i, w):
        of = lambda path: area(int(kinds[path]), part(i, path), w)
        return of("shape") * of("scene.first") + (i["scene.x"] * w).sum() * of("scene.second")

    def shape(path):
        return {f"{path}.{k}": v for k, v in {
            "kind": numpy.int32(kinds[path]), "circle_0": draw.normal(), "box_0": draw.normal(size=2),
            "box_1": draw.normal(size=3), "line_0.slope": draw.normal(), "line_0.offset": draw.normal(size=2),
            "line_1": numpy.int32(1), "marks_0": numpy.array([True, False]), "marks_1": numpy.int32(3)}.items()}

    kinds = {"shape": 1, "scene.first": 3, "scene.second": 0}
    inputs = {**shape("shape"), **shape("scene.first"), "scene.x": draw.normal(size=2), **shape("scene.second")}
    yield from trained(name, lambda i, w: {"L": loss(i, w["w"])}, ["L"], inputs, {"w": draw.normal(size=2)})

    given = {k: stored(v) for k, v in inputs.items()}
    weights = {"w": stored(draw.normal(size=2))}
    exactly, w = exact(given), exact(weights)["w"]
    floats = {k: v for k, v in exactly.items() if v.dtype == np.float64}
    change = jax.grad(lambda some: loss({**exactly, **some}, w))(floats)
    results = {f"gradient.{k}": v for k, v in change.items()}
    larger = {"kind": numpy.int32(1), "circle_0": 0.0, "box_0": w * exactly["shape.box_0"],
              "box_1": 2 * exactly["shape.box_1"], "line_0.slope": 0.0, "line_0.offset": numpy.zeros(2),
              "line_1": numpy.int32(0), "marks_0": numpy.zeros(2, bool), "marks_1": numpy.int32(0)}
    yield Case(name, "by_shapes", given, weights,
               {**results, **{f"next.{k}": numpy.asarray(v) for k, v in larger.items()}})
