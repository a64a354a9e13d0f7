"""Derivatives of operations that are not elementwise, and of powers."""
import jax
import jax.numpy as np
import numpy

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


@case("gradients_in_expressions")
def _(name):
    """Each gradient inside an expression is one of jax.grad."""
    cube = lambda x: x**3

    def third(x):
        return jax.grad(jax.grad(jax.grad(lambda z: cube(z) * np.sin(z))))(x)

    def descend(x, rate):
        for _ in range(4):
            x = x - rate * jax.grad(lambda z: np.sum(z**4))(x)
        return x

    def chosen(x, a):
        first = jax.grad(lambda z: np.where(a > 0, np.sin(z) * a, z**2))(x)
        return first + jax.grad(lambda z: np.where(a > 1, cube(z), 2 * z))(x)

    def rounds(x, n):
        def y(z):
            y = z
            for _ in range(n):
                y = y * np.sin(y + z)
            return y
        return jax.grad(y)(x)

    def one(x, a):
        by_x = jax.grad(lambda v: np.sin(v * a) + v**2 * (v * a))(x)
        by_z = jax.grad(lambda z: np.sin(z) + x**2 * z)(x * a)
        by_a = jax.grad(lambda a: np.sin(x * a) * (x * a))(a)
        return by_x * by_z + 3 * by_a * by_x

    def compute(i, w):
        x, W, a = i["x"], w["W"], w["a"]
        hidden = lambda x, W: np.tanh(x @ W)
        energy_of = lambda h: np.mean(h**2) + a * np.sum(h)
        energy = lambda x, W: energy_of(hidden(x, W))
        b = a * 1.5
        numbers = np.stack([third(a), chosen(b, a), rounds(a, 3), one(a, b), jax.grad(lambda y: a * y**2)(a)])
        path = descend(np.mean(x, 0), 0.01 * a)
        by_x = jax.grad(lambda x: np.sum(hidden(x, W)))(x)
        by_W = jax.grad(energy, 1)
        hessian_vector = jax.jvp(lambda W: by_W(x, W), (W,), (W + 1,))[1] + by_W(x, W)
        return {"by_input": jax.grad(energy)(x, W), "by_intermediate": jax.grad(energy_of)(hidden(x, W)),
                "by_param": by_W(x, W), "hessian_vector": hessian_vector, "numbers": numbers, "path": path,
                "L": np.mean(by_x**2) + np.sum(numbers) + np.sum(path**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(4, 3))},
                       {"W": draw.normal(size=(3, 3)), "a": 0.7}, double=True)


@case("heat_equation")
def _(name):
    def u(w, x, t):
        h = np.tanh(np.stack([x, t]) @ w["network.W1"] + w["network.b1"])
        return (np.tanh(h @ w["network.W2"] + w["network.b2"]) @ w["network.W3"] + w["network.b3"])[0]

    def compute(i, w):
        each = lambda f: jax.vmap(f, (0, 0))(i["x"], i["t"])
        u_t = each(jax.grad(lambda x, t: u(w, x, t), 1))
        u_xx = each(jax.grad(jax.grad(lambda x, t: u(w, x, t))))
        residual = u_t - 0.3 * u_xx
        begin = jax.vmap(lambda x: u(w, x, 0.0))(i["x0"])
        return {"residual": residual, "L": np.mean(residual**2) + np.mean((begin - i["u0"])**2)}
    draw = draws(name)
    inputs = {"x": draw.uniform(size=7), "t": draw.uniform(size=7), "x0": draw.uniform(size=4)}
    inputs["u0"] = numpy.sin(numpy.pi * inputs["x0"])
    weights = {"W1": (2, 12), "b1": 12, "W2": (12, 12), "b2": 12, "W3": (12, 1), "b3": 1}
    yield from trained(name, compute, ["L"], inputs,
                       {f"network.{k}": draw.normal(size=shape) * 0.5 for k, shape in weights.items()},
                       double=True)


@case("derivatives_of_functions")
def _(name):
    def compute(i, w):
        x, W, b = i["x"], w["W"], w["b"]
        y, back = jax.vjp(lambda W, b: np.tanh(x @ W + b), W, b)
        dw, db = back(i["dy"])
        p = jax.grad(lambda x: np.sum(x**3) * 3)(b)
        use = np.sum(dw**2) + np.sum(db * b) + np.sum(y) + np.sum(b * db) + np.sum(b**3) * 2
        return {"p": p, "L": use + np.sum(p**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(4, 3)), "dy": draw.normal(size=(4, 2))},
                       {"W": draw.normal(size=(3, 2)), "b": draw.normal(size=2)}, double=True)


