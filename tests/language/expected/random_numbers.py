"""Initial values."""
import numpy
from scipy.special import ndtr, ndtri

from cases import Case, case


def philox(key, counter, block):
    """Philox 4x32-10, from Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011."""
    mask = 0xffffffff
    c = [block & mask, block >> 32, counter & mask, counter >> 32]
    k = [key & mask, key >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & mask, (a >> 32) ^ c[3] ^ k[1], a & mask]
        k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
    return c


def uniform(name, counter, count, seed=0, kind="float32"):
    key = 0xcbf29ce484222325
    for byte in name.encode():
        key = (key ^ byte) * 0x100000001b3 % 2**64
    key ^= seed
    words = numpy.array([philox(key, counter, block) for block in range(count)], "uint64").ravel()
    if kind == "float64":
        return ((words[0::2] | words[1::2] << numpy.uint64(32)) >> numpy.uint64(11))[:count] * 2.0**-53
    bits = {"float32": 24, "float16": 11, "bfloat16": 8}[kind]
    return (words >> numpy.uint64(32 - bits))[:count].astype(float) * 2.0**-bits


def normal(name, shape, kind="float32"):
    count = int(numpy.prod(shape))
    u, v = uniform(name, 0, count, kind=kind), uniform(name, 1, count, kind=kind)
    return (numpy.sqrt(-2 * numpy.log(1 - u)) * numpy.cos(2 * numpy.pi * v)).reshape(shape)


@case("initial_values")
def _(name):
    total = (2 + uniform("a", 0, 40)).sum() + (10 + 0.5 * normal("e", (33,))).sum()
    total += (6 / 8)**0.5 * (2 * uniform("h", 0, 15) - 1).sum() + (2 / 5)**0.5 * normal("i", (45,)).sum()
    total += (6 / 14)**0.5 * (2 * uniform("j", 0, 7) - 1).sum() + 10 / 3
    total += uniform("l", 0, 1)[0] + (numpy.sin(numpy.arange(3)) + 1).sum()
    doubles = (2 * uniform("b", 0, 9, kind="float64") - 1).sum() + normal("f", (7,), "float64").sum()
    results = {"y": numpy.array(total), "z": numpy.array(doubles), "bounded": numpy.array(True)}
    yield Case(name, "forward", {}, {}, results)


def truncated_normal(name, count, kind):
    return ndtri(ndtr(-2) + (ndtr(2) - ndtr(-2)) * uniform(name, 0, count, kind=kind))


@case("initial_values_by_fans")
def _(name):
    between = lambda name, count, limit: (limit * (2 * uniform(name, 0, count, kind="float64") - 1)).sum()
    total = between("a", 36, (6 / 28)**0.5) + (2 / 8)**0.5 * normal("b", (15,), "float64").sum()
    total += (2 / 11)**0.5 * normal("c", (20,), "float64").sum() + (2 / 27)**0.5 * normal("d", (18,), "float64").sum()
    total += between("e", 45, (6 / 5)**0.5) + (1 / 8)**0.5 * normal("f", (8,), "float64").sum()
    total += between("g", 18, (3 / 12)**0.5)
    h = 1 + 0.5 * truncated_normal("h", 40, "float64")
    results = {"y": numpy.array(total), "z": numpy.array((h**2).sum()), "bounded": numpy.array(True),
               "w": numpy.array(2 * truncated_normal("j", 11, "float32").sum())}
    yield Case(name, "forward", {}, {}, results)
