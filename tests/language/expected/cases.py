"""What the families share: a case is one call of one entry point, computed in double precision."""
import pathlib

import jax
import jax.numpy as np
import numpy

jax.config.update("jax_enable_x64", True)
FOLDER = pathlib.Path(__file__).parent


def stored(value):
    """What the program gets: floats rounded to float32 first."""
    value = numpy.asarray(value)
    return value.astype(numpy.float32) if value.dtype == numpy.float64 else value


def exact(tensors):
    return {k: np.asarray(v, np.float64) if v.dtype == numpy.float32 else np.asarray(v) for k, v in tensors.items()}


class Case:
    """One call of one entry point. `compute(inputs, weights)` gives the results by name."""

    def __init__(self, name, entry, inputs, weights, results):
        self.path = FOLDER / f"{name}.{entry}.safetensors"
        self.tensors = {f"in.{k}": v for k, v in inputs.items()}
        self.tensors.update({f"weight.{k}": v for k, v in weights.items()})
        self.tensors.update({f"out.{k}": v for k, v in results.items()})


cases = {}


def case(name):
    def add(make):
        cases[name] = make
        return make
    return add


def draws(name):
    return numpy.random.default_rng(list(name.encode()))


def forward(name, compute, inputs=None, weights=None):
    inputs, weights = ({k: stored(v) for k, v in (d or {}).items()} for d in (inputs, weights))
    with numpy.errstate(all="ignore"):
        yield Case(name, "forward", inputs, weights, compute(exact(inputs), exact(weights)))


def trained(name, compute, losses, inputs, weights, double=False):
    """`gradient`: the derivatives of the sum of the losses, and what it keeps. `double`: of a module of float64."""
    as_given = numpy.asarray if double else stored
    inputs, weights = ({k: as_given(v) for k, v in d.items()} for d in (inputs, weights))
    total = lambda w: sum(compute(exact(inputs), w)[loss] for loss in losses)
    results = dict(compute(exact(inputs), exact(weights)))
    results.update({f"gradient.{k}": v for k, v in jax.grad(total)(exact(weights)).items()})
    yield Case(name, "gradient", inputs, weights, results)


def seeded(name, compute, inputs, weights, kept=()):
    """`gradient` of a module without a loss, with random cotangents."""
    inputs, weights = ({k: stored(v) for k, v in d.items()} for d in (inputs, weights))
    results = compute(exact(inputs), exact(weights))
    draw = draws(name + "cotangents")
    cotangents = {k: stored(draw.normal(size=v.shape)) for k, v in results.items() if v.dtype == np.float64}
    total = lambda w: sum((compute(exact(inputs), w)[k] * c.astype(float)).sum() for k, c in cotangents.items())
    results = dict(results)
    results.update({f"gradient.{k}": v for k, v in jax.grad(total)(exact(weights)).items()})
    inputs.update({f"cotangent.{k}": v for k, v in cotangents.items()})
    yield Case(name, "gradient", inputs, weights, results)


def softmax(x, axis=-1):
    return jax.nn.softmax(x, axis=axis)


def cross_entropy(logits, label):
    return -np.mean(np.take_along_axis(jax.nn.log_softmax(logits), np.asarray(label)[..., None], -1))