@case("gradients_bounded_by_extents")
def _(name):
    draw = draws(name)

    def compute(i, w):
        x, u, v, W = i["x"], i["u"], i["v"], w["W"]

        def first(x):
            for step in u:
                x = np.tanh(W @ x + step)
            return x.sum()

        def second(x):
            for step in v[::-1]:
                x = np.sin(W @ x) * step
            return (x**2).sum()

        def looped(x):
            y = x
            for _ in range(3):
                y = np.tanh(W @ y)
            for k in (1, 0):
                y = y + x[k] * y
            for _ in range(6):
                y = np.where(y.sum() < 100, 1.1 * y, y)
            return y.sum()

        a, b, c = (jax.grad(f)(x) for f in (first, second, looped))
        return {"a": a, "b": b, "c": c, "L": (a**2).sum() + b.sum() + (c**3).sum()}

    inputs = {"x": draw.normal(size=2), "u": draw.normal(size=(4, 2)), "v": draw.normal(size=(3, 2))}
    yield from trained(name, compute, ["L"], inputs, {"W": draw.normal(size=(2, 2)) * 0.5}, double=True)


@case("gradients_by_structs")
def _(name):
    def compute(i, w):
        x, n = i["x"], i["start.count"]
        start = (i["start.line.slope"], i["start.line.offset"], i["start.size"])
        q, s = (w["q.slope"], w["q.offset"]), (x[0], x)
        line = lambda slope, offset, x: np.sum(np.tanh(slope * x + offset))
        value = lambda slope, offset, size: line(slope, offset, x) + np.sum(size**3)
        squared = lambda *start: value(*start)**2
        by_start = jax.grad(squared, (0, 1, 2))(*start)
        by_s = jax.grad(line, (0, 1))(*s, x)
        u = s
        for _ in range(3):
            u = (np.sin(u[0]), u[1] * u[0])
        u = (u[0], 2 * u[1]) if n > 2 else u
        by_u = jax.grad(lambda *u: line(*u)**2, (0, 1, 2))(*u, x)
        by_q = jax.grad(lambda q, size: squared(*start[:2], size) * line(*q, x), (0, 1))(q, start[2])
        r = q
        for _ in range(4):
            step = jax.grad(lambda r: line(*r, x)**2)(r)
            r = tuple(p - 0.1 * d for p, d in zip(r, step))
        by_flat = jax.grad(lambda s: line(*s, x) * r[0])(s)
        results = {"b": by_start[0], "f": by_s[1], "j": by_u[2], "l": by_q[1]}
        for at, (slope, offset) in {"a": by_start[:2], "c": by_start[:2], "d": by_s, "i": by_u[:2], "k": by_q[0],
                                    "n": by_flat, "r": r}.items():
            results |= {f"{at}.slope": slope, f"{at}.offset": offset}
        results["L"] = np.sum(by_q[0][1]**2) + by_start[0] * q[0] + np.sum(by_flat[1] * r[1])
        return results
    draw = draws(name)
    yield from trained(name, compute, ["L"],
                       {"start.line.slope": draw.normal(), "start.line.offset": draw.normal(size=2),
                        "start.size": draw.normal(size=3), "start.count": numpy.array(3), "x": draw.normal(size=2)},
                       {"q.slope": draw.normal(), "q.offset": draw.normal(size=2)}, double=True)


@case("gradients_without_influence")
def _(name):
    def compute(i, p):
        x, t, a = i["x"], i["t"], p["a"]
        return {"p": 3 * x**2, "q": 4 * x, "r": 0 * t, "s": np.full(2, 2 * x[0]), "u": 2 * a**2, "v": 0 * t,
                "L": np.sum(2 * a**2 * x)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=3), "t": draw.normal(size=2)}, {"a": draw.normal(size=3)})


@case("gradients_inside_loops")
def _(name):
    def joined(a, b):
        c = a[0] * b[1]
        return np.where(a[1] > 0, c * np.sin(a[0]) * np.sin(a[1]), c + a @ b)

    def looped(a, b, i):
        p = a @ b
        for j in range(3):
            p = np.where(p > 0.5, p * np.sin(a[j]), p + a[i] * 0.5**(i + 1))
        return p * p

    def compute(i, w):
        a, b = w["a"], w["b"]
        p = sum(b[k] * jax.grad(lambda a: np.where(a[k] > 0, a[k]**3 * np.sum(a * b), a @ a))(a) for k in range(4))
        q = sum(np.where(b[k] > 0, (2 * k + 1) * jax.grad(lambda a: joined(a, b)**2 * a[k])(a), 0) for k in range(4))
        r = sum(jax.grad(looped)(a, b, k) for k in range(4))
        return {"p": p, "q": q, "r": r, "L": np.sum(p * b) + np.sum(q**2) + np.sum(r * a)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {}, {"a": draw.normal(size=4), "b": draw.normal(size=4)})
